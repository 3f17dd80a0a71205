import type { Db } from '../../../database/db.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { nextPosition } from '../../core/position.js';
import { isOn, type RealmRecord } from '../../core/realm.js';
import { storedEmail } from '../../users/names.js';
import { lookAlikes } from '../../users/usernames.js';
import { usernameOf } from '../assemble/users.js';
import { serviceAccountName } from '../defaults/clients.js';
import { masterName } from '../defaults/master.js';
import type { ImportFile } from './input.js';

const userSelect = {
  id: true,
  username: true,
  uniqueEmail: true,
  serviceAccountClientId: true,
} as const satisfies Prisma.UserSelect;

/** The names in a file that refer to objects of the realm. */
interface Named {
  clientIds: Set<string>;
  roles: Set<string>;
  paths: Set<string>;
}

interface Mapped {
  realm?: readonly string[] | undefined;
  client?: Readonly<Record<string, readonly string[]>> | undefined;
}

const absolute = (path: string): string => (path.startsWith('/') ? path : `/${path}`);

/** All names in the file, of its own objects and of expected ones. */
function namesIn(file: ImportFile): Named {
  const named: Named = { clientIds: new Set(), roles: new Set(), paths: new Set() };
  const addRole = (name: string) => named.roles.add(name).add(name.trim());
  const addRoles = ({ realm, client }: Mapped = {}) => {
    realm?.forEach(addRole);
    for (const [clientId, names] of Object.entries(client ?? {})) {
      named.clientIds.add(clientId);
      names.forEach(addRole);
    }
  };
  const addGroup = ({ realmRoles, clientRoles, subGroups }: ImportFile['groups'][number]) => {
    addRoles({ realm: realmRoles, client: clientRoles });
    subGroups?.forEach(addGroup);
  };
  for (const { clientId } of file.clients) if (clientId) named.clientIds.add(clientId);
  for (const clientId of Object.keys(file.clientRoles)) named.clientIds.add(clientId);
  for (const role of [...file.realmRoles, ...Object.values(file.clientRoles).flat()]) {
    if (role.name) named.roles.add(role.name);
    addRoles(role.composites);
  }
  for (const group of file.groups) {
    named.paths.add(`/${group.name}`);
    addGroup(group);
  }
  for (const user of file.users) {
    addRoles({ realm: user.realmRoles, client: user.clientRoles });
    for (const path of user.groups ?? []) named.paths.add(absolute(path));
    for (const { clientId } of user.clientConsents ?? []) if (clientId) named.clientIds.add(clientId);
    if (user.serviceAccountClientId) named.clientIds.add(user.serviceAccountClientId);
  }
  return named;
}

type Finder<Row> = () => Promise<Row[]>;
/** The rows, or none if the file does not need them. */
const when = async <Row>(needed: boolean, find: Finder<Row>): Promise<Row[]> => (needed ? find() : []);

/** The existing objects of a realm that a file names: a fixed number of statements for any file. */
export async function findExisting(tx: Db, realm: RealmRecord, file: ImportFile) {
  const realmId = realm.id;
  const { clientIds, roles, paths } = namesIn(file);
  const { users, providers } = file;
  const clients = await when(clientIds.size > 0, () =>
    tx.client.findMany({
      where: { realmId, clientId: { in: [...clientIds] } },
      select: { id: true, clientId: true, secret: true, attributes: true },
    }),
  );
  const containers = [realmId, ...clients.map(({ id }) => id)];
  const shared = isOn(realm, 'duplicateEmailsAllowed');
  const emails = shared ? [] : users.flatMap(({ email }) => storedEmail(email) ?? []);
  const names = users.flatMap((user) => (user.username ? usernameOf(user) : []));
  // an address may be the username of another user
  const usernames = new Set([
    ...names.flatMap((name) => [name, ...lookAlikes(name)]),
    ...file.clients.flatMap(({ clientId }) => (clientId ? serviceAccountName(clientId) : [])),
    ...emails,
  ]);
  const needsFlows = providers.length > 0 || file.clients.some((client) => client.authenticationFlowBindingOverrides);
  const needsScopes = file.clients.length > 0 || users.some(({ clientConsents }) => clientConsents?.length);
  const needsGroups = paths.size > 0 || file.clients.length > 0;
  return {
    clients,
    /** the clients among them in which realms are administered */
    administering: await when(realm.name === masterName && clients.length > 0, () =>
      tx.realm.findMany({
        where: { adminClientId: { in: clients.map(({ id }) => id) } },
        select: { adminClientId: true },
      }),
    ),
    roles: await when(roles.size > 0, () =>
      tx.role.findMany({
        where: { realmId, container: { in: containers }, name: { in: [...roles] } },
        select: { id: true, realmId: true, container: true, name: true, clientId: true },
      }),
    ),
    providers: await when(providers.length > 0, () =>
      tx.identityProvider.findMany({
        where: { realmId, alias: { in: providers.flatMap(({ alias }) => alias ?? []) } },
        select: { id: true, alias: true, config: true, secrets: true },
      }),
    ),
    nextProvider: providers.length > 0 ? await nextPosition(tx.identityProvider, realmId) : 1,
    flows: await when(needsFlows, () =>
      tx.authenticationFlow.findMany({
        where: { realmId },
        select: { id: true, realmId: true, alias: true, providerId: true },
      }),
    ),
    scopes: await when(needsScopes, () =>
      tx.clientScope.findMany({
        where: { realmId },
        select: { id: true, realmId: true, name: true, protocol: true, assignment: true },
      }),
    ),
    groups: await when(needsGroups, () =>
      tx.group.findMany({
        where: { realmId, OR: [{ isDefault: true }, { path: { in: [...paths] } }] },
        select: { id: true, realmId: true, container: true, name: true, path: true, isDefault: true },
      }),
    ),
    usersByName: await when(usernames.size > 0, () =>
      tx.user.findMany({ where: { realmId, username: { in: [...usernames] } }, select: userSelect }),
    ),
    usersByEmail: await when(emails.length > 0, () =>
      tx.user.findMany({ where: { realmId, uniqueEmail: { in: emails } }, select: userSelect }),
    ),
  };
}

export type Existing = Awaited<ReturnType<typeof findExisting>>;
