import { groupsOfUser } from '../../database/computed.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { adminRoles } from './permissions.js';

/** An administration role that a user holds: what it allows, and how tokens name it. */
export interface HeldRight {
  right: string;
  name: string;
  /** clientId of the client that has the role; null for a realm role */
  client: string | null;
}

/** Clients whose tokens stand for all that the user may do; other clients are bound to those of the roles that their tokens name. */
export const adminTools: readonly string[] = ['admin-cli', 'security-admin-console'];

/** Whether tokens of this client stand for all that the user may do. */
export const isAdminTool = (clientId: string): boolean => adminTools.includes(clientId);

/** Whether a role is in the scope of the caller's token. A mapper may name any role there: it counts only for roles that are held. */
export const inToken = (
  { clientId, tokenRoles, realmRoles }: Caller,
  { name, client }: Pick<HeldRight, 'name' | 'client'>,
): boolean =>
  isAdminTool(clientId) || (client === null ? realmRoles.includes(name) : (tokenRoles[client] ?? []).includes(name));

/** The same as a condition for the rows `r` of Role and `c` of Client. */
export function inTokenSql({ clientId, tokenRoles, realmRoles }: Caller): Prisma.Sql {
  if (isAdminTool(clientId)) return Prisma.sql`1 = 1`;
  const ofClients = Object.entries(tokenRoles).flatMap(([client, names]) => names.map((name) => `${client}/${name}`));
  const all = [...realmRoles.map((name) => `/${name}`), ...ofClients];
  return all.length === 0
    ? Prisma.sql`1 = 0`
    : Prisma.sql`coalesce(c."clientId", '') || '/' || r."name" IN (${Prisma.join(all)})`;
}

/**
 * The administration roles for a realm that a user has, directly, through groups and their parents, and through
 * composites. Walks from these few roles upwards, so the cost does not depend on how many realms the user administers.
 */
export const heldRights = (
  ctx: Context,
  user: { id: string; realmId: string },
  realmId: string,
): Promise<HeldRight[]> =>
  ctx.db.query<HeldRight>(Prisma.sql`
    WITH RECURSIVE above("id", "origin") AS (
      SELECT a."roleId", a."roleId" FROM "AdministrationRole" a JOIN "Role" r ON r."id" = a."roleId"
       WHERE a."realmId" = ${realmId} AND r."realmId" = ${user.realmId}
      UNION
      SELECT cr."parentId", a."origin" FROM above a JOIN "CompositeRole" cr ON cr."childId" = a."id"
    ), ${groupsOfUser(Prisma.sql`${user.id}`)}
    SELECT a."right" AS "right", r."name" AS "name", c."clientId" AS "client"
      FROM "AdministrationRole" a JOIN "Role" r ON r."id" = a."roleId" LEFT JOIN "Client" c ON c."id" = r."clientId"
     WHERE a."roleId" IN (
      SELECT o."origin" FROM above o
       WHERE EXISTS (SELECT 1 FROM "UserRole" ur WHERE ur."userId" = ${user.id} AND ur."roleId" = o."id")
          OR EXISTS (SELECT 1 FROM "GroupRole" gr JOIN "memberOf" m ON m."id" = gr."groupId" WHERE gr."roleId" = o."id"))`);

/** Whether the rights in a realm are all that there are. Those in the master realm reach into every other realm: there it is `admin`. */
export const isWhole = (realm: { name: string }, rights: ReadonlySet<string>): boolean =>
  realm.name === 'master' ? rights.has('admin') : adminRoles.every((right) => rights.has(right));
