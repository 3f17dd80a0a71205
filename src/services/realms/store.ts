import type { Db, ModelName } from '../../database/db.js';
import { delegateOf } from '../../database/delegate.js';
import { listed } from '../../database/lists.js';
import { rowLock } from '../../database/locks.js';
import { Prisma } from '../../database/prisma.js';
import { grantedToUser, groupsOfUser, heldByUser } from '../../database/role-trees.js';
import { analyzeTables } from '../../database/upkeep.js';
import type { Caller } from '../core/caller.js';
import { isAdminTool } from '../core/held-rights.js';
import { conflict } from '../core/refusal.js';
import type { Spool } from '../core/spool.js';
import { inTokenSql } from '../core/store.js';
import type { RealmRows } from './assemble/draft.js';
import { type UserRows, userModels } from './assemble/user-batches.js';
import { masterName } from './defaults/master.js';

/**
 * Inserts all rows of a realm, one statement for each table that has any. Further users come in batches of `UserRows`,
 * with as many statements for each batch. Throws `conflict` if one of these users already exists.
 */
export async function insertRealm(tx: Db, rows: RealmRows, users?: Pick<Spool, 'values'>): Promise<void> {
  const { Realm, ...rest } = rows;
  await tx.realm.createMany({ data: Realm });
  for (const [name, data] of Object.entries(rest) as [ModelName, unknown[]][]) {
    await insertRows(tx, name, data);
    if (name !== 'User' || !users) continue;
    let batches = 0;
    for await (const some of users.values()) {
      await insertUsers(tx, Realm[0]?.id ?? '', some as UserRows);
      batches += 1;
      if (growthSteps.has(batches)) await analyzeTables(tx, userModels);
    }
  }
}

/** The numbers of batches after which PostgreSQL updates its statistics for the grown tables. */
const growthSteps = new Set([4, 32, 256, 2048]);

async function insertRows(tx: Db, name: ModelName, data: unknown[]): Promise<void> {
  if (data.length === 0) return;
  await delegateOf(tx, name).createMany({ data });
}

async function insertUsers(tx: Db, realmId: string, rows: UserRows): Promise<void> {
  const usernames = rows.User.map(({ username }) => username);
  const emails = rows.User.flatMap(({ uniqueEmail }) => uniqueEmail ?? []);
  // each has a separate index
  const select = { username: true, email: true } as const;
  const [named] = await tx.user.findMany({ where: { realmId, username: { in: usernames } }, select });
  if (named) throw conflict(`User with user name ${named.username} already exists.`, 'users');
  const [addressed] = await tx.user.findMany({ where: { realmId, uniqueEmail: { in: emails } }, select });
  if (addressed) throw conflict(`User with email ${addressed.email} already exists.`, 'users');
  for (const name of userModels) await insertRows(tx, name, rows[name]);
  // limits the statements that wait in memory
  await tx.later.settle();
}

/**
 * Makes the creator of a realm its administrator, as recorded: with every role except impersonation (query roles come
 * with the view roles). Users with the master realm's role `admin`, granted in any way, are administrators already.
 */
export async function grantToCreator(tx: Db, caller: Caller, realm: { adminClientId?: string | null }): Promise<void> {
  if (caller.realmName !== masterName || !realm.adminClientId) return;
  await tx.execute(Prisma.sql`
    WITH RECURSIVE ${groupsOfUser(Prisma.sql`${caller.userId}`)}, above("id") AS (
      SELECT a."roleId" FROM "AdministrationRole" a WHERE a."realmId" = ${caller.realmId} AND a."right" = 'admin'
      UNION
      SELECT cr."parentId" FROM above a JOIN "CompositeRole" cr ON cr."childId" = a."id"
    ), administrator("id") AS (
      SELECT ur."roleId" FROM "UserRole" ur WHERE ur."userId" = ${caller.userId} AND ur."roleId" IN (SELECT "id" FROM above)
      UNION
      SELECT gr."roleId" FROM "GroupRole" gr JOIN "memberOf" m ON m."id" = gr."groupId" WHERE gr."roleId" IN (SELECT "id" FROM above)
    )
    INSERT INTO "UserRole" ("userId", "roleId", "username")
    SELECT u."id", r."id", u."username"
      FROM "Role" r JOIN "AdministrationRole" a ON a."roleId" = r."id" JOIN "User" u ON u."id" = ${caller.userId}
     WHERE r."clientId" = ${realm.adminClientId} AND (a."right" = 'query-realms' OR a."right" NOT LIKE 'query-%')
       AND a."right" <> 'impersonation' AND NOT EXISTS (SELECT 1 FROM administrator)`);
}

/** The prefix of the name of a realm that is being removed: no realm can have a name with a colon. */
export const removedPrefix = 'deleted:';

/** Whether a realm is being removed: only rows that wait for their removal are left. No caller may see it. */
export const isRemoved = ({ name }: { name: string }): boolean => name.startsWith(removedPrefix);

/** The tables with many rows, and the order of their deletion: first the rows that most other rows refer to. */
export const largeTables = [
  { table: 'User', order: Prisma.empty },
  // groups before their parents, whose deletion would delete all of them at once
  { table: 'Group', order: Prisma.sql`ORDER BY "path" DESC` },
  { table: 'Role', order: Prisma.empty },
  { table: 'Client', order: Prisma.empty },
] as const;

/** A realm with no more rows than this in each of the tables is removed at once. */
const few = 500;

/** Whether a realm has more rows in one of the large tables than are removed at once. */
export async function isLarge(tx: Db, realmId: string): Promise<boolean> {
  const tests = largeTables.map(
    ({ table }) =>
      Prisma.sql`(SELECT 1 FROM ${Prisma.raw(`"${table}"`)} WHERE "realmId" = ${realmId} LIMIT 1 OFFSET ${few}) IS NOT NULL`,
  );
  const rows = await tx.query(Prisma.sql`SELECT 1 AS "large" WHERE ${Prisma.join(tests, ' OR ')}`);
  return rows.length > 0;
}

/** Locks the row of a realm, and returns whether the realm is still marked as removed. */
export async function lockRemoved(tx: Db, realmId: string): Promise<boolean> {
  const [row] = await tx.query<{ name: string }>(
    Prisma.sql`SELECT "name" FROM "Realm" WHERE "id" = ${realmId} ${rowLock(tx, 'FOR UPDATE')}`,
  );
  return row !== undefined && isRemoved(row);
}

/** The condition for roles in the scope of the caller's token, with the joins that it needs. */
const withinToken = (caller: Caller): Prisma.Sql =>
  isAdminTool(caller.clientId)
    ? Prisma.empty
    : Prisma.sql`JOIN "Role" r ON r."id" = a."roleId" LEFT JOIN "Client" c ON c."id" = r."clientId"
        WHERE ${inTokenSql(caller)}`;

/** A text by realm ID that differs after each recorded change. Realms without recent changes have none. */
export async function changesByRealm(db: Db): Promise<ReadonlyMap<string, string>> {
  // a change that is committed late has an earlier number than others, so their count is included
  const rows = await db.query<{ realmId: string; changes: number; last: number }>(Prisma.sql`
    SELECT "realmId" AS "realmId", count(*) AS "changes", max("seq") AS "last" FROM "Change" GROUP BY "realmId"`);
  return new Map(rows.map(({ realmId, changes, last }) => [realmId, `${changes}.${last}`]));
}

/** An administration role for a realm. */
export interface RightInRealm {
  realmId: string;
  right: string;
}

/** Deletes some rows of one of the realm's large tables, and returns their number without dependent rows. */
export const removeSome = (
  tx: Db,
  realmId: string,
  { table, order }: (typeof largeTables)[number],
  most: number,
): Promise<number> => {
  const name = Prisma.raw(`"${table}"`);
  return tx.execute(Prisma.sql`DELETE FROM ${name} WHERE "id" IN (
    SELECT "id" FROM ${name} WHERE "realmId" = ${realmId} ${order} LIMIT ${most})`);
};

/** The administration roles that the caller has in each realm, within the scope of its token. */
export const rightsByRealm = (db: Db, caller: Caller): Promise<RightInRealm[]> =>
  db.query<RightInRealm>(Prisma.sql`
    WITH RECURSIVE ${heldByUser(Prisma.sql`${caller.userId}`)}
    SELECT a."realmId" AS "realmId", a."right" AS "right"
      FROM "held" h JOIN "AdministrationRole" a ON a."roleId" = h."id" ${withinToken(caller)}
     ORDER BY 1, 2`);

/** The administration roles of the caller in these realms. The query starts from the roles of these realms. */
export const rightsInRealms = (db: Db, caller: Caller, realmIds: readonly string[]): Promise<RightInRealm[]> =>
  db.query<RightInRealm>(Prisma.sql`
    WITH RECURSIVE ${grantedToUser(Prisma.sql`${caller.userId}`)}, "above"("id", "realmId", "right") AS (
      SELECT a."roleId", a."realmId", a."right" FROM "AdministrationRole" a
       WHERE a."realmId" IN (${listed(db, realmIds)})
      UNION
      SELECT c."parentId", a."realmId", a."right" FROM "above" a JOIN "CompositeRole" c ON c."childId" = a."id"
    )
    SELECT DISTINCT a."realmId" AS "realmId", a."right" AS "right"
      FROM "above" a JOIN "granted" o ON o."id" = a."id" ORDER BY 1, 2`);

/** The roles that include these roles, and the groups that grant them or are below these groups, by target. */
const leadingTo = (db: Db, ids: readonly string[]): Prisma.Sql => Prisma.sql`
  "having"("target", "id") AS (
    SELECT "id", "id" FROM "Role" WHERE "id" IN (${listed(db, ids)})
    UNION
    SELECT h."target", c."parentId" FROM "having" h JOIN "CompositeRole" c ON c."childId" = h."id"
  ), "within"("target", "id") AS (
    SELECT "id", "id" FROM "Group" WHERE "id" IN (${listed(db, ids)})
    UNION
    SELECT h."target", m."groupId" FROM "having" h JOIN "GroupRole" m ON m."roleId" = h."id"
    UNION
    SELECT w."target", g."id" FROM "within" w JOIN "Group" g ON g."parentId" = w."id"
  )`;

interface Holders {
  target: string;
  users: number;
}

/** Up to this number of assignments of roles and groups, a user with several is counted once. */
const mostDistinct = 200_000;

/**
 * Counts the users of each of these roles, also through composites and groups, and the direct and indirect members of
 * each of these groups. Roles and groups without users are missing. A user who has a role in several ways is counted
 * once, unless there are very many assignments. Takes two statements.
 */
export async function countHolders(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const assigned = await db.query<Holders>(Prisma.sql`
    WITH RECURSIVE ${leadingTo(db, ids)}, "size"("id", "users") AS (
      SELECT "roleId", count(*) FROM "UserRole" WHERE "roleId" IN (SELECT "id" FROM "having") GROUP BY "roleId"
      UNION ALL
      SELECT "groupId", count(*) FROM "UserGroup" WHERE "groupId" IN (SELECT "id" FROM "within") GROUP BY "groupId"
    ), "leading"("target", "id") AS (SELECT "target", "id" FROM "having" UNION ALL SELECT "target", "id" FROM "within")
    SELECT l."target" AS "target", sum(s."users") AS "users" FROM "leading" l JOIN "size" s ON s."id" = l."id"
     GROUP BY l."target" ORDER BY 2, 1`);
  const counts = new Map(assigned.map(({ target, users }) => [target, Number(users)]));
  let sum = 0;
  const distinct = [...counts].flatMap(([target, users]) => {
    sum += users;
    return sum <= mostDistinct ? [target] : [];
  });
  const rows = await db.query<Holders>(Prisma.sql`
    WITH RECURSIVE ${leadingTo(db, distinct)}, "holder"("target", "userId") AS (
      SELECT h."target", u."userId" FROM "having" h JOIN "UserRole" u ON u."roleId" = h."id"
      UNION
      SELECT w."target", u."userId" FROM "within" w JOIN "UserGroup" u ON u."groupId" = w."id"
    )
    SELECT "target" AS "target", count(*) AS "users" FROM "holder" GROUP BY "target"`);
  for (const { target, users } of rows) counts.set(target, Number(users));
  return counts;
}
