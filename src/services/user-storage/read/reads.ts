import type { ChangeNotice } from '../../core/feed.js';
import type { PeopleRead } from '../../core/ports.js';
import { type Config, numberOf, one } from '../config.js';

/** Milliseconds until a user is read again if the storage has no setting for it. */
const standardLifespan = 10 * 60_000;
/** Milliseconds without reads after a directory did not answer. */
const pause = 10_000;
const most = 10_000;
const day = 86_400_000;

/** The next moment at or after `now` with this time of the day and, for a week, this day (1: Sunday). UTC. */
function nextEviction(config: Config, now: number, weekly: boolean): number {
  const time = numberOf(config, 'evictionHour', 0) * 3_600_000 + numberOf(config, 'evictionMinute', 0) * 60_000;
  // the first of January 1970 was a Thursday
  const firstDay = weekly ? ((numberOf(config, 'evictionDay', 1) - 5 + 14) % 7) * day : 0;
  const period = weekly ? 7 * day : day;
  const offset = firstDay + time;
  return offset + (Math.floor((now - offset) / period) + 1) * period;
}

/** The time until which a read of a user counts, by the cache policy of the storage. */
function keptUntil(config: Config, now: number): number {
  switch (one(config, 'cachePolicy')) {
    case 'NO_CACHE':
      return now;
    case 'MAX_LIFESPAN':
      return now + numberOf(config, 'maxLifespan', standardLifespan);
    case 'EVICT_DAILY':
      return nextEviction(config, now, false);
    case 'EVICT_WEEKLY':
      return nextEviction(config, now, true);
    default:
      return now + standardLifespan;
  }
}

/** The operation in notices of changes by a read: these do not make the read outdated. */
export const readOperation = 'userStorage.read';

/** Whether all users of the realm must be read again after this write. */
const changesAll = (operation: string): boolean =>
  /^(realm|component|userStorage)\b/.test(operation) && !/^userStorage\.(import|progress)$/.test(operation);

/** Remembers the reads of users. After a write of a user, of the realm, or of components, users are read again. */
export function rememberReads(
  feed: { subscribe(listener: (notice: ChangeNotice) => void): unknown },
  now: () => number,
): PeopleRead {
  const until = new Map<string, { realmId: string; from: number; time: number }>();
  const running = new Map<string, Promise<unknown>>();
  feed.subscribe(({ realmId, operation, touches }) => {
    if (operation === readOperation) return;
    if (changesAll(operation)) {
      for (const [id, known] of until) if (known.realmId === realmId) until.delete(id);
    }
    for (const key of touches) if (key.startsWith('user:')) until.delete(key.slice('user:'.length));
  });
  const isOver = (id: string): boolean => {
    const kept = until.get(id);
    // after a clock was set back, the age of the read is unknown
    return !kept || kept.time <= now() || kept.from > now();
  };
  const keep = (id: string, realmId: string, time: number): void => {
    if (until.size >= most) until.clear();
    until.set(id, { realmId, from: now(), time });
  };
  return {
    isDue: (userId, storageId) => isOver(userId) && isOver(storageId),
    read: (realmId, userId, config) => keep(userId, realmId, keptUntil(config, now())),
    failed: (realmId, storageId) => keep(storageId, realmId, now() + pause),
    once<T>(userId: string, work: () => Promise<T>): Promise<T> {
      const known = running.get(userId) as Promise<T> | undefined;
      if (known) return known;
      const started = work().finally(() => running.delete(userId));
      running.set(userId, started);
      return started;
    },
  };
}
