import type { Db } from '../../database/db.js';
import type { ChangeFeed } from '../core/feed.js';
import type { RealmCache } from '../core/ports.js';
import { type RealmRecord, realmSelect } from '../core/realm.js';
import { createScopedCache } from '../core/scoped-cache.js';
import { isRemoved } from './store.js';

/** Keeps realms by name and id; a committed write that touches `realm:<id>` forgets that realm at once. */
export function createRealmCache(feed: Pick<ChangeFeed, 'subscribe'>, now: () => number): RealmCache {
  const realms = createScopedCache<RealmRecord | undefined>(feed, {
    now,
    scopeOf: (realm) => realm?.id,
    changedBy: ({ touches }) => touches.flatMap((key) => (key.startsWith('realm:') ? key.slice('realm:'.length) : [])),
  });
  const find = (db: Db, key: string, where: { id: string } | { name: string }) =>
    realms.get(key, async () => {
      const realm = (await db.realm.findUnique({ where, select: realmSelect })) as RealmRecord | null;
      return !realm || isRemoved(realm) ? undefined : realm;
    });
  return {
    byName: (db, name) => find(db, `name:${name}`, { name }),
    byId: (db, id) => find(db, `id:${id}`, { id }),
  };
}
