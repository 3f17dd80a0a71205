import { groupsOfUser } from '../../database/computed.js';
import { among } from '../../database/where.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { delegationOf } from '../permissions/delegated.js';
import { decidingServer } from '../permissions/server.js';
import type { RealmRecord } from '../realms/record.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { type Delegation, opensFor, opensForUsers, seenIds, seenMembers } from './delegation.js';
import { type Door, doors } from './doors.js';
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

/** Clients whose tokens stand for all that the user may do; other clients are bound to those of the roles that their tokens name. */
const adminTools = new Set(['admin-cli', 'security-admin-console']);

/** Whether tokens of this client stand for all that the user may do. */
export const isAdminTool = (clientId: string): boolean => adminTools.has(clientId);

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

/** Callers with these roles may do everything that management permissions could allow. */
const everything = ['manage-users', 'manage-clients', 'manage-realm', 'impersonation'];

async function delegationFor(
  ctx: Context,
  realm: RealmRecord,
  rights: ReadonlySet<string>,
): Promise<Delegation | undefined> {
  const { caller } = ctx;
  const server = decidingServer(realm);
  if (!server || caller.realmId !== realm.id || everything.every((role) => rights.has(role))) return undefined;
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
  const own = caller.realmId === realm.id;
  const fromMaster = caller.realmName === 'master';
  if (!own && !fromMaster) return new Set();
  const administrator = fromMaster ? `${realm.name}-realm` : 'realm-management';
  const granted = await remembered(ctx, `${caller.userId} ${caller.clientId} ${realm.id}`, () =>
    grantedTo(ctx, caller.userId, caller.realmId, administrator),
  );
  if (isAdminTool(caller.clientId)) return granted;
  // a mapper may put into a token what its user does not have, and what the user has may be taken away
  const claimed = rightsInToken(caller, administrator, fromMaster);
  return new Set([...claimed].filter((right) => granted.has(right)));
}

function rightsInToken({ tokenRoles, realmRoles }: Caller, administrator: string, fromMaster: boolean): Set<string> {
  const rights = new Set(tokenRoles[administrator]);
  if (fromMaster && realmRoles.includes('create-realm')) rights.add('create-realm');
  return rights;
}

/**
 * The roles of the administration client (and `create-realm`) that the user has, directly, through groups and their
 * parents, and through composites. Walks from the client's few roles upwards, so the cost does not depend on how
 * many realms the user administers.
 */
async function grantedTo(
  ctx: Context,
  userId: string,
  realmId: string,
  clientId: string,
): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.query<{ name: string }>(Prisma.sql`
    WITH RECURSIVE wanted("id", "name") AS (
      SELECT r."id", r."name" FROM "Role" r JOIN "Client" c ON c."id" = r."clientId"
       WHERE c."realmId" = ${realmId} AND c."clientId" = ${clientId}
      UNION ALL
      SELECT r."id", r."name" FROM "Role" r WHERE r."container" = ${realmId} AND r."name" = 'create-realm'
    ), above("id", "name") AS (
      SELECT "id", "name" FROM wanted
      UNION
      SELECT cr."parentId", a."name" FROM above a JOIN "CompositeRole" cr ON cr."childId" = a."id"
    ), ${groupsOfUser(Prisma.sql`${userId}`)}
    SELECT DISTINCT a."name" AS "name" FROM above a
     WHERE EXISTS (SELECT 1 FROM "UserRole" ur WHERE ur."userId" = ${userId} AND ur."roleId" = a."id")
        OR EXISTS (SELECT 1 FROM "GroupRole" gr JOIN "memberOf" m ON m."id" = gr."groupId" WHERE gr."roleId" = a."id")`);
  return new Set(rows.map(({ name }) => name));
}

/**
 * The refusal for a thing that is not there: only callers who may look for its kind learn that it does not exist,
 * all others hear what they would hear if it did.
 */
export async function missing(ctx: Context, realm: RealmRecord, door: Door, message: string): Promise<Refusal> {
  const permit = await permitFor(ctx, realm);
  return permit.can(door) ? notFound(message) : forbidden();
}
