import { type ClientTarget, clientById } from '../clients/locate.js';
import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import type { RealmRecord } from '../core/realm.js';

/** A client, and the realm or client that contains the roles. */
export interface RolesInScopeTarget extends ClientTarget {
  /** ID of a realm or client */
  container: { id: string };
}

/** The roles of the realm (by its name or ID) or of one of its clients (by its ID), for the client with this ID. */
export async function rolesInScopeOf(
  ctx: Context,
  realm: RealmRecord,
  id: string,
  containerId: string,
): Promise<RolesInScopeTarget> {
  const target = await clientById(ctx, realm, id);
  if (containerId === realm.name || containerId === realm.id) return { ...target, container: { id: realm.id } };
  const found = await ctx.db.client.count({ where: { id: containerId, realmId: realm.id } });
  if (found === 0) throw await missing(ctx, realm, 'view:clients', 'Role Container not found');
  return { ...target, container: { id: containerId } };
}
