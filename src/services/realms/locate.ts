import type { Context } from '../core/context.js';
import { type RealmRecord, realmSelect } from '../core/realm.js';
import { notFound } from '../core/refusal.js';
import { isRemoved } from './store.js';

/** The realm of this name. 404 as the contract words it. */
export async function realmByName(ctx: Context, name: string): Promise<RealmRecord> {
  return found(ctx.unit ? await fresh(ctx, { name }) : await ctx.services.realms.byName(ctx.db, name));
}

/** The realm with this id. */
export async function realmById(ctx: Context, id: string): Promise<RealmRecord> {
  return found(ctx.unit ? await fresh(ctx, { id }) : await ctx.services.realms.byId(ctx.db, id));
}

/** Inside a shared transaction the cache knows nothing of what was written there. */
const fresh = (ctx: Context, where: { id: string } | { name: string }) =>
  ctx.db.realm.findUnique({ where, select: realmSelect }) as Promise<RealmRecord | null>;

function found(realm: RealmRecord | undefined | null): RealmRecord {
  if (!realm || isRemoved(realm)) throw notFound('Realm not found.');
  return realm;
}
