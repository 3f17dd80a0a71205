import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';

const realm = 'examples';
let server: TestServer;
let admin: Caller;
let ids: Record<string, string>;

const everywhere = { 'access.token.claim': 'true', 'id.token.claim': 'true', 'userinfo.token.claim': 'true' };
let count = 0;
const mapper = (protocolMapper: string, config: object) => ({
  name: `mapper ${++count}`,
  protocol: 'openid-connect',
  protocolMapper,
  config: { ...everywhere, ...config },
});
const attribute = (claim: string, of: string, config: object = {}) =>
  mapper('oidc-usermodel-attribute-mapper', { 'claim.name': claim, 'user.attribute': of, ...config });
const fixed = (claim: string, value: string, type: string, config: object = {}) =>
  mapper('oidc-hardcoded-claim-mapper', {
    'claim.name': claim,
    'claim.value': value,
    'jsonType.label': type,
    ...config,
  });

const mappers = [
  attribute('colours', 'colour', { multivalued: 'true' }),
  attribute('colour', 'colour'),
  attribute('room', 'room'),
  attribute('all_rooms', 'room', { multivalued: 'true', 'aggregate.attrs': 'true' }),
  attribute('floors', 'floor', { multivalued: 'true' }),
  attribute('all_colours', 'colour', { multivalued: 'true', 'aggregate.attrs': 'true' }),
  attribute('age', 'age', { 'jsonType.label': 'int' }),
  attribute('settings', 'settings', { 'jsonType.label': 'JSON' }),
  attribute('login', 'username'),
  mapper('oidc-usermodel-property-mapper', { 'claim.name': 'contact.mail', 'user.attribute': 'email' }),
  mapper('oidc-usermodel-property-mapper', {
    'claim.name': 'contact.sure',
    'user.attribute': 'emailVerified',
    'jsonType.label': 'boolean',
  }),
  fixed('a\\.b.c', '7', 'long'),
  fixed('list', '["x",{"y":1}]', 'JSON'),
  fixed('broken', 'no number', 'int'),
  fixed('access_only', 'yes', 'String', { 'id.token.claim': 'false', 'userinfo.token.claim': 'false' }),
  fixed('id_only', 'yes', 'String', { 'access.token.claim': 'false', 'userinfo.token.claim': 'false' }),
  fixed('userinfo_only', 'true', 'boolean', { 'access.token.claim': 'false', 'id.token.claim': 'false' }),
  fixed('sid', '5', 'int'),
  mapper('oidc-group-membership-mapper', { 'claim.name': 'paths', 'full.path': 'true' }),
  mapper('oidc-group-membership-mapper', { 'claim.name': 'names', 'full.path': 'false' }),
  mapper('oidc-usermodel-realm-role-mapper', {
    'claim.name': 'roles',
    multivalued: 'true',
    'usermodel.realmRoleMapping.rolePrefix': 'R-',
  }),
  mapper('oidc-usermodel-client-role-mapper', {
    'claim.name': `of.\${client_id}`,
    multivalued: 'true',
    'usermodel.clientRoleMapping.rolePrefix': 'C-',
  }),
  mapper('oidc-usermodel-client-role-mapper', {
    'claim.name': 'text',
    'usermodel.clientRoleMapping.clientId': 'a.shop',
  }),
  mapper('oidc-hardcoded-role-mapper', { role: 'a.shop.guest' }),
  mapper('oidc-hardcoded-role-mapper', { role: 'extra' }),
  mapper('oidc-role-name-mapper', { role: 'clerk', 'new.role.name': 'officer' }),
  mapper('oidc-role-name-mapper', { role: 'a.shop.buyer', 'new.role.name': 'customer' }),
  mapper('oidc-audience-mapper', { 'included.client.audience': 'target' }),
  mapper('oidc-audience-mapper', { 'included.custom.audience': 'https://custom.example', 'id.token.claim': 'false' }),
  mapper('oidc-usersessionmodel-note-mapper', { 'claim.name': 'nothing', 'user.session.note': 'unknown' }),
  mapper('oidc-full-name-mapper', {}),
  mapper('oidc-address-mapper', { 'user.attribute.street': 'road' }),
];

const scopes = ['openid', 'openid address phone offline_access', 'openid microprofile-jwt special', ''];

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      passwordPolicy: 'hashIterations(1)',
      roles: {
        realm: [
          { name: 'clerk' },
          { name: 'chief', composite: true, composites: { realm: ['clerk'], client: { 'a.shop': ['seller'] } } },
        ],
        client: { 'a.shop': [{ name: 'buyer' }, { name: 'seller' }] },
      },
      groups: [
        {
          name: 'house',
          attributes: { room: ['1'], floor: ['g', 'h'], colour: ['green'] },
          subGroups: [{ name: 'wing', attributes: { room: ['12'] } }],
        },
        { name: 'annex', attributes: { room: ['90'] } },
      ],
      clients: [
        { clientId: 'a.shop', bearerOnly: true },
        { clientId: 'target', bearerOnly: true },
        { clientId: 'rich', secret: 's', webOrigins: ['https://a.example'], protocolMappers: mappers },
        { clientId: 'narrow', secret: 's', fullScopeAllowed: false, protocolMappers: mappers },
        {
          clientId: 'pairwise',
          secret: 's',
          redirectUris: ['https://sector.example/*'],
          protocolMappers: [mapper('oidc-sha256-pairwise-sub-mapper', { pairwiseSubAlgorithmSalt: 'salt' })],
        },
      ].map((client) => ({ directAccessGrantsEnabled: true, ...client })),
      users: [
        {
          username: 'ann',
          enabled: true,
          email: 'ann@example.org',
          emailVerified: true,
          firstName: 'Ann',
          lastName: 'Other',
          attributes: {
            colour: ['red', 'blue'],
            age: ['44'],
            settings: ['{"a":[1]}'],
            road: ['Main 1'],
            country: ['CH'],
          },
          credentials: [{ type: 'password', value: 'pw' }],
          groups: ['/house/wing', '/annex'],
          realmRoles: ['chief', 'offline_access'],
          clientRoles: { 'a.shop': ['buyer'] },
        },
        {
          username: 'viewer',
          enabled: true,
          credentials: [{ type: 'password', value: 'pw' }],
          clientRoles: { 'realm-management': ['view-clients'] },
        },
      ],
    },
    {},
    slowClock,
  ));
  const special = { name: 'special', protocol: 'openid-connect', protocolMappers: [fixed('special', 'on', 'String')] };
  await admin.send('POST', `/${realm}/client-scopes`, special);
  const found = async (path: string) => (await admin.send('GET', `/${realm}${path}`)).body[0].id as string;
  const scope = (await admin.send('GET', `/${realm}/client-scopes`)).body.find(
    ({ name }: { name: string }) => name === 'special',
  ).id;
  ids = { ann: await found('/users?username=ann') };
  for (const clientId of ['rich', 'narrow', 'pairwise']) {
    ids[clientId] = await found(`/clients?clientId=${clientId}`);
    await admin.send('PUT', `/${realm}/clients/${ids[clientId]}/optional-client-scopes/${scope}`);
  }
});

type Claims = Record<string, unknown>;

async function real(clientId: string, scope: string) {
  const address = `${server.url}/auth/realms/${realm}/protocol/openid-connect`;
  const response = await fetch(`${address}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: clientId,
      client_secret: 's',
      username: 'ann',
      password: 'pw',
      scope,
    }),
  });
  const tokens = (await response.json()) as { access_token: string; id_token?: string };
  const authorization = `Bearer ${tokens.access_token}`;
  const told = await fetch(`${address}/userinfo`, { headers: { authorization } });
  return {
    access: decodeJwt(tokens.access_token) as Claims,
    id: tokens.id_token === undefined ? undefined : (decodeJwt(tokens.id_token) as Claims),
    userInfo: (await told.json()) as Claims,
  };
}

const example = async (clientId: string, scope: string, kind: string): Promise<Claims> => {
  const query = new URLSearchParams({ userId: ids.ann ?? '', scope });
  const path = `/${realm}/clients/${ids[clientId]}/evaluate-scopes/generate-example-${kind}?${query}`;
  return (await admin.send('GET', path)).body;
};

/** Without what is another one each time, and what only a login has. */
const lasting = (claims: Claims | undefined): Claims => {
  const passing = ['exp', 'iat', 'jti', 'azp_id', 'sid', 'session_state', 'auth_time', 'at_hash'];
  return Object.fromEntries(Object.entries(claims ?? {}).filter(([name]) => !passing.includes(name)));
};

describe('example tokens', () => {
  const cases = ['rich', 'narrow', 'pairwise'].flatMap((client) => scopes.map((scope) => [client, scope] as const));
  it.each(cases)('are like real ones: %s, scope "%s"', async (client, scope) => {
    const issued = await real(client, scope);
    expect(lasting(await example(client, scope, 'access-token'))).toEqual(lasting(issued.access));
    expect(lasting(await example(client, scope, 'userinfo'))).toEqual(lasting(issued.userInfo));
    if (issued.id) expect(lasting(await example(client, scope, 'id-token'))).toEqual(lasting(issued.id));
  });

  it('have what the mappers say', async () => {
    const { access, id, userInfo } = await real('rich', 'openid special');
    expect(access).toMatchObject({
      colours: ['red', 'blue'],
      colour: 'red',
      room: '90',
      age: 44,
      settings: { a: [1] },
      login: 'ann',
      contact: { mail: 'ann@example.org', sure: true },
      'a.b': { c: 7 },
      list: ['x', { y: 1 }],
      access_only: 'yes',
      paths: ['/annex', '/house/wing'],
      names: ['annex', 'wing'],
      address: { street_address: 'Main 1', country: 'CH' },
      name: 'Ann Other',
      special: 'on',
      'allowed-origins': ['https://a.example'],
    });
    expect((access.all_rooms as string[]).toSorted()).toEqual(['12', '90']);
    expect(access.floors).toEqual(['g', 'h']);
    expect((access.all_colours as string[]).toSorted()).toEqual(['blue', 'green', 'red']);
    expect((access.roles as string[]).toSorted()).toEqual(
      ['R-chief', 'R-customer', 'R-extra', 'R-offline_access', 'R-officer'].toSorted(),
    );
    expect(access.of).toEqual({ 'a.shop': expect.arrayContaining(['C-seller', 'C-guest']) });
    expect(access.text).toMatch(/^\[(guest|seller), (guest|seller)\]$/);
    expect((access.aud as string[]).toSorted()).toEqual(['a.shop', 'https://custom.example', 'target']);
    expect(id).toMatchObject({ id_only: 'yes', aud: ['rich', 'target'] });
    expect(userInfo).toMatchObject({ userinfo_only: true });
    for (const claims of [access, id, userInfo]) expect(claims).not.toHaveProperty('broken');
    expect(access).not.toHaveProperty('id_only');
    // what says whose token it is stays
    expect(access.sid).toBe(access.session_state);
  });

  it('have a subject for each sector, by which the server knows the user', async () => {
    const { access, id, userInfo } = await real('pairwise', 'openid');
    expect(access.sub).not.toBe(ids.ann);
    expect([id?.sub, userInfo.sub]).toEqual([access.sub, access.sub]);
  });

  it('take the permission to see users besides', async () => {
    const viewer = await userOf(server, realm, 'viewer', 'pw');
    const path = `/${realm}/clients/${ids.rich}/evaluate-scopes`;
    const query = `?userId=${ids.ann}`;
    for (const kind of ['access-token', 'id-token', 'userinfo']) {
      expect((await viewer.send('GET', `${path}/generate-example-${kind}${query}`)).status).toBe(403);
    }
    expect((await viewer.send('GET', `${path}/protocol-mappers`)).status).toBe(200);
  });
});

describe('evaluateScopes in GraphQL', () => {
  it('is one request of few statements', async () => {
    const query = `query ($user: ID!) { realm(name: "${realm}") { client(clientId: "narrow") {
      evaluateScopes(scope: "openid special", user: $user) {
        protocolMappers { name type clientScopeName mapper { id name config { name } } } grantedRoles { name } notGrantedRoles { name } accessToken idToken userInfo } } } }`;
    const user = Buffer.from(`User:${ids.ann}`).toString('base64');
    type Data = {
      realm: {
        client: {
          evaluateScopes: Record<
            string,
            Claims & { name: string; clientScopeName: string; mapper: { name: string } | null }[]
          >;
        };
      };
    };
    const { data, extensions } = await admin.graphql<Data>(query, { user });
    const { protocolMappers, accessToken, idToken, grantedRoles, notGrantedRoles } = data.realm.client.evaluateScopes;
    expect(protocolMappers?.map(({ clientScopeName }) => clientScopeName)).toContain('special');
    expect(protocolMappers?.map(({ mapper }) => mapper?.name)).toEqual(protocolMappers?.map(({ name }) => name));
    expect(lasting(accessToken)).toEqual(lasting((await real('narrow', 'openid special')).access));
    expect(grantedRoles).toEqual([]);
    expect(notGrantedRoles).toContainEqual({ name: 'clerk' });
    expect(idToken).toMatchObject({ aud: ['narrow', 'target'] });
    expect(extensions?.cost?.statements).toBeLessThanOrEqual(30);
  });

  it('is refused for long lists of clients', async () => {
    const query = `{ realm(name: "${realm}") { clients(first: 100) { edges { node {
      evaluateScopes { protocolMappers { name } } } } } } }`;
    expect((await admin.graphql(query)).errors).toBeDefined();
  });
});
