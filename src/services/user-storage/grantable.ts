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
 * The settings of a mapper name roles, clients and groups, and a name may come to mean something else. By which of them
 * users may get administration roles is therefore kept as ids when the mapper is stored (column `grantable`): a directory
 * gives such roles and groups only if they, or the realm, client or group that they lie in, are among these ids.
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
  // these ids are checked, whatever the names meant when the request was admitted
  await requireGrantable(ctx, target, permit, { [given.kind === 'role' ? 'roles' : 'groups']: ids, use: 'settings' });
  return ids;
}

/** Callers who may do everything in the realm leave it to the directory what of a place is given, now and later. */
const wholly = ({ ids, places }: Given): string[] => [...(Array.isArray(ids) ? ids : places)];

/** Decides anew what the mappers of a storage may give: a caller who changes its settings decides what the directory says. */
export async function renewGrantable(ctx: Context, tx: Db, target: Target, storageId: string): Promise<void> {
  const permit = await permitFor(ctx, target.realm);
  if (isWhole(target.realm, permit.rights)) return;
  // as many statements as mappers, of which a storage has a few
  for (const { id, parentId: _, ...mapper } of await mappersOf(tx, target.realm.id, [storageId])) {
    const grantable = await grantableBy(ctx, target, mapper);
    await tx.later.component.updateMany({ where: { id }, data: { grantable } });
  }
}

/** Notes what the mappers of a new realm may give: the creator of a realm may do everything in it. */
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
