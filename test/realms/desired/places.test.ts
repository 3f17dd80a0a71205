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
      clients: [...others('clientId'), { clientId: 'my.app' }],
      users: others('username'),
      identityProviders: others('alias').map((provider) => ({ ...provider, providerId: 'oidc' })),
    },
    { databaseUrl },
  ));
  id = btoa(`Realm:${(await admin.send('GET', `/${realm}`)).body.id}`);
});

/** Files that are refused, each with the place of its fault, and how the command line calls that. */
const refused: Record<string, [file: object, path: (string | number)[], called: string]> = {
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
    ['identityProviders', 0, 'config'],
    'identityProviders[c].config',
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
};

const modes = {
  users: 'KEEP',
  roles: 'KEEP',
  clientRoles: 'KEEP',
  groups: 'KEEP',
  clients: 'KEEP',
  identityProviders: 'KEEP',
};
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

describe.each(onCommandLine.map((name) => [name, refused[name] as (typeof refused)[string]] as const))(
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
      expect(onDatabase.errors).toContain(`: \`${called}\`: `);
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
