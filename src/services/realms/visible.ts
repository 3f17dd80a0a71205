import { grantedToUser, heldByUser } from '../../database/computed.js';
import { listed } from '../../database/where.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Caller } from '../core/caller.js';
import type { Context } from '../core/context.js';
import { isAdminTool, type Permit, permitFor, permitOf, remembered } from '../core/permit.js';
import { adminClientId } from './defaults/clients.js';
import { masterName } from './defaults/master.js';
import { realmById } from './locate.js';

/** What a caller may do in each realm in which there is anything, by the id of the realm. */
export type Permits = ReadonlyMap<string, Permit>;

/** Whether what the caller may do in many realms has to be worked out from the user's roles. */
const byRolesInMaster = ({ realmName, clientId }: Caller): boolean => realmName === masterName && isAdminTool(clientId);

/**
 * The realms in which the caller has any administration role, with the permit in each: one statement for an
 * administrator of the master realm, whose roles there stand for those in all realms, remembered like all rights.
 */
export async function visibleRealms(ctx: Context): Promise<Permits> {
  const { caller } = ctx;
  if (caller.realmName !== masterName) {
    const permit = await permitFor(ctx, await realmById(ctx, caller.realmId));
    return new Map(permit.can('any:admin') ? [[caller.realmId, permit]] : []);
  }
  if (!byRolesInMaster(caller)) return realmsOfToken(ctx);
  return remembered(ctx, `${caller.userId} ${caller.clientId} every realm`, async () =>
    permitsOf(
      await ctx.db.query<RoleInRealm>(Prisma.sql`
        WITH RECURSIVE ${heldByUser(Prisma.sql`${caller.userId}`)}
        SELECT realm."id" AS "realmId", r."name" AS "name"
          FROM "held" h JOIN "Role" r ON r."id" = h."id" JOIN "Realm" realm ON realm."adminClientId" = r."clientId"
         ORDER BY 1, 2`),
    ),
  );
}

/**
 * The same for some realms only. Goes from the roles that there are in these realms to the caller, so that it costs the
 * same however many realms there are.
 */
export async function visibleAmong(ctx: Context, realmIds: readonly string[]): Promise<Permits> {
  const { caller } = ctx;
  if (!byRolesInMaster(caller) || realmIds.length === 0) return visibleRealms(ctx);
  return permitsOf(
    await ctx.db.query<RoleInRealm>(Prisma.sql`
      WITH RECURSIVE ${grantedToUser(Prisma.sql`${caller.userId}`)}, "above"("id", "realmId", "name") AS (
        SELECT r."id", realm."id", r."name" FROM "Realm" realm JOIN "Role" r ON r."clientId" = realm."adminClientId"
         WHERE realm."id" IN (${listed(ctx.db.dialect, realmIds)})
        UNION
        SELECT c."parentId", a."realmId", a."name" FROM "above" a JOIN "CompositeRole" c ON c."childId" = a."id"
      )
      SELECT DISTINCT a."realmId" AS "realmId", a."name" AS "name"
        FROM "above" a JOIN "granted" o ON o."id" = a."id" ORDER BY 1, 2`),
  );
}

/** Whether the caller has an administration role in any realm. */
export async function administersAny(ctx: Context): Promise<boolean> {
  const permits = await visibleRealms(ctx);
  return permits.size > 0;
}

interface RoleInRealm {
  realmId: string;
  name: string;
}

/** Realms with the same roles share one permit: most administrators have the same in all. */
function permitsOf(rows: readonly RoleInRealm[]): Permits {
  const names = new Map<string, string[]>();
  for (const { realmId, name } of rows) {
    const known = names.get(realmId);
    if (known) known.push(name);
    else names.set(realmId, [name]);
  }
  const permits = new Map<string, Permit>();
  return new Map(
    [...names].map(([realmId, roles]) => {
      const key = roles.join(' ');
      const permit = permits.get(key) ?? permitOf(new Set(roles));
      permits.set(key, permit);
      return [realmId, permit];
    }),
  );
}

/** A client that is no tool of administration is bound to the roles in its token. */
async function realmsOfToken({ caller, db }: Context): Promise<Permits> {
  const names = Object.keys(caller.tokenRoles).flatMap((client) => /^(.+)-realm$/.exec(client)?.[1] ?? []);
  const realms = await db.realm.findMany({ where: { name: { in: names } }, select: { id: true, name: true } });
  const permits = realms.map(({ id, name }): [string, Permit] => [
    id,
    permitOf(new Set(caller.tokenRoles[adminClientId(name)])),
  ]);
  return new Map(permits.filter(([, permit]) => permit.can('any:admin')));
}
