import { z } from 'zod';
import type { ModelName } from '../../database/db.js';
import type { Context } from './context.js';
import type { AuditRecord } from './operation.js';
import { allFaults, type Fault, faultsOf, invalid, Refusal, refuseAll, stale } from './refusal.js';
import { firstVersion } from './unit-of-work.js';

/** What happens to the others when one of a batch is refused: all is undone, or the rest is done. */
export const onError = z.enum(['ROLLBACK', 'CONTINUE']);

export type BatchMode = z.infer<typeof onError> | undefined;

interface Done {
  id: string;
  audits: AuditRecord[];
}

export interface BatchResult {
  done: Done[];
  /** what was wrong with the objects that were left out */
  faults: Fault[];
}

const mostItems = 1000;

/** Refuses a batch of too many items; `list` is the field that has them. */
export function checkedSize(items: readonly unknown[] = [], list = 'users'): void {
  if (items.length > mostItems) throw invalid(`A batch must have at most ${mostItems} ${list}`, list);
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

/** Refuses an object with another version. Where operations share a unit, the version before the first of them is good, too. */
export function requireVersion(
  { unit }: Context,
  model: ModelName,
  { id, version }: { id: string; version: number },
  expected: number | undefined,
): void {
  const first = unit ? firstVersion(unit.firstVersions, { model, id }, version) : version;
  if (expected !== undefined && expected !== version && expected !== first) throw stale(version, expected);
}

/** The refusal of an item of a batch, as one of the batch. */
function atIndex(refusal: Refusal, list: string, index: number): Refusal {
  const { kind, message, details } = refusal;
  // who asks is known before the batch begins
  if (kind === 'unauthenticated') throw refusal;
  const place = [list, String(index)];
  const field = [...place, details.field].filter((part) => part !== undefined).join('.');
  const faults = faultsOf(refusal).map((fault) => ({ ...fault, path: [...place, ...(fault.path ?? [])] }));
  return new Refusal(kind, message, { field, faults });
}

/** Sorts out what was done and what was refused; without CONTINUE one refusal is that of the batch. */
export function sorted<O extends { id: string }>(
  outcomes: readonly (O | Refusal)[],
  mode: BatchMode,
  auditsOf: (done: O) => AuditRecord[],
  list = 'users',
): BatchResult {
  const refusals = outcomes.flatMap((outcome, index) =>
    outcome instanceof Refusal ? atIndex(outcome, list, index) : [],
  );
  if (mode !== 'CONTINUE') refuseAll(refusals);
  const done = outcomes.flatMap((outcome) =>
    outcome instanceof Refusal ? [] : { id: outcome.id, audits: auditsOf(outcome) },
  );
  return { done, faults: allFaults(refusals) };
}

/** The outcome of a batch of one. Throws it if it is a refusal. */
export function onlyOne<O>([outcome]: readonly (O | Refusal)[]): O {
  if (outcome instanceof Refusal) throw outcome;
  return outcome as O;
}
