import type { ModelName } from './db.js';
import { exists } from './exists.js';
import { Prisma } from './prisma.js';
import {
  groupsAbove,
  groupsBelow,
  heldByUser,
  heldThroughGroup,
  holders,
  holdersBy,
  scopedToClient,
  scopedToClientScope,
  waysToRole,
} from './role-trees.js';

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
