import type { Db } from '../../database/db.js';
import { deleteInParts } from '../../database/in-parts.js';
import { listed } from '../../database/lists.js';
import { Prisma } from '../../database/prisma.js';
import { forgetPoliciesOf } from '../authorization/store.js';
import { listsByKey } from '../core/lists-by-key.js';

/** The objects that mappers give to users. */
export type Kind = 'group' | 'role';

const among = (db: Db, ids: readonly string[] | Prisma.Sql): Prisma.Sql =>
  Array.isArray(ids) ? listed(db, ids) : (ids as Prisma.Sql);

const withinRoles = Prisma.sql`SELECT w."target", c."childId" FROM "within" w JOIN "CompositeRole" c ON c."parentId" = w."role"`;

const inRoles = (ids: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH RECURSIVE "within"("target", "role") AS (
    SELECT "id", "id" FROM "Role" WHERE "id" IN (${ids})
    UNION
    ${withinRoles}
  ), "found"("id") AS (
    SELECT w."target" FROM "within" w JOIN "AdministrationRole" a ON a."roleId" = w."role"
  )
  SELECT "id" AS "id", "id" AS "place" FROM "found"
  UNION
  SELECT r."id", r."container" FROM "Role" r JOIN "found" f ON f."id" = r."id"`;

const inGroups = (ids: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH RECURSIVE "around"("target", "group") AS (
    SELECT "id", "id" FROM "Group" WHERE "id" IN (${ids})
    UNION
    SELECT a."target", g."parentId" FROM "around" a JOIN "Group" g ON g."id" = a."group" WHERE g."parentId" IS NOT NULL
  ), "within"("target", "role") AS (
    SELECT a."target", gr."roleId" FROM "around" a JOIN "GroupRole" gr ON gr."groupId" = a."group"
    UNION
    ${withinRoles}
  ), "found"("id") AS (
    SELECT w."target" FROM "within" w JOIN "AdministrationRole" a ON a."roleId" = w."role"
  )
  SELECT a."target" AS "id", a."group" AS "place" FROM "around" a JOIN "found" f ON f."id" = a."target"
  UNION
  SELECT g."id", g."realmId" FROM "Group" g JOIN "found" f ON f."id" = g."id"`;

/**
 * Finds the roles or groups that grant administration roles, each with the IDs of its places. For a role these are the
 * role itself and its realm or client. For a group these are the group itself, its parent groups, and the realm. One
 * statement, none for an empty list.
 */
export async function administrationAmong(
  db: Db,
  kind: Kind,
  ids: readonly string[] | Prisma.Sql,
): Promise<Map<string, string[]>> {
  if (Array.isArray(ids) && ids.length === 0) return new Map();
  const statement = kind === 'role' ? inRoles(among(db, ids)) : inGroups(among(db, ids));
  const rows = await db.query<{ id: string; place: string }>(statement);
  return listsByKey(rows.map(({ id, place }) => [id, place]));
}

/** Whether a mapper with these IDs (column `grantable`) may give an object with these places. */
export const isGrantable = (places: readonly string[] | undefined, grantable: ReadonlySet<string>): boolean =>
  places === undefined || places.some((id) => grantable.has(id));

/** Deletes users that their directory no longer has. */
export async function removeUsers(tx: Db, ids: readonly string[]): Promise<void> {
  await forgetPoliciesOf(tx, 'user', ids);
  await tx.user.deleteMany({ where: { id: { in: [...ids] } } });
}

/** Deletes the users that are linked to a storage, and returns their number. */
export async function removeUsersOf(tx: Db, componentId: string): Promise<number> {
  await forgetPoliciesOf(tx, 'user', usersOf(componentId));
  const most = await deleteInParts(tx, 'User', Prisma.sql`"federationLink" = ${componentId}`);
  const { count } = await tx.user.deleteMany({ where: { federationLink: componentId } });
  return most + count;
}

/** A query for the users of a storage. */
const usersOf = (storageId: string): Prisma.Sql =>
  Prisma.sql`SELECT "id" FROM "User" WHERE "federationLink" = ${storageId}`;

/** That a user has a group or role. */
export interface Link {
  userId: string;
  targetId: string;
}

const columnsOf = { group: ['"UserGroup"', '"groupId"'], role: ['"UserRole"', '"roleId"'] } as const;

/** Removes groups or roles from users. */
export async function removeLinks(tx: Db, kind: Kind, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  await tx.execute(Prisma.sql`DELETE FROM ${Prisma.raw(columnsOf[kind][0])} WHERE ${ofLinks(tx, kind, links)}`);
}

/** Marks links as belonging to the directory, after links of this service were written to it. */
export async function adoptLinks(tx: Db, kind: Kind, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const table = Prisma.raw(columnsOf[kind][0]);
  await tx.execute(Prisma.sql`UPDATE ${table} SET "imported" = true WHERE ${ofLinks(tx, kind, links)}`);
}

function ofLinks(tx: Db, kind: Kind, links: readonly Link[]): Prisma.Sql {
  const users = links.map(({ userId }) => userId);
  const pairs = links.map(({ userId, targetId }) => `${userId} ${targetId}`);
  return Prisma.sql`"userId" IN (${listed(tx, users)})
    AND "userId" || ' ' || ${Prisma.raw(columnsOf[kind][1])} IN (${listed(tx, pairs)})`;
}
