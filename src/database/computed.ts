import { Prisma } from '../generated/sqlite/client.js';
import type { ModelName } from './db.js';

type Sql = Prisma.Sql;

/** A column of a table in a statement. */
type Column = (name: string) => Sql;

/** Rows that belong together although no foreign key says so. Reads and filters use it like a relation of the schema. */
export interface ComputedRelation {
  owner: ModelName;
  name: string;
  model: ModelName;
  /** the condition that ties a row of the model (`inner`) to its owner (`outer`) */
  link(outer: Column, inner: Column): Sql;
}

/** Common table expressions of which `held` has the ids of the roles in `granted` and all that these consist of. */
const composed = Prisma.sql`"held"("id") AS (
  SELECT "id" FROM "granted"
  UNION
  SELECT c."childId" FROM "CompositeRole" c JOIN "held" h ON c."parentId" = h."id")`;

/** A common table expression, to follow WITH RECURSIVE: `memberOf` has the ids of a user's groups and of their parents. */
export const groupsOfUser = (user: Sql): Sql => Prisma.sql`"memberOf"("id") AS (
  SELECT "groupId" FROM "UserGroup" WHERE "userId" = ${user}
  UNION
  SELECT g."parentId" FROM "Group" g JOIN "memberOf" m ON g."id" = m."id" WHERE g."parentId" IS NOT NULL
)`;

/**
 * Common table expressions, to follow WITH RECURSIVE, of which `held` has the ids of the roles that a user has in effect:
 * own ones, those of groups and their parents, and what all these consist of.
 */
export const heldByUser = (user: Sql): Sql => Prisma.sql`${grantedToUser(user)}, ${composed}`;

/** The same without what the roles consist of: `granted` has the ids of the user's own roles and those of its groups. */
export const grantedToUser = (user: Sql): Sql => Prisma.sql`${groupsOfUser(user)}, "granted"("id") AS (
  SELECT "roleId" FROM "UserRole" WHERE "userId" = ${user}
  UNION
  SELECT gr."roleId" FROM "GroupRole" gr JOIN "memberOf" m ON gr."groupId" = m."id"
)`;

/** The same for a group as its members have it: with the roles of its parents. */
const heldThroughGroup = (group: Sql): Sql => Prisma.sql`"memberOf"("id") AS (
  SELECT "id" FROM "Group" WHERE "id" = ${group}
  UNION
  SELECT g."parentId" FROM "Group" g JOIN "memberOf" m ON g."id" = m."id" WHERE g."parentId" IS NOT NULL
), "granted"("id") AS (
  SELECT gr."roleId" FROM "GroupRole" gr JOIN "memberOf" m ON gr."groupId" = m."id"
), ${composed}`;

/** The same for a group by itself, without its parents: what the REST contract calls effective. */
export const heldByGroup = (group: Sql): Sql =>
  Prisma.sql`"granted"("id") AS (SELECT "roleId" FROM "GroupRole" WHERE "groupId" = ${group}), ${composed}`;

/** A query for the ids of the users who have a role in effect. */
const holders = (role: Sql): Sql => Prisma.sql`WITH RECURSIVE "above"("id") AS (
  SELECT "id" FROM "Role" WHERE "id" = ${role}
  UNION
  SELECT c."parentId" FROM "CompositeRole" c JOIN "above" a ON c."childId" = a."id"
), "through"("id") AS (
  SELECT gr."groupId" FROM "GroupRole" gr JOIN "above" a ON gr."roleId" = a."id"
  UNION
  SELECT g."id" FROM "Group" g JOIN "through" t ON g."parentId" = t."id"
) SELECT ur."userId" FROM "UserRole" ur JOIN "above" a ON ur."roleId" = a."id"
  UNION
  SELECT ug."userId" FROM "UserGroup" ug JOIN "through" t ON ug."groupId" = t."id"`;

const effective = (owner: ModelName, held: (id: Sql) => Sql): ComputedRelation => ({
  owner,
  name: 'effectiveRoles',
  model: 'Role',
  link: (outer, inner) => Prisma.sql`${inner('id')} IN (WITH RECURSIVE ${held(outer('id'))} SELECT "id" FROM "held")`,
});

const available = (owner: ModelName, held: (id: Sql) => Sql): ComputedRelation => ({
  owner,
  name: 'availableRoles',
  model: 'Role',
  link: (outer, inner) => Prisma.sql`${inner('id')} IN (WITH RECURSIVE ${held(outer('id'))}
    SELECT r."id" FROM "Role" r WHERE r."realmId" = ${outer('realmId')} EXCEPT SELECT "id" FROM "held")`,
});

/** The rows of a join table, under a name that stays free of the arguments that clients give to the relation itself. */
const direct = (owner: ModelName, model: ModelName, key: string): ComputedRelation => ({
  owner,
  name: 'directRoles',
  model,
  link: (outer, inner) => Prisma.sql`${inner(key)} = ${outer('id')}`,
});

const permission = (owner: ModelName, kind: string): ComputedRelation => ({
  owner,
  name: 'managementPermission',
  model: 'ManagementPermission',
  link: (outer, inner) => Prisma.sql`${inner('kind')} = ${kind} AND ${inner('ownerId')} = ${outer('id')}`,
});

/** All of them. They come besides the relations of the Prisma schema. */
export const computedRelations: readonly ComputedRelation[] = [
  effective('User', heldByUser),
  effective('Group', heldThroughGroup),
  available('User', heldByUser),
  available('Group', heldThroughGroup),
  direct('User', 'UserRole', 'userId'),
  direct('Group', 'GroupRole', 'groupId'),
  {
    owner: 'Role',
    name: 'effectiveUsers',
    model: 'User',
    link: (outer, inner) => Prisma.sql`${inner('id')} IN (${holders(outer('id'))})`,
  },
  permission('Role', 'role'),
  permission('Group', 'group'),
  permission('Client', 'client'),
  permission('Realm', 'users'),
  permission('IdentityProvider', 'identity-provider'),
];
