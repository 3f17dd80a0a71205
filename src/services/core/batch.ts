import { z } from 'zod';
import { limit } from '../../config/limits.js';
import type { ModelName } from '../../database/db.js';
import type { Context } from './context.js';
import type { AuditRecord } from './operation.js';
import { allFaults, type Fault, faultsOf, invalid, Refusal, refuseAll, stale } from './refusal.js';
import { firstVersion } from './unit-of-work.js';

/** Effect of a refused object on the rest of a batch: everything is undone, or the rest is done. */
export const onError = z.enum(['ROLLBACK', 'CONTINUE']);

export type BatchMode = z.infer<typeof onError> | undefined;

interface Done {
  id: string;
  audits: AuditRecord[];
}

export interface BatchResult {
  done: Done[];
  /** the faults of the objects that were left out */
  faults: Fault[];
}

const mostItems = limit('Objects', 'Objects of a batch', 1000, 'objects');

/** Refuses a batch with too many items; `list` is the field of the items. */
export function checkedSize(items: readonly unknown[] = [], list = 'users'): void {
  if (items.length > mostItems) throw invalid(`A batch must have at most ${mostItems} ${list}`, list);
}

/** Maximum pairs of objects that one batch links. */
const mostPairs = limit('Objects', 'Pairs of objects that a batch links', 10_000, 'pairs');

/** Refuses a batch that links too many objects to the entries of another list, which is in `field`. */
export function checkPairs(kind: string, ids: readonly string[], others: readonly string[], field: string): void {
  if (ids.length * others.length > mostPairs) {
    throw invalid(`A batch must have at most ${mostPairs} pairs of a ${kind} and an entry of \`${field}\``, field);
  }
}

/** The refusals of the objects that a list names a second time, at their places in it. */
export function repeated(ids: readonly string[], kind: string): (Refusal | undefined)[] {
  const seen = new Set<string>();
  return ids.map((id) => {
    if (seen.has(id)) return invalid(`The ${kind} occurs twice in the list`, 'id', { code: 'REPEATED' });
    seen.add(id);
    return undefined;
  });
}

/**
 * Refuses an object with another version than the caller states in `field`. If operations share a unit, the version
 * before the first of them is accepted, too.
 */
export function requireVersion(
  { unit }: Context,
  model: ModelName,
  { id, version }: { id: string; version: number },
  expected: number | undefined,
  field?: 'expectedVersion',
): void {
  const first = unit ? firstVersion(unit.firstVersions, { model, id }, version) : version;
  if (expected !== undefined && expected !== version && expected !== first) throw stale(version, expected, field);
}

/** The refusal of a part of an input, as one of the input. */
export function atPlace(refusal: Refusal, place: readonly string[]): Refusal {
  const { kind, message, details } = refusal;
  // the caller is known before the batch begins
  if (kind === 'unauthenticated') throw refusal;
  const field = [...place, details.field].filter((part) => part !== undefined).join('.');
  const faults = faultsOf(refusal).map((fault) => ({ ...fault, path: [...place, ...(fault.path ?? [])] }));
  return new Refusal(kind, message, { field, faults });
}

/** Returns the result of `run`. Refusals that it throws get `place` as a prefix of their fields. */
export function inPlace<R>(place: readonly string[], run: () => R): R {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) throw atPlace(error, place);
    throw error;
  }
}

/** Like `inPlace`, for asynchronous work. */
export async function laterInPlace<R>(place: readonly string[], run: () => Promise<R>): Promise<R> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal) throw atPlace(error, place);
    throw error;
  }
}

/** Separates results from refusals. Without CONTINUE, one refusal fails the whole batch. */
export function sorted<O extends { id: string }>(
  outcomes: readonly (O | Refusal)[],
  mode: BatchMode,
  auditsOf: (done: O, index: number) => AuditRecord[],
  list = 'users',
): BatchResult {
  const refusals = outcomes.flatMap((outcome, index) =>
    outcome instanceof Refusal ? atPlace(outcome, [list, String(index)]) : [],
  );
  if (mode !== 'CONTINUE') refuseAll(refusals);
  const done = outcomes.flatMap((outcome, index) =>
    outcome instanceof Refusal ? [] : { id: outcome.id, audits: auditsOf(outcome, index) },
  );
  return { done, faults: allFaults(refusals) };
}

/** The outcome of a batch of one. Throws it if it is a refusal. */
export function onlyOne<O>([outcome]: readonly (O | Refusal)[]): O {
  if (outcome instanceof Refusal) throw outcome;
  return outcome as O;
}
