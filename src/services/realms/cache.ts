import type { Db } from '../../database/db.js';
import type { ChangeFeed } from '../core/feed.js';
import type { RealmCache } from '../core/ports.js';
import { type RealmRecord, realmSelect } from '../core/realm.js';
import { isRemoved } from './store.js';

const lifetime = 1000;
const capacity = 5000;

/** Remembers realms by name and id for a second; a committed write that touches `realm:<id>` forgets that realm at once. */
export function createRealmCache(feed: ChangeFeed, now: () => number): RealmCache {
  const known = new Map<string, { realm: RealmRecord; until: number }>();
  feed.subscribe(({ touches }) => {
    for (const key of touches) {
      if (!key.startsWith('realm:')) continue;
      const id = key.slice('realm:'.length);
      for (const [at, { realm }] of known) if (realm.id === id) known.delete(at);
    }
  });
  const find = async (db: Db, key: string, where: { id: string } | { name: string }) => {
    const hit = known.get(key);
    if (hit && hit.until > now()) return hit.realm;
    const realm = (await db.realm.findUnique({ where, select: realmSelect })) as RealmRecord | null;
    if (!realm || isRemoved(realm)) return undefined;
    if (known.size > capacity) known.clear();
    known.set(key, { realm, until: now() + lifetime });
    return realm;
  };
  return {
    byName: (db, name) => find(db, `name:${name}`, { name }),
    byId: (db, id) => find(db, `id:${id}`, { id }),
  };
}
