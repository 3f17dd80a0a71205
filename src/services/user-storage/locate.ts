import type { ComponentRow } from '../components/encode.js';
import { type ComponentTarget, componentById } from '../components/locate.js';
import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import { type RealmRecord, userStorage } from '../core/realm.js';
import { notFound } from '../core/refusal.js';
import { realmById } from '../realms/locate.js';
import { storageMapper } from './config.js';

export interface MapperTarget extends ComponentTarget {
  mapper: ComponentRow;
}

/** The user storage with this ID. */
export async function storageById(ctx: Context, realm: RealmRecord, id: string): Promise<ComponentTarget> {
  return asStorage(await componentById(ctx, realm, id));
}

function asStorage(found: ComponentTarget): ComponentTarget {
  if (found.component.providerType !== userStorage) throw notFound('found, but not a UserStorageProvider');
  return found;
}

/** Finds a storage in any realm. For an unknown ID, callers get the refusal of their own realm. */
export async function storageAnywhere(ctx: Context, id: string): Promise<ComponentTarget> {
  const row = await ctx.db.component.findUnique({ where: { id }, select: { realmId: true } });
  const realm = await realmById(ctx, row?.realmId ?? ctx.caller.realmId);
  return storageById(ctx, realm, id);
}

/** A mapper of a user storage. */
export async function mapperById(
  ctx: Context,
  realm: RealmRecord,
  parentId: string,
  id: string,
): Promise<MapperTarget> {
  const parent = await componentById(ctx, realm, parentId, 'Parent model not found');
  const { component: mapper } = await componentById(ctx, realm, id, 'Mapper model not found');
  if (parent.component.providerType !== userStorage)
    throw await missing(ctx, realm, 'view:realm', 'Parent model not found');
  if (mapper.providerType !== storageMapper || mapper.parentId !== parentId) {
    throw await missing(ctx, realm, 'view:realm', 'Mapper model not found');
  }
  return { ...parent, mapper };
}
