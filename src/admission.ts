import type { EventEmitter } from 'node:events';
import { Refusal } from './services/core/refusal.js';

export interface AdmissionLimits {
  /** how many may be in at once */
  readonly running: number;
  /** how many may stand in line beyond these */
  readonly waiting: number;
  /** how long one stands in line at most, in milliseconds */
  readonly patience: number;
}

/** Whoever waits, and tells of its end with the event `close`. */
export type Client = Pick<EventEmitter, 'once' | 'off'> & { readonly closed: boolean };

/** A bounded number of places with a bounded line in front of them. */
export interface Admission {
  /** Throws `busy` when a further one would find neither a place nor room in the line. */
  expectRoom(): void;
  /**
   * Waits for a place; resolves with the function that gives it back, or with undefined when the client was gone before
   * there was one. Throws `busy` when the line is full or the wait too long.
   */
  enter(client: Client): Promise<(() => void) | undefined>;
  /** how many are in, and how many stand in line */
  counts(): { running: number; waiting: number };
}

const busy = (): Refusal => new Refusal('busy', 'Too many requests at a time; try again');

/** Makes an admission; places are given in the order in which they were asked for. */
export function createAdmission({ running, waiting, patience }: AdmissionLimits): Admission {
  const line = new Set<() => void>();
  let free = running;

  /** For one who is in: the place goes straight to the next in line, so that nobody can slip in between. */
  const leaving = (): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = line;
      if (next) next();
      else free += 1;
    };
  };
  const expectRoom = (): void => {
    if (free === 0 && line.size >= waiting) throw busy();
  };

  return {
    expectRoom,
    counts: () => ({ running: running - free, waiting: line.size }),
    async enter(client) {
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
          failed(busy());
        }, patience);
        client.once('close', gone);
        line.add(next);
      });
    },
  };
}
