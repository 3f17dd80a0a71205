// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { nodeId } from '../../src/graph/core/node.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let viewer: Caller;
let finder: Caller;
let realm: string;

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const user = (username: string, role: string) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'pw' }],
    clientRoles: { 'realm-management': [role] },
  });
  await admin.send('POST', '/', {
    realm: 'graph',
    enabled: true,
    users: [user('viewer', 'view-clients'), user('finder', 'query-clients')],
  });
  viewer = await userOf(server, 'graph', 'viewer', 'pw');
  finder = await userOf(server, 'graph', 'finder', 'pw');
  const { data } = await admin.graphql<{ realm: { id: string } }>('{ realm(name: "graph") { id } }');
  realm = data.realm.id;
});

interface ClientValue {
  id: string;
  clientId: string;
  secret: string | null;
  version: number;
  [field: string]: unknown;
}

interface Payload {
  client: ClientValue | null;
  secret?: string;
  deletedId?: string;
  userErrors: { code: string; path: string[] | null; message: string }[];
}

const fields = `id clientId name kind protocol authentication { authenticator } isEnabled secret version viewerCan { update { isAllowed } }
  flows { isStandardEnabled isImplicitEnabled isDirectAccessEnabled isServiceAccountEnabled } urls { root base admin } redirectUris webOrigins
  attributes { name value } defaultClientScopes { edges { node { name } } } optionalClientScopes { totalCount }`;

/** Sends one mutation on clients. */
async function mutate(name: string, input: object, by = admin): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const extra = { clientDelete: 'deletedId', clientRotateSecret: 'secret client { version }' }[name];
  const selection = extra ?? `client { ${fields} }`;
  const { data, errors } = await by.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code path message } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

const scopeId = async (name: string) => {
  const scopes = (await admin.send('GET', '/graph/client-scopes')).body as { id: string; name: string }[];
  return nodeId('ClientScope', scopes.find((scope) => scope.name === name)?.id ?? '');
};

describe('clientCreate', () => {
  it('makes a confidential client that does what it says and nothing else', async () => {
    const { client, userErrors } = await mutate('clientCreate', {
      realm,
      clientId: 'web',
      name: 'Web shop',
      urls: { root: 'https://shop.example.org' },
      redirectUris: ['/callback'],
      attributes: [{ name: 'env', value: 'prod' }],
      defaultClientScopes: [await scopeId('profile')],
    });
    expect(userErrors).toEqual([]);
    expect(client).toMatchObject({
      clientId: 'web',
      kind: 'CONFIDENTIAL',
      protocol: 'OPENID_CONNECT',
      authentication: { authenticator: 'client-secret' },
      flows: {
        isStandardEnabled: true,
        isImplicitEnabled: false,
        isDirectAccessEnabled: false,
        isServiceAccountEnabled: false,
      },
      urls: { root: 'https://shop.example.org', base: null, admin: null },
      redirectUris: ['/callback'],
      webOrigins: [],
      attributes: [{ name: 'env', value: 'prod' }],
      defaultClientScopes: { edges: [{ node: { name: 'profile' } }] },
      optionalClientScopes: { totalCount: 0 },
      version: 0,
      viewerCan: { update: { isAllowed: true } },
    });
    expect(client?.secret).toMatch(/^\w{32}$/);
  });

  it('answers the same again for the same idempotency key', async () => {
    const input = { realm, clientId: 'once', idempotencyKey: 'key-1' };
    const first = await mutate('clientCreate', input);
    const second = await mutate('clientCreate', input);
    expect(second).toEqual(first);
  });

  it('tells what is wrong', async () => {
    const taken = await mutate('clientCreate', { realm, clientId: 'account' });
    expect(taken.userErrors[0]).toMatchObject({ code: 'NAME_TAKEN', message: 'Client account already exists' });
    const noScope = await mutate('clientCreate', {
      realm,
      clientId: 'wrong',
      defaultClientScopes: [await scopeId('email')],
      optionalClientScopes: [await scopeId('phone'), nodeId('ClientScope', 'none')],
    });
    expect(noScope.userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['optionalClientScopes', '1'] }]);
    const wrong = await mutate('clientCreate', { realm, clientId: 'wrong', redirectUris: ['a b'] });
    expect(wrong.userErrors[0]).toMatchObject({ code: 'INVALID', path: ['redirectUris', '0'] });
    const refused = await mutate('clientCreate', { realm, clientId: 'no' }, viewer);
    expect(refused.userErrors[0]).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('clientUpdate, clientRotateSecret, clientDelete', () => {
  it('change what is given and keep the rest', async () => {
    const made = (await mutate('clientCreate', { realm, clientId: 'life', name: 'Life', secret: 'mine' })).client;
    const id = made?.id ?? '';
    const { client } = await mutate('clientUpdate', {
      id,
      name: null,
      kind: 'PUBLIC',
      flows: { isDirectAccessEnabled: true },
      attributes: [{ name: 'a', value: '1' }],
      expectedVersion: 0,
    });
    expect(client).toMatchObject({
      name: null,
      kind: 'PUBLIC',
      secret: null,
      flows: { isStandardEnabled: true, isDirectAccessEnabled: true },
      attributes: [{ name: 'a', value: '1' }],
      version: 1,
    });
    const stale = await mutate('clientUpdate', { id, name: 'x', expectedVersion: 0 });
    expect(stale.userErrors[0]?.code).toBe('STALE');
    const { secret, client: after } = await mutate('clientRotateSecret', { id });
    expect(secret).toMatch(/^\w{32}$/);
    expect(after?.version).toBe(2);
    expect((await mutate('clientDelete', { id })).deletedId).toBe(id);
    expect((await mutate('clientDelete', { id })).userErrors[0]).toMatchObject({ code: 'NOT_FOUND', path: ['id'] });
  });
});

describe('clientUpdate of several callers at the same time', () => {
  it('adds what each of them adds', async () => {
    const id = (await mutate('clientCreate', { realm, clientId: 'shared' })).client?.id ?? '';
    const uris = Array.from({ length: 12 }, (_, at) => `https://x${at}.example/`);
    const adding = uris.map((uri) => mutate('clientUpdate', { id, addRedirectUris: [uri] }));
    expect((await Promise.all(adding)).flatMap(({ userErrors }) => userErrors)).toEqual([]);
    const { client } = await mutate('clientUpdate', { id, name: 'shared' });
    expect([...((client?.redirectUris ?? []) as string[])].sort()).toEqual(uris.toSorted());
  });
});

describe('Client.serviceAccountUser', () => {
  it('is there for those who may see users', async () => {
    await mutate('clientCreate', { realm, clientId: 'robot', flows: { isServiceAccountEnabled: true } });
    const query = '{ realm(name: "graph") { client(clientId: "robot") { serviceAccountUser { username } } } }';
    const ask = async (by: Caller) => (await by.graphql<{ realm: { client: object } }>(query)).data.realm.client;
    expect(await ask(admin)).toEqual({ serviceAccountUser: { username: 'service-account-robot' } });
    expect(await ask(viewer)).toEqual({ serviceAccountUser: null });
    const { data } = await admin.graphql<{ realm: { client: ClientValue } }>(
      '{ realm(name: "graph") { client(clientId: "robot") { id } } }',
    );
    await mutate('clientDelete', { id: data.realm.client.id });
  });
});

describe('Realm.clients', () => {
  const list = `query ($filter: ClientFilter, $orderBy: ClientOrder, $first: Int) {
    realm(name: "graph") { clients(filter: $filter, orderBy: $orderBy, first: $first) {
      totalCount edges { node { clientId roles { totalCount edges { node { name client { clientId } } } } } } } } }`;
  interface Listed {
    realm: { clients: { totalCount: number; edges: { node: { clientId: string } }[] } };
  }
  const names = async (variables: object) =>
    (await viewer.graphql<Listed>(list, variables)).data.realm.clients.edges.map(({ node }) => node.clientId);

  it('filters and orders', async () => {
    expect(await names({ filter: { attribute: { name: 'env', value: { startsWith: 'pr' } } } })).toEqual(['web']);
    expect(await names({ filter: { search: 'WEB SHOP' } })).toEqual(['web']);
    expect(await names({ filter: { or: [{ clientId: { equals: 'web' } }, { isBearerOnly: true }] } })).toEqual([
      'broker',
      'realm-management',
      'web',
    ]);
    expect(await names({ filter: { isPublic: true, not: { name: { contains: 'console' } } } })).toEqual([
      'account',
      'admin-cli',
    ]);
    expect(await names({ orderBy: { field: 'CLIENT_ID', direction: 'DESC' }, first: 1 })).toEqual(['web']);
  });

  it('is empty for callers who may only look for clients, and closed to others', async () => {
    const { data } = await finder.graphql<Listed>(list);
    expect(data.realm.clients).toEqual({ totalCount: 0, edges: [] });
    const single = '{ realm(name: "graph") { client(clientId: "web") { id } } }';
    expect((await finder.graphql<{ realm: { client: null } }>(single)).data.realm.client).toBeNull();
  });

  it('costs the same for any number of clients', async () => {
    const statements = async (first: number) => (await viewer.graphql(list, { first })).extensions?.cost?.statements;
    await statements(2);
    expect(await statements(8)).toBe(await statements(2));
  });

  it('does not show secrets without manage-clients', async () => {
    const query = '{ realm(name: "graph") { client(clientId: "web") { clientId secret } } }';
    const { data, errors } = await viewer.graphql<{ realm: { client: ClientValue } }>(query);
    expect(data.realm.client).toEqual({ clientId: 'web', secret: null });
    expect(errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  it('can be asked for twice with different filters', async () => {
    const { data, errors } = await admin.graphql<{ realm: Record<string, { totalCount: number }> }>(`{
      realm(name: "graph") {
        all: clients { totalCount }
        bearers: clients(filter: { isBearerOnly: true }) { totalCount edges { node { clientId } } }
        client(clientId: "account") { clientId }
      } }`);
    expect(errors).toBeUndefined();
    expect(data.realm.bearers?.totalCount).toBe(2);
    expect(data.realm.client).toEqual({ clientId: 'account' });
  });
});

describe('node', () => {
  it('finds a client for those who may see it', async () => {
    const find = `query ($id: ID!) { node(id: $id) { ... on Client { clientId } } }`;
    const { data } = await viewer.graphql<{ realm: { client: { id: string } } }>(
      '{ realm(name: "graph") { client(clientId: "web") { id } } }',
    );
    const { id } = data.realm.client;
    expect((await viewer.graphql<{ node: object }>(find, { id })).data.node).toEqual({ clientId: 'web' });
    expect((await finder.graphql<{ node: null }>(find, { id })).data.node).toBeNull();
  });
});
