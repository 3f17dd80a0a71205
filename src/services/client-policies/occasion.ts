import { heldByUser } from '../../database/computed.js';
import type { Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import type { AccessType, Occasion, UpdaterContext } from './conditions.js';

/** What kind of client it is, by how it proves itself. */
export function accessTypeOf(client: {
  publicClient?: boolean | undefined;
  bearerOnly?: boolean | undefined;
}): AccessType {
  if (client.publicClient) return 'public';
  return client.bearerOnly ? 'bearer-only' : 'confidential';
}

/** Names of the roles of a client: one statement. */
export const rolesOfClient =
  (db: Db, clientId: string): (() => Promise<string[]>) =>
  async () =>
    (await db.role.findMany({ where: { clientId }, select: { name: true } })).map(({ name }) => name);

interface Written {
  publicClient?: boolean | undefined;
  bearerOnly?: boolean | undefined;
  /** id of the row of a client that is there already */
  id?: string | undefined;
}

/** The occasion of a client that is created or changed by the caller of a request. */
export function writing(ctx: Context, written: Written): Occasion {
  const { userId, registration } = ctx.caller;
  const context: UpdaterContext = registration ?? 'ByAuthenticatedUser';
  return {
    accessType: accessTypeOf(written),
    ...(written.id !== undefined && { roles: rolesOfClient(ctx.db, written.id) }),
    updater: {
      context,
      address: ctx.ipAddress,
      roles: () => rolesOfUser(ctx.db, userId),
      groups: () => groupNamesOfUser(ctx.db, userId),
    },
  };
}

async function rolesOfUser(db: Db, userId: string): Promise<string[]> {
  const rows = await db.query<{ name: string; client: string | null }>(Prisma.sql`
    WITH RECURSIVE ${heldByUser(Prisma.sql`${userId}`)}
    SELECT r."name" AS "name", c."clientId" AS "client" FROM "held" h
    JOIN "Role" r ON r."id" = h."id" LEFT JOIN "Client" c ON c."id" = r."clientId"`);
  return rows.map(({ name, client }) => (client === null ? name : `${client}.${name}`));
}

async function groupNamesOfUser(db: Db, userId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(Prisma.sql`
    SELECT g."name" AS "name" FROM "UserGroup" ug JOIN "Group" g ON g."id" = ug."groupId" WHERE ug."userId" = ${userId}`);
  return rows.map(({ name }) => name);
}
