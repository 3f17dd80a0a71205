import type { Db } from '../../database/db.js';
import { exists } from '../../database/exists.js';
import { likePattern } from '../../database/like.js';
import { listed, unionOf } from '../../database/lists.js';
import { lockFound } from '../../database/locks.js';
import { portionsOf } from '../../database/portions.js';
import { Prisma } from '../../database/prisma.js';
import { grantedThroughGroups, groupsThrough, heldByUser, holders } from '../../database/role-trees.js';
import { forgetPoliciesOf } from '../authorization/store.js';
import type { RealmRecord } from '../core/realm.js';
import { administratorRoleName } from '../realms/defaults/master.js';
import { kinds } from './kinds.js';

type Forgotten = 'role' | 'user' | 'group' | 'client' | 'client-scope';

/**
 * Deletes the policies whose only subjects are going to be deleted (IDs, or a query for them), and the management
 * permissions about these.
 */
export async function forgetInPolicies(
  tx: Db,
  realm: RealmRecord,
  kind: Forgotten,
  ids: readonly string[] | Prisma.Sql,
): Promise<void> {
  await forgetPoliciesOf(tx, kind, ids);
  // most realms have no management permissions
  if (kind === 'user' || kind === 'client-scope' || realm.clients.length === 0) return;
  const given = Array.isArray(ids) ? Prisma.join(ids as string[]) : (ids as Prisma.Sql);
  const resources = Prisma.sql`SELECT r."id" FROM "AuthorizationResource" r
    WHERE r."name" IN (SELECT ${kinds[kind].prefix} || x."id" FROM ${Prisma.raw(tables[kind])} x WHERE x."id" IN (${given}))
      AND r."resourceServerId" IN (SELECT c."id" FROM "Client" c
        WHERE (c."realmId" = ${realm.id} AND c."clientId" = 'realm-management') OR c."id" = ${realm.adminClientId})`;
  await tx.later.execute(Prisma.sql`DELETE FROM "AuthorizationPolicy" WHERE "id" IN (
    SELECT pr."policyId" FROM "AuthorizationPolicyResource" pr WHERE pr."resourceId" IN (${resources}))`);
  await tx.later.execute(Prisma.sql`DELETE FROM "AuthorizationResource" WHERE "id" IN (${resources})`);
}

const tables = { role: '"Role"', group: '"Group"', client: '"Client"' } as const;

/** A query for the roles of the clients that a query finds. */
export const rolesOfClients = (clients: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`SELECT "id" FROM "Role" WHERE "clientId" IN (${clients})`;

/** A role that a user has, as policies and tokens name it. */
export interface HeldRole {
  name: string;
  client: string | null;
}

/** All roles that a user has. */
export const heldRoles = (db: Db, userId: string): Promise<HeldRole[]> =>
  db.query<HeldRole>(Prisma.sql`
    WITH RECURSIVE ${heldByUser(Prisma.sql`${userId}`)}
    SELECT r."name" AS "name", c."clientId" AS "client" FROM "held" h JOIN "Role" r ON r."id" = h."id"
    LEFT JOIN "Client" c ON c."id" = r."clientId"`);

/** A user, and the client that acts as it. */
export interface Account {
  id: string;
  client: string | null;
}

/** The subjects that policies name. */
export interface Named {
  users: string[];
  clients: string[];
  /** keys of roles by ID */
  roles: ReadonlyMap<string, string>;
  groupPaths: string[];
}

const among = (ids: Iterable<string>): Prisma.Sql => Prisma.join([...ids, '']);

/** A condition for the rows `g` of groups with these paths, and of groups below them. */
const atOrBelow = (paths: readonly string[]): Prisma.Sql =>
  paths.length === 0
    ? Prisma.sql`1 = 0`
    : Prisma.join(
        paths.map((path) => Prisma.sql`g."path" = ${path} OR g."path" LIKE ${`${likePattern(path)}/%`} ESCAPE '\\'`),
        ' OR ',
      );

/** A common table expression: roles that policies name, as `origin`, and the roles that include them. */
const namedRoles = ({ roles }: Named): Prisma.Sql => Prisma.sql`"named"("origin", "id") AS (
    SELECT "id", "id" FROM "Role" WHERE "id" IN (${among(roles.keys())})
    UNION
    SELECT n."origin", c."parentId" FROM "named" n CROSS JOIN "CompositeRole" c WHERE c."childId" = n."id")`;

/** A user with one of the subjects by which policies name it. */
export interface NamedUser extends Account {
  username: string;
  clientId: string | null;
  kind: 'role' | 'group' | 'self';
  subject: string;
}

/** Maximum rows that are compared with the policies: beyond it, every user found counts as above the caller. */
export const mostRows = 5000;

/**
 * The users that policies name, with the subjects through which they do so: one statement. `byClaims`: policies test
 * claims, which any user may have. `which` is a condition on `u`.
 */
export function namedUsers(db: Db, named: Named, byClaims: boolean, which: Prisma.Sql): Promise<NamedUser[]> {
  const self = byClaims
    ? Prisma.sql`1 = 1`
    : Prisma.sql`u."id" IN (${among(named.users)}) OR u."serviceAccountClientId" IN (${among(named.clients)})`;
  return db.query<NamedUser>(Prisma.sql`WITH RECURSIVE ${namedRoles(named)},
    "chosen"("id") AS (SELECT u."id" FROM "User" u WHERE ${which}),
    "within"("user", "id") AS (
      SELECT ug."userId", ug."groupId" FROM "chosen" h CROSS JOIN "UserGroup" ug WHERE ug."userId" = h."id"
      UNION
      SELECT w."user", g."parentId" FROM "within" w CROSS JOIN "Group" g WHERE g."id" = w."id" AND g."parentId" IS NOT NULL
    ), "by"("user", "kind", "subject") AS (
      SELECT ur."userId", 'role', n."origin" FROM "chosen" h CROSS JOIN "UserRole" ur JOIN "named" n ON n."id" = ur."roleId"
       WHERE ur."userId" = h."id"
      UNION
      SELECT w."user", 'role', n."origin" FROM "within" w CROSS JOIN "GroupRole" gr JOIN "named" n ON n."id" = gr."roleId"
       WHERE gr."groupId" = w."id"
      UNION
      SELECT ug."userId", 'group', g."path" FROM "chosen" h CROSS JOIN "UserGroup" ug JOIN "Group" g ON g."id" = ug."groupId"
       WHERE ug."userId" = h."id" AND (${atOrBelow(named.groupPaths)})
      UNION
      SELECT u."id", 'self', u."id" FROM "chosen" h JOIN "User" u ON u."id" = h."id" WHERE ${self}
    ) SELECT u."id" AS "id", u."username" AS "username", u."serviceAccountClientId" AS "client", c."clientId" AS "clientId",
        b."kind" AS "kind", b."subject" AS "subject"
      FROM "by" b JOIN "User" u ON u."id" = b."user" LEFT JOIN "Client" c ON c."id" = u."serviceAccountClientId"
     LIMIT ${mostRows + 1}`);
}

/** A query that finds a row if policies name one of these roles or groups, or a role that one of the groups gives. */
export const anyNamed = (named: Named, roles: Prisma.Sql, groups: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH RECURSIVE ${namedRoles(named)}
      SELECT 1 AS "found" FROM "named" n WHERE n."id" IN (${roles})
      UNION ALL
      SELECT 1 FROM "named" n WHERE n."id" IN (${grantedThroughGroups(groups)})
      UNION ALL
      SELECT 1 FROM "Group" g WHERE g."id" IN (${groups}) AND (${atOrBelow(named.groupPaths)})
      LIMIT 1`;

/** A common table expression, to follow `namedRoles`: groups whose members have a role that policies name. */
const groupsOfNamedRoles = Prisma.sql`"through"("id") AS (
    SELECT gr."groupId" FROM "named" n CROSS JOIN "GroupRole" gr WHERE gr."roleId" = n."id"
    UNION
    SELECT g."id" FROM "through" t CROSS JOIN "Group" g WHERE g."parentId" = t."id")`;

/** Like `anyNamed` for many items at once: a query for the items whose roles or groups policies name. */
export const itemsNamed = (named: Named, roles: Prisma.Sql | undefined, groups: Prisma.Sql | undefined): Prisma.Sql => {
  const found = [
    ...(roles ? [Prisma.sql`SELECT t."item" FROM (${roles}) t WHERE t."id" IN (SELECT "id" FROM "named")`] : []),
    ...(groups
      ? [
          Prisma.sql`SELECT t."item" FROM (${groups}) t WHERE t."id" IN (SELECT "id" FROM "through")
            OR t."id" IN (SELECT g."id" FROM "Group" g WHERE ${atOrBelow(named.groupPaths)})`,
        ]
      : []),
  ];
  return Prisma.sql`WITH RECURSIVE ${namedRoles(named)}, ${groupsOfNamedRoles} ${Prisma.join(found, ' UNION ALL ')}`;
};

/** A query for the items whose IDs another query finds. */
export const itemsOf = (items: Prisma.Sql, others: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`SELECT t."item" FROM (${items}) t WHERE t."id" IN (${others})`;

/** A query for the items whose groups give a role of `containing`, which `higher` defines. */
export const itemsThroughGroups = (higher: Prisma.Sql, items: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH RECURSIVE ${higher}, ${groupsThrough}
  SELECT t."item" FROM (${items}) t WHERE t."id" IN (SELECT "id" FROM "through")`;

/** Maximum queries in one compound statement. */
const mostInUnion = 100;

/**
 * One query for the rows of several queries, with the columns `item`, the index of the query that finds a row, and
 * `id`.
 */
export function numbered(queries: readonly (Prisma.Sql | undefined)[]): Prisma.Sql {
  const parts = queries.flatMap((query, place) =>
    query ? Prisma.sql`SELECT ${Prisma.raw(`'${place}'`)}, x.* FROM (${query}) x` : [],
  );
  const unions = portionsOf(parts, mostInUnion).map((some) => Prisma.sql`SELECT * FROM (${unionOf(some)}) y`);
  return Prisma.sql`WITH "asked"("item", "id") AS (${unionOf(unions)}) SELECT "item", "id" FROM "asked"`;
}

/** A query for the IDs in these rows. */
export const idsAmong = (items: Prisma.Sql): Prisma.Sql => Prisma.sql`SELECT a."id" FROM (${items}) a`;

/** A query that finds a row if one of the first roles is among the others. */
export const anyOfRoles = (roles: Prisma.Sql, others: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`SELECT 1 AS "found" FROM "Role" WHERE "id" IN (${roles}) AND "id" IN (${others}) LIMIT 1`;

/** A query that finds a row if one of the groups gives a role of `containing`, which `higher` defines. */
export const anyThroughGroups = (higher: Prisma.Sql, groups: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH RECURSIVE ${higher} SELECT 1 AS "found" FROM "containing"
   WHERE "id" IN (${grantedThroughGroups(groups)}) LIMIT 1`;

/** A query for the IDs of the users `u` that match a condition. */
export const matchingUsers = (which: Prisma.Sql): Prisma.Sql => Prisma.sql`SELECT u."id" FROM "User" u WHERE ${which}`;

/** The condition for the users `u` with these IDs. */
export const oneOfUsers = (ids: Prisma.Sql): Prisma.Sql => Prisma.sql`u."id" IN (${ids})`;
/** The condition for the users `u` that are the service accounts of these clients. */
export const oneOfAccounts = (clientIds: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`u."serviceAccountClientId" IN (${clientIds})`;

/** The condition for the users `u` of these storages. */
export const oneOfLinked = (storages: Prisma.Sql): Prisma.Sql => Prisma.sql`u."federationLink" IN (${storages})`;

/** A query for groups and all groups below them. */
export const groupsBelow = (ids: Prisma.Sql): Prisma.Sql => Prisma.sql`WITH RECURSIVE "tree"("id") AS (
  SELECT "id" FROM "Group" WHERE "id" IN (${ids})
  UNION SELECT g."id" FROM "Group" g JOIN "tree" t ON g."parentId" = t."id") SELECT "id" FROM "tree"`;

/** A query for the first roles that are also among the others. */
export const rolesAmong = (roles: Prisma.Sql, others: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`SELECT "id" FROM "Role" WHERE "id" IN (${roles}) AND "id" IN (${others})`;

/** A query for the given roles that policies name, or that have such a role among their composites. */
export const rolesNamed = (named: Named, roles: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`WITH RECURSIVE ${namedRoles(named)} SELECT n."id" FROM "named" n WHERE n."id" IN (${roles})`;

/** The reach of a question about a group: its own members, or also the members of the groups below it. */
export type Reach = 'itself' | 'tree';

const below = Prisma.sql`
    UNION
    SELECT t."root", g."id" FROM "tree" t CROSS JOIN "Group" g WHERE g."parentId" = t."id"`;

/** Common table expressions: `tree` has the groups in question by their root, `around` also the groups above them. */
const aroundTrees = (roots: Prisma.Sql, reach: Reach): Prisma.Sql => Prisma.sql`"tree"("root", "id") AS (
    SELECT "id", "id" FROM "Group" WHERE "id" IN (${roots})${reach === 'tree' ? below : Prisma.empty}
  ), "around"("root", "id") AS (
    SELECT "root", "id" FROM "tree"
    UNION
    SELECT a."root", g."parentId" FROM "around" a CROSS JOIN "Group" g WHERE g."id" = a."id" AND g."parentId" IS NOT NULL)`;

/** A query for the given groups whose members have a role of `containing`, which `higher` defines. */
export const groupsWithRoles = (higher: Prisma.Sql, groups: Prisma.Sql, reach: Reach): Prisma.Sql => Prisma.sql`
  WITH RECURSIVE ${higher}, ${aroundTrees(groups, reach)}
  SELECT DISTINCT a."root" AS "id" FROM "around" a JOIN "GroupRole" gr ON gr."groupId" = a."id"
   WHERE gr."roleId" IN (SELECT "id" FROM "containing")`;

/** A query for the given groups that policies name, directly or by a role of the group. */
export const groupsNamed = (named: Named, groups: Prisma.Sql, reach: Reach): Prisma.Sql => Prisma.sql`
  WITH RECURSIVE ${namedRoles(named)}, ${aroundTrees(groups, reach)}
  SELECT a."root" AS "id" FROM "around" a JOIN "GroupRole" gr ON gr."groupId" = a."id"
   WHERE gr."roleId" IN (SELECT n."id" FROM "named" n)
  UNION
  SELECT t."root" FROM "tree" t JOIN "Group" g ON g."id" = t."id" WHERE ${atOrBelow(named.groupPaths)}`;

/** A query for the given clients that have administration roles, or one of the names. */
export const clientsOfAdministration = (clients: Prisma.Sql, clientIds: readonly string[]): Prisma.Sql => Prisma.sql`
  SELECT r."clientId" AS "id" FROM "Role" r JOIN "AdministrationRole" a ON a."roleId" = r."id" WHERE r."clientId" IN (${clients})
  UNION
  SELECT "id" FROM "Client" WHERE "id" IN (${clients}) AND "clientId" IN (${Prisma.join([...clientIds])})`;

/** The storages of these users. */
export const linksOfUsers = (db: Db, users: Iterable<string>): Promise<{ id: string }[]> =>
  db.query<{ id: string }>(Prisma.sql`
    SELECT DISTINCT "federationLink" AS "id" FROM "User" WHERE "id" IN (${listed(db, [...users])}) AND "federationLink" IS NOT NULL`);

/** Maximum number of users in a result. */
export const mostAccounts = 1000;

/** At most a thousand users with a role of `containing`, which `higher` defines; `which` is a condition on `u`. */
export const usersWithRoles = (db: Db, higher: Prisma.Sql, which: Prisma.Sql): Promise<Account[]> =>
  db.query<Account>(Prisma.sql`WITH RECURSIVE ${higher}, ${groupsThrough}
    SELECT u."id" AS "id", u."serviceAccountClientId" AS "client" FROM "User" u WHERE ${which} AND (
        ${exists(Prisma.sql`SELECT 1 FROM "UserRole" ur WHERE ur."userId" = u."id" AND ur."roleId" IN (SELECT "id" FROM "containing")`)}
        OR ${exists(Prisma.sql`SELECT 1 FROM "UserGroup" ug WHERE ug."userId" = u."id" AND ug."groupId" IN (SELECT "id" FROM "through")`)})
      LIMIT ${mostAccounts}`);

/** A query for the given roles that are administration roles. */
export const administrationRolesAmong = (roles: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`SELECT "roleId" AS "id" FROM "AdministrationRole" WHERE "roleId" IN (${roles})`;

const administratorRole = (masterId: string): Prisma.Sql =>
  Prisma.sql`SELECT r."id" FROM "Role" r WHERE r."container" = ${masterId} AND r."name" = ${administratorRoleName}`;

/** Makes transactions that revoke rights of administrators queue until the end of each. */
export const queueForAdministrators = (tx: Db, masterId: string): Promise<void> =>
  lockFound(tx, administratorRole(masterId));

/**
 * The origins of the enabled users with the role `admin` of the master realm: IDs of user storages, null for local
 * users. Service accounts count only if their clients can use them.
 */
export const originsOfAdministrators = (db: Db, masterId: string, without: readonly string[]) =>
  db.query<{ storage: string | null }>(Prisma.sql`SELECT DISTINCT u."federationLink" AS "storage"
    FROM "User" u LEFT JOIN "Client" c ON c."id" = u."serviceAccountClientId"
   WHERE u."enabled" AND (c."id" IS NULL OR
         c."enabled" AND c."serviceAccountsEnabled" AND NOT c."publicClient" AND NOT c."bearerOnly")
     AND u."id" NOT IN (${listed(db, without)})
     AND u."id" IN (${holders(Prisma.sql`(${administratorRole(masterId)})`)})`);

/** The settings of these components. */
export const settingsOf = (db: Db, ids: string[]): Promise<{ id: string; config: unknown }[]> =>
  db.component.findMany({ where: { id: { in: ids } }, select: { id: true, config: true } });
