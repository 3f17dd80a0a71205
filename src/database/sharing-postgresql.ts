import { lockTimeout, type Part, SharedTransaction } from './shared-transaction-postgresql.js';
import type { Transaction } from './transaction.js';
import type { Means } from './waiting-postgresql.js';

/** Combines transactions that wait at the same time. */
export interface Sharing {
  /**
   * A part of the next shared transaction; undefined if no other transaction waits. Call `ended` when a transaction
   * without a part is over.
   */
  join(): Promise<Part | undefined>;
  ended(): void;
}

/** Maximum concurrent transactions: while one waits for the disk, another is prepared. */
const mostUnderWay = 2;
const mostParts = 16;

/**
 * Lets transactions that wait at the same time share one. Most of the cost of a short write, on both sides, is to
 * begin, to send, and to wait for the disk. Each caller learns of the commit only after all parts are committed. If a
 * statement fails, or a part with writes is rolled back, nothing is kept and each part is repeated separately. A
 * refused part is repeated too, because it may have read rows that no longer exist.
 */
export function sharingOn(means: Means): Sharing {
  let waiting: ((part: Part | undefined) => void)[] = [];
  let underWay = 0;
  let scheduled = false;

  const ended = (): void => {
    underWay -= 1;
    depart();
  };
  const depart = (): void => {
    if (scheduled || waiting.length === 0 || underWay >= mostUnderWay) return;
    scheduled = true;
    // after the requests that have arrived by now have reached this point
    setImmediate(() => {
      scheduled = false;
      const joining = waiting.slice(0, mostParts);
      waiting = waiting.slice(joining.length);
      if (joining.length === 0) return;
      underWay += 1;
      if (joining.length === 1) joining[0]?.(undefined);
      else {
        const shared = new SharedTransaction(means, joining.length, ended);
        joining.forEach((resolve, at) => void resolve(shared.parts[at]));
      }
      depart();
    });
  };
  return {
    ended,
    join: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        depart();
      }),
  };
}

/** Runs a transaction as a part of a shared one. Runs `alone` if there is none or if it was undone. */
export async function shareOr<T>(
  sharing: Sharing,
  run: (part: Transaction) => Promise<T>,
  alone: () => Promise<T>,
): Promise<T> {
  const part = await sharing.join();
  if (!part) return aside(sharing, alone);
  try {
    return await run(part);
  } catch (error) {
    if (!part.isUndone) throw error;
  }
  return alone();
}

/** Runs a transaction that does not share. If it waits for a row, it does not keep others from sharing. */
async function aside<T>(sharing: Sharing, alone: () => Promise<T>): Promise<T> {
  let isCounted = true;
  const leave = (): void => {
    if (isCounted) sharing.ended();
    isCounted = false;
  };
  const timer = setTimeout(leave, lockTimeout);
  try {
    return await alone();
  } finally {
    clearTimeout(timer);
    leave();
  }
}
