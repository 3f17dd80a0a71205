import type { Db } from '../../database/db.js';
import { exists } from '../../database/exists.js';
import { listed } from '../../database/lists.js';
import { Prisma } from '../../database/prisma.js';
import { grantedToUser, heldByUser } from '../../database/role-trees.js';
import { areRolesOf } from '../roles/store.js';
import type { TokenRole } from './types.js';

/** Common table expressions, to follow WITH RECURSIVE, of which `scoped` has the roles of the client's scopes by owner. */
const scopedTo = (clientId: string): Prisma.Sql => Prisma.sql`"mapped"("ownerId", "id") AS (
  SELECT sm."clientScopeId", sm."roleId" FROM "ClientScopeScopeMapping" sm
    JOIN "ClientScopeAssignment" a ON a."clientScopeId" = sm."clientScopeId" WHERE a."clientId" = ${clientId}
  UNION
  SELECT "clientId", "roleId" FROM "ClientScopeMapping" WHERE "clientId" = ${clientId}
  UNION
  SELECT r."clientId", r."id" FROM "Role" r WHERE r."clientId" = ${clientId}
), "scoped"("ownerId", "id") AS (
  SELECT "ownerId", "id" FROM "mapped"
  UNION
  SELECT s."ownerId", c."childId" FROM "CompositeRole" c JOIN "scoped" s ON c."parentId" = s."id"
)`;

interface HeldRow {
  id: string;
  name: string;
  clientName: string | null;
}

/** All effective roles of a user, in the order of their names: one statement. */
export async function heldRoles(db: Db, userId: string): Promise<TokenRole[]> {
  const rows = await db.query<HeldRow>(Prisma.sql`
WITH RECURSIVE ${heldByUser(Prisma.sql`${userId}`)}
SELECT r."id" AS "id", r."name" AS "name", c."clientId" AS "clientName"
FROM "held" h
JOIN "Role" r ON r."id" = h."id"
LEFT JOIN "Client" c ON c."id" = r."clientId"
ORDER BY r."name", r."id"`);
  return rows.map(({ id, name, clientName }) => ({ id, name, clientId: clientName ?? undefined }));
}

/** The roles in the scopes of a client, by the id of the client or client scope. */
export const rolesInScope = (db: Db, clientId: string): Promise<{ ownerId: string; id: string }[]> =>
  db.query<{ ownerId: string; id: string }>(
    Prisma.sql`WITH RECURSIVE ${scopedTo(clientId)} SELECT "ownerId", "id" FROM "scoped"`,
  );

interface SeenRow {
  /** nothing for a role that is in no scope */
  ownerId: string | null;
  givenId: string;
  id: string;
  name: string;
  clientName: string | null;
  byGroup: boolean | number;
}

/** The roles that a client without full scope may see, each with those that give it: itself, and composite roles. */
export const rolesSeenBy = (db: Db, clientId: string, realmId: string): Promise<SeenRow[]> =>
  db.query<SeenRow>(Prisma.sql`
WITH RECURSIVE ${scopedTo(clientId)}, "above"("root", "id") AS (
  SELECT "id", "id" FROM "scoped"
  UNION
  SELECT r."id", r."id" FROM "Role" r WHERE ${areRolesOf({ id: realmId }, { id: realmId })} AND r."name" = 'offline_access'
  UNION
  SELECT a."root", c."parentId" FROM "CompositeRole" c JOIN "above" a ON c."childId" = a."id"
)
SELECT s."ownerId" AS "ownerId", a."id" AS "givenId", r."id" AS "id", r."name" AS "name", c."clientId" AS "clientName",
  ${exists(Prisma.sql`SELECT 1 FROM "GroupRole" gr WHERE gr."roleId" = a."id"`)} AS "byGroup"
FROM "above" a
JOIN "Role" r ON r."id" = a."root"
LEFT JOIN "Client" c ON c."id" = r."clientId"
LEFT JOIN "scoped" s ON s."id" = a."root"
ORDER BY r."name", r."id"`);

/** Those of some roles that a user was given, directly or, where any group gives one of them, through groups. */
export async function givenAmong(
  db: Db,
  userId: string,
  roleIds: readonly string[],
  byGroups: boolean,
): Promise<string[]> {
  const wanted = listed(db, roleIds);
  const rows = await db.query<{ id: string }>(
    byGroups
      ? Prisma.sql`WITH RECURSIVE ${grantedToUser(Prisma.sql`${userId}`)}
          SELECT "id" FROM "granted" WHERE "id" IN (${wanted})`
      : Prisma.sql`SELECT "roleId" AS "id" FROM "UserRole" WHERE "userId" = ${userId} AND "roleId" IN (${wanted})`,
  );
  return rows.map(({ id }) => id);
}

/** A group of a user with an attribute of its own or of a group above. */
export interface GroupRow {
  groupId: string;
  path: string;
  distance: number;
  name: string | null;
  value: string | null;
}

/** The groups of a user, in the order of their paths, with those attributes of theirs and of the groups above that have the names. */
export function groupsAround(db: Db, userId: string, names: readonly string[]): Promise<GroupRow[]> {
  const wanted = names.length > 0 ? Prisma.sql`IN (${Prisma.join([...names])})` : Prisma.sql`IS NULL`;
  return db.query<GroupRow>(Prisma.sql`
    WITH RECURSIVE "above"("member", "id", "parentId", "distance") AS (
      SELECT g."id", g."id", g."parentId", 0 FROM "UserGroup" u JOIN "Group" g ON g."id" = u."groupId"
       WHERE u."userId" = ${userId}
      UNION ALL
      SELECT a."member", g."id", g."parentId", a."distance" + 1 FROM "above" a JOIN "Group" g ON g."id" = a."parentId"
    )
    SELECT a."member" AS "groupId", m."path" AS "path", a."distance" AS "distance", t."name" AS "name", t."value" AS "value"
      FROM "above" a JOIN "Group" m ON m."id" = a."member"
      LEFT JOIN "GroupAttribute" t ON t."groupId" = a."id" AND t."name" ${wanted}
     WHERE a."distance" = 0 OR t."name" IS NOT NULL
     ORDER BY m."path", a."distance", t."name", t."position"`);
}

/** Those of the names that an attribute of any group has, in whatever realm. */
export async function attributesOfGroups(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    Prisma.sql`SELECT i."item" AS "name" FROM (${listed(db, names)}) AS i
      WHERE ${exists(Prisma.sql`SELECT 1 FROM "GroupAttribute" t WHERE t."name" = i."item"`)}`,
  );
  return rows.map(({ name }) => name);
}
