import type { Context } from '../../services/core/context.js';
import { type DeferredWork, isOutcomeMissing } from '../../services/core/deferred-work.js';
import type { UnitOfWork } from '../../services/core/unit-of-work.js';
import { nothingWritten, type PayloadValue, refused } from './payload.js';

/**
 * The root fields of a mutation that share one transaction. First all of them are performed, without an answer. The
 * payloads are resolved after the outcome of the transaction is known, so nobody sees values that were rolled back.
 */
export interface SharedMutation {
  stage: 'performing' | 'kept' | 'undone';
  failed: boolean;
  /** whether a root field could not go on without the outcome of slow work */
  isIncomplete: boolean;
  /** whether a failing root field leaves the others unchanged, as without a shared transaction */
  isApart: boolean;
  unit: Pick<UnitOfWork, 'firstVersions'>;
  /** slow work of the root fields, which is done while no transaction is open */
  deferred: DeferredWork;
  /** by response key; throws the error of the field, if it is not a refusal */
  outcomes: Map<string | number, () => PayloadValue>;
}

/** The shared transactions of requests, by their contexts. */
export const sharedMutations = new WeakMap<object, SharedMutation>();

const aborted = (message: string): PayloadValue => refused([{ code: 'ABORTED', path: null, message }]);

/** Performs a root field of a shared transaction, unless an earlier one failed. */
async function performed(shared: SharedMutation, work: () => Promise<PayloadValue>): Promise<() => PayloadValue> {
  if (shared.failed) return () => aborted('An earlier root field of this mutation failed');
  try {
    const payload = await work();
    shared.failed = payload.isRefused && !shared.isApart;
    // each field compares versions with the state after the field before it
    if (shared.isApart) shared.unit.firstVersions.clear();
    return () => payload;
  } catch (error) {
    // the transaction begins again: until then, the fields after this one ask for their slow work too
    if (isOutcomeMissing(error)) shared.isIncomplete = true;
    else shared.failed = !shared.isApart;
    return () => {
      throw error;
    };
  }
}

/** Performs a root field, or returns the known outcome of one that shares its transaction with others. */
export async function performOnce(
  ctx: Context,
  key: string | number,
  work: () => Promise<PayloadValue>,
): Promise<PayloadValue> {
  const shared = sharedMutations.get(ctx);
  if (!shared) return work();
  if (shared.stage === 'performing') {
    shared.outcomes.set(key, await performed(shared, work));
    return nothingWritten;
  }
  const outcome = shared.outcomes.get(key)?.() ?? nothingWritten;
  const isUndone = shared.stage === 'undone' && !outcome.isRefused;
  return isUndone ? aborted('Another root field of this mutation failed, so this one was rolled back') : outcome;
}

/** Performs a root field, or a part of it again. In a shared transaction, its slow work is put off until no transaction is open. */
export function deferringSlowWork<R>(ctx: Context, key: string | number, perform: () => Promise<R>): Promise<R> {
  const shared = sharedMutations.get(ctx);
  return shared ? shared.deferred.within(String(key), perform) : perform();
}
