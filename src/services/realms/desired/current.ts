import { limit } from '../../../config/limits.js';
import type { Db } from '../../../database/db.js';
import { portionsOf } from '../../../database/portions.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { invalid } from '../../core/refusal.js';
import type { Sealer } from '../../core/seal.js';
import { defaultClients } from '../defaults/clients.js';
import { masterName } from '../defaults/master.js';
import { offlineAccess, umaAuthorization } from '../defaults/roles.js';
import { exportedUsers, exportedUsersWhere } from '../export/users.js';
import { realmWithSecrets } from '../export/whole.js';
import type { KnownUser } from './assemble.js';
import { type Json, listOf, type Mode } from './kinds.js';
import type { Protected } from './merge-list.js';

interface RealmRow {
  id: string;
  name: string;
  defaultRoleId: string | null;
}

const everyone = 'everyone';

/**
 * The users to read with a realm, besides the service accounts of its clients: all, or users who match one of the
 * conditions.
 */
export type WhichUsers = typeof everyone | readonly Prisma.UserWhereInput[];

/** Maximum users in one statement, which has their names or IDs. */
const namedAtOnce = 1000;

/**
 * The users that a file concerns. In the mode `FULL` these are all, otherwise the users that it names, also by former
 * names, which are stored by their places in the file. An index answers each condition.
 */
export function usersOf(given: Json, mode: Mode, formerNames: ReadonlyMap<string, string>): WhichUsers {
  if (given.users === undefined) return [];
  if (mode === 'FULL') return everyone;
  const users = listOf(given, 'users');
  const texts = (name: string) => users.flatMap((user) => (typeof user[name] === 'string' ? [user[name]] : []));
  const former = users.flatMap((_, index) => formerNames.get(`users.${index}`) ?? []);
  const usernames = [...texts('username'), ...former].map((name) => name.trim().toLowerCase());
  return [
    ...portionsOf(usernames, namedAtOnce).map((some) => ({ username: { in: some } })),
    ...portionsOf(texts('id'), namedAtOnce).map((some) => ({ id: { in: some } })),
  ];
}

/** Maximum users of a plan. All of them are in memory: bench/RESULTS.md states the size. */
const mostUsers = limit('Objects', 'Users of a plan', 100_000, 'users');

/** Refuses more users than a plan can have. `whose`: the file or the realm with the users. */
export function requireFewUsers(count: number, whose: 'The file' | 'The realm'): void {
  if (count <= mostUsers) return;
  const most = mostUsers.toLocaleString('en');
  throw invalid(`${whose} has more than ${most} users, the most that a plan can compare: import them instead`, 'users');
}

/** Users that are read at once. All of them are in memory in the end. */
const readAtOnce = 2 * namedAtOnce;

/**
 * Number of conditions that PostgreSQL evaluates at a time, each on a separate connection, while earlier results are
 * assembled.
 */
const conditionsAtOnce = 2;

/** The users who match conditions, in a list for each of these. */
async function usersWho(
  db: Db,
  conditions: readonly Prisma.UserWhereInput[],
  options: Parameters<typeof exportedUsersWhere>[2],
) {
  const found: Awaited<ReturnType<typeof exportedUsersWhere>>[] = conditions.map(() => []);
  const rest = conditions.entries();
  const lane = async () => {
    for (const [at, where] of rest) found[at] = await exportedUsersWhere(db, where, options, mostUsers + 1);
  };
  await Promise.all(Array.from({ length: conditionsAtOnce }, lane));
  for (const { length } of found) requireFewUsers(length, 'The realm');
  return found;
}

/** The current state of a realm: RealmRepresentation with its secrets in clear, and the requested users. */
export async function currentRealm(
  db: Db,
  sealer: Sealer,
  { id: realmId }: Pick<RealmRow, 'id'>,
  which: WhichUsers,
): Promise<Json> {
  if (which === everyone) requireFewUsers(await db.user.count({ where: { realmId } }), 'The realm');
  const { realm, names } = await realmWithSecrets(db, sealer, realmId);
  const exported = realm as Json;
  const options = { open: sealer.open, names };
  const users = new Map<string, object>();
  const add = (some: readonly { id: string }[]) => {
    for (const user of some) users.set(user.id, user);
  };
  if (which === everyone) {
    for await (const some of exportedUsers(db, realmId, { ...options, atOnce: readAtOnce })) add(some);
  } else {
    const clients = listOf(exported, 'clients').map(({ id }) => String(id));
    const conditions: Prisma.UserWhereInput[] = [
      ...portionsOf(clients, namedAtOnce).map((some) => ({ serviceAccountClientId: { in: some } })),
      ...which.map((where) => ({ realmId, AND: [where] })),
    ];
    for (const some of await usersWho(db, conditions, options)) add(some);
  }
  return { ...exported, users: [...users.values()] };
}

/** The users that policies of a realm name. */
export async function namedUsers(db: Db, realmId: string): Promise<KnownUser[]> {
  const where = { realmId, OR: [{ policies: { some: {} } }, { ownResources: { some: {} } }] };
  return db.user.findMany({ where, select: { id: true, realmId: true, username: true } });
}

/** The IDs of the roles of a realm that administer it or, in the master realm, others. */
export async function administrationRolesOf(db: Db, { id }: RealmRow): Promise<ReadonlySet<unknown>> {
  const rows = await db.administrationRole.findMany({ where: { role: { realmId: id } }, select: { roleId: true } });
  return new Set(rows.map(({ roleId }) => roleId));
}

/**
 * Returns whether an object is indispensable, so that a file without it does not delete it. These are built-in clients
 * and flows, roles that administer realms, the default role, and users of a directory.
 */
export async function protectedIn(db: Db, realm: RealmRow, administration: ReadonlySet<unknown>): Promise<Protected> {
  const standing =
    realm.name === masterName
      ? await db.realm.findMany({ where: { adminClientId: { not: null } }, select: { adminClientId: true } })
      : [];
  const roles = new Set<unknown>([realm.defaultRoleId, ...administration]);
  const clients = new Set<unknown>(standing.map(({ adminClientId }) => adminClientId));
  const names = new Set<unknown>(
    defaultClients(realm.name, realm.name === masterName).map(({ client }) => client.clientId),
  );
  const roleNames = new Set<unknown>([offlineAccess.name, umaAuthorization.name]);
  return (model, object) => {
    if (model === 'Role') return roles.has(object.id) || (object.clientRole !== true && roleNames.has(object.name));
    if (model === 'Client') return clients.has(object.id) || names.has(object.clientId);
    if (model === 'AuthenticationFlow') return object.builtIn === true;
    if (model === 'User') return object.federationLink !== undefined || object.serviceAccountClientId !== undefined;
    return false;
  };
}
