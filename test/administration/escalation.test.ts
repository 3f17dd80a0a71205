import { beforeAll, describe, expect, it } from 'vitest';
import { roleNames } from '../permissions/rules.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Ids, makeHostileRealm, rightsOf } from './fixture.js';

// An administrator with one role tries to get the others, in every way that gives somebody a role or an account.
const realm = 'hostile';
let server: TestServer;
let admin: Caller;
let ids: Ids;
let before: Record<string, string[]>;
let keys: unknown;

const keyProviders = async () =>
  (await admin.send('GET', `/${realm}/components?type=org.keycloak.keys.KeyProvider`)).body;

const everybody = [...roleNames, 'victim', 'boss'];

beforeAll(async () => {
  server = await startServer();
  ({ admin, ids } = await makeHostileRealm(server, realm));
  keys = await keyProviders();
  before = Object.fromEntries(
    await Promise.all(everybody.map(async (name) => [name, await rightsOf(server, realm, name)])),
  );
});

interface Attack {
  /** what it does, in which roles it takes to be let in */
  name: string;
  by: string;
  method: string;
  path: (ids: Ids) => string;
  body?: (ids: Ids) => unknown;
}

const role = (id: string | undefined, name: string) => ({ id, name });
const admins = (ids: Ids) => [
  role(ids.rights['manage-users'], 'manage-users'),
  role(ids.rights['realm-admin'], 'realm-admin'),
];
const rm = (ids: Ids) => `/clients/${ids.clients['realm-management']}`;
const me = (ids: Ids, by: string) => `/users/${ids.users[by]}`;
const boss = (ids: Ids) => `/users/${ids.users.boss}`;

const onUsers: Omit<Attack, 'by'>[] = [
  {
    name: 'joins the administrators',
    method: 'PUT',
    path: (ids) => `${me(ids, 'manage-users')}/groups/${ids.groups.admins}`,
  },
  {
    name: 'joins a group below them',
    method: 'PUT',
    path: (ids) => `${me(ids, 'manage-users')}/groups/${ids.groups.inner}`,
  },
  {
    name: 'joins a group with a composite role',
    method: 'PUT',
    path: (ids) => `${me(ids, 'manage-users')}/groups/${ids.groups.chiefs}`,
  },
  { name: 'throws an administrator out', method: 'DELETE', path: (ids) => `${boss(ids)}/groups/${ids.groups.chiefs}` },
  {
    name: 'moves a group below the administrators',
    method: 'POST',
    path: (ids) => `/groups/${ids.groups.admins}/children`,
    body: (ids) => ({ id: ids.groups.staff, name: 'staff' }),
  },
  {
    name: 'moves a group below a group of theirs',
    method: 'POST',
    path: (ids) => `/groups/${ids.groups.inner}/children`,
    body: (ids) => ({ id: ids.groups.team, name: 'team' }),
  },
  {
    name: 'moves the administrators away',
    method: 'POST',
    path: (ids) => `/groups/${ids.groups.staff}/children`,
    body: (ids) => ({ id: ids.groups.admins, name: 'admins' }),
  },
  {
    name: 'renames the administrators',
    method: 'PUT',
    path: (ids) => `/groups/${ids.groups.admins}`,
    body: () => ({ name: 'others' }),
  },
  { name: 'deletes the administrators', method: 'DELETE', path: (ids) => `/groups/${ids.groups.admins}` },
  {
    name: 'creates a user among the administrators',
    method: 'POST',
    path: () => '/users',
    body: () => ({ username: 'mole', enabled: true, groups: ['/admins/inner'] }),
  },
  {
    name: 'hands out a composite role',
    method: 'POST',
    path: (ids) => `${me(ids, 'manage-users')}/role-mappings/realm`,
    body: (ids) => [role(ids.roles.chief, 'chief')],
  },
  {
    name: 'hands out administration roles',
    method: 'POST',
    path: (ids) => `${me(ids, 'manage-users')}/role-mappings${rm(ids)}`,
    body: (ids) => [role(ids.rights['manage-realm'], 'manage-realm')],
  },
  {
    name: 'gives a group a composite role',
    method: 'POST',
    path: (ids) => `/groups/${ids.groups.staff}/role-mappings/realm`,
    body: (ids) => [role(ids.roles.chief, 'chief')],
  },
  {
    name: 'takes the role of a group',
    method: 'DELETE',
    path: (ids) => `/groups/${ids.groups.chiefs}/role-mappings/realm`,
    body: (ids) => [role(ids.roles.chief, 'chief')],
  },
  {
    name: 'sets the password of an administrator',
    method: 'PUT',
    path: (ids) => `${boss(ids)}/reset-password`,
    body: () => ({ type: 'password', value: 'mine' }),
  },
  {
    name: 'sets it with the user',
    method: 'PUT',
    path: boss,
    body: () => ({ credentials: [{ type: 'password', value: 'mine' }] }),
  },
  {
    name: 'changes the e-mail address of an administrator',
    method: 'PUT',
    path: boss,
    body: () => ({ email: 'me@evil.example', emailVerified: true }),
  },
  { name: 'renames an administrator', method: 'PUT', path: boss, body: () => ({ username: 'other' }) },
  { name: 'disables an administrator', method: 'PUT', path: boss, body: () => ({ enabled: false }) },
  {
    name: 'wants a password of an administrator',
    method: 'PUT',
    path: boss,
    body: () => ({ requiredActions: ['UPDATE_PASSWORD'] }),
  },
  { name: 'deletes an administrator', method: 'DELETE', path: boss },
  { name: 'deletes a credential', method: 'DELETE', path: (ids) => `${boss(ids)}/credentials/${ids.credential}` },
  {
    name: 'moves a credential',
    method: 'POST',
    path: (ids) => `${boss(ids)}/credentials/${ids.credential}/moveToFirst`,
  },
  {
    name: 'labels a credential',
    method: 'PUT',
    path: (ids) => `${boss(ids)}/credentials/${ids.credential}/userLabel`,
    body: () => 'mine',
  },
  {
    name: 'disables credentials',
    method: 'PUT',
    path: (ids) => `${boss(ids)}/disable-credential-types`,
    body: () => ['password'],
  },
  {
    name: 'has a link for actions sent',
    method: 'PUT',
    path: (ids) => `${boss(ids)}/execute-actions-email`,
    body: () => ['UPDATE_PASSWORD'],
  },
  { name: 'has a link for the address sent', method: 'PUT', path: (ids) => `${boss(ids)}/send-verify-email` },
  {
    name: 'links an account elsewhere',
    method: 'POST',
    path: (ids) => `${boss(ids)}/federated-identity/other`,
    body: () => ({ userId: 'mine', userName: 'mine' }),
  },
  { name: 'takes a link away', method: 'DELETE', path: (ids) => `${boss(ids)}/federated-identity/corporate` },
  {
    name: 'sets the password of a service account',
    method: 'PUT',
    path: (ids) => `/users/${ids.users.robot}/reset-password`,
    body: () => ({ type: 'password', value: 'mine' }),
  },
];

const onRolesOfClients: Omit<Attack, 'by'>[] = [
  ...['manage-users', 'realm-admin', 'query-users'].flatMap((name): Omit<Attack, 'by'>[] => [
    {
      name: `renames ${name}`,
      method: 'PUT',
      path: (ids) => `${rm(ids)}/roles/${name}`,
      body: () => ({ name: 'harmless' }),
    },
    {
      name: `renames ${name} by id`,
      method: 'PUT',
      path: (ids) => `/roles-by-id/${ids.rights[name]}`,
      body: () => ({ name: 'harmless' }),
    },
    { name: `deletes ${name}`, method: 'DELETE', path: (ids) => `${rm(ids)}/roles/${name}` },
    { name: `deletes ${name} by id`, method: 'DELETE', path: (ids) => `/roles-by-id/${ids.rights[name]}` },
    {
      name: `adds to ${name}`,
      method: 'POST',
      path: (ids) => `${rm(ids)}/roles/${name}/composites`,
      body: (ids) => [role(ids.roles.plain, 'plain')],
    },
  ]),
  {
    name: 'takes realm-admin apart',
    method: 'DELETE',
    path: (ids) => `${rm(ids)}/roles/realm-admin/composites`,
    body: admins,
  },
  {
    name: 'adds to the own role',
    method: 'POST',
    path: (ids) => `${rm(ids)}/roles/manage-clients/composites`,
    body: admins,
  },
  {
    name: 'makes a composite of them',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients.app}/roles/app-role/composites`,
    body: admins,
  },
  {
    name: 'makes a role in realm-management',
    method: 'POST',
    path: (ids) => `${rm(ids)}/roles`,
    body: () => ({ name: 'manage-everything' }),
  },
  { name: 'deletes realm-management', method: 'DELETE', path: rm },
  { name: 'renames realm-management', method: 'PUT', path: rm, body: () => ({ clientId: 'harmless' }) },
  { name: 'disables realm-management', method: 'PUT', path: rm, body: () => ({ enabled: false }) },
  {
    name: 'changes where the console sends codes',
    method: 'PUT',
    path: (ids) => `/clients/${ids.clients['security-admin-console']}`,
    body: () => ({ redirectUris: ['https://evil.example/*'] }),
  },
  {
    name: 'gives the console a client scope',
    method: 'PUT',
    path: (ids) => `/clients/${ids.clients['security-admin-console']}/optional-client-scopes/${ids.scope}`,
  },
  {
    name: 'takes a client scope from admin-cli',
    method: 'DELETE',
    path: (ids) => `/clients/${ids.clients['admin-cli']}/default-client-scopes/${ids.scope}`,
  },
  { name: 'deletes admin-cli', method: 'DELETE', path: (ids) => `/clients/${ids.clients['admin-cli']}` },
  {
    name: 'scopes a client to them',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients.app}/scope-mappings${rm(ids)}`,
    body: admins,
  },
  {
    name: 'scopes a client to a composite',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients.app}/scope-mappings/realm`,
    body: (ids) => [role(ids.roles.chief, 'chief')],
  },
  {
    name: 'reads the secret of a service account that is above',
    method: 'GET',
    path: (ids) => `/clients/${ids.clients.robot}/client-secret`,
  },
  { name: 'makes a new secret of it', method: 'POST', path: (ids) => `/clients/${ids.clients.robot}/client-secret` },
  {
    name: 'sets its secret',
    method: 'PUT',
    path: (ids) => `/clients/${ids.clients.robot}`,
    body: () => ({ secret: 'mine' }),
  },
  {
    name: 'supplies its keys',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients.robot}/certificates/jwt.credential/generate`,
  },
  {
    name: 'gets its registration token',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients.robot}/registration-access-token`,
  },
  { name: 'deletes it', method: 'DELETE', path: (ids) => `/clients/${ids.clients.robot}` },
];

const onRealm: Omit<Attack, 'by'>[] = [
  {
    name: 'makes the administrators a default group',
    method: 'PUT',
    path: (ids) => `/default-groups/${ids.groups.admins}`,
  },
  { name: 'makes a group below them one', method: 'PUT', path: (ids) => `/default-groups/${ids.groups.inner}` },
  {
    name: 'adds them to the default role',
    method: 'POST',
    path: () => `/roles/default-roles-${realm}/composites`,
    body: admins,
  },
  {
    name: 'adds a composite to the default role',
    method: 'POST',
    path: () => `/roles/default-roles-${realm}/composites`,
    body: (ids) => [role(ids.roles.chief, 'chief')],
  },
  { name: 'adds them to a role', method: 'POST', path: () => '/roles/plain/composites', body: admins },
  {
    name: 'takes a role of administrators apart',
    method: 'DELETE',
    path: () => '/roles/chief/composites',
    body: (ids) => [role(ids.rights['realm-admin'], 'realm-admin')],
  },
  { name: 'deletes a role of administrators', method: 'DELETE', path: () => '/roles/chief' },
  ...['rsa-generated', 'hmac-generated', 'rsa'].map(
    (providerId): Omit<Attack, 'by'> => ({
      name: `adds keys of the kind ${providerId}`,
      method: 'POST',
      path: () => '/components',
      body: () => ({
        name: 'k',
        providerId,
        providerType: 'org.keycloak.keys.KeyProvider',
        config: { priority: ['200'], secret: ['AAAA'], kid: ['mine'] },
      }),
    }),
  ),
  ...[
    { providerId: 'hardcoded-ldap-role-mapper', config: { role: ['realm-management.realm-admin'] } },
    { providerId: 'hardcoded-ldap-role-mapper', config: { role: ['chief'] } },
    { providerId: 'hardcoded-ldap-group-mapper', config: { group: ['/admins'] } },
    {
      providerId: 'role-ldap-mapper',
      config: {
        'roles.dn': ['ou=r'],
        mode: ['READ_ONLY'],
        'use.realm.roles.mapping': ['false'],
        'client.id': ['realm-management'],
      },
    },
    {
      providerId: 'role-ldap-mapper',
      config: { 'roles.dn': ['ou=r'], mode: ['READ_ONLY'], 'use.realm.roles.mapping': ['true'] },
    },
    { providerId: 'group-ldap-mapper', config: { 'groups.dn': ['ou=g'], mode: ['READ_ONLY'], 'groups.path': ['/'] } },
    {
      providerId: 'group-ldap-mapper',
      config: { 'groups.dn': ['ou=g'], mode: ['READ_ONLY'], 'groups.path': ['/admins'] },
    },
  ].map(
    (mapper): Omit<Attack, 'by'> => ({
      name: `maps by ${mapper.providerId} ${JSON.stringify(mapper.config)}`,
      method: 'POST',
      path: () => '/components',
      body: () => ({
        name: 'm',
        parentId: 'somewhere',
        providerType: 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper',
        ...mapper,
      }),
    }),
  ),
];

const onProviders: Omit<Attack, 'by'>[] = [
  ...['realm-management.realm-admin', 'chief'].map(
    (name): Omit<Attack, 'by'> => ({
      name: `maps users to ${name}`,
      method: 'POST',
      path: () => '/identity-provider/instances/corporate/mappers',
      body: () => ({
        name: 'm',
        identityProviderAlias: 'corporate',
        identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
        config: { role: name },
      }),
    }),
  ),
  {
    name: 'maps users to a group',
    method: 'POST',
    path: () => '/identity-provider/instances/corporate/mappers',
    body: () => ({
      name: 'm',
      identityProviderAlias: 'corporate',
      identityProviderMapper: 'oidc-advanced-group-idp-mapper',
      config: { group: '/admins' },
    }),
  },
  {
    name: 'moves the provider that an administrator comes from',
    method: 'PUT',
    path: () => '/identity-provider/instances/corporate',
    body: () => ({
      alias: 'corporate',
      providerId: 'oidc',
      config: { clientId: 'x', authorizationUrl: 'https://evil.example/a', tokenUrl: 'https://evil.example/t' },
    }),
  },
];

const onAuthorization: Omit<Attack, 'by'>[] = [
  { name: 'impersonates an administrator', method: 'POST', path: (ids) => `${boss(ids)}/impersonation` },
];

const more: Attack[] = [
  {
    by: 'view-clients',
    name: 'reads the settings of an adapter with the secret of a service account that is above',
    method: 'GET',
    path: (ids) => `/clients/${ids.clients.robot}/installation/providers/keycloak-oidc-keycloak-json`,
  },
  {
    by: 'manage-clients',
    name: 'has mappers write the tokens of an administration tool',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients['admin-cli']}/protocol-mappers/models`,
    body: () => ({ name: 'm', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper', config: {} }),
  },
  {
    by: 'manage-realm',
    name: 'has mails with links go to a server of its own',
    method: 'PUT',
    path: () => '',
    body: () => ({ resetPasswordAllowed: true, smtpServer: { host: 'mail.evil.example', from: 'a@evil.example' } }),
  },
  ...['manage-clients', 'manage-authorization'].map(
    (by): Attack => ({
      by,
      name: 'decides who may manage users',
      method: 'POST',
      path: (ids) => `${rm(ids)}/authz/resource-server/policy`,
      body: (ids) => ({ name: 'mine', type: 'user', config: { users: JSON.stringify([ids.users[by]]) } }),
    }),
  ),
  {
    by: 'manage-users',
    name: 'binds an own user to a directory that hands out administration',
    method: 'POST',
    path: () => '/users',
    body: (ids) => ({
      username: 'chief-there',
      federationLink: ids.storage,
      credentials: [{ type: 'password', value: 'mine' }],
    }),
  },
  {
    by: 'manage-users',
    name: 'binds a user who is there to it',
    method: 'PUT',
    path: (ids) => `/users/${ids.users.victim}`,
    body: (ids) => ({ federationLink: ids.storage }),
  },
  {
    by: 'manage-users',
    name: 'binds an administrator to a directory',
    method: 'PUT',
    path: boss,
    body: (ids) => ({ federationLink: ids.storage }),
  },
  {
    by: 'manage-realm',
    name: 'moves a directory that hands out administration',
    method: 'PUT',
    path: (ids) => `/components/${ids.storage}`,
    body: () => ({ config: { connectionUrl: ['ldap://evil.example'] } }),
  },
];

const attacks: Attack[] = [
  ...more,
  ...onUsers.map((attack) => ({ ...attack, by: 'manage-users' })),
  ...onRolesOfClients.map((attack) => ({ ...attack, by: 'manage-clients' })),
  ...onRealm.map((attack) => ({ ...attack, by: 'manage-realm' })),
  ...onProviders.map((attack) => ({ ...attack, by: 'manage-identity-providers' })),
  ...onAuthorization.map((attack) => ({ ...attack, by: 'impersonation' })),
  {
    name: 'reads the secret of a service account that is above',
    by: 'view-clients',
    method: 'GET',
    path: (ids) => `/clients/${ids.clients.robot}/client-secret`,
  },
];

describe('an administrator with one role', () => {
  it.each(attacks)('$by: $name', async ({ by, method, path, body }) => {
    const caller = await userOf(server, realm, by, 'pw');
    const answer = await caller.send(method, `/${realm}${path(ids)}`, body?.(ids));
    expect(answer.status, JSON.stringify(answer.body)).toBe(403);
  });

  // the other way round: what they are there for still works
  it('manage-users acts on users below', async () => {
    const caller = await userOf(server, realm, 'manage-users', 'pw');
    const victim = `/${realm}/users/${ids.users.victim}`;
    expect((await caller.send('PUT', victim, { email: 'victim@shop.example', enabled: true })).status).toBe(204);
    expect((await caller.send('PUT', `${victim}/reset-password`, { type: 'password', value: 'pw' })).status).toBe(204);
    expect((await caller.send('PUT', `${victim}/groups/${ids.groups.team}`)).status).toBe(204);
    expect((await caller.send('PUT', `/${realm}${me(ids, 'manage-users')}`, { firstName: 'Mana' })).status).toBe(204);
    const own = [role(ids.rights['manage-users'], 'manage-users')];
    const mappings = `${victim}/role-mappings${rm(ids)}`;
    expect((await caller.send('POST', mappings, own)).status).toBe(204);
    expect((await caller.send('DELETE', mappings, own)).status).toBe(204);
    expect((await caller.send('POST', `/${realm}/groups/${ids.groups.staff}/children`, { name: 'new' })).status).toBe(
      201,
    );
  });

  it('has what it had, when all attacks are over, and so has everybody else', async () => {
    admin = await administrator(server);
    for (const name of everybody) {
      const now = await rightsOf(server, realm, name);
      expect({ name, rights: now }).toEqual({ name, rights: before[name] });
    }
    const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'robot',
        client_secret: 'robot-secret',
      }),
    });
    expect(response.status).toBe(200);
    expect(await keyProviders()).toEqual(keys);
  });
});

describe('over GraphQL', () => {
  const node = (type: string, id: string | undefined) => Buffer.from(`${type}:${id}`).toString('base64');

  it('the secret of a service account that is above is not told', async () => {
    const caller = await userOf(server, realm, 'manage-clients', 'pw');
    const secretOf = (clientId: string) =>
      caller.graphql<{ realm: object | null }>(
        `{ realm(name: "${realm}") { client(clientId: "${clientId}") { secret } } }`,
      );
    expect(JSON.stringify((await secretOf('app')).data)).toContain('app-secret');
    const refused = await secretOf('robot');
    expect(refused.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    expect(JSON.stringify(refused)).not.toContain('robot-secret');
  });

  it('groups, roles and accounts are not taken either', async () => {
    const users = await userOf(server, realm, 'manage-users', 'pw');
    const clients = await userOf(server, realm, 'manage-clients', 'pw');
    const ownId = node('User', ids.users['manage-users']);
    const attempts: [Caller, string][] = [
      [
        users,
        `userJoinGroups(input: { id: "${ownId}", groups: ["${node('Group', ids.groups.inner)}"] }) { userErrors { code } }`,
      ],
      [
        users,
        `userAddRoles(input: { id: "${ownId}", roles: ["${node('Role', ids.roles.chief)}"] }) { userErrors { code } }`,
      ],
      [users, `userDelete(input: { id: "${node('User', ids.users.boss)}" }) { userErrors { code } }`],
      [
        users,
        `usersDelete(input: { realm: "${node('Realm', ids.realm)}", ids: ["${node('User', ids.users.boss)}"] }) { userErrors { code } }`,
      ],
      [
        clients,
        `roleUpdate(input: { id: "${node('Role', ids.rights['manage-users'])}", name: "x" }) { userErrors { code } }`,
      ],
      [clients, `roleDelete(input: { id: "${node('Role', ids.rights['manage-users'])}" }) { userErrors { code } }`],
      [clients, `clientRotateSecret(input: { id: "${node('Client', ids.clients.robot)}" }) { userErrors { code } }`],
    ];
    for (const [caller, mutation] of attempts) {
      const answer = await caller.graphql<Record<string, { userErrors: { code: string }[] }>>(
        `mutation { ${mutation} }`,
      );
      expect(answer.errors, mutation).toBeUndefined();
      expect(Object.values(answer.data)[0]?.userErrors, mutation).toMatchObject([{ code: 'FORBIDDEN' }]);
    }
  });
});

describe('administration roles', () => {
  it('are not renamed or deleted by anybody', async () => {
    admin = await administrator(server);
    for (const name of ['manage-users', 'realm-admin']) {
      const path = `/${realm}/roles-by-id/${ids.rights[name]}`;
      expect((await admin.send('PUT', path, { name: 'other' })).status).toBe(400);
      expect((await admin.send('DELETE', path)).status).toBe(400);
      expect((await admin.send('PUT', path, { name, description: 'described' })).status).toBe(204);
    }
  });
});
