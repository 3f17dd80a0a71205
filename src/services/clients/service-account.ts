import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import type { Users } from '../core/grants.js';
import { read } from '../core/operation.js';
import type { RealmRecord } from '../core/realm.js';
import { conflict, invalid } from '../core/refusal.js';
import { serviceAccountName } from '../realms/defaults/clients.js';
import { umaProtection } from '../realms/defaults/roles.js';
import { rolesOf } from '../roles/container.js';
import { roleRow } from '../roles/row.js';
import { userSearch } from '../users/search.js';
import { linkUser } from '../users/store.js';
import type { ClientTarget } from './locate.js';

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

async function requireFree(tx: Db, realm: RealmRecord, username: string): Promise<void> {
  const taken = await tx.user.count({ where: { realmId: realm.id, username } });
  if (taken > 0) throw conflict(`User with user name ${username} already exists.`, 'clientId', 'USERNAME_TAKEN');
}

/** Gives a client its user, with the role and the groups that every new user gets. Returns its id. */
export async function addServiceAccount(tx: Db, ctx: Context, realm: RealmRecord, client: Named): Promise<string> {
  const username = serviceAccountName(client.clientId);
  await requireFree(tx, realm, username);
  const id = ctx.services.newId();
  await tx.user.createMany({
    data: {
      id,
      realmId: realm.id,
      username,
      enabled: true,
      createdTimestamp: BigInt(ctx.services.now()),
      serviceAccountClientId: client.id,
      search: userSearch({ username }),
    },
  });
  if (realm.defaultRoleId) await linkUser(tx, 'UserRole', id, [realm.defaultRoleId]);
  const groups = await tx.group.findMany({ where: { realmId: realm.id, isDefault: true }, select: { id: true } });
  await linkUser(
    tx,
    'UserGroup',
    id,
    groups.map((group) => group.id),
  );
  return id;
}

/** The user's name follows the clientId. */
export async function renameServiceAccount(tx: Db, realm: RealmRecord, id: string, clientId: string): Promise<void> {
  const username = serviceAccountName(clientId);
  const names = { username: true, email: true, firstName: true, lastName: true } as const;
  const user = await tx.user.findUniqueOrThrow({ where: { id }, select: names });
  if (user.username === username) return;
  await requireFree(tx, realm, username);
  await tx.later.user.updateMany({
    where: { id },
    data: { username, search: userSearch({ ...user, username }), version: { increment: 1 } },
  });
}

/** Gives the service account of a client with authorization services the role that lets it manage its resources. */
export async function grantProtection(
  tx: Db,
  ctx: Context,
  realm: RealmRecord,
  client: Named,
  userId: string,
): Promise<void> {
  await tx.later.insertNew('Role', [
    roleRow({ id: ctx.services.newId(), realmId: realm.id, clientId: client.id, name: umaProtection }),
  ]);
  const role = await tx.role.findFirstOrThrow({
    where: { ...rolesOf(realm, client), name: umaProtection },
    select: { id: true },
  });
  await linkUser(tx, 'UserRole', userId, [role.id]);
}
