import type { Db, ModelName } from '../../database/db.js';
import { among } from '../../database/lists.js';
import type { Context } from '../core/context.js';
import { type Asked, type AuditRecord, write } from '../core/operation.js';
import { invalid, notFound, requireEach } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import { rolesOf } from '../roles/container.js';
import { encodeBriefRole, RoleList } from '../roles/representation.js';
import { rolesOfRealm } from '../roles/store.js';
import { writeMemberships } from '../user-storage/write/write-memberships.js';
import { countUp, linkUser } from '../users/store.js';
import { type MappingTarget, manageMappings, type OwnerTarget, type RoleOwner } from './locate.js';
import { directIds, directRoles, effectiveIds, partsAmong } from './store.js';

type Roles = Input<typeof RoleList>;

const idsOf = (roles: Roles): string[] => [...new Set(roles.flatMap(({ id }) => id ?? []))];

/** The IDs of the roles as the contract names them: each by ID and name, in the addressed list. */
async function addressed(tx: Db, { realm, container }: MappingTarget, roles: Roles): Promise<string[]> {
  const ids = idsOf(roles);
  const known = new Map((await rolesOfRealm(tx, realm.id, ids)).map((role) => [role.id, role]));
  for (const { id, name } of roles) {
    const role = known.get(id ?? '');
    if (!role || role.name !== name || (role.clientId ?? realm.id) !== container.id) throw notFound('Role not found');
  }
  return ids;
}

/** The IDs of roles of the realm, in any container. */
async function anywhere(tx: Db, { realm }: OwnerTarget, roles: Roles) {
  const found = await rolesOfRealm(tx, realm.id, idsOf(roles));
  requireEach(
    roles.map(({ id }) => id),
    found.map(({ id }) => id),
    (place) => invalid('Role not found', place),
  );
  return found;
}

/**
 * Removes the roles that are already in effect, as the contract requires: before, or through one earlier in the list.
 */
async function notInEffect(tx: Db, owner: RoleOwner, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const before = await tx.role.findMany({
    where: { AND: [{ id: { in: ids } }, { id: { in: among(effectiveIds(owner)) } }] },
    select: { id: true },
  });
  const inEffect = new Set(before.map(({ id }) => id));
  const news = ids.filter((id) => !inEffect.has(id));
  if (news.length < 2) return news;
  const within = await partsAmong(tx, news);
  return news.filter((id) => {
    if (inEffect.has(id)) return false;
    for (const part of within) if (part.root === id) inEffect.add(part.id);
    return true;
  });
}

async function insert(tx: Db, { kind, id }: RoleOwner, roleIds: string[]): Promise<void> {
  if (kind === 'group') return giveToGroups(tx, [id], roleIds);
  if (roleIds.length === 0) return;
  await linkUser(tx, 'UserRole', id, roleIds);
  await countUp(tx, id);
}

const countUpGroups = (tx: Db, ids: string[]) =>
  tx.later.group.updateMany({ where: { id: { in: ids } }, data: { version: { increment: 1 } } });

/** Gives roles to groups, each group each of them. */
export async function giveToGroups(tx: Db, ids: string[], roleIds: readonly string[]): Promise<void> {
  if (roleIds.length === 0) return;
  const rows = ids.flatMap((groupId) => roleIds.map((roleId) => ({ groupId, roleId })));
  await tx.later.insertNew('GroupRole', rows);
  await countUpGroups(tx, ids);
}

/** Takes roles from groups, from each group each of them. */
export async function takeFromGroups(tx: Db, ids: string[], roleIds: string[]): Promise<void> {
  if (roleIds.length === 0) return;
  await tx.later.groupRole.deleteMany({ where: { groupId: { in: ids }, roleId: { in: roleIds } } });
  await countUpGroups(tx, ids);
}

async function remove(tx: Db, { kind, id }: RoleOwner, roleIds: string[]): Promise<void> {
  if (kind === 'group') return takeFromGroups(tx, [id], roleIds);
  if (roleIds.length === 0) return;
  await tx.later.userRole.deleteMany({ where: { userId: id, roleId: { in: roleIds } } });
  await countUp(tx, id);
}

/** Writes role changes of users of a storage to its directory, if a mapper of the storage requires it. */
const toDirectory = async (
  ctx: Context,
  { realm, owner }: OwnerTarget,
  ids: readonly string[],
  joins: boolean,
  asked: Asked | undefined,
): Promise<void> => {
  if (owner.kind === 'user') await writeMemberships(ctx, realm, owner.id, { kind: 'role', ids, joins }, asked);
};

/** The user whose roles change; empty for a group. */
const usersOfOwner = ({ owner }: OwnerTarget): string[] => (owner.kind === 'user' ? [owner.id] : []);

const lock = ({ owner }: OwnerTarget): { model: ModelName; id: string } => ({
  model: owner.kind === 'user' ? 'User' : 'Group',
  id: owner.id,
});
const touches = (_: unknown, { owner }: OwnerTarget) => [
  `${owner.kind}:${owner.id}`,
  // all members of a group have its roles
  owner.kind === 'user' ? `rights:${owner.id}` : 'rights',
];

const changed = (
  operationType: 'CREATE' | 'DELETE',
  { realm, container, path }: MappingTarget,
  representation: unknown,
): AuditRecord => ({
  operationType,
  resourceType: container.id === realm.id ? 'REALM_ROLE_MAPPING' : 'CLIENT_ROLE_MAPPING',
  resourcePath: path,
  representation,
});

export const add = write({
  name: 'roleMapping.add',
  isShort: true,
  summary: 'Maps roles of the realm or a client to a user or group. Roles that are already effective are ignored.',
  input: RoleList,
  allow: manageMappings,
  actsOn: usersOfOwner,
  grants: (_target: MappingTarget, roles) => ({ roles: idsOf(roles) }),
  prepare: (ctx, target: MappingTarget, roles, asked) => toDirectory(ctx, target, idsOf(roles), true, asked),
  lock,
  run: async (tx, target: MappingTarget, roles) => {
    const ids = await notInEffect(tx, target.owner, await addressed(tx, target, roles));
    await insert(tx, target.owner, ids);
    return ids;
  },
  event: (_, target, roles) => changed('CREATE', target, roles),
  touches,
});

export const take = write({
  name: 'roleMapping.remove',
  isShort: true,
  summary:
    'Removes role mappings from a user or group. Without a body, removes all mappings of roles of the realm or client.',
  input: RoleList.optional(),
  allow: manageMappings,
  takesRights: true,
  actsOn: usersOfOwner,
  grants: ({ owner }: MappingTarget, roles) => ({ roles: roles ? idsOf(roles) : directIds(owner) }),
  prepare: async (ctx, target: MappingTarget, roles, asked): Promise<void> => {
    if (target.owner.kind !== 'user' || target.realm.components.length === 0) return;
    const taken = roles ?? (await directRoles(ctx.db, target.owner, rolesOf(target.realm, target.container)));
    await toDirectory(
      ctx,
      target,
      taken.flatMap(({ id }) => id ?? []),
      false,
      asked,
    );
  },
  lock,
  run: async (tx, target: MappingTarget, roles) => {
    if (roles) {
      await remove(tx, target.owner, await addressed(tx, target, roles));
      return roles;
    }
    const present = await directRoles(tx, target.owner, rolesOf(target.realm, target.container));
    await remove(
      tx,
      target.owner,
      present.map(({ id }) => id),
    );
    return present.map(encodeBriefRole);
  },
  event: (roles, target) => changed('DELETE', target, roles),
  touches,
});

/** The result of a write of roles in several containers: the owner and the roles. */
export interface Changed {
  ownerId: string;
  roles: Awaited<ReturnType<typeof rolesOfRealm>>;
}

/**
 * The audit record for roles in several containers. Its path is the list of the container if there is only one,
 * otherwise the path of all lists.
 */
export function changedAnywhere(
  operationType: 'CREATE' | 'DELETE',
  { path }: Pick<OwnerTarget, 'path'>,
  roles: Changed['roles'],
): AuditRecord {
  const [container, ...others] = new Set(roles.map((role) => role.container));
  const inRealm = roles.some(({ clientId }) => clientId === null);
  const list = inRealm ? '/realm' : `/clients/${container}`;
  return {
    operationType,
    resourceType: inRealm ? 'REALM_ROLE_MAPPING' : 'CLIENT_ROLE_MAPPING',
    resourcePath: container === undefined || others.length > 0 ? path : path + list,
    representation: roles.map(({ id, name, clientId, container }) => ({
      id,
      name,
      clientRole: clientId !== null,
      containerId: container,
    })),
  };
}

const anywhereWrite = (
  declared: { name: string; summary: string; operationType: 'CREATE' | 'DELETE' },
  apply: (tx: Db, owner: OwnerTarget['owner'], ids: string[]) => Promise<void>,
) =>
  write({
    name: declared.name,
    summary: declared.summary,
    input: RoleList,
    allow: manageMappings,
    ...(declared.operationType === 'DELETE' && { takesRights: true as const }),
    actsOn: usersOfOwner,
    grants: (_target: OwnerTarget, roles) => ({ roles: idsOf(roles) }),
    prepare: (ctx, target: OwnerTarget, roles, asked) =>
      toDirectory(ctx, target, idsOf(roles), declared.operationType === 'CREATE', asked),
    lock,
    run: async (tx, target: OwnerTarget, roles): Promise<Changed> => {
      const found = await anywhere(tx, target, roles);
      const ids = found.map(({ id }) => id);
      await apply(tx, target.owner, ids);
      return { ownerId: target.owner.id, roles: found };
    },
    event: (result, target) => changedAnywhere(declared.operationType, target, result.roles),
    touches,
  });

export const addAny = anywhereWrite(
  {
    name: 'roleMapping.addAny',
    summary: 'Maps roles of the realm and its clients to a user or group, including roles that are already effective.',
    operationType: 'CREATE',
  },
  insert,
);

export const takeAny = anywhereWrite(
  {
    name: 'roleMapping.removeAny',
    summary: 'Removes mappings of roles of the realm and its clients from a user or group.',
    operationType: 'DELETE',
  },
  remove,
);
