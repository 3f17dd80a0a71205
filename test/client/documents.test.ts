import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import * as realmgate from '../../client/src/index.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const {
  AuditLog,
  Client,
  ClientCreate,
  ClientDelete,
  ClientRotateSecret,
  Clients,
  ClientUpdate,
  createClient,
  Group,
  GroupCreate,
  GroupDelete,
  GroupMove,
  GroupTree,
  GroupUpdate,
  LiveAdminEvents,
  LiveLoginEvents,
  LoginEvents,
  RealmSettings,
  Realms,
  RealmUpdate,
  RealmUpdateDryRun,
  RoleCreate,
  RoleDelete,
  Roles,
  RoleUpdate,
  SessionEnd,
  User,
  UserCreate,
  UserDelete,
  UserLogout,
  Users,
  UsersCreate,
  UsersDelete,
  UserSessions,
  UserSetPassword,
  UsersLink,
  UsersUnlink,
  UserUpdate,
  UserUpdateDryRun,
} = realmgate;

const folder = 'client/documents';
const operations = readdirSync(folder).flatMap((file) =>
  parse(readFileSync(join(folder, file), 'utf8')).definitions.flatMap((node) =>
    node.kind === 'OperationDefinition' ? [node.name?.value ?? ''] : [],
  ),
);

const name = 'screens';
let server: TestServer;
let admin: Caller;
let client: realmgate.RealmgateClient;
let realm: string;
/** names of the documents that were sent */
const sent = new Set<string>();

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const made = await admin.send('POST', '/', { realm: name, enabled: true, eventsEnabled: true });
  expect(made.status).toBe(201);
  client = createClient({
    url: `${server.url}/graphql`,
    token: admin.token,
    fetch: (url, init) => {
      sent.add(/^(?:query|mutation|subscription) (\w+)/.exec(JSON.parse(String(init?.body)).query)?.[1] ?? '');
      return fetch(url, init);
    },
  });
  const { realm: found } = await client.request(RealmSettings, { realm: name });
  realm = found?.id ?? '';
});

/** The object, which the server did create. */
function made<R>(object: R | null, userErrors: readonly unknown[]): R {
  expect(userErrors).toEqual([]);
  if (object === null) throw new Error('There is no object and no error');
  return object;
}

async function newUser(username: string) {
  const { userCreate } = await client.request(UserCreate, { input: { realm, username, isEnabled: true } });
  return made(userCreate.user, userCreate.userErrors);
}

async function newGroup(title: string, parent = realm) {
  const { groupCreate } = await client.request(GroupCreate, { input: { parent, name: title } });
  return made(groupCreate.group, groupCreate.userErrors);
}

async function newRole(title: string) {
  const { roleCreate } = await client.request(RoleCreate, { input: { container: realm, name: title } });
  return made(roleCreate.role, roleCreate.userErrors);
}

async function userOf(id: string) {
  const { node } = await client.request(User, { id });
  return node?.__typename === 'User' ? node : undefined;
}

describe('the documents of the client', () => {
  it('list, show, create, change, and delete users', async () => {
    const users = Array.from({ length: 3 }, (_, at) => ({ username: `ann-${at}`, isEnabled: at > 0 }));
    const { usersCreate } = await client.request(UsersCreate, { input: { realm, users } });
    expect(usersCreate.userErrors).toEqual([]);
    const filter: realmgate.UserFilter = { username: { startsWith: 'ann-' }, isEnabled: true };
    const first = await client.request(Users, { realm: name, filter, first: 1, orderBy: { field: 'USERNAME' } });
    const page = first.realm?.users;
    expect(page).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } });
    expectTypeOf(page?.edges[0]?.node.createdAt).toEqualTypeOf<string | null | undefined>();
    const next = await client.request(Users, {
      realm: name,
      filter,
      orderBy: { field: 'USERNAME' },
      after: page?.pageInfo.endCursor,
    });
    expect(next.realm?.users?.edges.map(({ node }) => node.username)).toEqual(['ann-2']);

    const { id, version } = await newUser('bob');
    const input = { id, expectedVersion: version, firstName: 'Bob', setAttributes: [{ name: 'badge', values: ['7'] }] };
    const { userUpdate: tried } = await client.request(UserUpdateDryRun, { input });
    expect(tried.changes).toContainEqual({ path: ['firstName'], before: null, after: '"Bob"' });
    expect((await userOf(id))?.firstName).toBeNull();
    const { userUpdate } = await client.request(UserUpdate, { input });
    expect(userUpdate).toMatchObject({ user: { firstName: 'Bob', version: version + 1 }, userErrors: [] });
    expect(userUpdate.changes).toEqual(tried.changes);
    const password = { id, value: 'right', isTemporary: false };
    expect((await client.request(UserSetPassword, { input: password })).userSetPassword.userErrors).toEqual([]);
    expect(await userOf(id)).toMatchObject({
      attributes: [{ name: 'badge', values: ['7'] }],
      credentials: [{ type: 'password' }],
    });

    const { userDelete } = await client.request(UserDelete, { input: { id } });
    expect(userDelete).toEqual({ deletedId: id, userErrors: [] });
    const ids = (usersCreate.users ?? []).map((user) => user.id);
    const { usersDelete } = await client.request(UsersDelete, { input: { realm, ids } });
    expect(usersDelete.deletedIds?.toSorted()).toEqual(ids.toSorted());
    expect(await userOf(id)).toBeUndefined();
  });

  it('add users to groups and roles together, and remove them', async () => {
    const users = [(await newUser('cleo')).id, (await newUser('dora')).id];
    const groups = [(await newGroup('linked')).id];
    const roles = [(await newRole('linked')).id];
    const links = { groups: { realm, users, groups }, roles: { realm, users, roles } };
    const faultless = [[], []];
    const linked = await client.request(UsersLink, links);
    expect(Object.values(linked).map(({ userErrors }) => userErrors)).toEqual(faultless);
    expect(await userOf(users[0] ?? '')).toMatchObject({ groups: { totalCount: 1 }, directRoles: { totalCount: 2 } });
    const unlinked = await client.request(UsersUnlink, links);
    expect(Object.values(unlinked).map(({ userErrors }) => userErrors)).toEqual(faultless);
    expect(await userOf(users[1] ?? '')).toMatchObject({ groups: { totalCount: 0 }, directRoles: { totalCount: 1 } });
  });

  it('show the tree of groups, and move a group', async () => {
    const one = await newGroup('one');
    const two = await newGroup('two', one.id);
    const { groupUpdate } = await client.request(GroupUpdate, { input: { id: two.id, name: 'second' } });
    expect(groupUpdate.group?.path).toBe('/one/second');
    const paths = async () => {
      const tree = await client.request(GroupTree, { realm: name, filter: { path: { contains: 'second' } } });
      return tree.realm?.groups?.edges.map(({ node }) => [node.path, node.depth, node.memberCount]);
    };
    expect(await paths()).toEqual([['/one/second', 1, 0]]);
    const { groupMove } = await client.request(GroupMove, { input: { id: two.id, parent: realm } });
    expect(groupMove.userErrors).toEqual([]);
    expect(groupMove.changes).toContainEqual({ path: ['path'], before: '"/one/second"', after: '"/second"' });
    expect(await paths()).toEqual([['/second', 0, 0]]);
    const { node } = await client.request(Group, { id: two.id });
    expect(node).toMatchObject({ path: '/second', members: { totalCount: 0 } });
    const { groupDelete } = await client.request(GroupDelete, { input: { id: one.id } });
    expect(groupDelete.deletedId).toBe(one.id);
  });

  it('list and edit clients', async () => {
    const input: realmgate.ClientCreateInput = {
      realm,
      clientId: 'shop',
      isEnabled: true,
      redirectUris: ['https://a/*'],
    };
    const { clientCreate } = await client.request(ClientCreate, { input });
    const { id } = made(clientCreate.client, clientCreate.userErrors);
    const { realm: listed } = await client.request(Clients, { realm: name, filter: { search: 'shop' } });
    expect(listed?.clients?.edges.map(({ node }) => node.clientId)).toEqual(['shop']);
    const { clientUpdate } = await client.request(ClientUpdate, {
      input: { id, addRedirectUris: ['https://b/*'], authorizationRequests: { pkceMethod: 'S256' } },
    });
    expect(clientUpdate.userErrors).toEqual([]);
    expect(clientUpdate.changes?.length).toBe(2);
    const { realm: shown } = await client.request(Client, { realm: name, clientId: 'shop' });
    expect(shown?.client?.redirectUris.toSorted()).toEqual(['https://a/*', 'https://b/*']);
    expect(shown?.client?.authorizationRequests.pkceMethod).toBe('S256');
    const { clientRotateSecret } = await client.request(ClientRotateSecret, { input: { id, gracePeriod: 60 } });
    expect(clientRotateSecret).toMatchObject({ secret: expect.any(String), userErrors: [] });
    expect((await client.request(ClientDelete, { input: { id } })).clientDelete.deletedId).toBe(id);
  });

  it('list and edit roles', async () => {
    const { id } = await newRole('auditor');
    const { roleUpdate } = await client.request(RoleUpdate, { input: { id, description: 'Reads reports' } });
    expect(roleUpdate.role?.description).toBe('Reads reports');
    const { realm: listed } = await client.request(Roles, { realm: name, filter: { name: { equals: 'auditor' } } });
    expect(listed?.roles?.edges.map(({ node }) => node.description)).toEqual(['Reads reports']);
    expect((await client.request(RoleDelete, { input: { id } })).roleDelete.deletedId).toBe(id);
  });

  it('show the changes of the settings of a realm, and then save them', async () => {
    const { realms } = await client.request(Realms);
    expect(realms?.edges.map(({ node }) => node.name)).toContain(name);
    const input: realmgate.RealmUpdateInput = {
      id: realm,
      tokens: { accessTokenLifespan: 90 },
      events: { isAdminDetailsEnabled: true },
    };
    const { realmUpdate: tried } = await client.request(RealmUpdateDryRun, { input });
    expect(tried.changes).toContainEqual({ path: ['tokens', 'accessTokenLifespan'], before: '300', after: '90' });
    const { realmUpdate } = await client.request(RealmUpdate, { input });
    expect(realmUpdate.changes).toEqual(tried.changes);
    expect(realmUpdate.realm?.tokens?.accessTokenLifespan).toBe(90);
  });

  it('list sessions and events, and follow events', async () => {
    const { id } = await newUser('eve');
    await client.request(UserSetPassword, { input: { id, value: 'right', isTemporary: false } });
    const messages = client.subscribe(LiveAdminEvents, { realm });
    const logins = client.subscribe(LiveLoginEvents, { realm });
    const begun = [await messages.next(), await logins.next()];
    expect(begun).toMatchObject([
      { value: { adminEvents: { event: null } } },
      { value: { loginEvents: { event: null } } },
    ]);
    await login(server, name, 'eve', 'right');
    await newRole('seen');
    expect(await messages.next()).toMatchObject({
      value: { adminEvents: { event: { resourcePath: 'roles/seen', actor: { username: 'admin' } } } },
    });
    expect(await logins.next()).toMatchObject({
      value: { loginEvents: { event: { type: 'LOGIN', user: { username: 'eve' } } } },
    });
    await Promise.all([messages.return(), logins.return()]);

    const { adminEvents } = await client.request(AuditLog, { realms: [realm], first: 1 });
    expect(adminEvents?.edges[0]?.node).toMatchObject({ resourcePath: 'roles/seen', realm: { name } });
    const { loginEvents } = await client.request(LoginEvents, { filter: { types: ['LOGIN'], user: id } });
    expect(loginEvents?.edges.map(({ node }) => node.user?.username)).toEqual(['eve']);

    const sessions = async () => {
      const { node } = await client.request(UserSessions, { user: id });
      return node?.__typename === 'User' ? node.sessions?.edges.map((edge) => edge.node.id) : undefined;
    };
    const [session = ''] = (await sessions()) ?? [];
    expect((await client.request(SessionEnd, { input: { id: session } })).userSessionEnd.userErrors).toEqual([]);
    expect(await sessions()).toEqual([]);
    expect((await client.request(UserLogout, { input: { id } })).userLogout.userErrors).toEqual([]);
  });

  it('are all sent to a server by these tests', () => {
    expect([...sent].sort()).toEqual(operations.toSorted());
  });
});
