import { permissionBy } from '../core/allow.js';
import type { Caller } from '../core/caller.js';
import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import { requirePresence } from '../core/presence.js';
import type { RealmRecord } from '../core/realm.js';
import { userRefById } from '../users/locate.js';

/** A user or group with roles. */
export interface RoleOwner {
  kind: 'user' | 'group';
  id: string;
}

/** A user or group as the target of an operation on its roles. */
export interface OwnerTarget {
  realm: RealmRecord;
  owner: RoleOwner;
  /** relative to the realm; audit records show it */
  path: string;
  /** the sender of the request: nobody may assign administration roles beyond their own */
  caller: Caller;
}

/** The roles of one realm or client that a user or group has, as the REST contract addresses them. */
export interface MappingTarget extends OwnerTarget {
  container: { id: string };
}

const byOwner = permissionBy(({ owner }: OwnerTarget) => owner.kind);

/** Permissions of operations on the roles that a user or group has. */
export const viewMappings = byOwner({ user: 'view:users', group: 'view:groups' });
export const manageMappings = byOwner({ user: 'map-roles:users', group: 'manage:groups' });

/** The roles of a user or group that is there. */
export const rolesOf = (ctx: Context, realm: RealmRecord, kind: RoleOwner['kind'], id: string): OwnerTarget => ({
  realm,
  owner: { kind, id },
  path: `${kind}s/${id}/role-mappings`,
  caller: ctx.caller,
});

/** The roles of the user with this ID. Only the reference of the user is read. */
export async function rolesOfUser(ctx: Context, realm: RealmRecord, id: string): Promise<OwnerTarget> {
  const { user } = await userRefById(ctx, realm, id);
  return rolesOf(ctx, realm, 'user', user.id);
}

/** The roles of the group with this ID. */
export async function rolesOfGroup(ctx: Context, realm: RealmRecord, id: string): Promise<OwnerTarget> {
  await requirePresence(ctx, async () => {
    const group = await ctx.db.group.findFirst({ where: { id, realmId: realm.id }, select: { id: true } });
    if (!group) throw await missing(ctx, realm, 'query:groups', 'Could not find group by id');
  });
  return rolesOf(ctx, realm, 'group', id);
}

/** The realm roles of the owner. */
export const inRealm = (target: OwnerTarget): MappingTarget => ({
  ...target,
  container: { id: target.realm.id },
  path: `${target.path}/realm`,
});

/** The roles of the client with this ID (not clientId) that the owner has. */
export async function inClient(ctx: Context, target: OwnerTarget, id: string): Promise<MappingTarget> {
  const { realm } = target;
  await requirePresence(ctx, async () => {
    const client = await ctx.db.client.findFirst({ where: { id, realmId: realm.id }, select: { id: true } });
    if (!client) throw await missing(ctx, realm, viewMappings(target), 'Client not found');
  });
  return { ...target, container: { id }, path: `${target.path}/clients/${id}` };
}
