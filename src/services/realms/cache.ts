import DataLoader from 'dataloader';
import type { Db } from '../../database/db.js';
import type { ChangeFeed } from '../core/feed.js';
import type { RealmCache } from '../core/ports.js';
import { type RealmRecord, realmSelect } from '../core/realm.js';
import { createScopedCache } from '../core/scoped-cache.js';
import { isRemoved } from './store.js';

/** Caches realms by name and ID. A committed write that touches `realm:<id>` removes that realm at once. */
export function createRealmCache(feed: Pick<ChangeFeed, 'subscribe'>, now: () => number): RealmCache {
  const realms = createScopedCache<RealmRecord | undefined>(feed, {
    name: 'realms',
    now,
    scopeOf: (realm) => realm?.id,
    changedBy: ({ touches }) => touches.flatMap((key) => (key.startsWith('realm:') ? key.slice('realm:'.length) : [])),
  });
  const present = (realm: RealmRecord | null | undefined) => (!realm || isRemoved(realm) ? undefined : realm);
  const lookups = new WeakMap<Db, DataLoader<string, RealmRecord | undefined>>();
  /** Concurrent lookups share one statement. */
  const lookup = (db: Db) => {
    const known = lookups.get(db);
    if (known) return known;
    const made = new DataLoader<string, RealmRecord | undefined>(
      async (ids) => {
        const rows = (await db.realm.findMany({
          where: { id: { in: [...ids] } },
          select: realmSelect,
        })) as RealmRecord[];
        const byId = new Map(rows.map((realm) => [realm.id, realm]));
        return ids.map((id) => present(byId.get(id)));
      },
      { cache: false },
    );
    lookups.set(db, made);
    return made;
  };
  return {
    byName: (db, name) =>
      realms.get(`name:${name}`, async () =>
        present((await db.realm.findUnique({ where: { name }, select: realmSelect })) as RealmRecord | null),
      ),
    byId: (db, id) => realms.get(`id:${id}`, () => lookup(db).load(id)),
  };
}
