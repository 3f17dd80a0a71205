// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { permitUser } from './permit.js';

// Lists below something that the caller may see: of what is in them, only what it may see itself is told, and counted.
const realm = 'lists';
let server: TestServer;
let admin: Caller;
const ids: Record<string, string> = {};
const nodeId = (typename: string, id = '') => btoa(`${typename}:${id}`);

const helper = (username: string, roles: string[]) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'pw' }],
  clientRoles: { 'realm-management': roles },
});
const person = (username: string) => ({ username, enabled: true, groups: ['/team', '/others'], realmRoles: ['clerk'] });
const as = (username: string) => userOf(server, realm, username, 'pw');
const serverPath = () => `/${realm}/clients/${ids['realm-management']}/authz/resource-server`;

const permit = (path: string, username: string, ...scopes: string[]) => {
  const management = path === '/users' ? '/users-management-permissions' : `${path}/management/permissions`;
  return permitUser({ admin, realm, administration: ids['realm-management'] }, management, username, scopes);
};

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const made = await admin.send('POST', '/', {
    realm,
    enabled: true,
    roles: { realm: [{ name: 'clerk' }, { name: 'chief' }] },
    groups: [{ name: 'team' }, { name: 'others', realmRoles: ['clerk'] }],
    clients: [
      { clientId: 'shop', secret: 'shop-secret', fullScopeAllowed: false },
      { clientId: 'bank', secret: 'bank-secret' },
      {
        clientId: 'sealed',
        protocol: 'saml',
        attributes: { 'saml.client.signature': 'true', 'saml.signing.private.key': 'c2VjcmV0' },
      },
    ],
    users: [
      helper('keeper', ['query-users', 'query-groups', 'view-realm']),
      helper('viewer', ['query-clients', 'query-groups']),
      helper('owner', ['query-clients']),
      helper('mover', ['query-users', 'query-groups']),
      person('ann'),
      { username: 'zoe', enabled: true },
      { username: 'bob', enabled: true, groups: ['/others'], realmRoles: ['clerk'] },
    ],
  });
  expect(made.status).toBe(201);
  for (const { id, username } of (await admin.send('GET', `/${realm}/users`)).body) ids[username] = id;
  for (const { id, name } of (await admin.send('GET', `/${realm}/groups`)).body) ids[name] = id;
  for (const { id, clientId } of (await admin.send('GET', `/${realm}/clients`)).body) ids[clientId] = id;
  for (const { id, name } of (await admin.send('GET', `/${realm}/roles`)).body) ids[name] = id;
  await admin.send('PUT', `/${realm}/users-management-permissions`, { enabled: true });
  for (const name of ['keeper', 'viewer', 'owner', 'mover']) {
    const policy = { name: `is ${name}`, users: [ids[name]], logic: 'POSITIVE' };
    expect((await admin.send('POST', `${serverPath()}/policy/user`, policy)).status).toBe(201);
  }
  await permit(`/groups/${ids.team}`, 'keeper', 'view', 'view-members');
  await permit('/users', 'mover', 'manage-group-membership');
  await permit(`/groups/${ids.others}`, 'mover', 'view', 'manage-membership');
  await permit(`/clients/${ids.shop}`, 'viewer', 'view');
  await permit(`/clients/${ids.sealed}`, 'owner', 'configure');
  await permit(`/clients/${ids.bank}`, 'owner', 'view', 'manage');
  await permit(`/roles-by-id/${ids.clerk}`, 'owner', 'map-role-client-scope');
});

describe('an administrator of some things sees', () => {
  it('of the holders of a role those, and of their groups those, in as many statements whatever there is', async () => {
    const keeper = await as('keeper');
    const query = `{ node(id: "${nodeId('Role', ids.clerk)}") { ... on Role { effectiveUsers { totalCount
      edges { isDirect node { username groups { totalCount edges { node { name } } } } } } } } }`;
    await keeper.graphql(query);
    const few = await keeper.graphql<{ node: { effectiveUsers: { totalCount: number; edges: object[] } } }>(query);
    expect(few.errors).toBeUndefined();
    const team = { totalCount: 1, edges: [{ node: { name: 'team' } }] };
    expect(few.data.node.effectiveUsers).toEqual({
      totalCount: 1,
      edges: [{ isDirect: true, node: { username: 'ann', groups: team } }],
    });
    for (const name of ['cid', 'dan', 'eve']) await admin.send('POST', `/${realm}/users`, person(name));
    const many = await keeper.graphql<typeof few.data>(query);
    expect(many.data.node.effectiveUsers.totalCount).toBe(4);
    expect(many.extensions?.cost?.statements).toBe(few.extensions?.cost?.statements);
    const all = await admin.graphql<typeof few.data>(query);
    expect(all.data.node.effectiveUsers.totalCount).toBe(5);
    expect(all.data.node.effectiveUsers.edges[0]).toMatchObject({ node: { groups: { totalCount: 2 } } });
  });

  it('of the clients of a client scope those, in as many statements whatever there is', async () => {
    const viewer = await as('viewer');
    const query = `{ realm(name: "${realm}") { clients { totalCount edges { node { clientId defaultClientScopes {
      edges { node { name defaultClients { totalCount edges { node { clientId } } } } } } } } } } }`;
    interface Scope {
      node: { name: string; defaultClients: object };
    }
    interface Seen {
      realm: { clients: { totalCount: number; edges: { node: { defaultClientScopes: { edges: Scope[] } } }[] } };
    }
    await viewer.graphql<Seen>(query);
    const few = await viewer.graphql<Seen>(query);
    expect(few.errors).toBeUndefined();
    const scopes = few.data.realm.clients.edges[0]?.node.defaultClientScopes.edges;
    expect(scopes?.find(({ node }) => node.name === 'profile')?.node.defaultClients).toEqual({
      totalCount: 1,
      edges: [{ node: { clientId: 'shop' } }],
    });
    for (const clientId of ['one', 'two']) {
      const { headers } = await admin.send('POST', `/${realm}/clients`, { clientId });
      await permit(`/clients/${headers.get('location')?.split('/').at(-1)}`, 'viewer', 'view');
    }
    await viewer.graphql<Seen>(query);
    const many = await viewer.graphql<Seen>(query);
    expect(many.data.realm.clients.totalCount).toBe(3);
    expect(many.extensions?.cost?.statements).toBe(few.extensions?.cost?.statements);
  });
});

describe('private keys of a client', () => {
  const key = (caller: Caller, id = ids.sealed) =>
    caller.send('GET', `/${realm}/clients/${id}/certificates/saml.signing`);

  it('are for whoever may configure it', async () => {
    const owner = await as('owner');
    expect((await key(owner)).body.privateKey).toBe('c2VjcmV0');
    const installation = `/${realm}/clients/${ids.sealed}/installation/providers/keycloak-saml`;
    expect((await owner.send('GET', installation)).body).toContain('c2VjcmV0');
    const { data, errors } = await owner.graphql<{ node: object }>(
      `{ node(id: "${nodeId('Client', ids.bank)}") { ... on Client { secret installation(format: KEYCLOAK_OIDC_KEYCLOAK_JSON) { text } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.node).toMatchObject({ secret: 'bank-secret' });
  });

  it('are not for whoever may only see it', async () => {
    await permit(`/clients/${ids.sealed}`, 'viewer', 'view');
    const viewer = await as('viewer');
    const { status, body } = await key(viewer);
    expect([status, body.privateKey]).toEqual([200, undefined]);
    const installation = `/${realm}/clients/${ids.sealed}/installation/providers/keycloak-saml`;
    const told = await viewer.send('GET', installation);
    expect(told.status).toBe(200);
    expect(told.body).not.toContain('c2VjcmV0');
  });
});

describe('the permission map-role-client-scope', () => {
  it('lets put the role, and no other, into the scope of a client that one manages', async () => {
    const owner = await as('owner');
    const scope = `/${realm}/clients/${ids.bank}/scope-mappings/realm`;
    const clerk = [{ id: ids.clerk, name: 'clerk' }];
    expect((await owner.send('POST', scope, [{ id: ids.chief, name: 'chief' }])).status).toBe(403);
    expect((await admin.send('GET', scope)).body).toEqual([]);
    expect((await owner.send('POST', scope, clerk)).status).toBe(204);
    expect((await admin.send('GET', scope)).body).toMatchObject([{ name: 'clerk' }]);
    // neither with the permission about the role alone
    const elsewhere = `/${realm}/clients/${ids.sealed}/scope-mappings/realm`;
    expect((await owner.send('POST', elsewhere, clerk)).status).toBe(403);
  });
});

describe('an administrator of memberships sees', () => {
  it('nothing of users whose memberships it may change but whom it may not view', async () => {
    const mover = await as('mover');
    const input = { id: nodeId('Group', ids.others), users: [nodeId('User', ids.zoe)] };
    const { data, errors } = await mover.graphql(
      `mutation ($input: GroupAddMembersInput!) @dryRun { groupAddMembers(input: $input) {
        group { name } users { username attributes { name } } userErrors { code } adminEvents { operation } } }`,
      { input },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      groupAddMembers: {
        group: { name: 'others' },
        users: [],
        userErrors: [],
        adminEvents: [{ operation: 'user.joinGroupsMany' }],
      },
    });
  });

  it('not whether a group has members whom it may not view', async () => {
    const groups = async (caller: Caller, hasMembers: boolean) => {
      const query = `{ realm(name: "${realm}") { groups(filter: { hasMembers: ${hasMembers} }) {
        totalCount edges { node { name } } } } }`;
      const { data, errors } = await caller.graphql<{ realm: { groups: object } }>(query);
      expect(errors).toBeUndefined();
      return data.realm.groups;
    };
    const mover = await as('mover');
    for (const hasMembers of [true, false]) {
      expect(await groups(mover, hasMembers)).toEqual({ totalCount: 0, edges: [] });
    }
    expect(await groups(await as('keeper'), true)).toEqual({ totalCount: 1, edges: [{ node: { name: 'team' } }] });
    expect(await groups(admin, true)).toMatchObject({ totalCount: 2 });
  });
});
