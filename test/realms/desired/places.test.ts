import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { realmgate } from '../../cli/run.js';
import { preparedDatabaseUrl, temporaryFolder } from '../../support/database.js';
import { type Caller, startWithRealm } from '../../support/fixture.js';
import { sampled } from '../../support/sample.js';
import type { TestServer } from '../../support/server.js';
import { type Refused, refused } from './refused-files.js';

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

describe.each(sampled(Object.entries(refused), 30))('a file with a fault in %s', (_name, [desired, path]) => {
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
  expect(errors).toContain('realm.yaml:4:20: `clients[0].redirectUris[0]`: ');
  expect(errors).not.toContain('hidden-name');
});

/** Names for which the realm has nothing, and that the contract accepts, with their places as warnings name them. */
const unknown: [file: object, place: string][] = [
  [{ clients: [{ clientId: 'a', defaultClientScopes: ['email', 'ghost'] }] }, 'clients[a].defaultClientScopes[1]'],
  [{ clients: [{ clientId: 'a', optionalClientScopes: ['ghost'] }] }, 'clients[a].optionalClientScopes[0]'],
  [{ defaultDefaultClientScopes: ['email', 'ghost'] }, 'defaultDefaultClientScopes[1]'],
  [{ defaultOptionalClientScopes: ['phone', 'ghost'] }, 'defaultOptionalClientScopes[1]'],
  [
    { identityProviderMappers: [{ name: 'a', identityProviderAlias: 'ghost', identityProviderMapper: 'x' }] },
    'identityProviderMappers[a / ghost].identityProviderAlias',
  ],
  [
    { users: [{ username: 'a', federatedIdentities: [{ identityProvider: 'ghost', userId: '1' }] }] },
    'users[a].federatedIdentities[ghost].identityProvider',
  ],
];

it.each(sampled(unknown, 8))('A plan warns of a name that stands for nothing: %j', async (desired, place) => {
  const { body } = await admin.send('POST', `/admin/realms/${realm}/plan`, { desired, modes });
  expect(body.warnings).toEqual([expect.stringContaining(`\`${place}\` has no effect: `)]);
  expect(body.warnings[0]).toContain('"ghost"');
});

it('A plan warns of fields that no version knows, by the names of their objects', async () => {
  const users = Array.from({ length: 600 }, (_, index) => ({
    username: `u${index}`,
    ...(index === 400 && { shoe: 43 }),
  }));
  const desired = { users, roles: { client: { 'my.app': [{ name: 'sell', colour: 'red' }] } } };
  const { body } = await admin.send('POST', `/admin/realms/${realm}/plan`, { desired, modes });
  expect(body.warnings).toEqual([
    '`roles.client[my.app][sell].colour` is not a field that this version knows.',
    '`users[u400].shoe` is not a field that this version knows.',
  ]);
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
