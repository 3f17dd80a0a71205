import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

const realm = 'graph-scopes';
let server: TestServer;
let admin: Caller;
let viewer: Caller;
let keeper: Caller;
let ids: { realm: string; web: string; saml: string };

interface Payload {
  [field: string]: unknown;
  clientScope?: Record<string, never> & { id: string; name: string; version: number };
  protocolMapper?: Record<string, never> & { id: string };
  userErrors: { code: string; path: string[] | null; message: string }[];
}

const scope = `clientScope { id name description protocol isInTokenScope isOnConsentScreen consentText newClients version
  attributes { name value } protocolMappers { edges { node { name type settings { claimName isInIdToken } } } }
  defaultClients { edges { node { clientId } } } optionalClients { totalCount } }`;
const client = `client { defaultClientScopes { totalCount edges { node { name } } }
  optionalClientScopes { edges { node { name } } } }`;
const mapper =
  'protocolMapper { id name protocol type settings { claimName } config { name value } client { clientId } clientScope { name } }';

/** Sends one mutation. */
async function mutate(name: string, selection: string, input: object, by = admin): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await by.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code path message } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

const made = async (input: object): Promise<string> =>
  (await mutate('clientScopeCreate', scope, { realm: ids.realm, ...input })).clientScope?.id ?? '';

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
    realm,
    enabled: true,
    clients: [
      { clientId: 'web', protocol: 'openid-connect' },
      { clientId: 'saml', protocol: 'saml' },
    ],
    users: [user('viewer', 'view-clients'), user('keeper', 'manage-clients')],
  });
  viewer = await userOf(server, realm, 'viewer', 'pw');
  keeper = await userOf(server, realm, 'keeper', 'pw');
  const { data } = await admin.graphql<{ realm: { id: string; web: { id: string }; saml: { id: string } } }>(
    `{ realm(name: "${realm}") { id web: client(clientId: "web") { id } saml: client(clientId: "saml") { id } } }`,
  );
  ids = { realm: data.realm.id, web: data.realm.web.id, saml: data.realm.saml.id };
});

describe('mutations of client scopes', () => {
  it('make, change and delete one', async () => {
    const created = await mutate('clientScopeCreate', scope, {
      realm: ids.realm,
      name: 'my orders',
      description: 'Orders',
      isInTokenScope: false,
      consentText: 'Your orders',
      attributes: [{ name: 'gui.order', value: '3' }],
      protocolMappers: [{ name: 'orders', type: 'HARDCODED_CLAIM', settings: { claimName: 'orders' } }],
    });
    expect(created).toEqual({
      clientScope: {
        id: expect.any(String),
        name: 'my_orders',
        description: 'Orders',
        protocol: 'OPENID_CONNECT',
        isInTokenScope: false,
        isOnConsentScreen: true,
        consentText: 'Your orders',
        newClients: null,
        version: 0,
        attributes: [
          { name: 'consent.screen.text', value: 'Your orders' },
          { name: 'gui.order', value: '3' },
          { name: 'include.in.token.scope', value: 'false' },
        ],
        protocolMappers: {
          edges: [
            {
              node: {
                name: 'orders',
                type: 'HARDCODED_CLAIM',
                settings: { claimName: 'orders', isInIdToken: null },
              },
            },
          ],
        },
        defaultClients: { edges: [] },
        optionalClients: { totalCount: 0 },
      },
      userErrors: [],
    });
    const id = created.clientScope?.id;
    const change = { id, description: null, consentText: null, isOnConsentScreen: false, expectedVersion: 0 };
    const changed = await mutate('clientScopeUpdate', scope, change);
    expect(changed.clientScope).toMatchObject({
      name: 'my_orders',
      description: null,
      isInTokenScope: false,
      isOnConsentScreen: false,
      consentText: null,
      version: 1,
    });
    expect((await mutate('clientScopeUpdate', scope, change)).userErrors[0]).toMatchObject({ code: 'STALE' });
    expect(await mutate('clientScopeDelete', 'deletedId', { id })).toEqual({ deletedId: id, userErrors: [] });
    expect((await mutate('clientScopeDelete', 'deletedId', { id })).userErrors[0]).toMatchObject({
      code: 'NOT_FOUND',
      path: ['id'],
    });
  });

  it('tell what is wrong', async () => {
    const create = (input: object, by = admin) =>
      mutate('clientScopeCreate', scope, { realm: ids.realm, ...input }, by);
    expect((await create({ name: 'email' })).userErrors).toEqual([
      { code: 'NAME_TAKEN', path: ['name'], message: 'Client Scope email already exists' },
    ]);
    expect((await create({ name: 'x'.repeat(256) })).userErrors[0]).toMatchObject({ code: 'INVALID', path: ['name'] });
    expect((await create({ name: 'no' }, viewer)).userErrors[0]).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('give one to new clients and take it back', async () => {
    const id = await made({ name: 'for-new' });
    const add = (use: string, by = admin) => mutate('realmAddClientScope', scope, { clientScope: id, use }, by);
    expect((await add('OPTIONAL', keeper)).userErrors[0]).toMatchObject({ code: 'FORBIDDEN' });
    expect((await add('OPTIONAL')).clientScope).toMatchObject({ newClients: 'OPTIONAL' });
    expect((await add('DEFAULT')).userErrors[0]).toMatchObject({ code: 'CONFLICT' });
    const { data } = await admin.graphql(
      `{ realm(name: "${realm}") { clientScopes(filter: { newClients: OPTIONAL, name: { startsWith: "for" } }) {
        totalCount edges { node { name } } } } }`,
    );
    expect(data).toEqual({ realm: { clientScopes: { totalCount: 1, edges: [{ node: { name: 'for-new' } }] } } });
    expect((await mutate('realmRemoveClientScope', scope, { clientScope: id })).clientScope).toMatchObject({
      newClients: null,
    });
  });

  it('give one to a client and take it back', async () => {
    const id = await made({ name: 'assigned' });
    const pair = { id: ids.web, clientScope: id };
    const assigned = await mutate('clientAddClientScope', client, { ...pair, use: 'OPTIONAL' });
    expect(assigned.client).toMatchObject({
      optionalClientScopes: { edges: expect.arrayContaining([{ node: { name: 'assigned' } }]) },
    });
    const { data } = await viewer.graphql(
      `{ node(id: "${id}") { ... on ClientScope { optionalClients { totalCount edges { node { clientId } } }
        defaultClients { totalCount } } } }`,
    );
    expect(data).toEqual({
      node: {
        optionalClients: { totalCount: 1, edges: [{ node: { clientId: 'web' } }] },
        defaultClients: { totalCount: 0 },
      },
    });
    const unassigned = await mutate('clientRemoveClientScope', client, pair);
    expect(JSON.stringify(unassigned.client)).not.toContain('assigned');
    // it has no effect on a client of another protocol, on either side
    expect((await mutate('clientAddClientScope', client, { id: ids.saml, clientScope: id })).userErrors).toEqual([]);
    expect(
      (await viewer.graphql(`{ node(id: "${id}") { ... on ClientScope { defaultClients { totalCount } } } }`)).data,
    ).toEqual({ node: { defaultClients: { totalCount: 0 } } });
  });
});

describe('mutations of protocol mappers', () => {
  it.each(['client', 'client scope'])('make, change and delete one of a %s', async (kind) => {
    const owner = kind === 'client' ? ids.web : await made({ name: 'with-mapper' });
    const config = [{ name: 'own.setting', value: 'a' }];
    const settings = { claimName: 'a' };
    const input = { owner, name: 'one', type: 'HARDCODED_CLAIM', settings, config };
    const { protocolMapper, userErrors } = await mutate('protocolMapperCreate', mapper, input);
    expect(userErrors).toEqual([]);
    expect(protocolMapper).toEqual({
      id: expect.any(String),
      name: 'one',
      protocol: 'OPENID_CONNECT',
      type: 'HARDCODED_CLAIM',
      settings,
      config,
      client: kind === 'client' ? { clientId: 'web' } : null,
      clientScope: kind === 'client' ? null : { name: 'with-mapper' },
    });
    expect((await mutate('protocolMapperCreate', mapper, input)).userErrors[0]).toMatchObject({ code: 'NAME_TAKEN' });
    const id = protocolMapper?.id;
    const change = { id, type: 'FULL_NAME' };
    expect((await mutate('protocolMapperUpdate', mapper, change, viewer)).userErrors[0]?.code).toBe('FORBIDDEN');
    expect((await mutate('protocolMapperUpdate', mapper, change)).protocolMapper).toMatchObject({
      ...change,
      settings,
      config,
    });
    const emptied = await mutate('protocolMapperUpdate', mapper, { id, config: [] });
    expect(emptied.protocolMapper).toMatchObject({ ...change, settings, config: [] });
    expect(await mutate('protocolMapperDelete', 'deletedId', { id })).toEqual({ deletedId: id, userErrors: [] });
    expect((await mutate('protocolMapperDelete', 'deletedId', { id })).userErrors[0]?.code).toBe('NOT_FOUND');
  });

  it('make several, or none', async () => {
    const owner = await made({ name: 'with-mappers' });
    const make = (...types: string[]) =>
      mutate('protocolMappersCreate', 'protocolMappers { name type }', {
        owner,
        protocolMappers: types.map((type, at) => ({ name: `m${at}`, type })),
      });
    expect(await make('FULL_NAME', 'USER_ADDRESS')).toEqual({
      protocolMappers: [
        { name: 'm0', type: 'FULL_NAME' },
        { name: 'm1', type: 'USER_ADDRESS' },
      ],
      userErrors: [],
    });
  });
});

describe('one client with its scopes, mappers, roles and who has them', () => {
  const query = `{ realm(name: "large") { client(clientId: "web") {
    clientId
    protocolMappers { totalCount edges { node { name type } } }
    roles { totalCount edges { node { name
      users { totalCount edges { node { username } } }
      groups { totalCount edges { node { path } } }
      effectiveUsers { totalCount edges { isDirect node { username } } } } } }
    defaultClientScopes { totalCount edges { node { name
      protocolMappers { totalCount edges { node { name client { clientId } clientScope { name } } } }
      defaultClients { totalCount edges { node { clientId } } }
      scopeRoles { totalCount edges { node { name } } }
      effectiveScopeRoles { totalCount edges { node { name } } } } } }
    optionalClientScopes { totalCount edges { node { name } } }
    scopeRoles { totalCount edges { node { name
      scopedClients { totalCount edges { node { clientId } } }
      scopedClientScopes { totalCount edges { node { name } } }
      effectiveUsers { totalCount edges { node { username } } } } } }
    effectiveScopeRoles { totalCount edges { node { name } } }
    availableScopeRoles { totalCount edges { node { name } } }
  } } }`;

  const fill = async (size: number) => {
    const names = (prefix: string) => Array.from({ length: size }, (_, at) => `${prefix}-${at}`);
    const mappers = names('mapper').map((name) => ({
      name,
      protocol: 'openid-connect',
      protocolMapper: 'oidc-hardcoded-claim-mapper',
      config: {},
    }));
    const { status } = await admin.send('POST', '/', {
      realm: 'large',
      clients: [
        { clientId: 'web', protocolMappers: mappers, defaultClientScopes: names('scope'), fullScopeAllowed: false },
        ...names('other').map((clientId) => ({ clientId, defaultClientScopes: names('scope') })),
      ],
      clientScopes: names('scope').map((name) => ({ name, protocol: 'openid-connect', protocolMappers: mappers })),
      clientScopeMappings: { web: names('role').map((role) => ({ client: 'web', roles: [role] })) },
      scopeMappings: names('scope').map((clientScope) => ({ clientScope, roles: names('realm-role') })),
      roles: {
        realm: names('realm-role').map((name) => ({ name })),
        client: { web: names('role').map((name) => ({ name })) },
      },
      groups: names('group').map((name) => ({ name, clientRoles: { web: names('role') } })),
      users: names('user').map((username) => ({ username, clientRoles: { web: names('role') } })),
    });
    expect(status).toBe(201);
  };

  it('take as many statements however many there are', async () => {
    const asked = async () => {
      await admin.graphql('{ realm(name: "large") { id } }');
      const { data, errors, extensions } = await admin.graphql<{
        realm: { client: Record<string, { totalCount: number }> };
      }>(query);
      expect(errors).toBeUndefined();
      return { client: data.realm.client, statements: extensions?.cost?.statements };
    };
    await fill(2);
    const few = await asked();
    await admin.send('DELETE', '/large');
    await fill(12);
    const many = await asked();
    expect(many.client).toMatchObject({
      protocolMappers: { totalCount: 12 },
      roles: { totalCount: 12 },
      defaultClientScopes: { totalCount: 12 },
      effectiveScopeRoles: { totalCount: 12 },
    });
    expect(JSON.stringify(many.client)).toContain('"username":"user-11"');
    expect(many.statements).toBe(few.statements);
    expect(many.statements).toBeLessThan(20);
  });
});
