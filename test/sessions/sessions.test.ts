// @both-databases
import { decodeJwt } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeExpired } from '../../src/services/sessions/expiry.js';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { as, idsIn, logIn, realm, refresh, representation, type Tokens, userInfo } from './world.js';

let servers: [TestServer, TestServer];
let admin: Caller;
let ids: Map<string, string>;
let moved = 0;
const now = () => Date.now() + moved;
const id = (name: string) => ids.get(name) ?? 'nobody';
const within = { timeout: 2000, interval: 20 };

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  servers = [await startServer({ databaseUrl }, now), await startServer({ databaseUrl }, now)];
  admin = await administrator(servers[0]);
  const settings = { accessTokenLifespan: 86_400, offlineSessionIdleTimeout: 604_800 };
  expect((await admin.send('POST', '/', representation(settings))).status).toBe(201);
  ids = await idsIn(admin);
});

beforeEach(async () => {
  moved = 0;
  admin = await administrator(servers[0]);
  const where = { realm: { name: realm } };
  await servers[0].database.transaction(async (tx) => {
    await tx.userSession.deleteMany({ where });
    // the clock goes back: what was said of later times must not count now
    await tx.user.updateMany({ where, data: { notBefore: 0 } });
  });
});

const list = async (path: string) => (await admin.send('GET', `/${realm}${path}`)).body;
const ofUser = (name: string) => list(`/users/${id(name)}/sessions`);
const offlineOf = (name: string) => list(`/users/${id(name)}/offline-sessions/${id('app')}`);

describe('sessions in lists', () => {
  it('are found in the whole realm by username or address, the latest login first', async () => {
    for (const name of ['ann', 'bob', 'ann']) {
      await logIn(servers[0], name);
      moved += 2000;
    }
    const find = async (args: string) => {
      const { data } = await admin.graphql<{
        realm: { userSessions: { totalCount: number; edges: { node: { user: { username: string } } }[] } };
      }>(`{ realm(name: "${realm}") { userSessions(${args}) { totalCount edges { node { user { username } } } } } }`);
      const { edges, totalCount } = data.realm.userSessions;
      return { totalCount, users: edges.map(({ node }) => node.user.username) };
    };
    expect(await find('first: 2')).toEqual({ totalCount: 3, users: ['ann', 'bob'] });
    expect(await find('search: "NN"')).toEqual({ totalCount: 2, users: ['ann', 'ann'] });
    expect((await find('search: "127.0.0"')).totalCount).toBe(3);
    expect((await find('search: "%"')).totalCount).toBe(0);
    expect((await find('search: "b", filter: { isOffline: true }')).totalCount).toBe(0);
  });

  it('show who logged in, since when, and which clients take part', async () => {
    const before = Math.floor(now() / 1000) * 1000;
    const tokens = await logIn(servers[0], 'ann');
    const [session, ...others] = await ofUser('ann');
    expect(others).toEqual([]);
    expect(session).toEqual({
      id: tokens.session_state,
      username: 'ann',
      userId: id('ann'),
      ipAddress: '127.0.0.1',
      start: expect.any(Number),
      lastAccess: session.start,
      clients: { [id('app')]: 'app' },
    });
    expect(session.start).toBeGreaterThanOrEqual(before);
    expect(await list(`/clients/${id('app')}/user-sessions`)).toEqual([session]);
    expect(await list(`/clients/${id('app')}/session-count`)).toEqual({ count: 1 });
    expect(await list(`/clients/${id('other')}/session-count`)).toEqual({ count: 0 });
  });

  it('come in pages, oldest first', async () => {
    const started: string[] = [];
    for (const name of ['ann', 'bob', 'ann']) {
      started.push((await logIn(servers[0], name)).session_state);
      moved += 1000;
    }
    const page = async (query: string) =>
      (await list(`/clients/${id('app')}/user-sessions${query}`)).map(({ id: sid }: { id: string }) => sid);
    expect(await page('')).toEqual(started);
    expect(await page('?first=1&max=1')).toEqual([started[1]]);
    expect(await page('?max=0')).toEqual([]);
    expect((await ofUser('ann')).map(({ id: sid }: { id: string }) => sid)).toEqual([started[0], started[2]]);
  });

  it('of offline access are beside the others', async () => {
    const { session_state } = await logIn(servers[0], 'ann', { scope: 'offline_access' });
    expect(await ofUser('ann')).toMatchObject([{ id: session_state }]);
    expect(await offlineOf('ann')).toMatchObject([{ id: session_state, clients: { [id('app')]: 'app' } }]);
    expect(await list(`/clients/${id('app')}/offline-sessions`)).toMatchObject([{ id: session_state }]);
    expect(await list(`/clients/${id('app')}/offline-session-count`)).toEqual({ count: 1 });
    await logIn(servers[0], 'bob', { client_id: 'other' });
    expect(await list('/client-session-stats')).toEqual([
      { id: id('app'), clientId: 'app', active: '1', offline: '1' },
      { id: id('other'), clientId: 'other', active: '1', offline: '0' },
    ]);
  });

  it('are offline ones too where offline access is a default of the client', async () => {
    const scopes = await list('/client-scopes');
    const offline = scopes.find(({ name }: { name: string }) => name === 'offline_access').id;
    const scope = (kind: string) => `/${realm}/clients/${id('other')}/${kind}-client-scopes/${offline}`;
    await admin.send('DELETE', scope('optional'));
    expect((await admin.send('PUT', scope('default'))).status).toBe(204);
    const tokens = await logIn(servers[0], 'ann', { client_id: 'other' });
    expect(decodeJwt(tokens.refresh_token)).toMatchObject({ typ: 'Offline' });
    const of = `/users/${id('ann')}/offline-sessions/${id('other')}`;
    expect(await list(of)).toMatchObject([{ id: tokens.session_state }]);
    const renewed = await refresh(servers[1], tokens, { client_id: 'other' });
    expect(decodeJwt(renewed.refresh_token)).toMatchObject({ typ: 'Offline' });
    await admin.send('DELETE', scope('default'));
    expect(await refresh(servers[0], tokens, { client_id: 'other' })).toMatchObject({ error: 'invalid_grant' });
    await admin.send('PUT', scope('optional'));
  });

  it('show when they were last used', async () => {
    const tokens = await logIn(servers[0], 'ann');
    moved += 10_000;
    expect((await refresh(servers[1], tokens)).error).toBeUndefined();
    await expect
      .poll(async () => {
        const [{ start, lastAccess }] = await ofUser('ann');
        return lastAccess - start;
      }, within)
      .toBeGreaterThanOrEqual(10_000);
  });

  it('are the same in GraphQL', async () => {
    const { session_state } = await logIn(servers[0], 'ann', { scope: 'offline_access' });
    const fields =
      'totalCount edges { node { sessionId isOffline ipAddress user { username } clients { client { clientId } } } }';
    const query = `query ($user: ID!, $client: ID!) {
      user: node(id: $user) { ... on User { sessions(first: 5) { ${fields} } online: sessions(first: 5, filter: { isOffline: false }) { totalCount } } }
      client: node(id: $client) { ... on Client { sessions(first: 5, filter: { isOffline: true }) { ${fields} } } }
    }`;
    type Sessions = { totalCount: number; edges: { node: object }[] };
    const { data, errors } = await admin.graphql<{
      user: { sessions: Sessions; online: Sessions };
      client: { sessions: Sessions };
    }>(query, { user: btoa(`User:${id('ann')}`), client: btoa(`Client:${id('app')}`) });
    expect(errors).toBeUndefined();
    const common = {
      sessionId: session_state,
      ipAddress: '127.0.0.1',
      user: { username: 'ann' },
      clients: [{ client: { clientId: 'app' } }],
    };
    const nodes = ({ edges }: Sessions) => edges.map(({ node }) => node);
    expect(nodes(data.user.sessions)).toHaveLength(2);
    expect(nodes(data.user.sessions)).toEqual(
      expect.arrayContaining([
        { ...common, isOffline: false },
        { ...common, isOffline: true },
      ]),
    );
    expect(data.user.online.totalCount).toBe(1);
    expect(nodes(data.client.sessions)).toEqual([{ ...common, isOffline: true }]);
  });
});

describe('a session that ends', () => {
  const refused = async (tokens: Tokens) => {
    for (const server of servers) {
      await expect.poll(() => userInfo(server, tokens), within).toBe(401);
      expect((await refresh(server, tokens)).error).toBe('invalid_grant');
    }
  };

  it('is gone on both instances, and others stay', async () => {
    const [ending, staying] = [await logIn(servers[0], 'ann'), await logIn(servers[0], 'ann')];
    for (const server of servers) expect(await userInfo(server, ending)).toBe(200);
    expect((await admin.send('DELETE', `/${realm}/sessions/${ending.session_state}`)).status).toBe(204);
    await refused(ending);
    expect(await userInfo(servers[1], staying)).toBe(200);
    expect(await ofUser('ann')).toMatchObject([{ id: staying.session_state }]);
    const again = await admin.send('DELETE', `/${realm}/sessions/${ending.session_state}`);
    expect(again).toMatchObject({ status: 404, body: { error: 'Sesssion not found' } });
  });

  it('by GraphQL as well, offline ones too', async () => {
    const tokens = await logIn(servers[0], 'ann', { scope: 'offline_access' });
    const row = await servers[0].database.read.userSession.findFirst({
      where: { offline: true, sid: tokens.session_state },
      select: { id: true },
    });
    const mutation =
      'mutation ($id: ID!) { userSessionEnd(input: { id: $id }) { user { username } userErrors { message } } }';
    const answer = await admin.graphql(mutation, { id: btoa(`UserSession:${row?.id}`) });
    expect(answer.data).toEqual({ userSessionEnd: { user: { username: 'ann' }, userErrors: [] } });
    expect(await offlineOf('ann')).toEqual([]);
    expect(await ofUser('ann')).toHaveLength(1);
  });

  it('with all others of its user, whose offline tokens are void', async () => {
    const [online, offline] = [
      await logIn(servers[0], 'ann'),
      await logIn(servers[0], 'ann', { scope: 'offline_access' }),
    ];
    const other = await logIn(servers[0], 'bob');
    // tokens of the second in which the user is logged out stay good
    moved += 2000;
    expect((await admin.send('POST', `/${realm}/users/${id('ann')}/logout`)).status).toBe(204);
    await refused(online);
    expect((await refresh(servers[1], offline)).error).toBe('invalid_grant');
    expect(await userInfo(servers[1], other)).toBe(200);
    expect(await ofUser('ann')).toEqual([]);
  });

  it('with all of the realm', async () => {
    const all = [await logIn(servers[0], 'ann'), await logIn(servers[1], 'bob')];
    moved += 2000;
    expect(await admin.send('POST', `/${realm}/logout-all`)).toMatchObject({ status: 200, body: {} });
    for (const tokens of all) await refused(tokens);
    expect(await list('/client-session-stats')).toEqual([]);
    const settings = (await admin.send('GET', `/${realm}`)).body;
    expect((await admin.send('PUT', `/${realm}`, { ...settings, notBefore: 0 })).status).toBe(204);
  });

  it('after its time without use, also before it is cleared away', async () => {
    const tokens = await logIn(servers[0], 'ann', { scope: 'offline_access' });
    moved = (1800 + 120 + 5) * 1000;
    admin = await administrator(servers[0]);
    expect(await ofUser('ann')).toEqual([]);
    expect(await list(`/clients/${id('app')}/session-count`)).toEqual({ count: 0 });
    expect(await offlineOf('ann')).toHaveLength(1);
    expect(await list('/client-session-stats')).toMatchObject([{ active: '0', offline: '1' }]);
    const where = { sid: tokens.session_state };
    const stored = () => servers[0].database.read.userSession.count({ where });
    expect(await stored()).toBe(2);
    await removeExpired(servers[0].services);
    expect(await stored()).toBe(1);
    moved += 604_800_000;
    admin = await administrator(servers[0]);
    expect(await offlineOf('ann')).toEqual([]);
    await removeExpired(servers[0].services);
    expect(await stored()).toBe(0);
    expect((await refresh(servers[0], tokens)).error).toBe('invalid_grant');
  });

  it('after its longest time, however much it was used', async () => {
    let tokens = await logIn(servers[0], 'ann');
    while (moved + 1_500_000 < 36_000_000) {
      moved += 1_500_000;
      tokens = await refresh(servers[0], tokens);
      expect(tokens).toHaveProperty('access_token');
      await servers[0].services.sessions.flush();
    }
    moved = 36_001_000;
    admin = await administrator(servers[0]);
    expect(await ofUser('ann')).toEqual([]);
    expect((await refresh(servers[0], tokens)).error).toBe('invalid_grant');
  });
});

describe('impersonation', () => {
  const impersonate = (caller: Caller, name: string) =>
    caller.send('POST', `/${realm}/users/${id(name)}/impersonation`, { user: id(name), realm });

  it('by an administrator of the master realm is a session of the user', async () => {
    const answer = await impersonate(admin, 'ann');
    const redirect = `${servers[0].url}/auth/realms/${realm}/account`;
    expect(answer).toMatchObject({ status: 200, body: { sameRealm: false, redirect } });
    const [session] = await ofUser('ann');
    expect(session).toMatchObject({ username: 'ann', clients: {} });
    const cookie = answer.headers.getSetCookie().find((text) => text.startsWith('KEYCLOAK_IDENTITY='));
    expect(cookie).toContain(`Path=/auth/realms/${realm}/; HttpOnly`);
    const claims = JSON.parse(Buffer.from(cookie?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: id('ann'), sid: session.id });
    const { database } = servers[0];
    const row = await database.read.userSession.findUnique({ where: { id: session.id }, select: { notes: true } });
    const [master] = (await admin.send('GET', '/master/users?username=admin')).body;
    expect(row?.notes).toEqual({ IMPERSONATOR_ID: master.id, IMPERSONATOR_USERNAME: 'admin' });
    const event = await database.read.loginEvent.findFirst({ where: { type: 'IMPERSONATE', sessionId: session.id } });
    expect(event).toMatchObject({
      userId: id('ann'),
      details: { impersonator: 'admin', impersonator_realm: 'master' },
    });
    const path = `users/${id('ann')}/impersonation`;
    expect(await list(`/admin-events?resourcePath=${path}`)).toMatchObject([{ operationType: 'ACTION' }]);
  });

  it('by an administrator of the realm takes the place of the own session', async () => {
    const tokens = await logIn(servers[0], 'chief', { client_id: 'admin-cli' });
    expect(await impersonate(as(servers[0], tokens), 'bob')).toMatchObject({ status: 200, body: { sameRealm: true } });
    expect(await ofUser('chief')).toEqual([]);
    expect(await ofUser('bob')).toHaveLength(1);
    await expect.poll(() => userInfo(servers[1], tokens), within).toBe(401);
  });

  it('takes a permission of its own', async () => {
    const clerk = as(servers[0], await logIn(servers[0], 'clerk', { client_id: 'admin-cli' }));
    expect((await impersonate(clerk, 'ann')).status).toBe(403);
    const bob = as(servers[0], await logIn(servers[0], 'bob', { client_id: 'admin-cli' }));
    expect((await impersonate(bob, 'ann')).status).toBe(403);
    expect(await ofUser('ann')).toEqual([]);
  });

  it('by GraphQL', async () => {
    const mutation =
      'mutation ($id: ID!) { userImpersonate(input: { id: $id }) { isSameRealm session { user { username } } userErrors { code } } }';
    const { data, errors } = await admin.graphql(mutation, { id: btoa(`User:${id('ann')}`) });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      userImpersonate: { isSameRealm: false, session: { user: { username: 'ann' } }, userErrors: [] },
    });
  });
});
