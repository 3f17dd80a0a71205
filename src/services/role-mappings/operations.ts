import { heldByGroup, heldByUser } from '../../database/computed.js';
import type { Db } from '../../database/db.js';
import { among } from '../../database/where.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { list, read } from '../core/operation.js';
import { areRolesOf, rolesOf } from '../roles/container.js';
import { type MappedRole, mappedRole } from '../roles/mappings.js';
import { beyond } from './grantable.js';
import { type MappingTarget, type OwnerTarget, type RoleOwner, viewMappings } from './locate.js';

/** A query for the ids of the roles that the owner has directly. */
export const directIds = ({ kind, id }: RoleOwner): Prisma.Sql =>
  kind === 'user'
    ? Prisma.sql`SELECT "roleId" FROM "UserRole" WHERE "userId" = ${id}`
    : Prisma.sql`SELECT "roleId" FROM "GroupRole" WHERE "groupId" = ${id}`;

const held = ({ kind, id }: RoleOwner): Prisma.Sql => (kind === 'user' ? heldByUser : heldByGroup)(Prisma.sql`${id}`);

/** A query for the ids of the roles that the owner has in effect, as the REST contract understands it. */
export const effectiveIds = (owner: RoleOwner): Prisma.Sql =>
  Prisma.sql`WITH RECURSIVE ${held(owner)} SELECT "id" FROM "held"`;

/** The owner's direct roles, with the clients that they belong to. */
export const directRoles = (db: Db, owner: RoleOwner, where: Prisma.RoleWhereInput = {}): Promise<MappedRole[]> =>
  db.role.findMany({
    where: { id: { in: among(directIds(owner)) }, ...where },
    select: mappedRole,
    orderBy: [{ name: 'asc' }],
  });

export const all = read({
  name: 'roleMapping.all',
  summary: 'Returns the role mappings of a user or group, by realm and client.',
  allow: viewMappings,
  run: (ctx, { owner }: OwnerTarget) => directRoles(ctx.db, owner),
});

export const listDirect = list({
  name: 'roleMapping.list',
  summary: 'Returns the roles of the realm or a client mapped directly to a user or group.',
  allow: viewMappings,
  model: 'Role',
  where: ({ realm, owner, container }: MappingTarget): Prisma.RoleWhereInput => ({
    id: { in: among(directIds(owner)) },
    ...rolesOf(realm, container),
  }),
  orderBy: [{ name: 'asc' }],
});

export const listEffective = list({
  name: 'roleMapping.effective',
  summary:
    'Returns the effective roles of the realm or a client of a user or group, including those through groups and composite roles.',
  allow: viewMappings,
  model: 'Role',
  // the container is tested within, so that the roles are found by their ids and not among all of the container
  where: ({ realm, owner, container }: MappingTarget): Prisma.RoleWhereInput => ({
    id: {
      in: among(Prisma.sql`WITH RECURSIVE ${held(owner)}
        SELECT r."id" FROM "held" h JOIN "Role" r ON r."id" = h."id" WHERE ${areRolesOf(realm, container)}`),
    },
  }),
  orderBy: [{ name: 'asc' }],
});

export const listAvailable = list({
  name: 'roleMapping.available',
  summary:
    "Returns the roles of the realm or a client that the caller can map to a user or group: not effective yet, and within the caller's own permissions.",
  allow: viewMappings,
  model: 'Role',
  where: (target: MappingTarget, _input, permit): Prisma.RoleWhereInput => {
    const others = beyond(target, permit);
    return {
      ...rolesOf(target.realm, target.container),
      AND: [
        { id: { notIn: among(effectiveIds(target.owner)) } },
        ...(others ? [{ id: { notIn: among(others) } }] : []),
      ],
    };
  },
  orderBy: [{ name: 'asc' }],
});
