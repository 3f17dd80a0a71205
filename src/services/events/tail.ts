import type { Services } from '../core/context.js';
import { busy } from '../core/refusal.js';
import { listenForEvents } from './watch.js';

/** The fields of a row that determine its place in the order. */
export interface EventRow {
  id: string;
  position: bigint;
  time: bigint;
}

export interface Tail<R extends EventRow> {
  realmId: string;
  /** Up to `atOnce` events before the horizon that follow the events read so far, or the start; oldest first. */
  read(horizon: bigint): Promise<R[]>;
  /** Throws a refusal when the caller may not go on. */
  check(): Promise<void>;
}

/** Maximum events that are read with one statement. */
export const atOnce = 100;

/** Interval of the checks of rights while nothing changes, in milliseconds. */
const interval = 500;

const mostAtATime = 200;

const running = new WeakMap<object, number>();

/**
 * Counts one more subscription in this process, until the returned function is called. Refuses as `busy` if there are
 * too many.
 */
export function takePlace(database: object): () => void {
  const others = running.get(database) ?? 0;
  if (others >= mostAtATime) throw busy('Too many concurrent subscriptions; retry later');
  running.set(database, others + 1);
  return () => void running.set(database, (running.get(database) ?? 1) - 1);
}

type Needed = Pick<Services, 'database' | 'feed' | 'stopping'>;

/**
 * The live events of a realm after a position, from any instance, in the order of their positions, each once. Ends when
 * the service stops, and with a refusal when the caller's rights end. Refuses as `busy` if there are too many
 * listeners.
 */
export async function* tailEvents<R extends EventRow>(
  services: Needed,
  { realmId, read, check }: Tail<R>,
): AsyncGenerator<R> {
  const { database, stopping } = services;
  const leave = takePlace(database);
  const listener = listenForEvents(services, () => [realmId]);
  try {
    let seen: bigint | undefined;
    while (!stopping.aborted) {
      await check();
      const horizon = listener.horizon();
      const rows = horizon === seen ? [] : await read(horizon);
      yield* rows;
      if (rows.length === atOnce) continue;
      seen = horizon;
      await listener.news(interval, stopping);
    }
  } finally {
    listener.stop();
    leave();
  }
}
