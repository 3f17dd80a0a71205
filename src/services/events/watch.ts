import { eventHorizon } from '../../database/event-positions.js';
import type { Services } from '../core/context.js';
import { realmsWithEventsBetween } from './store.js';

type Needed = Pick<Services, 'database' | 'feed'>;

/** Milliseconds to wait after a write of an administrator for other writes of the same moment. */
const gathering = 10;
/**
 * Milliseconds between checks for login events. Logins write no change row, because it would add cost to each of them.
 */
const interval = 150;

/** A listener for events of some realms. */
export interface Listener {
  /** events before this position may be read */
  horizon(): bigint;
  /**
   * Resolves when there are new events, or at once if there were any since the last call; else after `milliseconds`.
   */
  news(milliseconds: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

interface Watch {
  listeners: Set<{ realms: () => readonly string[]; wake: () => void }>;
  horizon: bigint;
  stop: () => void;
}

const watches = new WeakMap<object, Watch>();

/**
 * Listens for events of these realms from any instance. All listeners in a process share one query, which runs with
 * each change in the feed, and a few times per second.
 */
export function listenForEvents(services: Needed, realms: () => readonly string[]): Listener {
  const watch = watches.get(services.database) ?? startWatch(services);
  let fresh = true;
  let waiting: (() => void) | undefined;
  const listener = {
    realms,
    wake: () => {
      fresh = true;
      waiting?.();
    },
  };
  watch.listeners.add(listener);
  return {
    horizon: () => watch.horizon,
    news: (milliseconds, signal) =>
      new Promise((done) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          waiting = undefined;
          fresh = false;
          done();
        };
        const timer = setTimeout(end, milliseconds);
        waiting = end;
        signal.addEventListener('abort', end);
        if (fresh || signal.aborted) end();
      }),
    stop() {
      watch.listeners.delete(listener);
      if (watch.listeners.size === 0) watch.stop();
    },
  };
}

function startWatch({ database, feed }: Needed): Watch {
  let looking = false;
  let again = false;
  let soon: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const horizon = await eventHorizon(database);
    const from = watch.horizon;
    if (horizon <= from) return;
    const all = [...watch.listeners];
    const realms = [...new Set(all.flatMap((listener) => listener.realms()))];
    const isFirst = from === 0n || realms.length === 0;
    const fresh = isFirst ? realms : await realmsWithEventsBetween(database.read, realms, from, horizon);
    watch.horizon = horizon;
    for (const { realms: own, wake } of all) if (own().some((id) => fresh.includes(id))) wake();
  }
  const run = async (): Promise<void> => {
    again = looking;
    if (looking) return;
    looking = true;
    // a listener notices an unavailable database with its own read
    await look().catch(() => undefined);
    looking = false;
    if (again) plan();
  };
  const plan = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined;
      void run();
    }, gathering);
  };
  const timer = setInterval(run, interval);
  const unsubscribe = feed.subscribe(plan);
  const watch: Watch = {
    listeners: new Set(),
    horizon: 0n,
    stop() {
      clearInterval(timer);
      clearTimeout(soon);
      unsubscribe();
      if (watches.get(database) === watch) watches.delete(database);
    },
  };
  watches.set(database, watch);
  plan();
  return watch;
}
