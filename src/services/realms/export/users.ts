import type { Db } from '../../../database/db.js';
import { breaksIn } from '../../../database/turns.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { selectStored, storedEncoder } from '../../core/fields.js';
import type { Sealer } from '../../core/seal.js';
import { placeOfCredential } from '../../core/sealed-columns.js';
import { grouped } from '../../core/view.js';
import { writtenKeptFields } from '../../user-storage/kept-fields.js';
import { userFields } from '../../users/fields.js';
import type { Names } from './names.js';
import { namesByClient } from './parts.js';

const userSelect = {
  ...selectStored(userFields),
  createdTimestamp: true,
  notBefore: true,
  federationLink: true,
  keptFields: true,
  requiredActions: true,
  serviceAccountClient: { select: { clientId: true } },
  attributes: { select: { name: true, value: true }, orderBy: [{ name: 'asc' }, { position: 'asc' }] },
  credentials: {
    select: {
      id: true,
      type: true,
      userLabel: true,
      createdDate: true,
      priority: true,
      credentialData: true,
      secretData: true,
    },
    orderBy: { priority: 'asc' },
  },
  federatedIdentities: { select: { identityProvider: true, externalUserId: true, externalUsername: true } },
  consents: {
    select: {
      client: { select: { clientId: true } },
      grantedScopes: true,
      createdDate: true,
      lastUpdatedDate: true,
    },
  },
  // the names are already known: a lookup for each user would take longer than everything else
  groups: { select: { groupId: true } },
  roles: { select: { roleId: true } },
} as const satisfies Prisma.UserSelect;

type UserRow = Prisma.UserGetPayload<{ select: typeof userSelect }>;

/** The options of the users in an export. */
export interface UserExport {
  /** opens sealed columns; without it credentials are left out */
  open: Sealer['open'] | undefined;
  /** names in the rest of the export: a role or a group that was created since is missing */
  names: Names;
  /** how many are read at once; 100 by default */
  atOnce?: number;
}

const inOrder = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const encodeStored = storedEncoder(userFields);

/** UserRepresentation as imports read it. */
function exportedUser(user: UserRow, { open, names }: UserExport) {
  const roles = user.roles.flatMap(({ roleId }) => names.roles.get(roleId) ?? []);
  const { realm, client } = namesByClient(roles.sort((one, other) => inOrder(one.name, other.name)));
  const clientConsents = user.consents.map((consent) => ({
    clientId: consent.client.clientId,
    grantedClientScopes: (consent.grantedScopes as string[]).flatMap((id) => names.scopes.get(id) ?? []),
    createdDate: Number(consent.createdDate),
    lastUpdatedDate: Number(consent.lastUpdatedDate),
  }));
  return {
    ...encodeStored(user),
    ...(user.createdTimestamp !== null && { createdTimestamp: Number(user.createdTimestamp) }),
    ...(user.federationLink !== null && { federationLink: user.federationLink, ...writtenKeptFields(user.keptFields) }),
    ...(user.serviceAccountClient && { serviceAccountClientId: user.serviceAccountClient.clientId }),
    ...(user.attributes.length > 0 && { attributes: grouped(user.attributes) }),
    ...(open && {
      credentials: user.credentials.map(({ secretData, userLabel, createdDate, ...credential }) => ({
        ...credential,
        ...(userLabel !== null && { userLabel }),
        ...(createdDate !== null && { createdDate: Number(createdDate) }),
        secretData: open(secretData, placeOfCredential({ id: credential.id, userId: user.id })),
      })),
    }),
    requiredActions: user.requiredActions,
    ...(user.federatedIdentities.length > 0 && {
      federatedIdentities: user.federatedIdentities.map(({ identityProvider, externalUserId, externalUsername }) => ({
        identityProvider,
        userId: externalUserId,
        ...(externalUsername !== null && { userName: externalUsername }),
      })),
    }),
    ...(realm.length > 0 && { realmRoles: realm }),
    ...(Object.keys(client).length > 0 && { clientRoles: client }),
    ...(clientConsents.length > 0 && { clientConsents }),
    notBefore: user.notBefore,
    groups: user.groups.flatMap(({ groupId }) => names.groups.get(groupId) ?? []).sort(inOrder),
  };
}

/** The users who match a condition, up to a maximum, in one statement and in no particular order. */
export async function exportedUsersWhere(
  db: Db,
  where: Prisma.UserWhereInput,
  options: Pick<UserExport, 'open' | 'names'>,
  most: number,
): Promise<ReturnType<typeof exportedUser>[]> {
  const rows = await db.user.findMany({ where, select: userSelect, take: most });
  return rows.map((row) => exportedUser(row, options));
}

/**
 * All users of a realm, in batches and by username: the database has an index for that, and would sort all of them each
 * time for an order by ID. A user who is renamed in the meantime may be missing or appear twice.
 */
export async function* exportedUsers(
  db: Db,
  realmId: string,
  options: UserExport,
): AsyncGenerator<ReturnType<typeof exportedUser>[]> {
  const pause = breaksIn(db);
  const { atOnce = 100 } = options;
  let after = '';
  for (;;) {
    await pause();
    const rows = await db.user.findMany({
      where: { realmId, username: { gt: after } },
      select: userSelect,
      orderBy: { username: 'asc' },
      take: atOnce,
    });
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => exportedUser(row, options));
    if (rows.length < atOnce) return;
    after = last.username;
  }
}
