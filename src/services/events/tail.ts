import type { Services } from '../core/context.js';
import { Refusal } from '../core/refusal.js';
import { eventHorizon } from './horizon.js';

/** The least that a row has to tell to have its place in the order. */
export interface EventRow {
  id: string;
  time: bigint;
}

export interface Tail<R extends EventRow> {
  /** Up to `atOnce` events that are older than the horizon and after the last one, or after the start; oldest first. */
  read(last: R | undefined, horizon: bigint): Promise<R[]>;
  /** Throws a refusal when the caller may not go on. */
  check(): Promise<void>;
}

/** Most events that are read with one statement. */
export const atOnce = 100;
/** How often events are looked for and rights are looked at, in milliseconds. */
const interval = 500;
const mostAtATime = 200;

const running = new WeakMap<object, number>();

type Needed = Pick<Services, 'database' | 'now' | 'stopping'>;

/**
 * The events after a point as they come, whichever instance stores them, in the order of time and id, each once. Ends
 * when the service stops, and with a refusal when the caller's rights end. Refuses as `busy` when many listen already.
 */
export async function* tailEvents<R extends EventRow>(services: Needed, { read, check }: Tail<R>): AsyncGenerator<R> {
  const { database, stopping } = services;
  const others = running.get(database) ?? 0;
  if (others >= mostAtATime) throw new Refusal('busy', 'Too many subscriptions at a time; try again');
  running.set(database, others + 1);
  try {
    let last: R | undefined;
    while (!stopping.aborted) {
      await check();
      const rows = await read(last, await eventHorizon(services));
      for (const row of rows) {
        last = row;
        yield row;
      }
      if (rows.length < atOnce) await pause(stopping);
    }
  } finally {
    running.set(database, (running.get(database) ?? 1) - 1);
  }
}

/** Resolves after the interval, or earlier when the signal comes. */
const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, interval);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
