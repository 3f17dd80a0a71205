import { singleRoleUsers } from '../permissions/rules.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const password = [{ type: 'password', value: 'pw' }];

/** A realm with an administrator for each administration role, one with all, and ways in which roles come to somebody. */
export const hostileRealm = (realm: string) => ({
  realm,
  enabled: true,
  editUsernameAllowed: true,
  roles: {
    realm: [
      { name: 'chief', composite: true, composites: { client: { 'realm-management': ['realm-admin'] } } },
      { name: 'plain' },
    ],
    client: { app: [{ name: 'app-role' }] },
  },
  groups: [
    { name: 'admins', clientRoles: { 'realm-management': ['realm-admin'] }, subGroups: [{ name: 'inner' }] },
    { name: 'chiefs', realmRoles: ['chief'] },
    { name: 'staff', subGroups: [{ name: 'team' }] },
  ],
  clients: [
    { clientId: 'robot', secret: 'robot-secret', serviceAccountsEnabled: true },
    { clientId: 'app', secret: 'app-secret', authorizationServicesEnabled: true, serviceAccountsEnabled: true },
  ],
  identityProviders: [
    { alias: 'harmless', providerId: 'oidc', config: { clientId: 'x' } },
    {
      alias: 'corporate',
      providerId: 'oidc',
      config: {
        clientId: 'x',
        clientSecret: 'y',
        authorizationUrl: 'https://idp.example/a',
        tokenUrl: 'https://idp.example/t',
      },
    },
  ],
  users: [
    ...singleRoleUsers.map((user) => ({ ...user, email: `${user.username}@shop.example` })),
    { username: 'victim', enabled: true, credentials: password },
    {
      username: 'boss',
      email: 'boss@shop.example',
      enabled: true,
      credentials: password,
      groups: ['/chiefs'],
      federatedIdentities: [{ identityProvider: 'corporate', userId: 'boss-there', userName: 'boss' }],
    },
    {
      username: 'service-account-robot',
      enabled: true,
      serviceAccountClientId: 'robot',
      clientRoles: { 'realm-management': ['realm-admin'] },
    },
  ],
});

/** The ids of what attacks name. */
export interface Ids {
  users: Record<string, string>;
  groups: Record<string, string>;
  clients: Record<string, string>;
  /** of realm-management */
  rights: Record<string, string>;
  roles: Record<string, string>;
  credential: string;
  /** a directory whose mapper gives everybody a composite role with all rights */
  storage: string;
  realm: string;
  /** a client scope that the clients of the realm have */
  scope: string;
}

interface Named {
  id: string;
  name: string;
  path: string;
  subGroups: Named[];
}

const flat = (groups: Named[]): Named[] => groups.flatMap((group) => [group, ...flat(group.subGroups)]);

const byName = (rows: Named[]) => Object.fromEntries(rows.map(({ id, name }) => [name, id]));

/** Creates that realm and looks its ids up. */
export async function makeHostileRealm(server: TestServer, realm: string): Promise<{ admin: Caller; ids: Ids }> {
  const admin = await administrator(server);
  const made = await admin.send('POST', '/', hostileRealm(realm));
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const get = async (path: string) => (await admin.send('GET', `/${realm}${path}`)).body;
  const clients = Object.fromEntries(
    (await get('/clients')).map(({ id, clientId }: { id: string; clientId: string }) => [clientId, id]),
  );
  const users = Object.fromEntries(
    (await get('/users?max=100')).map(({ id, username }: { id: string; username: string }) => [username, id]),
  );
  users.robot = (await get(`/clients/${clients.robot}/service-account-user`)).id;
  const component = async (body: object): Promise<string> => {
    const answer = await admin.send('POST', `/${realm}/components`, body);
    return answer.headers.get('location')?.split('/').at(-1) ?? '';
  };
  const storage = await component({
    name: 'directory',
    providerId: 'ldap',
    providerType: 'org.keycloak.storage.UserStorageProvider',
    config: { enabled: ['false'] },
  });
  await component({
    name: 'everybody',
    parentId: storage,
    providerId: 'hardcoded-ldap-role-mapper',
    providerType: 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper',
    config: { role: ['chief'] },
  });
  await admin.send('PUT', `/${realm}/users-management-permissions`, { enabled: true });
  const ids = {
    realm: (await get('')).id as string,
    storage,
    users,
    clients,
    groups: byName(flat(await get('/groups?briefRepresentation=false'))),
    rights: byName(await get(`/clients/${clients['realm-management']}/roles`)),
    roles: byName(await get('/roles')),
    scope: byName(await get('/client-scopes')).email ?? '',
    credential: (await get(`/users/${users.boss}/credentials`))[0].id,
  };
  return { admin, ids };
}

/** What somebody may do in a realm, as the server sees it at the next login. */
export async function rightsOf(server: TestServer, realm: string, username: string): Promise<string[]> {
  const caller = await userOf(server, realm, username, 'pw');
  const { body } = await caller.send('GET', `/admin/${realm}/console/whoami`);
  return body.realm_access[realm];
}
