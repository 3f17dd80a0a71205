import DataLoader from 'dataloader';
import { breaksIn, type Pause } from '../../database/turns.js';
import { type Context, loader } from './context.js';

/** The order in which the many parts of one answer are processed, such as the rows of a list. */
export interface Pace {
  /**
   * Returns a promise to await before the next part; undefined if it may be done at once. Parts are done in the order
   * of their calls.
   */
  turn(): Promise<void> | undefined;
  /** Resolves when no part waits, after all immediate work, so that one read serves all parts. */
  partsDone(): Promise<void>;
}

/** Resolves when all other promises are settled that do not wait for I/O. */
const promisesSettled = (): Promise<void> =>
  new Promise((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)));

/** Creates the pace of a piece of work with this `pause`. */
function createPace(pause: Pause): Pace {
  const parts: (() => void)[] = [];
  let done: Promise<void> | undefined;

  const doParts = async (turnOver: Promise<void>): Promise<void> => {
    await turnOver;
    // a part that is done may add others
    for (let at = 0; at < parts.length; at += 1) {
      if (at > 0) await pause();
      parts[at]?.();
      await promisesSettled();
    }
    parts.length = 0;
    done = undefined;
  };
  return {
    turn() {
      if (!done) {
        const turnOver = pause();
        if (!turnOver) return undefined;
        done = doParts(turnOver);
      }
      return new Promise((resolve) => parts.push(resolve));
    },
    async partsDone() {
      await promisesSettled();
      await done;
    },
  };
}

/** Milliseconds of an answer before its first break. */
const atOnce = 2;

/** The pace of the answer to a request. */
export const paceOf = (ctx: Context): Pace => loader(ctx, 'pace', () => createPace(breaksIn(ctx.db, atOnce)));

/** A loader that batches the keys of all rows of a list, although the list has breaks between its rows. */
export const batchLoader = <K, V, C = K>(
  ctx: Context,
  load: DataLoader.BatchLoadFn<K, V>,
  options: DataLoader.Options<K, V, C> = {},
): DataLoader<K, V, C> =>
  new DataLoader(load, { ...options, batchScheduleFn: (send) => void paceOf(ctx).partsDone().then(send) });
