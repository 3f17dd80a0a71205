import type { EventEmitter } from 'node:events';
import { timeInTurn } from '../database/turns.js';
import { type FairLines, fairLines } from '../services/core/fair-lines.js';
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

/** Names the line in which a request waits if it has to: senders take turns. */
export type LineOf = () => readonly string[];

/** A bounded number of places with a bounded queue in front of them. */
export interface ConcurrencyLimiter {
  /** Throws `busy` when there is neither a place nor room in the queue, unless a longer line than that of the sender can be shortened. */
  expectRoom(lineOf: LineOf): void;
  /**
   * Waits for a place; resolves with the function that gives it back, or with undefined when the client was gone before
   * there was one. Throws `busy` when the queue is full or the wait too long.
   */
  acquire(client: Client, lineOf: LineOf): Promise<(() => void) | undefined>;
  /** Waits for a place for a request that had one before: ahead of the queue, and as long as it takes. */
  acquireAgain(): Promise<() => void>;
  /** how many run, how many wait, and how many were refused until now */
  counts(): { running: number; waiting: number; refused: number };
}

/** One in the queue. */
interface Entry {
  start(): void;
  refuse(): void;
}

/** Places that are looked at in one turn of the event loop. */
const startsOfTurn = 8;

/**
 * Makes a limiter that gives places in the order in which they were asked for, where senders take turns. In one turn of the event loop
 * requests begin for a few milliseconds only, so that those of others come in between, however fast one sends.
 */
export function createConcurrencyLimiter({ running, waiting, patience }: ConcurrencyLimits): ConcurrencyLimiter {
  const lines: FairLines<Entry> = fairLines();
  const returning = new Set<() => void>();
  const hasTimeLeft = timeInTurn();
  let free = running;
  let refused = 0;
  let isStarting = false;

  const noRoom = (): Refusal => {
    refused += 1;
    return busy('Too many concurrent requests; retry later');
  };

  const startNext = (): void => {
    if (free === 0 || !hasTimeLeft()) return;
    const next = lines.next();
    if (!next) return;
    free -= 1;
    next.start();
  };
  /** Starts those in the queue in the next turns, each after what the one before it does at once. */
  const startSoon = (): void => {
    if (isStarting || free === 0 || lines.size === 0) return;
    isStarting = true;
    for (let at = Math.min(startsOfTurn, lines.size); at > 0; at -= 1) setImmediate(startNext);
    setImmediate(() => {
      isStarting = false;
      startSoon();
    });
  };
  /** Returns the place to the next in the queue, so that nobody overtakes. */
  const leaving = (): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [back] = returning;
      if (back) return back();
      free += 1;
      startSoon();
    };
  };
  /** Refuses the last of the longest line if that is longer than this one. */
  const makeRoom = (line: readonly string[]): boolean => {
    const last = lines.lastOfLonger(line);
    if (last) last.one.refuse();
    return last !== undefined;
  };
  const isFull = (): boolean => lines.size >= free + waiting;

  return {
    expectRoom(lineOf) {
      if (isFull() && !lines.lastOfLonger(lineOf())) throw noRoom();
    },
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
    counts: () => ({ running: running - free, waiting: lines.size, refused }),
    async acquire(client, lineOf) {
      if (client.closed) return undefined;
      if (free > 0 && lines.size === 0 && hasTimeLeft()) {
        free -= 1;
        return leaving();
      }
      const line = lineOf();
      if (isFull() && !makeRoom(line)) throw noRoom();
      return new Promise((done, failed) => {
        const quit = (): void => {
          lines.remove(line, entry);
          clearTimeout(timer);
          client.off('close', gone);
        };
        const entry: Entry = {
          start() {
            quit();
            done(leaving());
          },
          refuse() {
            quit();
            failed(noRoom());
          },
        };
        const gone = (): void => {
          quit();
          done(undefined);
        };
        const timer = setTimeout(entry.refuse, patience);
        client.once('close', gone);
        lines.add(line, entry);
        startSoon();
      });
    },
  };
}
