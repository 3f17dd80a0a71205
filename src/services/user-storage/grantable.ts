import type { Db } from '../../database/db.js';
import type { Context } from '../core/context.js';
import { isWhole } from '../core/held-rights.js';
import { permitFor } from '../core/permit.js';
import type { Target } from '../core/target.js';
import { requireGrantable } from '../permissions/access.js';
import { storageMapper } from './config.js';
import { type Given, type GivingMapper, givenBy, mappersOf } from './gives.js';
import { namesFor, namesIn } from './names.js';
import { administrationAmong } from './store.js';

/**
 * Returns the IDs of the roles and groups that a mapper may give although they grant administration roles. A mapper's
 * settings name roles, clients, and groups, and a name may later refer to another object. So the IDs are stored with
 * the mapper (column `grantable`). A directory gives such roles and groups only if they, or their realm, client, or
 * parent groups, are among these IDs.
 */
export async function grantableBy(ctx: Context, target: Target, mapper: GivingMapper): Promise<string[]> {
  const { realm } = target;
  const permit = await permitFor(ctx, realm);
  const given = await givenBy(namesFor(ctx, target), realm.id, mapper);
  if (!given) return [];
  if (isWhole(realm, permit.rights)) return wholly(given);
  const ids = Array.isArray(given.ids)
    ? given.ids
    : [...(await administrationAmong(ctx.db, given.kind, given.ids)).keys()];
  // these IDs are checked, because the names may have changed their meaning since the request was admitted
  await requireGrantable(ctx, target, permit, { [given.kind === 'role' ? 'roles' : 'groups']: ids, use: 'settings' });
  return ids;
}

/**
 * Callers with all rights in the realm let the directory decide which roles or groups of a place are given, now and
 * later.
 */
const wholly = ({ ids, places }: Given): string[] => [...(Array.isArray(ids) ? ids : places)];

/**
 * Determines again the roles and groups that the mappers of a storage may give: a caller who changes its settings
 * controls the data of the directory.
 */
export async function renewGrantable(ctx: Context, tx: Db, target: Target, storageId: string): Promise<void> {
  const permit = await permitFor(ctx, target.realm);
  if (isWhole(target.realm, permit.rights)) return;
  // one statement for each mapper, of which a storage has a few
  for (const { id, parentId: _, ...mapper } of await mappersOf(tx, target.realm.id, [storageId])) {
    const grantable = await grantableBy(ctx, target, mapper);
    await tx.later.component.updateMany({ where: { id }, data: { grantable } });
  }
}

/** Stores the roles and groups that the mappers of a new realm may give: its creator has all rights in it. */
export async function noteGrantable(tx: Db, realmId: string): Promise<void> {
  const mappers = await tx.component.findMany({
    where: { realmId, providerType: storageMapper },
    select: { id: true, providerId: true, config: true },
  });
  const names = namesIn(tx, realmId);
  for (const { id, providerId, config } of mappers) {
    const given = await givenBy(names, realmId, { providerId, config: config as GivingMapper['config'] });
    if (given) await tx.later.component.updateMany({ where: { id }, data: { grantable: wholly(given) } });
  }
}
