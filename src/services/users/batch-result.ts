import { z } from 'zod';
import type { AuditRecord } from '../core/operation.js';
import { allFaults, type Fault, faultsOf, invalid, Refusal, refuseAll } from '../core/refusal.js';

/** What happens to the others when one of a batch is refused: all is undone, or the rest is done. */
export const onError = z.enum(['ROLLBACK', 'CONTINUE']);

interface Done {
  id: string;
  audits: AuditRecord[];
}

export interface BatchResult {
  done: Done[];
  /** what was wrong with the users that were left out */
  faults: Fault[];
}

const mostItems = 1000;

/** Refuses a batch of too many users. */
export function checkedSize(users: readonly unknown[] = []): void {
  if (users.length > mostItems) throw invalid(`A batch must have at most ${mostItems} users`, 'users');
}

/** The refusal of an item of a batch, as one of the batch. */
function atIndex(refusal: Refusal, index: number): Refusal {
  const { kind, message, details } = refusal;
  // who asks is known before the batch begins
  if (kind === 'unauthenticated') throw refusal;
  const place = ['users', String(index)];
  const field = [...place, details.field].filter((part) => part !== undefined).join('.');
  const faults = faultsOf(refusal).map((fault) => ({ ...fault, path: [...place, ...(fault.path ?? [])] }));
  return new Refusal(kind, message, { field, faults });
}

/** Sorts out what was done and what was refused; without CONTINUE one refusal is that of the batch. */
export function sorted<O extends { id: string }>(
  outcomes: readonly (O | Refusal)[],
  mode: z.infer<typeof onError> | undefined,
  auditsOf: (done: O) => AuditRecord[],
): BatchResult {
  const refusals = outcomes.flatMap((outcome, index) => (outcome instanceof Refusal ? atIndex(outcome, index) : []));
  if (mode !== 'CONTINUE') refuseAll(refusals);
  const done = outcomes.flatMap((outcome) =>
    outcome instanceof Refusal ? [] : { id: outcome.id, audits: auditsOf(outcome) },
  );
  return { done, faults: allFaults(refusals) };
}
