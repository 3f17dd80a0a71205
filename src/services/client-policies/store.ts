import type { Db } from '../../database/db.js';
import { Prisma } from '../../database/prisma.js';
import { heldByUser } from '../../database/role-trees.js';

/** Names of the roles of a client: one statement. */
export const rolesOfClient =
  (db: Db, clientId: string): (() => Promise<string[]>) =>
  async () =>
    (await db.role.findMany({ where: { clientId }, select: { name: true } })).map(({ name }) => name);

/** Names of the roles of clients, by the ids of these: one statement. */
export async function rolesOfClients(db: Db, clientIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const roles = await db.role.findMany({
    where: { clientId: { in: [...clientIds] } },
    select: { name: true, clientId: true },
  });
  const names = new Map<string, string[]>(clientIds.map((id) => [id, []]));
  for (const { name, clientId } of roles) names.get(clientId ?? '')?.push(name);
  return names;
}

/** Names of all roles that a user has, those of clients as `client.role`: one statement. */
export async function rolesOfUser(db: Db, userId: string): Promise<string[]> {
  const rows = await db.query<{ name: string; client: string | null }>(Prisma.sql`
    WITH RECURSIVE ${heldByUser(Prisma.sql`${userId}`)}
    SELECT r."name" AS "name", c."clientId" AS "client" FROM "held" h
    JOIN "Role" r ON r."id" = h."id" LEFT JOIN "Client" c ON c."id" = r."clientId"`);
  return rows.map(({ name, client }) => (client === null ? name : `${client}.${name}`));
}

/** Names of the groups that a user is in: one statement. */
export async function groupNamesOfUser(db: Db, userId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(Prisma.sql`
    SELECT g."name" AS "name" FROM "UserGroup" ug JOIN "Group" g ON g."id" = ug."groupId" WHERE ug."userId" = ${userId}`);
  return rows.map(({ name }) => name);
}
