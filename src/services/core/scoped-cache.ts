import type { ChangeFeed, ChangeNotice } from './feed.js';

/** Values that this process keeps for a second at most. Each has a scope, such as its realm, and is forgotten with changes of that. */
export interface ScopedCache<T> {
  /** The value that is kept under the key, or what `find` finds. */
  get(key: string, find: () => Promise<T>): Promise<T>;
}

export interface CacheRules<T> {
  /** milliseconds since 1970 */
  now(): number;
  /** The scope of a value. A value without one is not kept. */
  scopeOf(value: T, key: string): string | undefined;
  /** The scopes whose values a change makes out of date. */
  changedBy(change: ChangeNotice): 'all' | readonly string[];
}

const lifetime = 1000;
const mostValues = 5000;

/**
 * Creates a cache that forgets by the change feed. What other processes write counts when it is heard of, and after a second
 * where they cannot be heard. What was being found while its scope changed is not kept: it may be what was there before.
 */
export function createScopedCache<T>(
  feed: Pick<ChangeFeed, 'subscribe'>,
  { now, scopeOf, changedBy }: CacheRules<T>,
): ScopedCache<T> {
  const values = new Map<string, { value: T; until: number }>();
  const keysOf = new Map<string, Set<string>>();
  /** for each `find` that is under way, the scopes that have changed since it began */
  const changedMeanwhile = new Set<Set<string>>();
  let clearings = 0;

  const clear = (): void => {
    values.clear();
    keysOf.clear();
  };
  feed.subscribe((change) => {
    const scopes = changedBy(change);
    if (scopes === 'all') {
      clearings += 1;
      clear();
      return;
    }
    for (const scope of scopes) {
      for (const changed of changedMeanwhile) changed.add(scope);
      for (const key of keysOf.get(scope) ?? []) values.delete(key);
      keysOf.delete(scope);
    }
  });
  const keep = (key: string, scope: string, value: T, until: number): void => {
    if (values.size >= mostValues) clear();
    values.set(key, { value, until });
    keysOf.set(scope, (keysOf.get(scope) ?? new Set()).add(key));
  };

  return {
    async get(key, find) {
      const known = values.get(key);
      if (known && known.until > now()) return known.value;
      const until = now() + lifetime;
      const before = clearings;
      const changed = new Set<string>();
      changedMeanwhile.add(changed);
      try {
        const value = await find();
        const scope = scopeOf(value, key);
        if (scope !== undefined && before === clearings && !changed.has(scope)) keep(key, scope, value, until);
        return value;
      } finally {
        changedMeanwhile.delete(changed);
      }
    },
  };
}

/** Creates a cache of what belongs to realms, as `realmOf` says by the realm's id: every write in a realm has all of it found anew. */
export const createRealmScopedCache = <T>(
  feed: Pick<ChangeFeed, 'subscribe'>,
  now: () => number,
  realmOf: (value: T) => string | undefined,
): ScopedCache<T> => createScopedCache(feed, { now, scopeOf: realmOf, changedBy: ({ realmId }) => [realmId] });

/**
 * Finds what follows from a record once, for as long as the record itself is kept: what is read anew with it. A find that
 * fails is tried again.
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
