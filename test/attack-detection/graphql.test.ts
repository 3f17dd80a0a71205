import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let viewer: Caller;
let eventViewer: Caller;
let realmId: string;
let annId: string;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const user = (username: string, roles: string[] = []) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'right' }],
    clientRoles: { 'realm-management': roles },
  });
  const made = await admin.send('POST', '/', {
    realm: 'guarded',
    enabled: true,
    bruteForceProtected: true,
    failureFactor: 2,
    eventsEnabled: true,
    adminEventsEnabled: true,
    users: [user('ann'), user('bob'), user('viewer', ['view-users']), user('events', ['view-events'])],
  });
  expect(made.status).toBe(201);
  viewer = await userOf(server, 'guarded', 'viewer', 'right');
  eventViewer = await userOf(server, 'guarded', 'events', 'right');
  const { data } = await admin.graphql<{ realm: { id: string; user: { id: string } } }>(
    '{ realm(name: "guarded") { id user(username: "ann") { id } } }',
  );
  realmId = data.realm.id;
  annId = data.realm.user.id;
});

const tryLogin = (username: string, password: string) =>
  fetch(`${server.url}/auth/realms/guarded/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password }),
  });
const failures = async (username: string, caller = admin) =>
  (
    await caller.graphql<{ realm: { user: { loginFailures: object } } }>(`{ realm(name: "guarded") {
      user(username: "${username}") { loginFailures { count isLocked lockedUntil lastFailureAt lastIpAddress } } } }`)
  ).data.realm.user?.loginFailures;
const none = { count: 0, isLocked: false, lockedUntil: null, lastFailureAt: null, lastIpAddress: null };

interface Payload {
  count: number | null;
  userErrors: { code: string }[];
  adminEvents: { operation: string }[];
}
const mutate = async (name: string, input: object, caller = admin): Promise<Payload> => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await caller.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) { ${name}(input: $input) { count userErrors { code } adminEvents { operation } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
};

describe('failed logins of a user', () => {
  it('are shown to who may see users, and cleared by who may manage them', async () => {
    expect(await failures('ann')).toEqual(none);
    await tryLogin('ann', 'wrong');
    await tryLogin('ann', 'wrong');
    const shown = await failures('ann', viewer);
    expect(shown).toMatchObject({ count: 2, isLocked: true, lastIpAddress: '127.0.0.1' });
    expect(await mutate('userClearLoginFailures', { id: annId }, viewer)).toMatchObject({
      userErrors: [{ code: 'FORBIDDEN' }],
    });
    const cleared = { count: 1, userErrors: [], adminEvents: [{ operation: 'attackDetection.clear' }] };
    expect(await mutate('userClearLoginFailures', { id: annId })).toEqual(cleared);
    expect(await mutate('userClearLoginFailures', { id: annId })).toMatchObject({ count: 0, adminEvents: [] });
    expect(await failures('ann')).toEqual(none);
  });

  it('are cleared for all users at once', async () => {
    for (const name of ['ann', 'bob']) await tryLogin(name, 'wrong');
    expect(await mutate('realmClearLoginFailures', { id: realmId })).toMatchObject({ count: 2, userErrors: [] });
    for (const name of ['ann', 'bob']) expect(await failures(name)).toEqual(none);
  });
});

describe('lists of events', () => {
  const list = async (args: string, caller = admin) =>
    (
      await caller.graphql<{
        realm: { loginEvents: { totalCount: number; edges: { cursor: string; node: Record<string, unknown> }[] } };
      }>(`{ realm(name: "guarded") { loginEvents(${args}) { totalCount pageInfo { hasNextPage endCursor }
        edges { cursor node { id time type error clientId userId user { username } ipAddress details { name value } } }
      } } }`)
    ).data.realm.loginEvents;

  it('are filtered and walked through by cursors', async () => {
    expect((await mutate('realmClearLoginEvents', { id: realmId })).userErrors).toEqual([]);
    for (let at = 0; at < 5; at += 1) await tryLogin('bob', 'right');
    await tryLogin('nobody', 'wrong');
    const failed = await list('filter: { types: [LOGIN_ERROR] }');
    expect(failed).toMatchObject({ totalCount: 1, edges: [{ node: { error: 'user_not_found', userId: null } }] });
    const seen: unknown[] = [];
    for (let after = ''; ; ) {
      const page = await list(`first: 2 ${after}`);
      seen.push(...page.edges.map(({ node }) => node.id));
      if (page.edges.length < 2) break;
      after = `, after: "${page.edges.at(-1)?.cursor}"`;
    }
    expect(new Set(seen).size).toBe(6);
    const [newest] = (await list('first: 1, filter: { error: { equals: "none" }, or: [] }')).edges;
    expect(newest).toBeUndefined();
    const one = await list('first: 1, filter: { types: [LOGIN], clientId: { startsWith: "admin" } }', eventViewer);
    expect(one.edges[0]?.node).toMatchObject({ type: 'LOGIN', user: null, clientId: 'admin-cli' });
    expect((await list('first: 1, filter: { types: [LOGIN] }')).edges[0]?.node.user).toEqual({ username: 'bob' });
  });

  it('of administrators tell who it was', async () => {
    await admin.send('POST', '/guarded/roles', { name: 'clerk' });
    const query = (filter: string) => `{ realm(name: "guarded") { adminEvents(first: 1, filter: ${filter}) { totalCount
      edges { node { operation resourcePath isListed actorRealmId actorId clientId ipAddress } } } } }`;
    const { data } = await eventViewer.graphql<never>(query('{ resourceTypes: [REALM_ROLE] }'));
    expect(data).toMatchObject({
      realm: {
        adminEvents: {
          totalCount: 1,
          edges: [{ node: { operation: 'role.create', clientId: 'admin-cli', isListed: true } }],
        },
      },
    });
    expect((await mutate('realmClearAdminEvents', { id: realmId })).userErrors).toEqual([]);
    const left = await admin.graphql<never>(query('{ isListed: true }'));
    expect(left.data).toMatchObject({ realm: { adminEvents: { totalCount: 0 } } });
  });

  it('are closed to others', async () => {
    for (const field of ['loginEvents', 'adminEvents']) {
      const { data, errors } = await viewer.graphql<{ realm: Record<string, unknown> }>(
        `{ realm(name: "guarded") { ${field} { totalCount } } }`,
      );
      expect(data.realm[field]).toBeNull();
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    }
    const refused = { userErrors: [{ code: 'FORBIDDEN' }] };
    expect(await mutate('realmClearLoginEvents', { id: realmId }, eventViewer)).toMatchObject(refused);
    expect(await mutate('realmClearAdminEvents', { id: realmId }, eventViewer)).toMatchObject(refused);
    expect(await mutate('realmClearLoginFailures', { id: realmId }, viewer)).toMatchObject(refused);
  });
});
