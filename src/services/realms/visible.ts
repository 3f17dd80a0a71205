import { heldByUser } from '../../database/computed.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import { isAdminTool, type Permit, permitFor, permitOf } from '../core/permit.js';
import { adminClientId } from './defaults/clients.js';
import { realmById } from './locate.js';

/**
 * The realms in which the caller has any administration role, with the permit in each: one statement for an
 * administrator of the master realm, whose roles there stand for those in all realms.
 */
export async function visibleRealms(ctx: Context): Promise<Map<string, Permit>> {
  const { caller } = ctx;
  if (caller.realmName !== 'master') {
    const permit = await permitFor(ctx, await realmById(ctx, caller.realmId));
    return new Map(permit.can('any:admin') ? [[caller.realmId, permit]] : []);
  }
  if (!isAdminTool(caller.clientId)) return realmsOfToken(ctx);
  const rows = await ctx.db.query<{ realmId: string; name: string }>(Prisma.sql`
    WITH RECURSIVE ${heldByUser(Prisma.sql`${caller.userId}`)}
    SELECT realm."id" AS "realmId", r."name" AS "name"
      FROM "held" h JOIN "Role" r ON r."id" = h."id" JOIN "Realm" realm ON realm."adminClientId" = r."clientId"`);
  const rights = new Map<string, Set<string>>();
  for (const { realmId, name } of rows) {
    const known = rights.get(realmId);
    if (known) known.add(name);
    else rights.set(realmId, new Set([name]));
  }
  return new Map([...rights].map(([realmId, names]) => [realmId, permitOf(names)]));
}

/** A client that is no tool of administration is bound to the roles in its token. */
async function realmsOfToken(ctx: Context): Promise<Map<string, Permit>> {
  const names = Object.keys(ctx.caller.tokenRoles).map((client) => client.replace(/-realm$/, ''));
  const realms = await ctx.db.realm.findMany({ where: { name: { in: names } }, select: { id: true, name: true } });
  const permits = realms.map(({ id, name }): [string, Permit] => [
    id,
    permitOf(new Set(ctx.caller.tokenRoles[adminClientId(name)])),
  ]);
  return new Map(permits.filter(([, permit]) => permit.can('any:admin')));
}
