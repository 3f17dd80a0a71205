import { beforeAll, describe, expect, it } from 'vitest';
import { filesOfRealm } from '../../../src/cli/desired/write-folder.js';
import type { Answer, Caller } from '../../support/fixture.js';
import { administrator } from '../../support/fixture.js';
import { startServer } from '../../support/server.js';

// Whatever the operations on single objects make of a realm, it can be planned on, and is as its own export says.
let realm: string;
let admin: Caller;

const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  admin.send(method, `/admin/realms/${realm}${path}`, body);
const read = async (path: string) => (await send('GET', path)).body;

/** Names that the operations take, and what could go wrong with them: trimmed, compared in another case, taken for masks or for members of prototypes. */
const names = [
  '',
  ' ',
  'x',
  ' x',
  'x ',
  'X',
  'é',
  'e\u0301',
  '**********',
  '$'.concat('{env:HOME}'),
  'constructor',
  'toString',
  'a/b',
  'a,b',
  'a##b',
  'line\u2028end',
  '\ufeffx',
  '%_\\',
  '"',
  '[]',
  'y'.repeat(255),
];

const storage = 'org.keycloak.storage.UserStorageProvider';
const directory = {
  ...{ vendor: ['other'], enabled: ['false'], connectionUrl: ['ldap://127.0.0.1:9'], usersDn: ['ou=people'] },
  ...{
    authType: ['none'],
    usernameLDAPAttribute: ['uid'],
    rdnLDAPAttribute: ['uid'],
    uuidLDAPAttribute: ['entryUUID'],
  },
  ...{ userObjectClasses: ['person'], editMode: ['READ_ONLY'] },
};
const addresses = { authorizationUrl: 'https://idp.example/a', tokenUrl: 'https://idp.example/t' };

beforeAll(async () => {
  admin = await administrator(await startServer());
});

let made = 0;

/** Makes a new realm that the rest of a test is about. */
async function makeRealm(): Promise<void> {
  made += 1;
  realm = `odd-${made}`;
  const { status, body } = await admin.send('POST', '/admin/realms', {
    realm,
    enabled: true,
    roles: { realm: [{ name: 'everything' }] },
    groups: [{ name: 'everybody' }],
    clients: [{ clientId: 'owner', serviceAccountsEnabled: true, authorizationServicesEnabled: true }],
    identityProviders: [{ alias: 'partner', providerId: 'oidc', config: addresses }],
    users: [{ username: 'ann' }],
  });
  expect([status, body]).toEqual([201, '']);
}

const statusOf = async (path: string, body: unknown): Promise<number> => (await send('POST', path, body)).status;

/** The changes and warnings of the plan of a file. */
async function planned(desired: object, modes: object = {}): Promise<unknown[]> {
  const { status, body } = await send('POST', '/plan', { desired, modes });
  return [status, body.changes ?? body, body.warnings];
}

async function expectAsExported(): Promise<void> {
  const nothing = [200, [], []];
  expect(await planned({})).toEqual(nothing);
  for (const secrets of [false, true])
    expect(await planned(await read(`/export?secrets=${secrets}`), { users: 'FULL' })).toEqual(nothing);
}

const owner = async (): Promise<string> => `/clients/${(await read('/clients?clientId=owner'))[0].id}`;
const server = async (): Promise<string> => `${await owner()}/authz/resource-server`;

interface Maker {
  path: string | (() => Promise<string>);
  of: (name: string) => object;
}

const makers: Readonly<Record<string, Maker>> = {
  roles: { path: '/roles', of: (name) => ({ name, description: name, attributes: { [name]: [name] } }) },
  'client roles': { path: async () => `${await owner()}/roles`, of: (name) => ({ name }) },
  groups: { path: '/groups', of: (name) => ({ name, attributes: { [name]: [name] } }) },
  clients: { path: '/clients', of: (clientId) => ({ clientId, name: clientId, secretVersion: 3 }) },
  'public clients': {
    path: '/clients',
    of: (name) => ({ clientId: `p${name}`, publicClient: true, secretVersion: 3 }),
  },
  'client scopes': { path: '/client-scopes', of: (name) => ({ name, protocol: 'openid-connect', description: name }) },
  'protocol mappers': {
    path: async () => `${await owner()}/protocol-mappers/models`,
    of: (name) => ({
      name,
      protocol: 'openid-connect',
      protocolMapper: 'oidc-hardcoded-claim-mapper',
      config: { [name || 'claim']: name },
    }),
  },
  flows: { path: '/authentication/flows', of: (alias) => ({ alias, providerId: 'basic-flow', topLevel: true }) },
  'required actions': {
    path: '/authentication/register-required-action',
    of: (name) => ({ providerId: name, name }),
  },
  'identity providers': {
    path: '/identity-provider/instances',
    of: (alias) => ({ alias, providerId: 'oidc', displayName: alias, config: { ...addresses, clientId: alias } }),
  },
  'identity provider mappers': {
    path: '/identity-provider/instances/partner/mappers',
    of: (name) => ({
      name,
      identityProviderAlias: 'partner',
      identityProviderMapper: 'oidc-user-attribute-idp-mapper',
      config: { claim: name },
    }),
  },
  'key providers': {
    path: '/components',
    of: (name) => ({ name, providerId: 'hmac-generated', providerType: 'org.keycloak.keys.KeyProvider', config: {} }),
  },
  directories: {
    path: '/components',
    of: (name) => ({ name, providerId: 'ldap', providerType: storage, config: directory }),
  },
  resources: { path: async () => `${await server()}/resource`, of: (name) => ({ name, displayName: name }) },
  'authorization scopes': { path: async () => `${await server()}/scope`, of: (name) => ({ name }) },
  policies: {
    path: async () => `${await server()}/policy/regex`,
    of: (name) => ({ name, description: name, targetClaim: 'a', pattern: 'b' }),
  },
  users: { path: '/users', of: (username) => ({ username, firstName: username, attributes: { [username]: ['x'] } }) },
};

describe('objects of every odd name that is taken, each of them twice if it can be', () => {
  it.each(Object.entries(makers))('%s', async (_kind, { path, of }) => {
    await makeRealm();
    const place = typeof path === 'string' ? path : await path();
    let accepted = 0;
    for (const name of [...names, ...names]) {
      const status = await statusOf(place, of(name));
      expect([name, status]).toEqual([name, expect.toSatisfy((code: number) => code < 500)]);
      if (status < 300) accepted += 1;
    }
    expect(accepted).toBeGreaterThan(2);
    await expectAsExported();
  });
});

it('roles of odd names are held by users, groups and roles, and change to every name but an empty one', async () => {
  await makeRealm();
  for (const name of names) await statusOf('/roles', { name });
  const [{ id: ann }] = await read('/users?username=ann');
  const [{ id: group }] = await read('/groups?search=everybody');
  const roles = await read('/roles');
  for (const path of [`/users/${ann}/role-mappings/realm`, `/groups/${group}/role-mappings/realm`])
    expect([path, await statusOf(path, roles)]).toEqual([path, 204]);
  const others = roles.filter(({ name }: { name: string }) => name !== 'everything');
  expect(await statusOf('/roles/everything/composites', others)).toBe(204);
  await expectAsExported();
  const own = await read('/roles/everything');
  expect((await send('PUT', `/roles-by-id/${own.id}`, { ...own, name: '' })).status).toBe(400);
  expect((await send('PUT', `/roles-by-id/${own.id}`, { ...own, name: ' ' })).status).toBeLessThan(500);
  await expectAsExported();
});

describe('steps of flows with configurations of the same alias', () => {
  /** The value that each step is configured with, in their order. */
  const valuesOf = async (name: string): Promise<unknown[]> => {
    const path = `/admin/realms/${name}/authentication`;
    const { body: steps } = await admin.send('GET', `${path}/flows/mine/executions`);
    return Promise.all(
      steps.map(async ({ authenticationConfig: id }: { authenticationConfig: string }) =>
        id ? (await admin.send('GET', `${path}/config/${id}`)).body.config?.defaultProvider : undefined,
      ),
    );
  };
  const values = ['one', 'two', 'three'];

  beforeAll(async () => {
    await makeRealm();
    expect(await statusOf('/authentication/flows', { alias: 'mine', providerId: 'basic-flow', topLevel: true })).toBe(
      201,
    );
    for (const value of values) {
      const step = { provider: 'identity-provider-redirector' };
      expect(await statusOf('/authentication/flows/mine/executions/execution', step)).toBe(201);
      const id = (await read('/authentication/flows/mine/executions')).at(-1).id;
      const config = { alias: 'same', config: { defaultProvider: value } };
      expect(await statusOf(`/authentication/executions/${id}/config`, config)).toBe(201);
    }
  });

  it('keep theirs in plans, in an export, and in the realm that is made of it', async () => {
    expect(await valuesOf(realm)).toEqual(values);
    await expectAsExported();
    const { id: _, ...whole } = await read('/export?secrets=true');
    const copy = { ...whole, realm: 'copy' };
    const { status, body } = await admin.send('POST', '/admin/realms', copy);
    expect([status, body]).toEqual([201, '']);
    expect(await valuesOf('copy')).toEqual(values);
  });

  it('are changed and removed one by one', async () => {
    const { authenticatorConfig } = await read('/export');
    const isSame = ({ alias }: { alias: string }) => alias === 'same';
    const same = authenticatorConfig.filter(isSame);
    const [first, second] = same;
    const others = authenticatorConfig.filter((config: { alias: string }) => !isSame(config));
    const configured = await Promise.all(
      [first, second].map(async ({ id }) => (await read(`/authentication/config/${id}`)).config.defaultProvider),
    );
    const desired = { authenticatorConfig: [...others, { ...first, alias: 'other' }, second] };
    const applied = await send('POST', '/apply', { desired, allowDeletes: 1 });
    expect([applied.status, applied.body.summary]).toEqual([200, expect.objectContaining({ update: 2, delete: 1 })]);
    const left = values.map((value) => (configured.includes(value) ? value : undefined));
    expect(await valuesOf(realm)).toEqual(left);
    await expectAsExported();
  });

  it('cannot be told apart in a file without IDs, which is refused with its place', async () => {
    const desired = { authenticatorConfig: [{ alias: 'new' }, { alias: 'new' }] };
    const { status, body } = await send('POST', '/plan', { desired, modes: { authenticatorConfig: 'KEEP' } });
    expect([status, body.errorMessage]).toEqual([409, 'Authenticator configuration new already exists']);
  });
});

it('a folder has a file for each object, also for those whose names differ in little', async () => {
  await makeRealm();
  for (const name of [...names, ...names]) {
    await statusOf('/roles', { name });
    await statusOf('/components', makers['key providers']?.of(name));
  }
  const whole = await read('/export?users=true');
  const files = [...filesOfRealm(whole).keys()];
  expect(new Set(files.map((name) => name.toLowerCase())).size).toBe(files.length);
  const lists = {
    roles: whole.roles.realm,
    clients: whole.clients,
    'authenticator-configs': whole.authenticatorConfig,
  };
  for (const [folder, list] of Object.entries(lists))
    expect([folder, files.filter((path) => path.startsWith(`${folder}/`)).length]).toEqual([folder, list.length]);
});
