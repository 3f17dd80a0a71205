import { among } from '../../database/lists.js';
import { viewPermission } from './allow.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { type Delegation, isAllowedFor, isAllowedForUsers, seenIds, seenMembers } from './delegation.js';
import type { ChangeFeed } from './feed.js';
import { type HeldRight, inToken, isAdminTool, isWhole } from './held-rights.js';
import { type Permission, permissionRoles } from './permissions.js';
import type { Permit, RightsCache } from './ports.js';
import { decidingServer, type RealmRecord } from './realm.js';
import { forbidden, notFound, type Refusal } from './refusal.js';
import { createScopedCache } from './scoped-cache.js';
import { heldRights } from './store.js';

/** The cache of values that are derived from the rights of callers. */
export const createRightsCache = (feed: Pick<ChangeFeed, 'subscribe'>, now: () => number): RightsCache =>
  createScopedCache<unknown>(feed, {
    name: 'rights',
    now,
    scopeOf: (_value, key) => key.slice(0, key.indexOf(' ')),
    changedBy: ({ touches }) =>
      touches.some((key) => key === 'rights' || key.startsWith('realm:'))
        ? 'all'
        : touches.flatMap((key) => (key.startsWith('rights:') ? key.slice('rights:'.length) : [])),
  });

/**
 * Caches a value that is derived from the rights of users for a second. Not inside a transaction, which may change
 * them.
 */
export const remembered = <T>(ctx: Context, key: string, find: () => Promise<T>): Promise<T> =>
  // only one kind of value is ever found under a key
  ctx.unit ? find() : (ctx.services.rights.get(key, find) as Promise<T>);

/** The permit of the request's caller in a realm. */
export async function permitFor(ctx: Context, realm: RealmRecord): Promise<Permit> {
  const known = ctx.permits.get(realm.id);
  if (known) return known;
  const rights = await rightsOf(ctx, ctx.caller, realm);
  const permit = permitOf(rights, await delegationFor(ctx, realm, rights));
  ctx.permits.set(realm.id, permit);
  return permit;
}

/** The roles that together give all rights that management permissions can give. */
const delegable = ['manage-users', 'manage-clients', 'manage-realm', 'impersonation'];

/** Whether the rights in a realm allow everything that management permissions can allow. */
export const hasDelegable = (rights: ReadonlySet<string>): boolean => delegable.every((role) => rights.has(role));

async function delegationFor(
  ctx: Context,
  realm: RealmRecord,
  rights: ReadonlySet<string>,
): Promise<Delegation | undefined> {
  const { caller } = ctx;
  const server = decidingServer(realm);
  if (!server || caller.realmId !== realm.id || hasDelegable(rights)) return undefined;
  return remembered(ctx, `${caller.userId} ${caller.clientId} ${realm.id} delegated`, () =>
    ctx.services.access.delegationOf(ctx, server.id, isAdminTool(caller.clientId)),
  );
}

/** The permit of a caller with these roles in a realm. */
export function permitOf(rights: ReadonlySet<string>, delegation?: Delegation): Permit {
  const can = (permission: Permission) => {
    if (permission === 'any:caller') return true;
    if (permission === 'create:realm') return rights.has('create-realm');
    if (permissionRoles[permission].some((role) => rights.has(role))) return true;
    return delegation !== undefined && isAllowedForUsers(delegation, permission);
  };
  return {
    rights,
    can,
    require(permission) {
      if (!can(permission)) throw forbidden(undefined, { permission });
    },
    delegation,
    may: (permission, kind, id) =>
      can(permission) || (delegation !== undefined && isAllowedFor(delegation, permission, kind, id)),
    visible(kind) {
      if (can(viewPermission(kind))) return {};
      if (!delegation) return { id: { in: [] } };
      if (kind !== 'users') return { id: { in: seenIds(delegation, kind) } };
      const members = seenMembers(delegation);
      return { id: { in: members ? among(members) : [] } };
    },
  };
}

async function rightsOf(ctx: Context, caller: Caller, realm: RealmRecord): Promise<ReadonlySet<string>> {
  if (caller.realmId !== realm.id && caller.realmName !== 'master') return new Set();
  const held = await remembered(ctx, rightsKey(caller, realm), () =>
    heldRights(ctx.db, { id: caller.userId, realmId: caller.realmId }, realm.id),
  );
  return rightsAmong(caller, held);
}

const rightsKey = (caller: Caller, realm: RealmRecord): string => `${caller.userId} ${caller.clientId} ${realm.id}`;

const rightsAmong = (caller: Caller, held: readonly HeldRight[]): ReadonlySet<string> =>
  new Set(held.filter((role) => inToken(caller, role)).map(({ right }) => right));

/**
 * The permit of a caller who had all rights in a realm within the last second, so that it is not computed again behind
 * a lock. Operations that share a unit of work compute it, because earlier operations may have revoked rights.
 */
export function wholePermit(ctx: Context, realm: RealmRecord, permit: Permit): Permit | undefined {
  if (ctx.unit || !isWhole(realm, permit.rights)) return undefined;
  // only rights are found under the key
  const held = ctx.services.rights.peek(rightsKey(ctx.caller, realm)) as HeldRight[] | undefined;
  return held && isWhole(realm, rightsAmong(ctx.caller, held)) ? permit : undefined;
}

/**
 * The refusal for an object that does not exist. Only callers who may query its kind learn that. All others get the
 * refusal that they would get if it existed.
 */
export async function missing(
  ctx: Context,
  realm: RealmRecord,
  permission: Permission,
  message: string,
): Promise<Refusal> {
  const permit = await permitFor(ctx, realm);
  return permit.can(permission) ? notFound(message) : forbidden();
}
