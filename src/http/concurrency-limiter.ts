import type { EventEmitter } from 'node:events';
import { busy, type Refusal } from '../services/core/refusal.js';

export interface ConcurrencyLimits {
  /** how many may run at once */
  readonly running: number;
  /** how many may wait beyond these */
  readonly waiting: number;
  /** how long one may wait, in milliseconds */
  readonly patience: number;
}

/** The sender of a request, which emits `close` at its end. */
export type Client = Pick<EventEmitter, 'once' | 'off'> & { readonly closed: boolean };

/** A bounded number of places with a bounded queue in front of them. */
export interface ConcurrencyLimiter {
  /** Throws `busy` when there is neither a place nor room in the queue. */
  expectRoom(): void;
  /**
   * Waits for a place; resolves with the function that gives it back, or with undefined when the client was gone before
   * there was one. Throws `busy` when the queue is full or the wait too long.
   */
  acquire(client: Client): Promise<(() => void) | undefined>;
  /** Waits for a place for a request that had one before: ahead of the queue, and as long as it takes. */
  acquireAgain(): Promise<() => void>;
  /** how many run, how many wait, and how many were refused until now */
  counts(): { running: number; waiting: number; refused: number };
}

/** Makes a limiter that gives places in the order in which they were asked for. */
export function createConcurrencyLimiter({ running, waiting, patience }: ConcurrencyLimits): ConcurrencyLimiter {
  const line = new Set<() => void>();
  const returning = new Set<() => void>();
  let free = running;
  let refused = 0;

  const noRoom = (): Refusal => {
    refused += 1;
    return busy('Too many concurrent requests; retry later');
  };

  /** Returns the place to the next in the queue, so that nobody overtakes. */
  const leaving = (): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = returning.size > 0 ? returning : line;
      if (next) next();
      else free += 1;
    };
  };
  const expectRoom = (): void => {
    if (free === 0 && line.size >= waiting) throw noRoom();
  };

  return {
    expectRoom,
    async acquireAgain() {
      if (free > 0) {
        free -= 1;
        return leaving();
      }
      return new Promise((done) => {
        const next = (): void => {
          returning.delete(next);
          done(leaving());
        };
        returning.add(next);
      });
    },
    counts: () => ({ running: running - free, waiting: line.size, refused }),
    async acquire(client) {
      if (client.closed) return undefined;
      expectRoom();
      if (free > 0) {
        free -= 1;
        return leaving();
      }
      return new Promise((done, failed) => {
        const quit = (): void => {
          line.delete(next);
          clearTimeout(timer);
          client.off('close', gone);
        };
        const next = (): void => {
          quit();
          done(leaving());
        };
        const gone = (): void => {
          quit();
          done(undefined);
        };
        const timer = setTimeout(() => {
          quit();
          failed(noRoom());
        }, patience);
        client.once('close', gone);
        line.add(next);
      });
    },
  };
}
