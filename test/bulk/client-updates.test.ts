// @both-databases
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';
import { countStatements, measureStatements } from '../support/statements.js';

// Clients that are changed many at a time: what is refused where, and how many statements it takes.
const realm = 'many-clients';
let server: TestServer;
let admin: Caller;
const ids: Record<string, string> = {};

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');
const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const send = async (path: string, of = realm) => (await admin.send('GET', `/${of}${path}`)).body;

const kinds = {
  plain: {},
  account: { serviceAccountsEnabled: true },
  server: { serviceAccountsEnabled: true, authorizationServicesEnabled: true },
  open: { publicClient: true },
};

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      defaultGroups: ['/everyone'],
      groups: [{ name: 'everyone' }],
      clients: [
        { clientId: 'one', secret: 'one', redirectUris: ['https://one.example/*'] },
        { clientId: 'two', secret: 'two' },
        { clientId: 'three', secret: 'three', serviceAccountsEnabled: true },
        ...Object.entries(kinds).flatMap(([prefix, kind]) =>
          numbered(prefix, 60).map((clientId) => ({
            clientId,
            secret: 's',
            redirectUris: ['https://x.example/'],
            ...kind,
          })),
        ),
      ],
      users: [
        { username: 'service-account-taken', enabled: true },
        {
          username: 'manager',
          enabled: true,
          credentials: [{ type: 'password', value: 'pw' }],
          clientRoles: { 'realm-management': ['manage-clients'] },
        },
      ],
    },
    {},
    slowClock,
  ));
  ids.realm = node('Realm', (await send('')).id);
  for (const { id, clientId } of await send('/clients')) ids[clientId] = node('Client', id);
});

interface Payload {
  clients: { clientId: string; version: number; serviceAccountUser: { username: string } | null }[] | null;
  userErrors: { code: string; message: string; path: string[] | null }[];
}

async function update(clients: object[], more: object = {}, directive = '', caller = admin): Promise<Payload> {
  const { data, errors } = await caller.graphql<{ clientsUpdate: Payload }>(
    `mutation ($input: ClientsUpdateInput!) ${directive} { clientsUpdate(input: $input) {
      clients { clientId version serviceAccountUser { username } } userErrors { code message path } } }`,
    { input: { realm: ids.realm, clients, ...more } },
  );
  expect(errors).toBeUndefined();
  return data.clientsUpdate;
}

const codes = ({ userErrors }: Payload) => userErrors.map(({ code, path }) => [code, path?.join('.')]);
const namesOf = ({ clients }: Payload) => clients?.map(({ clientId }) => clientId);

describe('clientsUpdate', () => {
  it('refuses each client at its place, and changes the others', async () => {
    const items = [
      { id: ids.one, clientId: 'two' },
      { id: ids.two, clientId: 'one' },
      { id: ids.plain0, clientId: 'same' },
      { id: ids.plain1, clientId: 'same' },
      { id: ids.account0, clientId: 'taken' },
      { id: ids.plain2, clientId: 'taken', flows: { isServiceAccountEnabled: true } },
      { id: ids.plain3, clientId: 'taken' },
      { id: ids.plain4, hasAuthorizationServices: true },
      { id: ids.plain5, redirectUris: ['javascript:alert(1)'] },
      { id: ids.plain6, flowOverrides: { browser: node('AuthenticationFlow', 'unknown') } },
      { id: ids.plain7, flowOverrides: { browser: ids.one } },
      { id: ids.plain8, expectedVersion: 7, name: 'stale' },
      { id: ids.plain0, name: 'again' },
      { id: node('Client', 'unknown'), name: 'x' },
      { id: ids.plain9, clientId: 'x'.repeat(256) },
      { id: ids.plain10, clientId: null },
      { id: ids.plain11, redirectUris: [], addRedirectUris: ['https://x.example/'] },
      { id: ids.plain12, attributes: [{ name: 'pkce.code.challenge.method', value: 'S256' }] },
      { id: ids.plain13, urls: { root: 'javascript:x' } },
      { id: ids.plain14, clientId: 'fine', expectedVersion: 0 },
    ];
    const faults = [
      ['NAME_TAKEN', 'clients.0.clientId'],
      ['NAME_TAKEN', 'clients.1.clientId'],
      ['NAME_TAKEN', 'clients.3.clientId'],
      ['USERNAME_TAKEN', 'clients.4.clientId'],
      ['USERNAME_TAKEN', 'clients.5.clientId'],
      ['SERVICE_ACCOUNT_REQUIRED', 'clients.7.flows.isServiceAccountEnabled'],
      ['INVALID', 'clients.8.redirectUris.0'],
      ['INVALID', 'clients.9.flowOverrides.browser'],
      ['BAD_ID', 'clients.10.flowOverrides.browser'],
      ['STALE', 'clients.11.expectedVersion'],
      ['REPEATED', 'clients.12.id'],
      ['NOT_FOUND', 'clients.13.id'],
      ['INVALID', 'clients.14.clientId'],
      ['INVALID', 'clients.15.clientId'],
      ['INVALID', 'clients.16.redirectUris'],
      ['INVALID', 'clients.17.attributes.0.name'],
      ['INVALID', 'clients.18.urls.root'],
    ];
    const refused = await update(items);
    expect([codes(refused), refused.clients]).toEqual([faults, null]);
    const rest = await update(items, { onError: 'CONTINUE' });
    expect([codes(rest), namesOf(rest)]).toEqual([faults, ['same', 'taken', 'fine']]);
    expect(await update([{ id: ids.one, clientId: 'two' }])).toMatchObject({
      clients: null,
      userErrors: [{ code: 'NAME_TAKEN', message: 'Client two already exists', path: ['clients', '0', 'clientId'] }],
    });
    const wrong = await update([{ id: ids.realm, name: 'x' }]);
    expect(codes(wrong)).toEqual([['BAD_ID', 'clients.0.id']]);
  });

  it('keeps the name of a client that administers a realm', async () => {
    const [{ id }] = await send(`/clients?clientId=${realm}-realm`, 'master');
    const master = node('Realm', (await send('', 'master')).id);
    const refused = await update([{ id: node('Client', id), clientId: 'renamed' }], { realm: master });
    expect(codes(refused)).toEqual([['ADMINISTRATION', 'clients.0.clientId']]);
  });

  it('tells service accounts by their usernames, which are in lower case', async () => {
    const done = await update(
      [
        { id: ids.account1, clientId: 'Mixed' },
        { id: ids.account2, clientId: 'mixed' },
        { id: ids.account3, clientId: 'Account3' },
        { id: ids.account4, clientId: 'free', flows: { isServiceAccountEnabled: false } },
        { id: ids.open0, clientId: 'opened', kind: 'CONFIDENTIAL', flows: { isServiceAccountEnabled: true } },
      ],
      { onError: 'CONTINUE' },
    );
    expect(codes(done)).toEqual([['USERNAME_TAKEN', 'clients.1.clientId']]);
    expect(done.clients?.map(({ serviceAccountUser }) => serviceAccountUser?.username)).toEqual([
      'service-account-mixed',
      'service-account-account3',
      undefined,
      'service-account-opened',
    ]);
  });

  it('asks for what decides on tokens the permission to manage each client', async () => {
    const manager = await userOf(server, realm, 'manager', 'pw');
    const items = [{ id: ids.one, allowsFullScope: false }];
    expect(codes(await update(items, {}, '@dryRun', manager))).toEqual([]);
    const management = [{ id: ids['realm-management'], name: 'x' }, ...items];
    expect(codes(await update(management, { onError: 'CONTINUE' }, '@dryRun', manager))).toEqual([
      ['FORBIDDEN', 'clients.0'],
    ]);
  });
});

interface Policing {
  condition: string;
  configuration?: object;
}

async function enforce(executor: string, { condition, configuration = {} }: Policing): Promise<void> {
  const profile = { name: 'own', executors: [{ executor, configuration: {} }] };
  const conditions = [{ condition, configuration }];
  const policy = { name: 'own', enabled: true, profiles: ['own'], conditions };
  for (const [path, body] of [
    ['profiles', { profiles: [profile] }],
    ['policies', { policies: [policy] }],
  ] as const) {
    expect((await admin.send('PUT', `/${realm}/client-policies/${path}`, body)).status).toBe(204);
  }
}

const conditions: Policing[] = [
  { condition: 'any-client' },
  { condition: 'client-access-type', configuration: { type: ['confidential', 'public'] } },
  { condition: 'client-roles', configuration: { roles: ['marked'] } },
  { condition: 'client-updater-source-roles', configuration: { roles: ['admin'] } },
  { condition: 'client-updater-source-groups', configuration: { groups: ['nobody'], 'is-negative-logic': true } },
  { condition: 'client-updater-source-host', configuration: { 'trusted-hosts': ['localhost'] } },
];

describe('client policies', () => {
  const insecure = (names: string[]) => names.map((name) => ({ id: ids[name], redirectUris: ['http://x.example/'] }));

  it('refuse the clients that do not conform, at their places', async () => {
    await enforce('secure-client-uris', { condition: 'client-access-type', configuration: { type: ['public'] } });
    const items = [...insecure(['open1', 'plain20']), { id: ids.open2, name: 'fine' }];
    const done = await update(items, { onError: 'CONTINUE' }, '@dryRun');
    expect([codes(done), namesOf(done)]).toEqual([[['INVALID', 'clients.0']], ['plain20', 'open2']]);
    const turned = [{ id: ids.plain20, kind: 'PUBLIC', redirectUris: ['http://x.example/'] }];
    expect(codes(await update(turned, {}, '@dryRun'))).toEqual([['INVALID', 'clients.0']]);
  });

  it('are asked about what is written of a client that the batch names again', async () => {
    await enforce('secure-client-uris', { condition: 'client-access-type', configuration: { type: ['public'] } });
    const turned = { id: ids.plain20, kind: 'PUBLIC', redirectUris: ['http://x.example/'] };
    const again = { id: ids.plain20, name: 'again' };
    const decoyed = await update([turned, again], { onError: 'CONTINUE' }, '@dryRun');
    expect([codes(decoyed), namesOf(decoyed)]).toEqual([
      [
        ['INVALID', 'clients.0'],
        ['REPEATED', 'clients.1.id'],
      ],
      [],
    ]);
    const reversed = await update([again, turned], { onError: 'CONTINUE' }, '@dryRun');
    expect([codes(reversed), namesOf(reversed)]).toEqual([[['REPEATED', 'clients.1.id']], ['plain20']]);
  });

  it.each(conditions)('are asked with the same number of statements for 2 and for 50: $condition', async (policing) => {
    for (const name of ['plain21', 'plain30']) {
      const path = `/${realm}/clients/${Buffer.from(ids[name] ?? '', 'base64')
        .toString()
        .slice('Client:'.length)}/roles`;
      await admin.send('POST', path, { name: 'marked' });
    }
    await enforce('secure-client-uris', policing);
    const names = numbered('plain', 60);
    const asked = async (from: number, to: number) => {
      const items = insecure(names.slice(from, to));
      const { result, statements } = await measureStatements(server, () =>
        update(items, { onError: 'CONTINUE' }, '@dryRun'),
      );
      return { statements, refused: result.userErrors.length };
    };
    await asked(20, 22);
    const few = await asked(20, 22);
    const many = await asked(5, 55);
    expect(few.refused).toBeGreaterThan(0);
    expect(many.refused).toBe(policing.condition === 'client-roles' ? 2 : 50);
    expect(many.statements).toBe(few.statements);
  });
});

describe('the number of statements', () => {
  beforeEach(async () => {
    await admin.send('PUT', `/${realm}/client-policies/policies`, { policies: [] });
  });

  const renamed = (name: string) => ({ clientId: `${name} renamed` });
  const variants: Record<string, [kind: keyof typeof kinds, changes: (name: string, at: number) => object]> = {
    'texts and lists': [
      'plain',
      (name) => ({ name, description: null, addRedirectUris: [`https://${name}.example/`] }),
    ],
    'different fields of each': [
      'plain',
      (name, at) => (at % 2 === 0 ? { name } : { isEnabled: false, attributes: [] }),
    ],
    'attributes and secrets': ['plain', (name) => ({ secret: name, attributes: [{ name: 'a', value: name }] })],
    'new clientIds': ['plain', renamed],
    'another kind': ['plain', () => ({ kind: 'PUBLIC' })],
    'a new secret': ['open', () => ({ kind: 'CONFIDENTIAL' })],
    'service accounts on': ['plain', () => ({ flows: { isServiceAccountEnabled: true } })],
    'service accounts off': ['account', () => ({ flows: { isServiceAccountEnabled: false } })],
    'new names of service accounts': ['account', renamed],
    'authorization on': ['account', () => ({ hasAuthorizationServices: true })],
    'authorization on with accounts': [
      'plain',
      (name) => ({ ...renamed(name), hasAuthorizationServices: true, flows: { isServiceAccountEnabled: true } }),
    ],
    'authorization off': ['server', () => ({ hasAuthorizationServices: false })],
    'flows of logins': ['plain', () => ({ flowOverrides: { browser: ids.browser, directGrant: null } })],
  };

  it.each(Object.entries(variants))('is the same for 2 and for 50: %s', async (_title, [kind, changes]) => {
    const flows = (await send('/authentication/flows')) as { id: string; alias: string }[];
    ids.browser = node('AuthenticationFlow', flows.find(({ alias }) => alias === 'browser')?.id ?? '');
    const names = numbered(kind, 60);
    for (const caller of [admin, await userOf(server, realm, 'manager', 'pw')]) {
      const statements = async (from: number, to: number) => {
        const items = names.slice(from, to).map((name, at) => ({ id: ids[name], ...changes(name, at) }));
        return countStatements(server, async () => {
          const payload = await update(items, {}, '@dryRun', caller);
          expect([payload.userErrors, payload.clients?.length]).toEqual([[], to - from]);
        });
      };
      await statements(5, 7);
      const few = await statements(5, 7);
      expect(await statements(7, 57)).toBe(few);
    }
  });
});
