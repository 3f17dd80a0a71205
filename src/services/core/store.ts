import type { Db } from '../../database/db.js';
import { exists } from '../../database/exists.js';
import { listed } from '../../database/lists.js';
import { Prisma } from '../../database/prisma.js';
import { groupsOfUser } from '../../database/role-trees.js';
import type { Caller } from './caller.js';
import { type HeldRight, isAdminTool } from './held-rights.js';

/** The condition for roles in the scope of the caller's token (see `inToken`), for the rows `r` of Role and `c` of Client. */
export function inTokenSql({ clientId, tokenRoles, realmRoles }: Caller): Prisma.Sql {
  if (isAdminTool(clientId)) return Prisma.sql`1 = 1`;
  const ofClients = Object.entries(tokenRoles).flatMap(([client, names]) => names.map((name) => `${client}/${name}`));
  const all = [...realmRoles.map((name) => `/${name}`), ...ofClients];
  return all.length === 0
    ? Prisma.sql`1 = 0`
    : Prisma.sql`coalesce(c."clientId", '') || '/' || r."name" IN (${Prisma.join(all)})`;
}

/**
 * The administration roles `a` for a realm that belong to the same realm or master: the text after FROM. The roles for
 * a realm are few, and master has the roles for all realms. The condition on master is a subquery, so that neither
 * database begins with it.
 */
export const administrationRoles = (forRealm: string, ofRealm: string): Prisma.Sql => Prisma.sql`"AdministrationRole" a
  WHERE a."realmId" = ${forRealm} AND (SELECT r."realmId" FROM "Role" r WHERE r."id" = a."roleId") = ${ofRealm}`;

/**
 * The administration roles for a realm that a user has, directly, through groups and their parents, and through
 * composites. Walks from these few roles upwards, so the cost does not depend on how many realms the user administers.
 */
export const heldRights = (db: Db, user: { id: string; realmId: string }, realmId: string): Promise<HeldRight[]> =>
  db.query<HeldRight>(Prisma.sql`
    WITH RECURSIVE above("id", "origin") AS (
      SELECT a."roleId", a."roleId" FROM ${administrationRoles(realmId, user.realmId)}
      UNION
      SELECT cr."parentId", a."origin" FROM above a JOIN "CompositeRole" cr ON cr."childId" = a."id"
    ), ${groupsOfUser(Prisma.sql`${user.id}`)}
    SELECT a."right" AS "right", r."name" AS "name", c."clientId" AS "client"
      FROM "AdministrationRole" a JOIN "Role" r ON r."id" = a."roleId" LEFT JOIN "Client" c ON c."id" = r."clientId"
     WHERE a."roleId" IN (
      SELECT o."origin" FROM above o
       WHERE ${exists(Prisma.sql`SELECT 1 FROM "UserRole" ur WHERE ur."userId" = ${user.id} AND ur."roleId" = o."id"`)}
          OR ${exists(Prisma.sql`SELECT 1 FROM "GroupRole" gr JOIN "memberOf" m ON m."id" = gr."groupId" WHERE gr."roleId" = o."id"`)})`);

/** A query for the IDs of the users who are in these groups themselves. */
export const membersOf = (groupIds: readonly string[]): Prisma.Sql =>
  Prisma.sql`SELECT "userId" FROM "UserGroup" WHERE "groupId" IN (${Prisma.join([...groupIds])})`;

/** Returns the users who are direct or indirect members of these groups. */
export async function usersBelow(
  db: Db,
  groupIds: readonly string[],
  users: readonly string[],
): Promise<ReadonlySet<string>> {
  if (groupIds.length === 0 || users.length === 0) return new Set();
  const rows = await db.query<{ user: string }>(Prisma.sql`WITH RECURSIVE "memberOf"("user", "id") AS (
      SELECT "userId", "groupId" FROM "UserGroup" WHERE "userId" IN (${Prisma.join([...users])})
      UNION
      SELECT m."user", g."parentId" FROM "Group" g JOIN "memberOf" m ON g."id" = m."id" WHERE g."parentId" IS NOT NULL
    ) SELECT DISTINCT "user" AS "user" FROM "memberOf" WHERE "id" IN (${Prisma.join([...groupIds])})`);
  return new Set(rows.map(({ user }) => user));
}

/** Returns the objects that the file of a realm describes. A step of a flow counts as its flow. */
export async function managedAmong(db: Db, realmId: string, ids: readonly string[]): Promise<string[]> {
  const list = listed(db, ids);
  const rows = await db.query<{ id: string }>(Prisma.sql`
    SELECT "objectId" AS "id" FROM "ManagedObject" WHERE "realmId" = ${realmId} AND ("objectId" IN (${list})
      OR "objectId" IN (SELECT e."flowId" FROM "AuthenticationExecution" e WHERE e."id" IN (${list})))`);
  return rows.map(({ id }) => id);
}
