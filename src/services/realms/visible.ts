import type { Context } from '../core/context.js';
import { isAdminTool } from '../core/held-rights.js';
import { listsByKey } from '../core/lists-by-key.js';
import { permitFor, permitOf, remembered } from '../core/permit.js';
import type { Permit } from '../core/ports.js';
import { masterName } from './defaults/master.js';
import { realmById } from './locate.js';
import { type RightInRealm, rightsByRealm, rightsInRealms } from './store.js';

/** The permits of a caller in each realm where it has any rights, by the ID of the realm. */
export type Permits = ReadonlyMap<string, Permit>;

/**
 * The realms in which the caller has any administration role, with the permit in each. Takes one statement for an
 * administrator of the master realm, whose roles apply to all realms. The result is cached like all rights.
 */
export async function visibleRealms(ctx: Context): Promise<Permits> {
  const { caller } = ctx;
  if (caller.realmName !== masterName) {
    const permit = await permitFor(ctx, await realmById(ctx, caller.realmId));
    return new Map(permit.can('any:admin') ? [[caller.realmId, permit]] : []);
  }
  const find = async () => permitsOf(await rightsByRealm(ctx.db, caller));
  return isAdminTool(caller.clientId)
    ? remembered(ctx, `${caller.userId} ${caller.clientId} every realm`, find)
    : find();
}

/**
 * The visible realms among the given ones. The query starts from the roles in these realms, so its cost does not depend
 * on the number of realms.
 */
export async function visibleAmong(ctx: Context, realmIds: readonly string[]): Promise<Permits> {
  const { caller } = ctx;
  if (caller.realmName !== masterName || !isAdminTool(caller.clientId) || realmIds.length === 0) {
    return visibleRealms(ctx);
  }
  return permitsOf(await rightsInRealms(ctx.db, caller, realmIds));
}

/** Whether the caller has an administration role in any realm. */
export async function administersAny(ctx: Context): Promise<boolean> {
  const permits = await visibleRealms(ctx);
  return permits.size > 0;
}

/** Realms with the same rights share one permit: most administrators have the same rights in all. */
function permitsOf(rows: readonly RightInRealm[]): Permits {
  const rights = listsByKey(rows.map(({ realmId, right }) => [realmId, right]));
  const permits = new Map<string, Permit>();
  const found = [...rights].map(([realmId, names]): [string, Permit] => {
    const key = names.join(' ');
    const permit = permits.get(key) ?? permitOf(new Set(names));
    permits.set(key, permit);
    return [realmId, permit];
  });
  return new Map(found.filter(([, permit]) => permit.can('any:admin') || permit.can('impersonate:users')));
}
