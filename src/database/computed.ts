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

/** The same for `scoped`, out of `mapped`. */
const composedOfMapped = Prisma.sql`"scoped"("id") AS (
  SELECT "id" FROM "mapped"
  UNION
  SELECT c."childId" FROM "CompositeRole" c JOIN "scoped" s ON c."parentId" = s."id")`;

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

/**
 * Common table expressions, to follow WITH RECURSIVE, of which `scoped` has the ids of the roles in the scope of a client
 * without full scope: those that it was given, its own, and what all these consist of.
 */
export const scopedToClient = (client: Sql): Sql => Prisma.sql`"mapped"("id") AS (
  SELECT "roleId" FROM "ClientScopeMapping" WHERE "clientId" = ${client}
  UNION
  SELECT "id" FROM "Role" WHERE "clientId" = ${client}
), ${composedOfMapped}`;

/** The same for a client scope, which has no roles of its own. */
export const scopedToClientScope = (scope: Sql): Sql => Prisma.sql`"mapped"("id") AS (
  SELECT "roleId" FROM "ClientScopeScopeMapping" WHERE "clientScopeId" = ${scope}
), ${composedOfMapped}`;

const inScope = (owner: ModelName, scoped: (id: Sql) => Sql, full: (outer: Column) => Sql): ComputedRelation => ({
  owner,
  name: 'effectiveScopeRoles',
  model: 'Role',
  link: (outer, inner) => Prisma.sql`${inner('id')} IN (WITH RECURSIVE ${scoped(outer('id'))}
    SELECT "id" FROM "scoped"
    UNION SELECT r."id" FROM "Role" r WHERE r."realmId" = ${outer('realmId')} AND ${full(outer)})`,
});

const outOfScope = (owner: ModelName, scoped: (id: Sql) => Sql, full: (outer: Column) => Sql): ComputedRelation => ({
  owner,
  name: 'availableScopeRoles',
  model: 'Role',
  // one list of what is left, which SQLite makes once; a test of each role it would work out anew for every role
  link: (outer, inner) => Prisma.sql`${inner('id')} IN (WITH RECURSIVE ${scoped(outer('id'))}
    SELECT r."id" FROM "Role" r WHERE r."realmId" = ${outer('realmId')} AND NOT (${full(outer)})
    EXCEPT SELECT "id" FROM "scoped")`,
});

/** Whether all roles of the realm are in the scope, whatever was put there. */
const fullScope = (client: Column): Sql => client('fullScopeAllowed');
const neverFull = (): Sql => Prisma.sql`1 = 0`;

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

/** The resource of realm-management that management permissions of one thing are about, where they are switched on. */
const permission = (owner: ModelName, prefix: string): ComputedRelation => ({
  owner,
  name: 'managementResource',
  model: 'AuthorizationResource',
  link: (outer, inner) => Prisma.sql`${inner('name')} = ${prefix} || ${outer('id')}
    AND ${inner('resourceServerId')} = ${administration(outer('realmId'))}`,
});

/** What the authorization services of a client have: they go by the client's id. */
const ofResourceServer = (name: string, model: ModelName): ComputedRelation => ({
  owner: 'Client',
  name,
  model,
  link: (outer, inner) => Prisma.sql`${inner('resourceServerId')} = ${outer('id')}`,
});

/** The id of the client whose roles administer a realm from within: in the master realm its own is another one. */
const administration = (realmId: Sql): Sql => Prisma.sql`coalesce(
  (SELECT c."id" FROM "Client" c WHERE c."realmId" = ${realmId} AND c."clientId" = 'realm-management'),
  (SELECT r."adminClientId" FROM "Realm" r WHERE r."id" = ${realmId}))`;

/**
 * Ties a client to a client scope that it has, by default or on request. Those of another protocol have no effect, so
 * they are left out. The realm is tested so that the rows are found in the order of an index and not all looked up.
 */
const assigned = (client: Column, scope: Column, optional: boolean): Sql => Prisma.sql`
  ${client('realmId')} = ${scope('realmId')} AND ${scope('protocol')} = coalesce(${client('protocol')}, 'openid-connect')
  AND EXISTS (SELECT 1 FROM "ClientScopeAssignment" a WHERE a."clientId" = ${client('id')}
    AND a."clientScopeId" = ${scope('id')} AND ${optional ? Prisma.empty : Prisma.sql`NOT`} a."optional")`;

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

/** All of them. They come besides the relations of the Prisma schema. */
export const computedRelations: readonly ComputedRelation[] = [
  effective('User', heldByUser),
  effective('Group', heldThroughGroup),
  available('User', heldByUser),
  available('Group', heldThroughGroup),
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
  {
    owner: 'Role',
    name: 'effectiveUsers',
    model: 'User',
    link: (outer, inner) => Prisma.sql`${inner('id')} IN (${holders(outer('id'))})`,
  },
  ofResourceServer('authorizationScopes', 'AuthorizationScope'),
  ofResourceServer('authorizationResources', 'AuthorizationResource'),
  ofResourceServer('authorizationPolicies', 'AuthorizationPolicy'),
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
