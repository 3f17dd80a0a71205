import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { masterRealm } from '../../src/services/realms/defaults/master.js';
import { build, counts, dangling } from './rows.js';

const acmeFile = new URL('../../examples/acme-realm.json', import.meta.url);

describe('a fresh realm', async () => {
  const rows = await build({ realm: 'Fresh', enabled: true });

  it('has what the reference server makes', () => {
    expect(counts(rows)).toEqual({
      Realm: 1,
      // 19 of realm-management, 18 of the realm's client in the master realm
      AdministrationRole: 37,
      AuthenticationFlow: 20,
      AuthenticatorConfig: 2,
      AuthenticationExecution: 47,
      RequiredAction: 7,
      Component: 12,
      ClientScope: 9,
      Client: 7,
      ClientScopeAssignment: 48,
      ProtocolMapper: 28,
      Role: 48,
      CompositeRole: 48,
      ClientScopeMapping: 1,
      ClientScopeScopeMapping: 1,
    });
  });

  it('refers only to its own rows, parents first', () => {
    expect(dangling(rows)).toEqual([]);
  });

  it('has a default role for everyone', () => {
    const role = rows.Role.find((row) => row.id === rows.Realm[0]?.defaultRoleId);
    const names = rows.CompositeRole.filter((link) => link.parentId === role?.id).map(
      (link) => rows.Role.find((row) => row.id === link.childId)?.name,
    );
    expect(role?.name).toBe('default-roles-fresh');
    expect(names.sort()).toEqual(['manage-account', 'offline_access', 'uma_authorization', 'view-profile']);
  });

  it('is represented in the master realm', () => {
    const client = rows.Client.find((row) => row.id === rows.Realm[0]?.adminClientId);
    expect(client).toMatchObject({ clientId: 'Fresh-realm', realmId: 'master', protocol: null, secret: null });
    expect(rows.Role.filter((role) => role.container === client?.id)).toHaveLength(18);
    expect(rows.CompositeRole.filter((link) => link.parentId === 'admin')).toHaveLength(18);
  });

  it('is not enabled unless asked for', async () => {
    expect((await build({ realm: 'small' })).Realm[0]).toMatchObject({
      enabled: false,
      displayName: null,
      smtpPassword: null,
    });
  });
});

it('the master realm has an administrator role that comprises its own roles', async () => {
  const rows = await build(masterRealm);
  expect(rows.Client.map((client) => client.clientId).sort()).toEqual([
    'account',
    'account-console',
    'admin-cli',
    'broker',
    'master-realm',
    'security-admin-console',
  ]);
  const admin = rows.Role.find((role) => role.name === 'admin');
  expect(rows.CompositeRole.filter((link) => link.parentId === admin?.id)).toHaveLength(19);
});

describe('an import', () => {
  it('keeps the client scopes of the file, and gives the built-in clients none of them', async () => {
    const rows = await build({
      realm: 'rich',
      clientScopes: [{ name: 'orders', protocol: 'openid-connect' }],
      clients: [
        {
          clientId: 'shop',
          serviceAccountsEnabled: true,
          defaultClientScopes: ['orders', 'no such scope'],
          optionalClientScopes: [],
        },
      ],
    });
    expect(rows.ClientScope.map(({ name, assignment }) => [name, assignment])).toEqual([
      ['orders', null],
      ['offline_access', 'optional'],
    ]);
    expect(rows.ClientScopeAssignment).toHaveLength(1);
    const shop = rows.Client.find((client) => client.clientId === 'shop');
    expect(rows.ProtocolMapper.filter((mapper) => mapper.clientId === shop?.id)).toHaveLength(3);
    expect(rows.User).toMatchObject([
      { username: 'service-account-shop', serviceAccountClientId: shop?.id, enabled: true },
    ]);
  });

  it('seals secrets and keeps them out of what may be read', async () => {
    const rows = await build({
      realm: 'rich',
      smtpServer: { host: 'mail.example', password: 'mail-secret' },
      clients: [
        { clientId: 'shop', secret: 'shop-secret' },
        { clientId: 'own' },
        { clientId: 'page', publicClient: true },
      ],
      identityProviders: [
        { alias: 'partner', providerId: 'oidc', config: { clientId: 'us', clientSecret: 'idp-secret' } },
      ],
      components: {
        'org.keycloak.keys.KeyProvider': [
          { name: 'k', providerId: 'rsa-generated', config: { priority: ['1'], privateKey: ['key-secret'] } },
        ],
        'org.keycloak.storage.UserStorageProvider': [
          { name: 'l', providerId: 'ldap', config: { bindCredential: ['ldap-secret'] } },
        ],
      },
    });
    expect(rows.Realm[0]?.smtpPassword).toBe('sealed:mail-secret');
    expect(rows.Client.slice(0, 3).map((client) => client.secret)).toEqual([
      'sealed:shop-secret',
      // an import makes no secrets
      null,
      null,
    ]);
    expect(rows.IdentityProvider[0]).toMatchObject({
      config: { clientId: 'us', clientSecret: '**********' },
      secrets: 'sealed:{"clientSecret":"idp-secret"}',
    });
    expect(rows.Component[0]).toMatchObject({
      config: { priority: ['1'] },
      secrets: 'sealed:{"privateKey":["key-secret"]}',
    });
    expect(rows.Component[1]).toMatchObject({ config: { bindCredential: ['**********'] } });
    const open = JSON.stringify(rows).replaceAll(/sealed:[^,]*/g, '');
    expect(open).not.toMatch(/(mail|shop|idp|key|ldap)-secret/);
  });

  it('makes the roles that mappings name and does not miss default groups without groups', async () => {
    const rows = await build({
      realm: 'x',
      defaultGroups: ['/nowhere'],
      users: [{ username: 'U', email: 'U@X', realmRoles: ['nobody'] }],
    });
    expect(rows.Role.some((role) => role.name === 'nobody')).toBe(true);
    expect(rows.User[0]).toMatchObject({
      username: 'u',
      uniqueEmail: 'u@x',
      search: '\nu\nu@x\n\n\n',
      enabled: false,
      createdTimestamp: null,
    });
    expect(rows.UserRole).toHaveLength(1);
  });

  it('takes a one-time code policy as a whole', async () => {
    expect((await build({ realm: 'x', otpPolicyType: 'hotp', otpPolicyDigits: 8 })).Realm[0]?.settings).toMatchObject({
      otpPolicyPeriod: 0,
      otpPolicyLookAheadWindow: 0,
    });
  });

  it.each([
    [{}, 'invalid', 'realm'],
    [{ realm: 'a/b' }, 'invalid', 'realm'],
    [{ realm: 'x', browserFlow: 'no such flow' }, 'invalid', 'browserFlow'],
    [{ realm: 'x', passwordPolicy: 'noSuchPolicy(1)' }, 'invalid', 'passwordPolicy'],
    [{ realm: 'x', clients: [{ clientId: 'twice' }, { clientId: 'twice' }] }, 'conflict', 'clients.1.clientId'],
    [{ realm: 'x', users: [{ username: 'twice' }, { username: 'Twice' }] }, 'conflict', 'users.1.username'],
    [
      {
        realm: 'x',
        users: [
          { username: 'a', email: 'e@x' },
          { username: 'b', email: 'E@x' },
        ],
      },
      'conflict',
      'users.1.email',
    ],
    [
      { realm: 'x', groups: [{ name: 'g' }], users: [{ username: 'a', groups: ['/h'] }] },
      'invalid',
      'users.0.groups.0',
    ],
    [{ realm: 'x', groups: [{ name: 'g' }, { name: 'g' }] }, 'conflict', 'groups.1.name'],
    [
      { realm: 'x', roles: { realm: [{ name: 'r', composites: { realm: ['s'] } }] } },
      'invalid',
      'roles.realm.0.composites.realm.0',
    ],
    [{ realm: 'x', colour: 'blue' }, 'unknownField', 'colour'],
  ])('refuses %j', async (input, kind, field) => {
    await expect(build(input)).rejects.toThrow(
      expect.objectContaining({ kind, details: expect.objectContaining({ field }) }),
    );
  });

  it('is linear in the number of users', async () => {
    const users = Array.from({ length: 10_000 }, (_, index) => ({
      username: `user-${index}`,
      email: `user-${index}@x.example`,
      attributes: { a: ['1'], b: ['2', '3'] },
      credentials: [{ type: 'password', secretData: '{}', credentialData: '{}' }],
      realmRoles: ['r1', 'r2'],
      groups: ['/g/h'],
    }));
    const rows = await build({
      realm: 'many',
      roles: { realm: [{ name: 'r1' }, { name: 'r2' }] },
      groups: [{ name: 'g', subGroups: [{ name: 'h' }] }],
      users,
    });
    expect(rows.UserAttribute).toHaveLength(30_000);
    expect(rows.UserRole).toHaveLength(20_000);
  });
});

describe('a full export', async () => {
  const file = JSON.parse(readFileSync(acmeFile, 'utf8'));
  const rows = await build(file);

  it('is taken over completely', () => {
    expect(dangling(rows)).toEqual([]);
    expect(counts(rows)).toMatchObject({
      User: 1002,
      Credential: 1000,
      Group: 100,
      Client: 22,
      ClientScope: 10,
      AuthenticationFlow: 23,
      RequiredAction: 7,
      Component: 21,
    });
    expect(rows.Role).toHaveLength(53 + 64 + 18);
    expect(rows.UserGroup).toHaveLength(file.users.flatMap((user: { groups: string[] }) => user.groups).length);
    expect(rows.ClientScopeMapping).toHaveLength(1);
    expect(rows.ClientScopeScopeMapping).toHaveLength(1);
    expect(rows.Group.filter((group) => group.isDefault).map((group) => group.path)).toEqual(['/g-00']);
    expect(rows.Realm[0]).toMatchObject({
      id: file.id,
      defaultRoleId: file.defaultRole.id,
      parts: {},
      settings: {
        clientPolicies: file.clientPolicies,
        clientProfiles: file.clientProfiles,
        supportedLocales: ['de', 'en', 'fr'],
      },
    });
    expect(rows.Client.find((client) => client.clientId === 'warehouse-api')).toMatchObject({
      authorizationServicesEnabled: true,
    });
  });

  it('keeps its ids', () => {
    const ids = (list: { id?: string }[]) => list.map(({ id }) => id);
    expect(ids(rows.User)).toEqual(ids(file.users));
    expect(ids(rows.ClientScope)).toEqual(ids(file.clientScopes));
    expect(new Set(ids(rows.Role))).toEqual(
      new Set([
        ...ids(file.roles.realm),
        ...ids(Object.values(file.roles.client).flat() as { id: string }[]),
        ...ids(rows.Role.filter((role) => role.realmId === 'master')),
      ]),
    );
  });

  it('does not come twice with the links of its composites', () => {
    const links = rows.CompositeRole.map(({ parentId, childId }) => `${parentId} ${childId}`);
    expect(new Set(links).size).toBe(links.length);
  });
});
