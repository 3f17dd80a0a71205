import type DataLoader from 'dataloader';
import { type Context, loader } from '../core/context.js';
import { batchLoader, paceOf } from '../core/pace.js';
import { type RealmRecord, realmSelect } from '../core/realm.js';
import { notFound } from '../core/refusal.js';
import { isRemoved } from './store.js';

/** The realm of this name. The 404 has the message of the contract. */
export async function realmByName(ctx: Context, name: string): Promise<RealmRecord> {
  return found(ctx.unit ? await freshByName(ctx, name) : await ctx.services.realms.byName(ctx.db, name));
}

/** The realm with this ID. */
export async function realmById(ctx: Context, id: string): Promise<RealmRecord> {
  if (ctx.unit) return found(await freshById(ctx).load(id));
  await paceOf(ctx).partsDone();
  return found(await ctx.services.realms.byId(ctx.db, id));
}

// inside a shared transaction the cache lacks its writes

const freshByName = (ctx: Context, name: string) =>
  ctx.db.realm.findUnique({ where: { name }, select: realmSelect }) as Promise<RealmRecord | null>;

/** Concurrent lookups share one statement. */
const freshById = (ctx: Context): DataLoader<string, RealmRecord | null> =>
  loader(ctx, 'realms of a shared transaction', () => {
    const read = async (ids: readonly string[]) => {
      const where = { id: { in: [...new Set(ids)] } };
      const rows = (await ctx.db.realm.findMany({ where, select: realmSelect })) as RealmRecord[];
      const byId = new Map(rows.map((realm) => [realm.id, realm]));
      return ids.map((id) => byId.get(id) ?? null);
    };
    return batchLoader(ctx, read, { cache: false });
  });

function found(realm: RealmRecord | undefined | null): RealmRecord {
  if (!realm || isRemoved(realm)) throw notFound('Realm not found.');
  return realm;
}
