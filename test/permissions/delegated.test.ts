// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

// Administrators without any role for it, with management permissions about single things: REST and GraphQL show them the
// same, and let them do what the permission is for and nothing beside.
const realm = 'delegated';
let server: TestServer;
let admin: Caller;
let serverPath: string;
const ids: Record<string, string> = {};
const policies: Record<string, string> = {};
const nodeId = (typename: string, id = '') => btoa(`${typename}:${id}`);

const queries = ['query-users', 'query-groups', 'query-clients'];
const helpers = ['members', 'joiner', 'keeper', 'configurer', 'granter', 'actor', 'nothing'];
const user = (username: string, more: object = {}) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'pw' }],
  ...more,
});

/** Switches the permissions of something on and lets the policies decide about some of their scopes. */
async function permit(path: string, scopes: Record<string, string[]>): Promise<void> {
  const { status, body } = await admin.send('PUT', `/${realm}${path}`, { enabled: true });
  expect(status).toBe(200);
  for (const [scope, names] of Object.entries(scopes)) {
    const at = `${serverPath}/permission/scope/${body.scopePermissions[scope]}`;
    const known = (await admin.send('GET', at)).body;
    const changed = { ...known, decisionStrategy: 'AFFIRMATIVE', policies: names.map((name) => policies[name]) };
    expect((await admin.send('PUT', at, changed)).status).toBe(201);
  }
}

const created = async (path: string, body: object): Promise<string> => {
  const { status, headers } = await admin.send('POST', `/${realm}${path}`, body);
  expect([path, status]).toEqual([path, 201]);
  return headers.get('location')?.split('/').at(-1) ?? '';
};
const as = (username: string) => userOf(server, realm, username, 'pw');

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const made = await admin.send('POST', '/', {
    realm,
    enabled: true,
    adminEventsEnabled: true,
    roles: { realm: [{ name: 'clerk' }, { name: 'chief' }] },
    groups: [{ name: 'team', subGroups: [{ name: 'night' }] }, { name: 'others' }],
    clients: [
      { clientId: 'shop', secret: 'shop-secret', fullScopeAllowed: false },
      { clientId: 'bank', secret: 'bank-secret' },
    ],
    users: [
      ...helpers.map((name) => user(name, { clientRoles: { 'realm-management': queries } })),
      user('ann', { groups: ['/team'] }),
      user('nick', { groups: ['/team/night'] }),
      user('bob', { groups: ['/others'] }),
      user('vip', { groups: ['/others'] }),
    ],
  });
  expect(made.status).toBe(201);
  for (const { id, username } of (await admin.send('GET', `/${realm}/users`)).body) ids[username] = id;
  const [team] = (await admin.send('GET', `/${realm}/groups?search=team`)).body;
  ids.team = team.id;
  ids.others = (await admin.send('GET', `/${realm}/groups?search=others`)).body[0].id;
  for (const name of ['shop', 'bank', 'realm-management'])
    ids[name] = (await admin.send('GET', `/${realm}/clients?clientId=${name}`)).body[0].id;
  for (const name of ['clerk', 'chief']) ids[name] = (await admin.send('GET', `/${realm}/roles/${name}`)).body.id;
  for (const name of ['seller', 'buyer']) await created(`/clients/${ids.shop}/roles`, { name });
  ids.seller = (await admin.send('GET', `/${realm}/clients/${ids.shop}/roles/seller`)).body.id;
  serverPath = `/${realm}/clients/${ids['realm-management']}/authz/resource-server`;
  await admin.send('PUT', `/${realm}/users-management-permissions`, { enabled: true });
  for (const name of [...helpers, 'ann', 'bob']) {
    const policy = { name: `is ${name}`, users: [ids[name]], logic: 'POSITIVE' };
    policies[name] = (await admin.send('POST', `${serverPath}/policy/user`, policy)).body.id;
  }
  await permit(`/groups/${ids.team}/management/permissions`, {
    view: ['members', 'joiner'],
    'view-members': ['members'],
    'manage-members': ['keeper'],
    'manage-membership': ['joiner'],
  });
  await permit(`/clients/${ids.shop}/management/permissions`, {
    configure: ['configurer'],
    'map-roles': ['granter'],
    'map-roles-composite': ['configurer'],
  });
  await permit(`/roles-by-id/${ids.clerk}/management/permissions`, { 'map-role': ['granter'] });
  await permit('/users-management-permissions', {
    view: ['joiner', 'granter'],
    'manage-group-membership': ['joiner'],
    'map-roles': ['granter'],
    impersonate: ['actor'],
    'user-impersonated': ['ann', 'bob'],
  });
});

interface Names {
  edges: { node: { name: string } }[];
  totalCount: number;
}
const namesOf = ({ edges }: Names) => edges.map(({ node }) => node.name).toSorted();

describe('what REST and GraphQL show to', () => {
  it.each(helpers)('%s is the same', async (username) => {
    const caller = await as(username);
    const rest = async (path: string, name: string) =>
      (await caller.send('GET', `/${realm}${path}`)).body.map((one: Record<string, string>) => one[name]).toSorted();
    const connection = (name: string) => `{ totalCount edges { node { name: ${name} } } }`;
    const { data, errors } = await caller.graphql<{ realm: Record<string, Names> }>(`{ realm(name: "${realm}") {
      users ${connection('username')} clients ${connection('clientId')} groups(filter: { isTopLevel: true }) ${connection('name')}
    } }`);
    expect(errors).toBeUndefined();
    const { users, clients, groups } = data.realm as { users: Names; clients: Names; groups: Names };
    expect(namesOf(users)).toEqual(await rest('/users', 'username'));
    expect(users.totalCount).toBe((await caller.send('GET', `/${realm}/users/count`)).body);
    expect(namesOf(clients)).toEqual(await rest('/clients', 'clientId'));
    // the list of REST has the names of all groups, and what is in them only one by one
    const visible = await Promise.all(
      ['others', 'team'].map(async (name) => {
        const { status } = await caller.send('GET', `/${realm}/groups/${ids[name]}`);
        return status === 200 ? [name] : [];
      }),
    );
    expect(namesOf(groups)).toEqual(visible.flat());
    const things = [
      ...['ann', 'nick', 'bob'].map((name) => ['User', `users/${ids[name]}`, ids[name]]),
      ...['team', 'others'].map((name) => ['Group', `groups/${ids[name]}`, ids[name]]),
      ...['shop', 'bank'].map((name) => ['Client', `clients/${ids[name]}`, ids[name]]),
      ['Role', `roles-by-id/${ids.seller}`, ids.seller],
      ['Role', `roles-by-id/${ids.clerk}`, ids.clerk],
    ] as const;
    for (const [type = '', path, id] of things) {
      const { status } = await caller.send('GET', `/${realm}/${path}`);
      const { data: found } = await caller.graphql<{ node: object | null }>(
        `{ node(id: "${nodeId(type, id)}") { id } }`,
      );
      expect([path, found.node !== null]).toEqual([path, status === 200]);
    }
  });

  it('an administrator of one group are its members, with what may be done with each', async () => {
    const caller = await as('keeper');
    const { data, errors } = await caller.graphql<{ realm: { users: { edges: { node: object }[] } } }>(
      `{ realm(name: "${realm}") { user(username: "ann") { username viewerCan { update { isAllowed } } credentials { type } } other: user(username: "bob") { id }
        users { edges { node { username viewerCan { update { isAllowed } } } } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.realm).toEqual({
      user: { username: 'ann', viewerCan: { update: { isAllowed: true } }, credentials: [{ type: 'password' }] },
      other: null,
      users: { edges: [{ node: { username: 'ann', viewerCan: { update: { isAllowed: true } } } }] },
    });
  });

  it('an administrator who sees one group are its members, and of others nothing', async () => {
    const caller = await as('members');
    const members = (id: string | undefined) =>
      `{ node(id: "${nodeId('Group', id)}") { ... on Group { name parent { name } members { totalCount edges { node { username } } } } } }`;
    const { data, errors } = await caller.graphql(members(ids.team));
    expect(errors).toBeUndefined();
    const edges = [{ node: { username: 'ann' } }];
    expect(data).toEqual({ node: { name: 'team', parent: null, members: { totalCount: 1, edges } } });
    expect((await caller.graphql(members(ids.others))).data).toEqual({ node: null });
  });

  it('an administrator of one client, in as many statements whatever there is', async () => {
    const caller = await as('configurer');
    const query = `{ realm(name: "${realm}") { clients { totalCount edges { node { clientId roles { edges { node { name } } } managementPermission { resourceId } } } }
      bank: client(clientId: "bank") { id } } }`;
    await caller.graphql(query);
    const few = await caller.graphql<{ realm: { clients: { totalCount: number } } }>(query);
    expect(few.errors).toBeUndefined();
    expect(few.data.realm).toMatchObject({ bank: null, clients: { totalCount: 1 } });
    for (const name of ['one', 'two', 'three']) {
      const id = await created('/clients', { clientId: name });
      await permit(`/clients/${id}/management/permissions`, { view: ['configurer'] });
    }
    expect((await caller.graphql<typeof few.data>(query)).data.realm.clients.totalCount).toBe(4);
    const many = await caller.graphql<typeof few.data>(query);
    expect(many.extensions?.cost?.statements).toBe(few.extensions?.cost?.statements);
  });
});

it('what belongs to a user, a client or a client scope is found by its id with that', async () => {
  const mapper = { name: 'm', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper' };
  const scopes = (await admin.send('GET', `/${realm}/client-scopes`)).body as { name: string; id: string }[];
  const email = scopes.find(({ name }) => name === 'email')?.id;
  const idAt = async (path: string) => (await admin.send('GET', `/${realm}${path}`)).body[0].id as string;
  const nodes = [
    nodeId('ProtocolMapper', await created(`/clients/${ids.shop}/protocol-mappers/models`, mapper)),
    nodeId('ProtocolMapper', await created(`/clients/${ids.bank}/protocol-mappers/models`, mapper)),
    nodeId('ProtocolMapper', await idAt(`/client-scopes/${email}/protocol-mappers/models`)),
    nodeId('Credential', await idAt(`/users/${ids.actor}/credentials`)),
  ];
  const found = async (username: string) => {
    const { data, errors } = await (await as(username)).graphql<{ nodes: (object | null)[] }>(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids: nodes },
    );
    expect(errors).toBeUndefined();
    return data.nodes.map((node) => node !== null);
  };
  expect(await found('configurer')).toEqual([true, false, false, false]);
  expect(await found('keeper')).toEqual([false, false, false, false]);
  await admin.send('PUT', `/${realm}/users/${ids.actor}/groups/${ids.team}`);
  expect(await found('keeper')).toEqual([false, false, false, true]);
  expect((await admin.send('DELETE', `/${realm}/users/${ids.actor}/groups/${ids.team}`)).status).toBe(204);
});

describe('a permission to', () => {
  const status = async (caller: Caller, method: string, path: string, body?: unknown) =>
    (await caller.send(method, `/${realm}${path}`, body)).status;

  it('configure a client lets change it, but neither its scope nor delete it', async () => {
    const caller = await as('configurer');
    expect(await status(caller, 'PUT', `/clients/${ids.shop}`, { name: 'Shop' })).toBe(204);
    expect(await status(caller, 'PUT', `/clients/${ids.shop}`, { fullScopeAllowed: true })).toBe(403);
    // with it come the client scopes of new clients
    expect(await status(caller, 'PUT', `/clients/${ids.shop}`, { protocol: 'saml' })).toBe(403);
    expect(await status(caller, 'POST', `/clients/${ids.shop}/client-secret`)).toBe(200);
    expect(await status(caller, 'POST', `/clients/${ids.shop}/roles`, { name: 'clerk' })).toBe(201);
    expect(await status(caller, 'DELETE', `/clients/${ids.shop}`)).toBe(403);
    expect(await status(caller, 'PUT', `/clients/${ids.bank}`, { name: 'Bank' })).toBe(403);
    const { access } = (await caller.send('GET', `/${realm}/clients/${ids.shop}`)).body;
    expect(access).toEqual({ view: true, configure: true, manage: false });
    const input = (id: string | undefined) => `{ id: "${nodeId('Client', id)}", name: "Graph" }`;
    const { data } = await caller.graphql(
      `mutation { own: clientUpdate(input: ${input(ids.shop)}) { client { name } userErrors { code } }
        other: clientUpdate(input: ${input(ids.bank)}) { client { name } userErrors { code } } }`,
    );
    expect(data).toEqual({
      own: { client: { name: 'Graph' }, userErrors: [] },
      other: { client: null, userErrors: [{ code: 'NOT_FOUND' }] },
    });
  });

  it('use the roles of a client in composites is about these', async () => {
    const caller = await as('configurer');
    const composites = `/clients/${ids.shop}/roles/buyer/composites`;
    expect(await status(caller, 'POST', composites, [{ id: ids.seller, name: 'seller' }])).toBe(204);
    expect(await status(caller, 'POST', composites, [{ id: ids.chief, name: 'chief' }])).toBe(403);
    const { body: manager } = await admin.send('GET', `/${realm}/clients/${ids['realm-management']}/roles/realm-admin`);
    expect(await status(caller, 'POST', composites, [manager])).toBe(403);
  });

  it('hand out roles is about the role, or all of its client', async () => {
    const caller = await as('granter');
    const mappings = `/users/${ids.bob}/role-mappings`;
    expect(await status(caller, 'POST', `${mappings}/realm`, [{ id: ids.clerk, name: 'clerk' }])).toBe(204);
    expect(await status(caller, 'POST', `${mappings}/realm`, [{ id: ids.chief, name: 'chief' }])).toBe(403);
    const seller = [{ id: ids.seller, name: 'seller' }];
    expect(await status(caller, 'POST', `${mappings}/clients/${ids.shop}`, seller)).toBe(204);
    expect(await status(caller, 'PUT', `/users/${ids.bob}`, { firstName: 'B' })).toBe(403);
    const { body } = await caller.send('GET', `/${realm}/users/${ids.ann}/role-mappings/realm/available`);
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['clerk']);
    const { body: manager } = await admin.send('GET', `/${realm}/clients/${ids['realm-management']}/roles/realm-admin`);
    const administration = `${mappings}/clients/${ids['realm-management']}`;
    expect(await status(caller, 'POST', administration, [manager])).toBe(403);
  });

  it('choose members takes the permission about the user and the one about the group', async () => {
    const caller = await as('joiner');
    expect(await status(caller, 'PUT', `/users/${ids.bob}/groups/${ids.team}`)).toBe(204);
    expect(await status(caller, 'DELETE', `/users/${ids.bob}/groups/${ids.team}`)).toBe(204);
    expect(await status(caller, 'DELETE', `/users/${ids.bob}/groups/${ids.others}`)).toBe(403);
    // manages the members, but not who they are
    const keeper = await as('keeper');
    expect(await status(keeper, 'PUT', `/users/${ids.ann}`, { firstName: 'Ann' })).toBe(204);
    expect(await status(keeper, 'PUT', `/users/${ids.nick}`, { firstName: 'Nick' })).toBe(204);
    expect(await status(keeper, 'PUT', `/users/${ids.ann}/groups/${ids.others}`)).toBe(403);
    expect(await status(keeper, 'PUT', `/users/${ids.bob}`, { firstName: 'Bob' })).toBe(403);
  });

  it('impersonate is bound by what is said of the user, whoever asks', async () => {
    const caller = await as('actor');
    expect(await status(caller, 'POST', `/users/${ids.bob}/impersonation`)).toBe(200);
    const again = await as('actor');
    expect(await status(again, 'POST', `/users/${ids.vip}/impersonation`)).toBe(403);
    expect(await status(admin, 'POST', `/users/${ids.vip}/impersonation`)).toBe(403);
    const can = 'viewerCan { impersonate { isAllowed reason } }';
    const { data } = await admin.graphql(
      `{ bob: node(id: "${nodeId('User', ids.bob)}") { ... on User { ${can} } } vip: node(id: "${nodeId('User', ids.vip)}") { ... on User { ${can} } } }`,
    );
    expect(data).toEqual({
      bob: { viewerCan: { impersonate: { isAllowed: true, reason: null } } },
      vip: { viewerCan: { impersonate: { isAllowed: false, reason: 'REFUSED_BY_POLICY' } } },
    });
    expect(await status(await as('nothing'), 'POST', `/users/${ids.bob}/impersonation`)).toBe(403);
  });
});
