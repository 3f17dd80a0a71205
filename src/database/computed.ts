import type { ModelName } from './db.js';
import { exists } from './exists.js';
import { Prisma } from './prisma.js';

type Sql = Prisma.Sql;

/** A column of a table in a statement. */
type Column = (name: string) => Sql;

/** A relation between rows without a foreign key. Reads and filters use it like a relation of the schema. */
export interface ComputedRelation {
  owner: ModelName;
  name: string;
  model: ModelName;
  /** the condition that ties a row of the model (`inner`) to its owner (`outer`) */
  link(outer: Column, inner: Column): Sql;
  /** a query of the IDs of these rows, without duplicates: the same as `link`, as a start for lists */
  ids?(outer: Column): Sql;
  /** the condition that a row matches a value of `ids`, if the values are not IDs */
  standsFor?(outer: Column, inner: Column, value: Sql): Sql;
  /** for pages that need not read all of these rows */
  merged?: MergedRelation;
}

/** A relation whose rows come from several lists. For each list, an index has the rows in the order of one column. */
export interface MergedRelation {
  /** the column of the model; the join tables have a copy of it */
  column: string;
  /** common table expressions, to follow WITH RECURSIVE, that have the owners of the lists */
  with(outer: Column): Sql;
  /** `owners`: one of these expressions; the join table, its column for the owner, and that for the row of the model */
  lists: readonly { owners: string; table: ModelName; owner: string; row: string }[];
}

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
const heldThroughGroup = (group: Sql): Sql => Prisma.sql`
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
const waysToRole = (role: Sql): Sql =>
  Prisma.sql`${rolesContaining(Prisma.sql`SELECT "id" FROM "Role" WHERE "id" = ${role}`)}, ${groupsThrough}`;

/** A query for a column of the users with a role in effect, from the join tables. */
const holdersBy = (column: 'userId' | 'username', role: Sql): Sql => Prisma.sql`
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
const groupsAbove = (group: Sql): Sql =>
  Prisma.sql`WITH RECURSIVE ${withParents(
    Prisma.sql`SELECT "parentId" FROM "Group" WHERE "id" = ${group} AND "parentId" IS NOT NULL`,
  )} SELECT "id" FROM "memberOf"`;

/** A query for the IDs of the groups below a group, at any depth. */
const groupsBelow = (group: Sql): Sql => Prisma.sql`WITH RECURSIVE "below"("id") AS (
  SELECT "id" FROM "Group" WHERE "parentId" = ${group}
  UNION
  SELECT g."id" FROM "below" b CROSS JOIN "Group" g WHERE g."parentId" = b."id"
) SELECT "id" FROM "below"`;

/** The rows of the model whose IDs a query finds. */
const listed = (owner: ModelName, name: string, model: ModelName, ids: (outer: Column) => Sql): ComputedRelation => ({
  owner,
  name,
  model,
  ids,
  link: (outer, inner) => Prisma.sql`${inner('id')} IN (${ids(outer)})`,
});

const effectiveUsers: ComputedRelation = {
  ...listed('Role', 'effectiveUsers', 'User', (outer) => holders(outer('id'))),
  // indexes of the join tables have the names, which are unique in a realm; the IDs are in their rows only
  ids: (outer) => holdersBy('username', outer('id')),
  standsFor: (outer, inner, name) =>
    Prisma.sql`${inner('realmId')} = ${outer('realmId')} AND ${inner('username')} = ${name}`,
  merged: {
    column: 'username',
    with: (outer) => waysToRole(outer('id')),
    lists: [
      { owners: 'containing', table: 'UserRole', owner: 'roleId', row: 'userId' },
      { owners: 'through', table: 'UserGroup', owner: 'groupId', row: 'userId' },
    ],
  },
};

const inScope = (owner: ModelName, scoped: (id: Sql) => Sql, full: (outer: Column) => Sql): ComputedRelation =>
  listed(
    owner,
    'effectiveScopeRoles',
    'Role',
    (outer) => Prisma.sql`WITH RECURSIVE ${scoped(outer('id'))}
    SELECT "id" FROM "scoped"
    UNION SELECT r."id" FROM "Role" r WHERE r."realmId" = ${outer('realmId')} AND ${full(outer)}`,
  );

const outOfScope = (owner: ModelName, scoped: (id: Sql) => Sql, full: (outer: Column) => Sql): ComputedRelation =>
  listed(
    owner,
    'availableScopeRoles',
    'Role',
    (outer) => Prisma.sql`WITH RECURSIVE ${scoped(outer('id'))}
    SELECT r."id" FROM "Role" r WHERE r."realmId" = ${outer('realmId')} AND NOT (${full(outer)})
    EXCEPT SELECT "id" FROM "scoped"`,
  );

/** Whether all roles of the realm are in the scope, regardless of the mappings. */
const fullScope = (client: Column): Sql => client('fullScopeAllowed');
const neverFull = (): Sql => Prisma.sql`1 = 0`;

const effective = (owner: ModelName, held: (id: Sql) => Sql): ComputedRelation =>
  listed(
    owner,
    'effectiveRoles',
    'Role',
    (outer) => Prisma.sql`WITH RECURSIVE ${held(outer('id'))} SELECT "id" FROM "held"`,
  );

const available = (owner: ModelName, held: (id: Sql) => Sql): ComputedRelation =>
  listed(
    owner,
    'availableRoles',
    'Role',
    (outer) => Prisma.sql`WITH RECURSIVE ${held(outer('id'))}
    SELECT r."id" FROM "Role" r WHERE r."realmId" = ${outer('realmId')} EXCEPT SELECT "id" FROM "held"`,
  );

/** The rows of a join table, under a name that stays free of the arguments that clients give to the relation itself. */
const direct = (owner: ModelName, model: ModelName, key: string): ComputedRelation => ({
  owner,
  name: 'directRoles',
  model,
  link: (outer, inner) => Prisma.sql`${inner(key)} = ${outer('id')}`,
});

/** The resource of realm-management for the management permissions of an object, if they are enabled. */
const permission = (owner: ModelName, prefix: string): ComputedRelation => ({
  owner,
  name: 'managementResource',
  model: 'AuthorizationResource',
  link: (outer, inner) => Prisma.sql`${inner('name')} = ${prefix} || ${outer('id')}
    AND ${inner('resourceServerId')} = ${administration(outer('realmId'))}`,
});

/** A relation to the authorization services of a client, which are stored under the client's ID. */
const ofResourceServer = (name: string, model: ModelName): ComputedRelation => ({
  owner: 'Client',
  name,
  model,
  link: (outer, inner) => Prisma.sql`${inner('resourceServerId')} = ${outer('id')}`,
});

/** Events that name a row by its ID. They have no foreign key: they stay when it is deleted. */
const eventsBy = (owner: ModelName, name: string, model: ModelName, key: string): ComputedRelation => ({
  owner,
  name,
  model,
  link: (outer, inner) => Prisma.sql`${inner(key)} = ${outer('id')}`,
});

/**
 * The ID of the client whose roles administer a realm from within: `realm-management`, or the administration client of
 * the master realm.
 */
const administration = (realmId: Sql): Sql => Prisma.sql`coalesce(
  (SELECT c."id" FROM "Client" c WHERE c."realmId" = ${realmId} AND c."clientId" = 'realm-management'),
  (SELECT r."adminClientId" FROM "Realm" r WHERE r."id" = ${realmId}))`;

/**
 * Joins a client to its client scopes, default or optional. Scopes of another protocol have no effect and are left out.
 * The test of the realm lets the database read the rows in the order of an index instead of looking up all of them.
 */
const assigned = (client: Column, scope: Column, optional: boolean): Sql => Prisma.sql`
  ${client('realmId')} = ${scope('realmId')} AND ${scope('protocol')} = coalesce(${client('protocol')}, 'openid-connect')
  AND ${exists(Prisma.sql`SELECT 1 FROM "ClientScopeAssignment" a WHERE a."clientId" = ${client('id')}
    AND a."clientScopeId" = ${scope('id')} AND ${optional ? Prisma.empty : Prisma.sql`NOT`} a."optional"`)}`;

const assignedScopes = (optional: boolean): ComputedRelation => ({
  owner: 'Client',
  name: optional ? 'optionalClientScopes' : 'defaultClientScopes',
  model: 'ClientScope',
  link: (outer, inner) => assigned(outer, inner, optional),
});

const assignedClients = (optional: boolean): ComputedRelation => ({
  owner: 'ClientScope',
  name: optional ? 'optionalClients' : 'defaultClients',
  model: 'Client',
  link: (outer, inner) => assigned(inner, outer, optional),
});

/** All computed relations. They complement the relations of the Prisma schema. */
export const computedRelations: readonly ComputedRelation[] = [
  effective('User', heldByUser),
  effective('Group', heldThroughGroup),
  available('User', heldByUser),
  available('Group', heldThroughGroup),
  listed('Group', 'ancestors', 'Group', (outer) => groupsAbove(outer('id'))),
  listed('Group', 'descendants', 'Group', (outer) => groupsBelow(outer('id'))),
  direct('User', 'UserRole', 'userId'),
  direct('Group', 'GroupRole', 'groupId'),
  assignedScopes(false),
  assignedScopes(true),
  assignedClients(false),
  assignedClients(true),
  inScope('Client', scopedToClient, fullScope),
  inScope('ClientScope', scopedToClientScope, neverFull),
  outOfScope('Client', scopedToClient, fullScope),
  outOfScope('ClientScope', scopedToClientScope, neverFull),
  effectiveUsers,
  ofResourceServer('authorizationScopes', 'AuthorizationScope'),
  ofResourceServer('authorizationResources', 'AuthorizationResource'),
  ofResourceServer('authorizationPolicies', 'AuthorizationPolicy'),
  eventsBy('Realm', 'adminEvents', 'AdminEvent', 'realmId'),
  eventsBy('Realm', 'loginEvents', 'LoginEvent', 'realmId'),
  eventsBy('User', 'adminEvents', 'AdminEvent', 'resourceId'),
  eventsBy('User', 'loginEvents', 'LoginEvent', 'userId'),
  {
    owner: 'User',
    name: 'logins',
    model: 'LoginEvent',
    link: (outer, inner) => Prisma.sql`${inner('userId')} = ${outer('id')} AND ${inner('type')} = 'LOGIN'`,
  },
  eventsBy('Group', 'adminEvents', 'AdminEvent', 'resourceId'),
  eventsBy('Client', 'adminEvents', 'AdminEvent', 'resourceId'),
  eventsBy('Role', 'adminEvents', 'AdminEvent', 'resourceId'),
  permission('Role', 'role.resource.'),
  permission('Group', 'group.resource.'),
  permission('Client', 'client.resource.'),
  permission('IdentityProvider', 'idp.resource.'),
  {
    owner: 'Realm',
    name: 'managementResource',
    model: 'AuthorizationResource',
    link: (outer, inner) => Prisma.sql`${inner('name')} = 'Users'
      AND ${inner('resourceServerId')} = ${administration(outer('id'))}`,
  },
];
