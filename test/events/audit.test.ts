// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Subscription, subscribe } from './sse.js';

let server: TestServer;
let admin: Caller;

interface AuditEvent {
  id: string;
  operation: string;
  operationType: string;
  resourceType: string;
  resourceId: string | null;
  resource: { __typename: string; id: string; username?: string; name?: string } | null;
  actor: { username: string } | null;
  actorId: string;
  actorRealm: { name: string } | null;
  client: { clientId: string } | null;
  clientId: string;
  before: string | null;
  after: string | null;
  changes: { path: string[]; before: string | null; after: string | null }[] | null;
}

const fields = `id operation operationType resourceType resourceId actorId clientId before after
  resource { __typename id ... on User { username } ... on Role { name } ... on Group { name } }
  actor { username } actorRealm { name } client { clientId } changes { path before after }`;

async function makeRealm(realm: string): Promise<string> {
  const user = (username: string, roles: string[]) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'right' }],
    clientRoles: { 'realm-management': roles },
  });
  const users = [
    user('whole', ['realm-admin']),
    user('viewer', ['view-events']),
    user('observer', ['view-events', 'view-users', 'view-clients']),
    user('helper', ['view-users', 'manage-users']),
  ];
  const settings = { eventsEnabled: true, adminEventsEnabled: true, adminEventsDetailsEnabled: true };
  expect((await admin.send('POST', '/', { realm, enabled: true, ...settings, users })).status).toBe(201);
  const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
  return data.realm.id;
}

async function eventsOf(caller: Caller, realm: string, filter = '{}'): Promise<AuditEvent[]> {
  const { data, errors } = await caller.graphql<{ realm: { adminEvents: { edges: { node: AuditEvent }[] } } }>(
    `{ realm(name: "${realm}") { adminEvents(first: 500, filter: ${filter}) { edges { node { ${fields} } } } } }`,
  );
  expect(errors).toBeUndefined();
  return data.realm.adminEvents.edges.map(({ node }) => node);
}

const callerIn = (realm: string, username: string) => userOf(server, realm, username, 'right');

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
});

describe('an admin event', () => {
  it('leads to its actor, its client, and the object that it is about, under whatever name', async () => {
    await makeRealm('leads');
    const whole = await callerIn('leads', 'whole');
    expect((await whole.send('POST', '/leads/roles', { name: 'clerk', description: 'One' })).status).toBe(201);
    expect((await whole.send('PUT', '/leads/roles/clerk', { name: 'writer', description: 'Two' })).status).toBe(204);
    expect((await whole.send('POST', '/leads/roles', { name: 'clerk' })).status).toBe(201);
    const events = await eventsOf(whole, 'leads', '{ resourceTypes: [REALM_ROLE] }');
    const renamed = events.find(({ operation }) => operation === 'role.update');
    const made = events.find(({ resourceId, after }) => after?.includes('One') && resourceId === renamed?.resourceId);
    const again = events.find(({ resourceId }) => resourceId !== renamed?.resourceId);
    expect(made).toMatchObject({
      operation: 'role.create',
      operationType: 'CREATE',
      resource: { __typename: 'Role', name: 'writer' },
      actor: { username: 'whole' },
      actorRealm: { name: 'leads' },
      client: { clientId: 'admin-cli' },
      clientId: 'admin-cli',
      before: null,
    });
    expect(renamed?.resource).toEqual(made?.resource);
    expect(renamed?.changes).toEqual([
      { path: ['description'], before: '"One"', after: '"Two"' },
      { path: ['name'], before: '"clerk"', after: '"writer"' },
    ]);
    expect(made?.changes).toContainEqual({ path: ['name'], before: null, after: '"clerk"' });
    expect(again?.resource).toMatchObject({ name: 'clerk' });
  });

  it('of the settings of a realm has their values before, and of composites those that were added or removed', async () => {
    await makeRealm('settings');
    const put = { displayName: 'Shop', accessTokenLifespan: 60, browserSecurityHeaders: { xRobotsTag: 'all' } };
    expect((await admin.send('PUT', '/settings', put)).status).toBe(204);
    const [updated] = await eventsOf(admin, 'settings', '{ operation: { equals: "realm.update" } }');
    expect(updated?.changes).toEqual([
      { path: ['accessTokenLifespan'], before: '300', after: '60' },
      { path: ['browserSecurityHeaders', 'xRobotsTag'], before: '"none"', after: '"all"' },
      { path: ['displayName'], before: null, after: '"Shop"' },
    ]);
    for (const name of ['outer', 'one', 'two']) await admin.send('POST', '/settings/roles', { name });
    const roles = await Promise.all(
      ['one', 'two'].map(async (name) => (await admin.send('GET', `/settings/roles/${name}`)).body),
    );
    for (const [method, sent] of [
      ['POST', roles.slice(0, 1)],
      ['POST', roles],
      ['DELETE', roles.slice(1)],
      ['DELETE', roles],
    ] as const) {
      expect((await admin.send(method, '/settings/roles/outer/composites', sent)).status).toBe(204);
    }
    const events = await eventsOf(
      admin,
      'settings',
      '{ operation: { in: ["role.addComposites", "role.removeComposites"] } }',
    );
    const paths = events.map(({ operationType, changes }) => [
      operationType,
      ...(changes ?? []).map(({ path }) => path[1]),
    ]);
    expect(paths.toSorted()).toEqual([
      ['CREATE', 'one'],
      ['CREATE', 'two'],
      ['DELETE', 'one'],
      ['DELETE', 'two'],
    ]);
  });

  it('of what was deleted has its ID and its last state', async () => {
    await makeRealm('deleted');
    await admin.send('POST', '/deleted/groups', { name: 'staff' });
    const [{ id }] = (await admin.send('GET', '/deleted/groups')).body;
    await admin.send('DELETE', `/deleted/groups/${id}`);
    const events = await eventsOf(admin, 'deleted', '{ resourceTypes: [GROUP] }');
    const [gone, made] = ['DELETE', 'CREATE'].map((type) => events.find((event) => event.operationType === type));
    expect(gone).toMatchObject({ operationType: 'DELETE', resource: null, after: null, resourceId: made?.resourceId });
    expect(JSON.parse(gone?.before ?? '')).toMatchObject({ id, name: 'staff' });
    expect(gone?.changes).toContainEqual({ path: ['name'], before: '"staff"', after: null });
  });

  it('shows objects only to those who may view them, and its own IDs to all who may view events', async () => {
    const realmId = await makeRealm('partly');
    await admin.send('POST', '/partly/users', { username: 'ann' });
    const seen = await Promise.all(['viewer', 'observer'].map((name) => callerIn('partly', name)));
    const [blind, open] = await Promise.all(
      seen.map((caller) => eventsOf(caller, 'partly', '{ resourceTypes: [USER] }')),
    );
    // the administrator belongs to the master realm, of which nobody here sees anything
    const hidden = { actor: null, actorRealm: null, client: null, clientId: 'admin-cli' };
    expect(blind?.[0]).toMatchObject({ ...hidden, resource: null, resourceId: open?.[0]?.resource?.id });
    expect(open?.[0]).toMatchObject({ ...hidden, resource: { __typename: 'User', username: 'ann' } });
    expect((await eventsOf(admin, 'partly', '{ resourceTypes: [USER] }'))[0]).toMatchObject({
      actor: { username: 'admin' },
      actorRealm: { name: 'master' },
      client: { clientId: 'admin-cli' },
    });
    const { data } = await (seen[0] as Caller).graphql(`{ node(id: "${realmId}") { ... on Realm { name } } }`);
    expect(data).toEqual({ node: { name: 'partly' } });
  });

  it('is a node for those who may view the events of its realm', async () => {
    await makeRealm('nodes');
    await makeRealm('beside');
    await admin.send('POST', '/nodes/roles', { name: 'clerk' });
    const [event] = await eventsOf(admin, 'nodes');
    const query = `{ node(id: "${event?.id}") { ... on AdminEvent { operation resource { id } } } }`;
    const ask = async (realm: string, name: string) => (await (await callerIn(realm, name)).graphql(query)).data;
    expect(await ask('nodes', 'viewer')).toEqual({ node: { operation: 'role.create', resource: null } });
    expect(await ask('nodes', 'helper')).toEqual({ node: null });
    expect(await ask('beside', 'whole')).toEqual({ node: null });
  });
});

describe('a subscription', () => {
  it('sends the objects of each event, to those who may view them', async () => {
    const realm = await makeRealm('live');
    const query = `subscription ($realm: ID!) { adminEvents(realm: $realm) { event {
      operation actor { username } resource { ... on Role { name } } changes { path after } } } }`;
    const callers = await Promise.all(['whole', 'viewer'].map((name) => callerIn('live', name)));
    const [open, blind] = await Promise.all(callers.map(({ token }) => subscribe(server, token, query, { realm })));
    const eventOf = (subscription: Subscription | undefined) =>
      subscription?.messages.flatMap(({ data }) => data?.adminEvents?.event ?? [])[0];
    await expect.poll(() => [open, blind].map((one) => one?.messages.length), { timeout: 15_000 }).toEqual([1, 1]);
    await callers[0]?.send('POST', '/live/roles', { name: 'clerk' });
    await expect.poll(() => [open, blind].map((one) => one?.messages.length), { timeout: 15_000 }).toEqual([2, 2]);
    const changes = expect.arrayContaining([{ path: ['name'], after: '"clerk"' }]);
    const told = { operation: 'role.create', changes };
    expect(eventOf(open)).toMatchObject({ ...told, actor: { username: 'whole' }, resource: { name: 'clerk' } });
    expect(eventOf(blind)).toMatchObject({ ...told, actor: null, resource: null });
    for (const subscription of [open, blind]) subscription?.close();
  });
});

describe('a login event', () => {
  it('leads to its user, client and session, for those who may view them', async () => {
    await makeRealm('logins');
    const open = await callerIn('logins', 'observer');
    const blind = await callerIn('logins', 'viewer');
    const selection =
      'id user { username } client { clientId } session { ipAddress } realm { name } clientId sessionId';
    const query = `{ realm(name: "logins") { loginEvents(filter: { types: [LOGIN] }, orderBy: { field: TIME }) {
      edges { node { ${selection} } } } } }`;
    type Answer = { realm: { loginEvents: { edges: { node: { id: string } }[] } } };
    const [seen, hidden] = await Promise.all([open, blind].map((caller) => caller.graphql<Answer>(query)));
    expect(seen?.errors).toBeUndefined();
    expect(seen?.data.realm.loginEvents.edges[0]?.node).toMatchObject({
      user: { username: 'observer' },
      client: { clientId: 'admin-cli' },
      session: { ipAddress: expect.any(String) },
      realm: { name: 'logins' },
    });
    expect(hidden?.data.realm.loginEvents.edges[0]?.node).toMatchObject({
      user: null,
      client: null,
      session: null,
      realm: { name: 'logins' },
      clientId: 'admin-cli',
      sessionId: expect.any(String),
    });
    const { id } = seen?.data.realm.loginEvents.edges[0]?.node ?? { id: '' };
    const node = `{ node(id: "${id}") { ... on LoginEvent { type } } }`;
    expect((await blind.graphql(node)).data).toEqual({ node: { type: 'LOGIN' } });
    expect((await (await callerIn('logins', 'helper')).graphql(node)).data).toEqual({ node: null });
  });
});
