import { among } from '../../database/where.js';
import { delegationOf } from '../permissions/delegated.js';
import { decidingServer } from '../permissions/server.js';
import type { RealmRecord } from '../realms/record.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { type Delegation, opensFor, opensForUsers, seenIds, seenMembers } from './delegation.js';
import { type Door, doors } from './doors.js';
import { heldRights, inToken, isAdminTool } from './held-rights.js';
import { forbidden, notFound, type Refusal } from './refusal.js';

/** What the caller may do in one realm. Computed once per request, from data that is at most a second old. */
export interface Permit {
  readonly rights: ReadonlySet<string>;
  can(door: Door): boolean;
  /** Throws a refusal when the door is closed. */
  require(door: Door): void;
  /** Whether a door is open for one group or client, by a role or by management permissions about it. */
  may(door: Door, kind: 'group' | 'client', id: string): boolean;
  /** what management permissions allow, where the realm has any and the roles do not allow everything anyhow */
  readonly delegation: Delegation | undefined;
  /** A condition that keeps only what the caller may see of a kind. */
  visible(kind: 'users' | 'groups' | 'clients' | 'realm'): { id?: { in: string[] } };
}

const rightsLifetime = 1000;

/**
 * What is known of the rights of callers, by keys that start with the id of the user. A write that may change the rights
 * of one user touches `rights:<user id>`, one that may change those of many `rights`. Where other processes cannot be
 * heard, what they write counts after a second.
 */
export type RightsCache = Map<string, { known: unknown; until: number }>;

/** What follows from the rights of users, remembered for a second; not inside a transaction, which may change them. */
export async function remembered<T>(ctx: Context, key: string, find: () => Promise<T>): Promise<T> {
  if (ctx.unit) return find();
  const { rights, now } = ctx.services;
  const cached = rights.get(key);
  if (cached && cached.until > now()) return cached.known as T;
  const until = now() + rightsLifetime;
  const known = await find();
  if (rights.size > 10_000) rights.clear();
  rights.set(key, { known, until });
  return known;
}

/** Forgets what a user may do, in every realm. */
export function forgetRights(cache: RightsCache, userId: string): void {
  for (const key of cache.keys()) if (key.startsWith(`${userId} `)) cache.delete(key);
}

const refused = (): Refusal => forbidden();

/** The permit of the request's caller in a realm. */
export async function permitFor(ctx: Context, realm: RealmRecord): Promise<Permit> {
  const known = ctx.permits.get(realm.id);
  if (known) return known;
  const rights = await rightsOf(ctx, ctx.caller, realm);
  const permit = permitOf(rights, await delegationFor(ctx, realm, rights));
  ctx.permits.set(realm.id, permit);
  return permit;
}

/** The roles that together allow everything that management permissions can allow. */
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
    delegationOf(ctx, server.id, isAdminTool(caller.clientId)),
  );
}

export function permitOf(rights: ReadonlySet<string>, delegation?: Delegation): Permit {
  const can = (door: Door) => {
    if (door === 'any:caller') return true;
    if (door === 'create:realm') return rights.has('create-realm');
    if (doors[door].some((role) => rights.has(role))) return true;
    return delegation !== undefined && opensForUsers(delegation, door);
  };
  return {
    rights,
    can,
    require(door) {
      if (!can(door)) throw refused();
    },
    delegation,
    may: (door, kind, id) => can(door) || (delegation !== undefined && opensFor(delegation, door, kind, id)),
    visible(kind) {
      if (can(`view:${kind}`)) return {};
      if (!delegation || kind === 'realm') return { id: { in: [] } };
      if (kind !== 'users') return { id: { in: seenIds(delegation, kind) } };
      const members = seenMembers(delegation);
      return { id: { in: members ? among(members) : [] } };
    },
  };
}

async function rightsOf(ctx: Context, caller: Caller, realm: RealmRecord): Promise<ReadonlySet<string>> {
  if (caller.realmId !== realm.id && caller.realmName !== 'master') return new Set();
  const held = await remembered(ctx, `${caller.userId} ${caller.clientId} ${realm.id}`, () =>
    heldRights(ctx, { id: caller.userId, realmId: caller.realmId }, realm.id),
  );
  return new Set(held.filter((role) => inToken(caller, role)).map(({ right }) => right));
}

/**
 * The refusal for a thing that is not there: only callers who may look for its kind learn that it does not exist,
 * all others hear what they would hear if it did.
 */
export async function missing(ctx: Context, realm: RealmRecord, door: Door, message: string): Promise<Refusal> {
  const permit = await permitFor(ctx, realm);
  return permit.can(door) ? notFound(message) : forbidden();
}
