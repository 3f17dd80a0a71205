import { grantedToUser, heldByUser } from '../../database/computed.js';
import { listed } from '../../database/where.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Caller } from '../core/caller.js';
import type { Context } from '../core/context.js';
import { inTokenSql, isAdminTool } from '../core/held-rights.js';
import { permitFor, permitOf, remembered } from '../core/permit.js';
import type { Permit } from '../core/ports.js';
import { masterName } from './defaults/master.js';
import { realmById } from './locate.js';

/** What a caller may do in each realm in which there is anything, by the id of the realm. */
export type Permits = ReadonlyMap<string, Permit>;

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
  const find = async () =>
    permitsOf(
      await ctx.db.query<RightInRealm>(Prisma.sql`
        WITH RECURSIVE ${heldByUser(Prisma.sql`${caller.userId}`)}
        SELECT a."realmId" AS "realmId", a."right" AS "right"
          FROM "held" h JOIN "AdministrationRole" a ON a."roleId" = h."id" ${cutDown(caller)}
         ORDER BY 1, 2`),
    );
  return isAdminTool(caller.clientId)
    ? remembered(ctx, `${caller.userId} ${caller.clientId} every realm`, find)
    : find();
}

/** Keeps only what is in the scope of the caller's token. */
const cutDown = (caller: Caller): Prisma.Sql =>
  isAdminTool(caller.clientId)
    ? Prisma.empty
    : Prisma.sql`JOIN "Role" r ON r."id" = a."roleId" LEFT JOIN "Client" c ON c."id" = r."clientId"
        WHERE ${inTokenSql(caller)}`;

/**
 * The same for some realms only. Goes from the roles that there are in these realms to the caller, so that it costs the
 * same however many realms there are.
 */
export async function visibleAmong(ctx: Context, realmIds: readonly string[]): Promise<Permits> {
  const { caller } = ctx;
  if (caller.realmName !== masterName || !isAdminTool(caller.clientId) || realmIds.length === 0) {
    return visibleRealms(ctx);
  }
  return permitsOf(
    await ctx.db.query<RightInRealm>(Prisma.sql`
      WITH RECURSIVE ${grantedToUser(Prisma.sql`${caller.userId}`)}, "above"("id", "realmId", "right") AS (
        SELECT a."roleId", a."realmId", a."right" FROM "AdministrationRole" a
         WHERE a."realmId" IN (${listed(ctx.db, realmIds)})
        UNION
        SELECT c."parentId", a."realmId", a."right" FROM "above" a JOIN "CompositeRole" c ON c."childId" = a."id"
      )
      SELECT DISTINCT a."realmId" AS "realmId", a."right" AS "right"
        FROM "above" a JOIN "granted" o ON o."id" = a."id" ORDER BY 1, 2`),
  );
}

/** Whether the caller has an administration role in any realm. */
export async function administersAny(ctx: Context): Promise<boolean> {
  const permits = await visibleRealms(ctx);
  return permits.size > 0;
}

interface RightInRealm {
  realmId: string;
  right: string;
}

/** Realms with the same rights share one permit: most administrators have the same in all. */
function permitsOf(rows: readonly RightInRealm[]): Permits {
  const rights = new Map<string, string[]>();
  for (const { realmId, right } of rows) {
    const known = rights.get(realmId);
    if (known) known.push(right);
    else rights.set(realmId, [right]);
  }
  const permits = new Map<string, Permit>();
  const found = [...rights].map(([realmId, names]): [string, Permit] => {
    const key = names.join(' ');
    const permit = permits.get(key) ?? permitOf(new Set(names));
    permits.set(key, permit);
    return [realmId, permit];
  });
  return new Map(found.filter(([, permit]) => permit.can('any:admin') || permit.can('impersonate:users')));
}
