import { askedOf } from './asked-caches.js';
import type { ChangeFeed, ChangeNotice } from './feed.js';
import { isRecent } from './recent.js';

/**
 * Values that this process caches for at most a second. Each has a scope, such as its realm, and is removed when the
 * scope changes.
 */
export interface ScopedCache<T> {
  /** The cached value of the key, or the result of `find`. */
  get(key: string, find: () => Promise<T>): Promise<T>;
  /** The cached value of the key, if there is one. */
  peek(key: string): T | undefined;
}

export interface CacheRules<T> {
  /** the name of the cache in metrics */
  name: string;
  /** milliseconds since 1970 */
  now(): number;
  /** The scope of a value. A value without one is not cached. */
  scopeOf(value: T, key: string): string | undefined;
  /** The scopes whose values a change makes outdated. */
  changedBy(change: ChangeNotice): 'all' | readonly string[];
}

/** A value that is being found. */
interface Find<T> {
  value?: Promise<T>;
  /** the scopes that have changed since it began */
  readonly changed: Set<string>;
  /** how often all values had been forgotten when it began */
  readonly clearings: number;
}

const lifetime = 1000;
const mostValues = 5000;

/**
 * Creates a cache that expires by the change feed. Writes of other processes count when they are announced, and after a
 * second if the connection for that is lost. A result is not kept if its scope changed during the find, because it may
 * be outdated. Concurrent callers share one find, unless something has changed since it began.
 */
export function createScopedCache<T>(
  feed: Pick<ChangeFeed, 'subscribe'>,
  { name, now, scopeOf, changedBy }: CacheRules<T>,
): ScopedCache<T> {
  const values = new Map<string, { value: T; foundAt: number }>();
  const keysOf = new Map<string, Set<string>>();
  /** the running finds */
  const underWay = new Set<Find<T>>();
  const latest = new Map<string, Find<T>>();
  let clearings = 0;
  const asked = askedOf(name);

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
      for (const { changed } of underWay) changed.add(scope);
      for (const key of keysOf.get(scope) ?? []) values.delete(key);
      keysOf.delete(scope);
    }
  });
  const keep = (key: string, scope: string, value: T, foundAt: number): void => {
    if (values.size >= mostValues) clear();
    values.set(key, { value, foundAt });
    keysOf.set(scope, (keysOf.get(scope) ?? new Set()).add(key));
  };

  const findAndKeep = async (key: string, find: () => Promise<T>, begun: Find<T>): Promise<T> => {
    const foundAt = now();
    const value = await find();
    const scope = scopeOf(value, key);
    if (scope !== undefined && begun.clearings === clearings && !begun.changed.has(scope))
      keep(key, scope, value, foundAt);
    return value;
  };
  const begin = (key: string, find: () => Promise<T>): Promise<T> => {
    const begun: Find<T> = { changed: new Set(), clearings };
    underWay.add(begun);
    latest.set(key, begun);
    begun.value = findAndKeep(key, find, begun).finally(() => {
      underWay.delete(begun);
      if (latest.get(key) === begun) latest.delete(key);
    });
    return begun.value;
  };

  const kept = (key: string): { value: T } | undefined => {
    const known = values.get(key);
    return known && isRecent(known.foundAt, lifetime, now()) ? known : undefined;
  };
  return {
    peek: (key) => kept(key)?.value,
    async get(key, find) {
      const known = kept(key);
      asked(known !== undefined);
      if (known) return known.value;
      const joined = latest.get(key);
      const isCurrent = joined?.clearings === clearings && joined.changed.size === 0;
      return (isCurrent && joined.value) || begin(key, find);
    },
  };
}

/**
 * Creates a cache of data of realms; `realmOf` returns the realm's ID of a value. Every write in a realm removes its
 * values.
 */
export const createRealmScopedCache = <T>(
  feed: Pick<ChangeFeed, 'subscribe'>,
  name: string,
  now: () => number,
  realmOf: (value: T) => string | undefined,
): ScopedCache<T> => createScopedCache(feed, { name, now, scopeOf: realmOf, changedBy: ({ realmId }) => [realmId] });

/**
 * Caches a value that is derived from a record for as long as the record itself is cached. A find that fails is
 * repeated.
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
