import { Prisma } from './prisma.js';

type Sql = Prisma.Sql;

// SQLite reads the first table of a CROSS JOIN first. Without this, it reads whole tables for a few IDs.

/** Common table expression: `held` has the IDs of the roles in `granted` and of all their composites. */
const composed = Prisma.sql`"held"("id") AS (
  SELECT "id" FROM "granted"
  UNION
  SELECT c."childId" FROM "held" h CROSS JOIN "CompositeRole" c WHERE c."parentId" = h."id")`;

/** Common table expression: `scoped` has the IDs of the roles in `mapped` and of all their composites. */
const composedOfMapped = Prisma.sql`"scoped"("id") AS (
  SELECT "id" FROM "mapped"
  UNION
  SELECT c."childId" FROM "scoped" s CROSS JOIN "CompositeRole" c WHERE c."parentId" = s."id")`;

/**
 * A common table expression, to follow WITH RECURSIVE: `memberOf` has the IDs of the groups that a query finds, and of
 * their parents.
 */
const withParents = (groups: Sql): Sql => Prisma.sql`"memberOf"("id") AS (
  ${groups}
  UNION
  SELECT g."parentId" FROM "memberOf" m CROSS JOIN "Group" g WHERE g."id" = m."id" AND g."parentId" IS NOT NULL
)`;

/** The IDs of the roles that the groups in `memberOf` have. */
const rolesOfMembers = Prisma.sql`SELECT gr."roleId" FROM "memberOf" m CROSS JOIN "GroupRole" gr
    WHERE gr."groupId" = m."id"`;

/**
 * A common table expression, to follow WITH RECURSIVE: `memberOf` has the IDs of a user's groups and of their parents.
 */
export const groupsOfUser = (user: Sql): Sql =>
  withParents(Prisma.sql`SELECT "groupId" FROM "UserGroup" WHERE "userId" = ${user}`);

/** A query for the IDs of the roles of the groups with these IDs and of their parents, without composites. */
export const grantedThroughGroups = (groups: Sql): Sql =>
  Prisma.sql`WITH RECURSIVE ${withParents(Prisma.sql`SELECT "id" FROM "Group" WHERE "id" IN (${groups})`)} ${rolesOfMembers}`;

/**
 * Common table expressions to follow WITH RECURSIVE: `held` has the IDs of the effective roles of a user. These are the
 * user's own roles, the roles of its groups and their parents, and the composites of all of these.
 */
export const heldByUser = (user: Sql): Sql => Prisma.sql`${grantedToUser(user)}, ${composed}`;

/**
 * Common table expressions without composites: `granted` has the IDs of the user's own roles and of its groups' roles.
 */
export const grantedToUser = (user: Sql): Sql => Prisma.sql`${groupsOfUser(user)}, "granted"("id") AS (
  SELECT "roleId" FROM "UserRole" WHERE "userId" = ${user}
  UNION
  ${rolesOfMembers}
)`;

/** Common table expressions for the roles that the members of a group get by it, including the roles of its parents. */
export const heldThroughGroup = (group: Sql): Sql => Prisma.sql`
${withParents(Prisma.sql`SELECT "id" FROM "Group" WHERE "id" = ${group}`)}, "granted"("id") AS (
  ${rolesOfMembers}
), ${composed}`;

/**
 * Common table expressions for the effective roles of one group in the sense of the REST contract, without its parents.
 */
export const heldByGroup = (group: Sql): Sql =>
  Prisma.sql`"granted"("id") AS (SELECT "roleId" FROM "GroupRole" WHERE "groupId" = ${group}), ${composed}`;

/**
 * A common table expression to follow WITH RECURSIVE: `containing` has the IDs of the roles that a query finds, and
 * of all roles that contain one of these.
 */
export const rolesContaining = (roles: Sql): Sql => Prisma.sql`"containing"("id") AS (
  ${roles}
  UNION
  SELECT r."parentId" FROM "containing" c CROSS JOIN "CompositeRole" r WHERE r."childId" = c."id"
)`;

/**
 * The common table expression after it: `through` has the IDs of the groups whose members have a role of `containing`.
 */
export const groupsThrough = Prisma.sql`"through"("id") AS (
  SELECT gr."groupId" FROM "containing" c CROSS JOIN "GroupRole" gr WHERE gr."roleId" = c."id"
  UNION
  SELECT g."id" FROM "through" t CROSS JOIN "Group" g WHERE g."parentId" = t."id"
)`;

/** Common table expressions, to follow WITH RECURSIVE: `containing` and `through` of a role. */
export const waysToRole = (role: Sql): Sql =>
  Prisma.sql`${rolesContaining(Prisma.sql`SELECT "id" FROM "Role" WHERE "id" = ${role}`)}, ${groupsThrough}`;

/** A query for a column of the users with a role in effect, from the join tables. */
export const holdersBy = (column: 'userId' | 'username', role: Sql): Sql => Prisma.sql`
  WITH RECURSIVE ${waysToRole(role)}
  SELECT ur.${Prisma.raw(`"${column}"`)} AS "id" FROM "containing" c CROSS JOIN "UserRole" ur WHERE ur."roleId" = c."id"
  UNION
  SELECT ug.${Prisma.raw(`"${column}"`)} FROM "through" t CROSS JOIN "UserGroup" ug WHERE ug."groupId" = t."id"`;

/** A query for the IDs of the users who have a role in effect. */
export const holders = (role: Sql): Sql => holdersBy('userId', role);

/**
 * Common table expressions to follow WITH RECURSIVE: `scoped` has the IDs of the roles in the scope of a client without
 * full scope. These are the mapped roles, the client's own roles, and the composites of all of these.
 */
export const scopedToClient = (client: Sql): Sql => Prisma.sql`"mapped"("id") AS (
  SELECT "roleId" FROM "ClientScopeMapping" WHERE "clientId" = ${client}
  UNION
  SELECT "id" FROM "Role" WHERE "clientId" = ${client}
), ${composedOfMapped}`;

/** The same expressions for a client scope, which has no roles of its own. */
export const scopedToClientScope = (scope: Sql): Sql => Prisma.sql`"mapped"("id") AS (
  SELECT "roleId" FROM "ClientScopeScopeMapping" WHERE "clientScopeId" = ${scope}
), ${composedOfMapped}`;

/**
 * A query for the IDs of the groups above a group. UNION drops rows that were already found, so the query ends even if
 * the tree has a cycle.
 */
export const groupsAbove = (group: Sql): Sql =>
  Prisma.sql`WITH RECURSIVE ${withParents(
    Prisma.sql`SELECT "parentId" FROM "Group" WHERE "id" = ${group} AND "parentId" IS NOT NULL`,
  )} SELECT "id" FROM "memberOf"`;

/** A query for the IDs of the groups below a group, at any depth. */
export const groupsBelow = (group: Sql): Sql => Prisma.sql`WITH RECURSIVE "below"("id") AS (
  SELECT "id" FROM "Group" WHERE "parentId" = ${group}
  UNION
  SELECT g."id" FROM "below" b CROSS JOIN "Group" g WHERE g."parentId" = b."id"
) SELECT "id" FROM "below"`;
