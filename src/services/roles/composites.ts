import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import { list, write } from '../core/operation.js';
import { invalid, notFound, refuseAll, requireEach } from '../core/refusal.js';
import { representation, text } from '../core/shape.js';
import { administratorRoleName, masterName } from '../realms/defaults/master.js';
import { manageRole, type RoleTarget, viewRole } from './locate.js';
import { matching } from './operations.js';
import { RoleList } from './representation.js';
import { rolesOfRealm } from './store.js';

/** The id of a client, or "realm" for realm roles, or nothing for all. */
const CompositeFilter = representation('CompositeFilter', { of: text, search: text });

export const listComposites = list({
  name: 'role.composites',
  summary: 'Returns the roles that a composite role directly includes.',
  input: CompositeFilter,
  allow: viewRole,
  model: 'Role',
  where: ({ role }: RoleTarget, { of, search }): Prisma.RoleWhereInput => ({
    compositeOf: { some: { parentId: role.id } },
    ...matching(search),
    ...(of === 'realm' && { clientId: null }),
    ...(of !== undefined && of !== 'realm' && { clientId: of }),
  }),
  orderBy: [{ name: 'asc' }],
});

/** The roles of the list in this realm; all of them have to be there. */
async function members(tx: Db, { realm }: RoleTarget, roles: { id?: string | undefined }[]): Promise<string[]> {
  const ids = [...new Set(roles.flatMap(({ id }) => id ?? []))];
  const found = await rolesOfRealm(tx, realm.id, ids);
  requireEach(
    roles.map(({ id }) => id),
    found.map(({ id }) => id),
    (place) => notFound('Could not find composite role', place),
  );
  return ids;
}

/** Those of the roles that the role includes already, as its audit records name them. */
async function included(tx: Db, { role }: RoleTarget, ids: string[]): Promise<{ id: string }[]> {
  const rows = await tx.compositeRole.findMany({
    where: { parentId: role.id, childId: { in: ids } },
    select: { childId: true },
  });
  return rows.map(({ childId }) => ({ id: childId }));
}

const touched = (_: unknown, { role }: RoleTarget) => [`role:${role.id}`, 'rights'];
const resourceType = ({ role }: RoleTarget) => (role.clientId === null ? 'REALM_ROLE' : 'CLIENT_ROLE');

export const addComposites = write({
  name: 'role.addComposites',
  summary: 'Adds roles of the same realm to a role, which makes it a composite role.',
  input: RoleList,
  allow: manageRole,
  grants: (_target, roles) => ({ roles: roles.flatMap(({ id }) => id ?? []), use: 'composites' }),
  alters: ({ role }: RoleTarget) => ({ roles: [role.id] }),
  lock: ({ role }) => ({ model: 'Role', id: role.id }),
  run: async (tx, target: RoleTarget, roles) => {
    const ids = await members(tx, target, roles);
    const before = await included(tx, target, ids);
    await tx.later.insertNew(
      'CompositeRole',
      ids.map((childId) => ({ parentId: target.role.id, childId })),
    );
    await tx.later.role.updateMany({ where: { id: target.role.id }, data: { version: { increment: 1 } } });
    return { id: target.role.id, before };
  },
  event: ({ before }, target, roles) => ({
    operationType: 'CREATE',
    resourceType: resourceType(target),
    resourcePath: `${target.path}/composites`,
    resourceId: target.role.id,
    representation: roles,
    before,
  }),
  touches: touched,
});

/** Refuses to take from the role `admin` of the master realm what it administers that realm by: nobody could give it back. */
async function requireWholeAdministrator(
  { db }: Context,
  { realm, role }: RoleTarget,
  roles: { id?: string | undefined }[],
): Promise<void> {
  if (realm.name !== masterName || role.clientId !== null || role.name !== administratorRoleName) return;
  const places = new Map(roles.map(({ id }, place) => [id, String(place)]));
  const found = await db.administrationRole.findMany({
    where: {
      realmId: realm.id,
      roleId: { in: [...places.keys()].flatMap((id) => id ?? []) },
      role: { compositeOf: { some: { parentId: role.id } } },
    },
    select: { roleId: true, right: true },
  });
  refuseAll(
    found.map(({ roleId, right }) =>
      invalid(`The role admin must keep ${right}: it administers the master realm`, places.get(roleId), {
        code: 'ADMINISTRATION',
      }),
    ),
  );
}

export const removeComposites = write({
  name: 'role.removeComposites',
  summary: 'Removes roles from a composite role.',
  input: RoleList,
  allow: manageRole,
  takesRights: true,
  keepsAdministration: requireWholeAdministrator,
  refuses: ['ADMINISTRATION'],
  grants: (_target, roles) => ({ roles: roles.flatMap(({ id }) => id ?? []), use: 'settings' }),
  alters: ({ role }: RoleTarget) => ({ roles: [role.id] }),
  lock: ({ role }) => ({ model: 'Role', id: role.id }),
  run: async (tx, target: RoleTarget, roles) => {
    if (roles.some(({ id }) => id === undefined)) throw invalid('`id` is required for every role', 'id');
    const ids = await members(tx, target, roles);
    const before = await included(tx, target, ids);
    await tx.later.compositeRole.deleteMany({ where: { parentId: target.role.id, childId: { in: ids } } });
    await tx.later.role.updateMany({ where: { id: target.role.id }, data: { version: { increment: 1 } } });
    return { id: target.role.id, before };
  },
  event: ({ before }, target, roles) => ({
    operationType: 'DELETE',
    resourceType: resourceType(target),
    resourcePath: `${target.path}/composites`,
    resourceId: target.role.id,
    representation: roles,
    before,
  }),
  touches: touched,
});
