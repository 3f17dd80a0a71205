import type { ChangeFeed } from './feed.js';

/** What was read in realms, for as long as nothing changes there: a second at most. */
export interface Memory<T> {
  /** What is known under the key, or what `find` finds. */
  get(key: string, find: () => Promise<T>): Promise<T>;
}

const lifetime = 1000;
const most = 5000;

/**
 * Remembers what belongs to a realm, as `realmOf` says by its id; nothing is remembered of what belongs to none. Every
 * write in a realm has all of it read anew; what other processes write counts when it is heard of.
 */
export function rememberInRealms<T>(
  feed: Pick<ChangeFeed, 'subscribe'>,
  now: () => number,
  realmOf: (value: T) => string | undefined,
): Memory<T> {
  const known = new Map<string, { value: T; until: number }>();
  const keysOf = new Map<string, Set<string>>();
  let changes = 0;
  feed.subscribe(({ realmId }) => {
    changes += 1;
    for (const key of keysOf.get(realmId) ?? []) known.delete(key);
    keysOf.delete(realmId);
  });
  return {
    async get(key, find) {
      const entry = known.get(key);
      if (entry && entry.until > now()) return entry.value;
      const before = changes;
      const value = await find();
      const realmId = realmOf(value);
      // what was read while something changed may be what was there before
      if (before !== changes || realmId === undefined) return value;
      if (known.size >= most) {
        known.clear();
        keysOf.clear();
      }
      known.set(key, { value, until: now() + lifetime });
      keysOf.set(realmId, (keysOf.get(realmId) ?? new Set()).add(key));
      return value;
    },
  };
}

/**
 * Finds what follows from a record once, for as long as the record itself is remembered: what is read anew with it. A find
 * that fails is tried again.
 */
export function rememberWith<K extends object, T>(): (record: K, find: () => Promise<T>) => Promise<T> {
  const known = new WeakMap<K, Promise<T>>();
  return (record, find) => {
    const remembered = known.get(record);
    if (remembered) return remembered;
    const found = find();
    known.set(record, found);
    found.catch(() => known.delete(record));
    return found;
  };
}
