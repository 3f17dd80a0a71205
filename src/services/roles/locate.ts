import { clientById } from '../clients/locate.js';
import { permissionBy } from '../core/allow.js';
import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import type { RealmRecord } from '../core/realm.js';
import { notFound } from '../core/refusal.js';
import { rolesOf } from './container.js';
import type { FullRole } from './representation.js';
import { full } from './store.js';

/** Where roles live: a realm, or a client of it. */
export interface RoleContainer {
  realm: RealmRecord;
  /** id of the realm or client */
  id: string;
  client: { id: string; clientId: string } | undefined;
  /** the list of its roles, relative to the realm */
  path: string;
}

export interface RoleTarget {
  realm: RealmRecord;
  role: FullRole;
  /** as the caller addressed it, relative to the realm: audit records show it */
  path: string;
}

/** Whether a role belongs to the realm or to a client. */
export const roleKind = ({ clientId }: { clientId: string | null }) =>
  clientId === null ? ('realm role' as const) : ('client role' as const);

const byRole = permissionBy(({ role }: RoleTarget) => roleKind(role));

/** Permissions of operations on one role. */
export const viewRole = byRole({ 'realm role': 'view:realm', 'client role': 'view:clients' });
export const manageRole = byRole({ 'realm role': 'manage:realm', 'client role': 'configure:clients' });

/** Declares the permission of an operation on the roles of a realm or client. */
export const byContainer = permissionBy(({ client }: RoleContainer) => (client ? 'client role' : 'realm role'));

/** The realm roles of a realm, as a container of roles. */
export const realmRoles = (realm: RealmRecord): RoleContainer => ({
  realm,
  id: realm.id,
  client: undefined,
  path: 'roles',
});

/** The roles of a client, as a container of roles. */
export const rolesOfClient = (realm: RealmRecord, client: { id: string; clientId: string }): RoleContainer => ({
  realm,
  id: client.id,
  client,
  path: `clients/${client.id}/roles`,
});

/** The roles of the client with this id (not clientId). */
export async function clientRoles(ctx: Context, realm: RealmRecord, id: string): Promise<RoleContainer> {
  const { client } = await clientById(ctx, realm, id);
  return rolesOfClient(realm, client);
}

/** The role of this name. With `changing`, only callers who may change roles learn that there is none. */
export async function roleByName(
  ctx: Context,
  container: RoleContainer,
  name: string,
  changing = false,
): Promise<RoleTarget> {
  const role = await ctx.db.role.findFirst({
    where: { ...rolesOf(container.realm, container), name },
    select: full,
  });
  if (!role) {
    const kind = container.client ? 'clients' : 'realm';
    throw await missing(ctx, container.realm, `${changing ? 'manage' : 'view'}:${kind}`, 'Could not find role');
  }
  return { realm: container.realm, role, path: `${container.path}/${name}` };
}

/** Finds a role of the realm by its ID. */
export async function roleById(ctx: Context, realm: RealmRecord, id: string): Promise<RoleTarget> {
  const role = await ctx.db.role.findFirst({ where: { id, realmId: realm.id }, select: full });
  if (!role) throw notFound('Could not find role with id');
  return { realm, role, path: `roles-by-id/${id}` };
}
