import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { realmgate } from '../../cli/run.js';
import { preparedDatabaseUrl, temporaryFolder } from '../../support/database.js';
import { type Caller, startWithRealm } from '../../support/fixture.js';
import type { TestServer } from '../../support/server.js';

// Where a file is refused, each surface names the place of the file, although the realm has other objects before those of the file.
const realm = 'placed';
let server: TestServer;
let admin: Caller;
let databaseUrl: string;
let id: string;

const others = (...fields: string[]) =>
  ['a', 'b', 'c'].map((name) => Object.fromEntries(fields.map((field) => [field, name])));

beforeAll(async () => {
  databaseUrl = await preparedDatabaseUrl();
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      roles: { realm: others('name'), client: { a: others('name') } },
      groups: [{ name: 'a', subGroups: others('name') }, { name: 'b' }],
      clients: [
        ...others('clientId').map((client) => ({ ...client, authorizationServicesEnabled: client.clientId === 'c' })),
        { clientId: 'my.app' },
      ],
      users: others('username'),
      identityProviders: others('alias').map((provider) => ({ ...provider, providerId: 'oidc' })),
    },
    { databaseUrl },
  ));
  id = btoa(`Realm:${(await admin.send('GET', `/${realm}`)).body.id}`);
});

const cookie = { authenticator: 'auth-cookie', requirement: 'REQUIRED' };
const flow = (alias: string, ...authenticationExecutions: object[]) => ({
  ...{ alias, providerId: 'basic-flow', topLevel: true, builtIn: false },
  authenticationExecutions,
});

/** Policies of which the second one names something that does not exist, or is wrong in another way. */
const policies = (type: string, config: object, name = 'second') => ({
  policies: [
    { name: 'first', type: 'client', config: { clients: '["a"]' } },
    { name, type, config },
  ],
});

/** Settings of authorization services that are refused, each with the place of its fault. */
const refusedSettings: Record<string, [settings: object, path: (string | number)[]]> = {
  ...Object.fromEntries(
    Object.entries({
      roles: ['role', '[{"id":"ghost"}]'],
      users: ['user', '["ghost"]'],
      groups: ['group', '[{"path":"/ghost"}]'],
      clients: ['client', '["ghost"]'],
      clientScopes: ['client-scope', '[{"id":"ghost"}]'],
      resources: ['resource', '["ghost"]'],
      scopes: ['scope', '["ghost"]'],
      applyPolicies: ['aggregate', '["ghost"]'],
    }).map(([list, [type = '', names]]) => [
      `${list} of a policy`,
      [policies(type, { [list]: names }), ['policies', 1, 'config', list]] as [object, (string | number)[]],
    ]),
  ),
  'a list of a policy': [policies('role', { roles: '[{' }), ['policies', 1, 'config', 'roles']],
  'a type of a policy': [policies('ghost', {}), ['policies', 1, 'type']],
  'a policy that applies itself': [policies('aggregate', { applyPolicies: '["second"]' }), ['policies', 1]],
  'a policy without a name': [
    { policies: [{ type: 'client', config: { clients: '["a"]' } }] },
    ['policies', 0, 'name'],
  ],
  'a scope without a name': [{ scopes: [{ name: 'a' }, {}] }, ['scopes', 1, 'name']],
  'a resource without a name': [{ resources: [{ name: 'a' }, { uris: [] }] }, ['resources', 1, 'name']],
  'a scope of a resource without a name': [
    { resources: [{ name: 'a', scopes: [{ name: 'a' }, {}] }] },
    ['resources', 0, 'scopes', 1, 'name'],
  ],
  'the owner of a resource': [
    { resources: [{ name: 'a' }, { name: 'b', owner: { name: 'ghost' } }] },
    ['resources', 1, 'owner'],
  ],
};

/** A file that is refused, with the place of its fault, and what the command line calls that. */
type Refused = [file: object, path: (string | number)[], called?: string];

/** Files that are refused, each with the place of its fault. */
const refused: Record<string, Refused> = {
  'a role of users': [
    { users: [{ username: 'anna' }, { username: 'B', realmRoles: ['a', 'ghost'] }] },
    ['users', 1, 'realmRoles', 1],
    'users[B].realmRoles[1]',
  ],
  'a role of a client': [
    { users: [{ username: 'anna', clientRoles: { 'my.app': ['ghost'] } }] },
    ['users', 0, 'clientRoles', 'my.app', 0],
    'users[anna].clientRoles[my.app][0]',
  ],
  'a composite': [
    { roles: { realm: [{ name: 'z' }, { name: 'y', composites: { realm: ['z', 'ghost'] } }] } },
    ['roles', 'realm', 1, 'composites', 'realm', 1],
    'roles.realm[y].composites.realm[1]',
  ],
  'a composite of a client role': [
    { roles: { client: { 'my.app': [{ name: 'z', composites: { client: { a: ['ghost'] } } }] } } },
    ['roles', 'client', 'my.app', 0, 'composites', 'client', 'a', 0],
    'roles.client[my.app][z].composites.client.a[0]',
  ],
  'a role of a group': [
    { groups: [{ name: 'b' }, { name: 'a', subGroups: [{ name: 'z' }, { name: 'c', realmRoles: ['ghost'] }] }] },
    ['groups', 1, 'subGroups', 1, 'realmRoles', 0],
    'groups[a].subGroups[c].realmRoles[0]',
  ],
  'a group of users': [
    { users: [{ username: 'c', groups: ['/a', '/nowhere'] }] },
    ['users', 0, 'groups', 1],
    'users[c].groups[1]',
  ],
  'an address of a client': [
    { clients: [{ clientId: 'z' }, { clientId: 'b', redirectUris: ['https://x/#y'] }] },
    ['clients', 1, 'redirectUris'],
    'clients[b].redirectUris',
  ],
  'an address of a provider': [
    { identityProviders: [{ alias: 'c', providerId: 'oidc', config: { authorizationUrl: 'javascript:x' } }] },
    ['identityProviders', 0, 'config', 'authorizationUrl'],
    'identityProviders[c].config.authorizationUrl',
  ],
  'a client without a name': [
    { clients: [{ clientId: 'z' }, { name: 'z' }] },
    ['clients', 1, 'clientId'],
    'clients[1].clientId',
  ],
  'a mapping of scopes': [
    { scopeMappings: [{ client: 'a', roles: ['b', 'ghost'] }] },
    ['scopeMappings', 0, 'roles', 1],
    'scopeMappings[client a].roles[1]',
  ],
  'a flow of the realm': [{ browserFlow: 'ghost' }, ['browserFlow'], 'browserFlow'],
  'a type': [
    { clients: [{ clientId: 'b', redirectUris: 'x' }] },
    ['clients', 0, 'redirectUris'],
    'clients[b].redirectUris',
  ],
  'a role without a name': [{ roles: { realm: [{ name: 'z' }, {}] } }, ['roles', 'realm', 1, 'name']],
  'an empty name of a client role': [
    { roles: { client: { 'my.app': [{ name: 'z' }, { name: '' }] } } },
    ['roles', 'client', 'my.app', 1, 'name'],
  ],
  'a client of composites': [
    { roles: { realm: [{ name: 'c', composites: { client: { ghost: ['a'] } } }] } },
    ['roles', 'realm', 0, 'composites', 'client', 'ghost'],
  ],
  'a client of the roles of users': [
    { users: [{ username: 'b', clientRoles: { a: ['a'], ghost: ['a'] } }] },
    ['users', 0, 'clientRoles', 'ghost'],
  ],
  'a client of the roles of groups': [
    { groups: [{ name: 'b', clientRoles: { ghost: ['a'] } }] },
    ['groups', 0, 'clientRoles', 'ghost'],
  ],
  'a scope of consents': [
    { users: [{ username: 'b', clientConsents: [{ clientId: 'a', grantedClientScopes: ['email', 'ghost'] }] }] },
    ['users', 0, 'clientConsents', 0, 'grantedClientScopes', 1],
  ],
  'a mapper without a name': [
    { clients: [{ clientId: 'b', protocolMappers: [{ name: 'a' }, { protocol: 'saml' }] }] },
    ['clients', 0, 'protocolMappers', 1, 'name'],
  ],
  'a flow of a client': [
    { clients: [{ clientId: 'b', authenticationFlowBindingOverrides: { browser: 'ghost' } }] },
    ['clients', 0, 'authenticationFlowBindingOverrides', 'browser'],
  ],
  'a component without a provider': [
    { components: { 'org.keycloak.storage.UserStorageProvider': [{ name: 'a', providerId: 'other' }, { name: 'b' }] } },
    ['components', 'org.keycloak.storage.UserStorageProvider', 1, 'providerId'],
  ],
  'a configuration without a name': [
    { authenticatorConfig: [{ alias: 'a', config: {} }, { config: {} }] },
    ['authenticatorConfig', 1, 'alias'],
  ],
  'a required action without a name': [
    { requiredActions: [{ alias: 'a', name: 'A' }, { name: 'B' }] },
    ['requiredActions', 1, 'alias'],
  ],
  ...Object.fromEntries(
    (
      [
        [{ requirement: 'MUST' }, 'requirement'],
        [{}, 'requirement'],
        [{ requirement: 'REQUIRED', flowAlias: 'ghost', autheticatorFlow: true }, 'flowAlias'],
        [{ requirement: 'REQUIRED', authenticatorConfig: 'ghost' }, 'authenticatorConfig'],
      ] as const
    ).map(([step, field]): [string, Refused] => [
      `a step of a flow: ${JSON.stringify(step)}`,
      [
        { authenticationFlows: [flow('z', cookie), flow('y', cookie, step)] },
        ['authenticationFlows', 1, 'authenticationExecutions', 1, field],
      ],
    ]),
  ),
  'a flow that contains itself': [
    { authenticationFlows: [flow('z', cookie), flow('y', { requirement: 'REQUIRED', flowAlias: 'y' })] },
    ['authenticationFlows', 1],
  ],
  'a client profile': [
    { clientProfiles: { profiles: [{ name: 'a' }, { name: 'b', executors: [{ executor: 'ghost' }] }] } },
    ['clientProfiles', 'profiles', 1],
  ],
  'two client profiles': [
    { clientProfiles: { profiles: [{ name: 'a' }, { name: 'a' }] } },
    ['clientProfiles', 'profiles', 1],
  ],
  'a client policy': [
    { clientPolicies: { policies: [{ name: 'a' }, { name: 'b', profiles: ['ghost'] }] } },
    ['clientPolicies', 'policies', 1],
  ],
  ...Object.fromEntries(
    Object.entries(refusedSettings).map(([name, [settings, path]]): [string, Refused] => [
      `authorization settings: ${name}`,
      [
        { clients: [{ clientId: 'z' }, { clientId: 'c', authorizationSettings: settings }] },
        ['clients', 1, 'authorizationSettings', ...path],
      ],
    ]),
  ),
};

const modes = {
  users: 'KEEP',
  roles: 'KEEP',
  clientRoles: 'KEEP',
  groups: 'KEEP',
  clients: 'KEEP',
  identityProviders: 'KEEP',
  authenticationFlows: 'KEEP',
  authenticatorConfig: 'KEEP',
  requiredActions: 'KEEP',
} as const;
const texts = (path: (string | number)[]) => path.map(String);

describe.each(Object.entries(refused))('a file with a fault in %s', (_name, [desired, path]) => {
  it.each(['plan', 'apply'])('is refused by %s over REST, which names the place', async (action) => {
    const { status, body } = await admin.send('POST', `/admin/realms/${realm}/${action}`, { desired, modes });
    expect(status).toBeLessThan(500);
    expect(body).toMatchObject({ errorMessage: expect.any(String), faults: [{ path: texts(path) }] });
  });

  it('is refused over GraphQL, which names the place', async () => {
    const planned = await admin.graphql(
      'query ($id: ID!, $json: JSON!, $modes: DesiredModesInput) { node(id: $id) { ... on Realm { plan(desired: { json: $json }, modes: $modes) { digest } } } }',
      { id, json: desired, modes },
    );
    expect(planned.errors).toMatchObject([{ extensions: { faults: [{ path: texts(path) }] } }]);
    const { data } = await admin.graphql<{ realmApply: { userErrors: { path: string[] }[] } }>(
      'mutation ($input: RealmApplyInput!) { realmApply(input: $input) { userErrors { path } } }',
      { input: { id, desired: { json: desired }, modes } },
    );
    expect(data.realmApply.userErrors).toEqual([{ path: ['desired', 'json', ...texts(path)] }]);
  });
});

const onCommandLine = ['a composite of a client role', 'an address of a client', 'a client without a name', 'a type'];

describe.each(onCommandLine.map((name) => [name, refused[name] as Refused] as const))(
  'a file with a fault in %s',
  (_name, [desired, , called]) => {
    it('is refused by the command line, which names the line and the object', async () => {
      const file = join(temporaryFolder(), 'realm.yaml');
      // as JSON, which is YAML, with a line for each value
      writeFileSync(file, JSON.stringify({ realm, ...desired, $realmgate: { modes } }, null, 1));
      const token = { REALMGATE_TOKEN: admin.token };
      const [onDatabase, onServer] = await Promise.all([
        realmgate(['plan', file], { DATABASE_URL: databaseUrl }),
        realmgate(['plan', file, '--url', server.url], token),
      ]);
      expect(onDatabase.errors).toMatch(/realm\.yaml:\d+:\d+: /);
      expect(onDatabase.errors).toContain(`: \`${String(called)}\`: `);
      expect(onServer).toEqual(onDatabase);
    });
  },
);

it('Names of variables that are secret are not told by the place of a fault', async () => {
  const file = join(temporaryFolder(), 'realm.yaml');
  writeFileSync(
    file,
    `realm: ${realm}\nclients:\n  - clientId: \${env:SECRET}\n    redirectUris: ['x#y']\n$realmgate: { modes: { clients: KEEP } }\n`,
  );
  const { errors } = await realmgate(['plan', file], { DATABASE_URL: databaseUrl, SECRET: 'hidden-name' });
  expect(errors).toContain('realm.yaml:4:5: `clients[0].redirectUris`: ');
  expect(errors).not.toContain('hidden-name');
});

/** Names for which the realm has nothing, and that the contract accepts, with their places. */
const unknown: [file: object, place: string][] = [
  [{ clients: [{ clientId: 'a', defaultClientScopes: ['email', 'ghost'] }] }, 'clients.0.defaultClientScopes.1'],
  [{ clients: [{ clientId: 'a', optionalClientScopes: ['ghost'] }] }, 'clients.0.optionalClientScopes.0'],
  [{ defaultDefaultClientScopes: ['email', 'ghost'] }, 'defaultDefaultClientScopes.1'],
  [{ defaultOptionalClientScopes: ['phone', 'ghost'] }, 'defaultOptionalClientScopes.1'],
  [
    { identityProviderMappers: [{ name: 'a', identityProviderAlias: 'ghost', identityProviderMapper: 'x' }] },
    'identityProviderMappers.0.identityProviderAlias',
  ],
  [
    { users: [{ username: 'a', federatedIdentities: [{ identityProvider: 'ghost', userId: '1' }] }] },
    'users.0.federatedIdentities.0.identityProvider',
  ],
];

it.each(unknown)('A plan warns of a name that stands for nothing: %j', async (desired, place) => {
  const { body } = await admin.send('POST', `/admin/realms/${realm}/plan`, { desired, modes });
  expect(body.warnings).toEqual([expect.stringContaining(`\`${place}\` has no effect: `)]);
  expect(body.warnings[0]).toContain('"ghost"');
});

it('A plan warns of what its file deletes and still names', async () => {
  const desired = { clientScopes: [], clients: [{ clientId: 'a', defaultClientScopes: ['email'] }] };
  const { body } = await admin.send('POST', `/admin/realms/${realm}/plan`, { desired, modes });
  expect(body.warnings).toEqual([expect.stringContaining('"email"')]);
});

it('The command line names a realm that does not exist', async () => {
  const file = join(temporaryFolder(), 'realm.json');
  writeFileSync(file, JSON.stringify({ realm: 'ghost' }));
  const [onDatabase, onServer] = await Promise.all([
    realmgate(['plan', file], { DATABASE_URL: databaseUrl }),
    realmgate(['plan', file, '--url', server.url], { REALMGATE_TOKEN: admin.token }),
  ]);
  for (const { errors } of [onDatabase, onServer])
    expect(errors).toMatch(/The realm "ghost" was not found .*: create it first/);
});

it('A reference without quotes within brackets is one fault at its place, which states what is right', async () => {
  const file = join(temporaryFolder(), 'realm.yaml');
  writeFileSync(file, `realm: x\nsmtpServer: { host: a, password: \${env:SECRET} }\nenabled: true\n`);
  const { errors } = await realmgate(['validate', file], { SECRET: 'x' });
  expect(errors).toContain('realm.yaml:2:34: YAML: quote the reference');
  expect(errors).not.toMatch(/Unexpected|at node end/);
});
