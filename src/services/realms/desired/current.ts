import type { Db } from '../../../database/db.js';
import { portionsOf } from '../../../database/portions.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { invalid } from '../../core/refusal.js';
import type { Sealer } from '../../core/seal.js';
import { defaultClients } from '../defaults/clients.js';
import { masterName } from '../defaults/master.js';
import { offlineAccess, umaAuthorization } from '../defaults/roles.js';
import { exportedUsers } from '../export/users.js';
import { realmWithSecrets } from '../export/whole.js';
import type { KnownUser } from './assemble.js';
import { type Json, listOf, type Mode } from './kinds.js';
import type { Protected } from './merge-list.js';

interface RealmRow {
  id: string;
  name: string;
  defaultRoleId: string | null;
}

/** The accounts of clients, which belong to the clients. */
export const accounts = { serviceAccountClientId: { not: null } } as const satisfies Prisma.UserWhereInput;

const everyone: Prisma.UserWhereInput = {};

/** How many users of a file are looked for at once: each statement has their names and ids. */
const namedAtOnce = 1000;

/** Which users are read with a realm, some at a time: those of the file, or all of them where it says who there is. */
export function usersWhere(given: Json, mode: Mode, formerNames: ReadonlyMap<string, string>): Prisma.UserWhereInput[] {
  if (given.users === undefined) return [accounts];
  if (mode === 'FULL') return [everyone];
  const users = listOf(given, 'users').map((user, index) => ({
    ...user,
    renamedFrom: formerNames.get(`users.${index}`),
  }));
  const [first = [], ...others] = portionsOf(users, namedAtOnce).map(namedIn);
  return [[accounts, ...first], ...others].map((conditions) => ({ OR: conditions }));
}

/** The conditions for the users whom a part of a file names. */
function namedIn(users: readonly Json[]): Prisma.UserWhereInput[] {
  const texts = (name: string) => users.flatMap((user) => (typeof user[name] === 'string' ? [user[name]] : []));
  const usernames = [...texts('username'), ...texts('renamedFrom')].map((name) => name.trim().toLowerCase());
  return [{ username: { in: usernames } }, { id: { in: texts('id') } }];
}

/** Most users of a plan. All of them are in memory: bench/RESULTS.md states how much that is. */
const mostUsers = 100_000;

/** Refuses more users than a plan can have. `whose`: who has them. */
export function requireFewUsers(count: number, whose: 'The file' | 'The realm'): void {
  if (count <= mostUsers) return;
  const most = mostUsers.toLocaleString('en');
  throw invalid(`${whose} has more than ${most} users, the most that a plan can compare: import them instead`, 'users');
}

/** How many users are read at once: all of them are in memory in the end. */
const readAtOnce = 2 * namedAtOnce;

/** A realm as it is: RealmRepresentation with its secrets in clear, and those of its users who match one of the conditions. */
export async function currentRealm(
  db: Db,
  sealer: Sealer,
  realm: Pick<RealmRow, 'id'>,
  conditions: readonly Prisma.UserWhereInput[],
): Promise<Json> {
  if (conditions.includes(everyone))
    requireFewUsers(await db.user.count({ where: { realmId: realm.id } }), 'The realm');
  const exported = (await realmWithSecrets(db, sealer, realm.id)) as Json;
  const scopeNames = new Map(listOf(exported, 'clientScopes').map(({ id, name }) => [String(id), String(name)]));
  const users = new Map<string, object>();
  const options = { open: sealer.open, scopeNames, atOnce: readAtOnce };
  for (const where of conditions) {
    for await (const some of exportedUsers(db, realm.id, { ...options, where })) {
      for (const user of some) users.set(user.id, user);
    }
  }
  return { ...exported, users: [...users.values()] };
}

/** The users whom policies of a realm name. */
export async function namedUsers(db: Db, realmId: string): Promise<KnownUser[]> {
  const where = { realmId, OR: [{ policies: { some: {} } }, { ownResources: { some: {} } }] };
  return db.user.findMany({ where, select: { id: true, realmId: true, username: true } });
}

/**
 * Tells what a realm cannot do without, so that a file which lacks it does not delete it: built-in clients and flows, roles that
 * administer realms, the default role, and users of a directory.
 */
export async function protectedIn(db: Db, realm: RealmRow): Promise<Protected> {
  const [administration, standing] = await Promise.all([
    db.administrationRole.findMany({ where: { role: { realmId: realm.id } }, select: { roleId: true } }),
    realm.name === masterName
      ? db.realm.findMany({ where: { adminClientId: { not: null } }, select: { adminClientId: true } })
      : [],
  ]);
  const roles = new Set<unknown>([realm.defaultRoleId, ...administration.map(({ roleId }) => roleId)]);
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
