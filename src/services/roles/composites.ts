import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { list, write } from '../core/operation.js';
import { invalid, notFound, requireEach } from '../core/refusal.js';
import { representation, text } from '../core/shape.js';
import { manageRole, type RoleTarget, viewRole } from './locate.js';
import { RoleList } from './representation.js';
import { rolesOfRealm } from './store.js';

/** The id of a client, or "realm" for realm roles, or nothing for all. */
const CompositeFilter = representation('CompositeFilter', { of: text });

export const listComposites = list({
  name: 'role.composites',
  summary: 'Returns the roles that a composite role directly includes.',
  input: CompositeFilter,
  allow: viewRole,
  model: 'Role',
  where: ({ role }: RoleTarget, { of }): Prisma.RoleWhereInput => ({
    compositeOf: { some: { parentId: role.id } },
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
    await tx.later.insertNew(
      'CompositeRole',
      ids.map((childId) => ({ parentId: target.role.id, childId })),
    );
    await tx.later.role.updateMany({ where: { id: target.role.id }, data: { version: { increment: 1 } } });
    return { id: target.role.id };
  },
  event: (_, target, roles) => ({
    operationType: 'CREATE',
    resourceType: resourceType(target),
    resourcePath: `${target.path}/composites`,
    resourceId: target.role.id,
    representation: roles,
  }),
  touches: touched,
});

export const removeComposites = write({
  name: 'role.removeComposites',
  summary: 'Removes roles from a composite role.',
  input: RoleList,
  allow: manageRole,
  grants: (_target, roles) => ({ roles: roles.flatMap(({ id }) => id ?? []), use: 'settings' }),
  alters: ({ role }: RoleTarget) => ({ roles: [role.id] }),
  lock: ({ role }) => ({ model: 'Role', id: role.id }),
  run: async (tx, target: RoleTarget, roles) => {
    if (roles.some(({ id }) => id === undefined)) throw invalid('`id` is required for every role', 'id');
    const ids = await members(tx, target, roles);
    await tx.later.compositeRole.deleteMany({ where: { parentId: target.role.id, childId: { in: ids } } });
    await tx.later.role.updateMany({ where: { id: target.role.id }, data: { version: { increment: 1 } } });
    return { id: target.role.id };
  },
  event: (_, target, roles) => ({
    operationType: 'DELETE',
    resourceType: resourceType(target),
    resourcePath: `${target.path}/composites`,
    resourceId: target.role.id,
    representation: roles,
  }),
  touches: touched,
});
