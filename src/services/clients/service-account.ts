import type { Db } from '../../database/db.js';
import { updateEach } from '../../database/update-each.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import type { Users } from '../core/grants.js';
import { read } from '../core/operation.js';
import type { RealmRecord } from '../core/realm.js';
import { conflict, invalid, type Refusal } from '../core/refusal.js';
import { serviceAccountName } from '../realms/defaults/clients.js';
import { umaProtection } from '../realms/defaults/roles.js';
import { roleRow } from '../roles/row.js';
import { type SearchedNames, userSearch } from '../users/search.js';
import { linkUsers } from '../users/store.js';
import type { ClientTarget } from './locate.js';
import { linkOwnRoles } from './store.js';

/** What is shown of a service account on its own. */
export const serviceAccountSelect = {
  id: true,
  username: true,
  email: true,
  firstName: true,
  lastName: true,
  enabled: true,
  emailVerified: true,
  createdTimestamp: true,
  notBefore: true,
  requiredActions: true,
  _count: { select: { credentials: { where: { type: 'otp' } } } },
} as const satisfies Prisma.UserSelect;

type ServiceAccount = Prisma.UserGetPayload<{ select: typeof serviceAccountSelect }>;

/** UserRepresentation of a service account, as `service-account-user` answers it. */
export const encodeServiceAccount = (user: ServiceAccount) => ({
  id: user.id,
  ...(user.createdTimestamp !== null && { createdTimestamp: Number(user.createdTimestamp) }),
  username: user.username,
  enabled: user.enabled,
  totp: user._count.credentials > 0,
  emailVerified: user.emailVerified,
  ...(user.firstName !== null && { firstName: user.firstName }),
  ...(user.lastName !== null && { lastName: user.lastName }),
  ...(user.email !== null && { email: user.email }),
  disableableCredentialTypes: [],
  requiredActions: user.requiredActions,
  notBefore: user.notBefore,
});

export const serviceAccount = read({
  name: 'client.serviceAccount',
  summary: 'Returns the service account of a client.',
  allow: 'view:clients',
  run: async (ctx, { client }: ClientTarget): Promise<ServiceAccount> => {
    const user = await ctx.db.user.findFirst({
      where: { serviceAccountClientId: client.id },
      select: serviceAccountSelect,
    });
    if (user) return user;
    throw invalid(`Client ${client.clientId} has no service account`, undefined, {
      code: 'SERVICE_ACCOUNT_REQUIRED',
      body: { error: 'unknown_error' },
    });
  },
});

/** The user whom a client acts as: a holder of the client's keys acts as that user. */
export const accountOf = ({ client }: ClientTarget): Users => ({ of: 'client', ids: [client.id] });

/** What writes of a client alter. */
export const altersClient = ({ client }: ClientTarget) => ({ clients: [client.id] });

interface Named {
  id: string;
  clientId: string;
}

/** The usernames of the service accounts of clients with these clientIds that users of the realm have. */
export async function takenUsernames(tx: Db, realm: RealmRecord, clientIds: readonly string[]): Promise<Set<string>> {
  const wanted = clientIds.map(serviceAccountName);
  if (wanted.length === 0) return new Set();
  const users = await tx.user.findMany({
    where: { realmId: realm.id, username: { in: wanted } },
    select: { username: true },
  });
  return new Set(users.map(({ username }) => username));
}

/** The refusal of a clientId with which the service account would have the username of another user. */
export const usernameTaken = (clientId: string): Refusal =>
  conflict(`User with user name ${serviceAccountName(clientId)} already exists.`, 'clientId', 'USERNAME_TAKEN');

/** Gives clients their users, with the role and the groups that every new user gets. Their usernames must be free. */
export async function addServiceAccounts(
  tx: Db,
  ctx: Context,
  realm: RealmRecord,
  clients: readonly Named[],
): Promise<void> {
  if (clients.length === 0) return;
  const users = clients.map((client) => {
    const username = serviceAccountName(client.clientId);
    return {
      id: ctx.services.newId(),
      realmId: realm.id,
      username,
      enabled: true,
      createdTimestamp: BigInt(ctx.services.now()),
      serviceAccountClientId: client.id,
      search: userSearch({ username }),
    };
  });
  await tx.user.createMany({ data: users });
  const ids = users.map(({ id }) => id);
  if (realm.defaultRoleId) await linkUsers(tx, 'UserRole', ids, [realm.defaultRoleId]);
  const groups = await tx.group.findMany({ where: { realmId: realm.id, isDefault: true }, select: { id: true } });
  await linkUsers(
    tx,
    'UserGroup',
    ids,
    groups.map((group) => group.id),
  );
}

/** A service account of a client with this clientId. */
interface Account extends SearchedNames {
  id: string;
  clientId: string;
}

/** Whether the username of a service account is not that of its clientId. */
export const isMisnamed = ({ username, clientId }: Pick<Account, 'username' | 'clientId'>): boolean =>
  username !== serviceAccountName(clientId);

/** The usernames follow the clientIds. They must be free. */
export async function renameServiceAccounts(tx: Db, accounts: readonly Account[]): Promise<void> {
  const rows = accounts.map(({ id, clientId, ...names }) => {
    const username = serviceAccountName(clientId);
    return { id, username, search: userSearch({ ...names, username }) };
  });
  await updateEach(tx, 'User', rows);
}

/** Gives the service accounts of clients with authorization services the roles that let them manage their resources. */
export async function grantProtection(
  tx: Db,
  ctx: Context,
  realm: RealmRecord,
  clients: readonly { id: string }[],
): Promise<void> {
  if (clients.length === 0) return;
  const roles = clients.map(({ id }) =>
    roleRow({ id: ctx.services.newId(), realmId: realm.id, clientId: id, name: umaProtection }),
  );
  await tx.later.insertNew('Role', roles);
  await linkOwnRoles(
    tx,
    clients.map(({ id }) => id),
    umaProtection,
  );
}
