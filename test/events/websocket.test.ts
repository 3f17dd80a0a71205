import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { type SocketSubscription, subscribeBySocket } from './websocket.js';

// Two instances on one database.
let databaseUrl: string;
let servers: [TestServer, TestServer];
let admin: Caller;
let realm: string;
const within = { timeout: 10_000, interval: 20 };
const soon = { timeout: 1000, interval: 10 };

beforeAll(async () => {
  databaseUrl = await preparedDatabaseUrl();
  servers = [await startServer({ databaseUrl }), await startServer({ databaseUrl })];
  admin = await administrator(servers[0]);
  const viewer = {
    username: 'viewer',
    enabled: true,
    credentials: [{ type: 'password', value: 'right' }],
    clientRoles: { 'realm-management': ['view-events'] },
  };
  const users = [viewer, { ...viewer, username: 'other', clientRoles: {} }];
  expect((await admin.send('POST', '/', { realm: 'seen', enabled: true, eventsEnabled: true, users })).status).toBe(
    201,
  );
  const { data } = await admin.graphql<{ realm: { id: string } }>('{ realm(name: "seen") { id } }');
  realm = data.realm.id;
});

const adminEvents = `subscription ($realm: ID!, $after: String) {
  adminEvents(realm: $realm, after: $after) { cursor event { resourcePath } }
}`;
const received = ({ messages }: SocketSubscription) => messages.flatMap(({ data }) => Object.values(data ?? {}));
const pathsOf = (subscription: SocketSubscription) =>
  received(subscription).flatMap(({ event }) => (event ? [event.resourcePath] : []));
const begun = (subscription: SocketSubscription) =>
  expect.poll(() => received(subscription).length, within).toBeGreaterThan(0);

describe('a subscription over a WebSocket', () => {
  it('tells of the writes of another instance, and goes on after a cursor', async () => {
    const first = subscribeBySocket(servers[1], admin.token, adminEvents, { realm });
    await begun(first);
    await admin.send('POST', '/seen/roles', { name: 'one' });
    await expect.poll(() => pathsOf(first), soon).toEqual(['roles/one']);
    const after = received(first).at(-1)?.cursor;
    first.close();
    await admin.send('POST', '/seen/roles', { name: 'two' });
    const second = subscribeBySocket(
      servers[0],
      undefined,
      adminEvents,
      { realm, after },
      {
        authorization: `Bearer ${admin.token}`,
      },
    );
    await expect.poll(() => pathsOf(second), within).toEqual(['roles/two']);
    second.close();
  });

  it('is refused without a token, and without the right', async () => {
    const anonymous = subscribeBySocket(servers[0], undefined, adminEvents, { realm });
    await expect.poll(anonymous.closed, within).toBe(4403);
    const wrong = subscribeBySocket(servers[0], 'planted.wrong.token', adminEvents, { realm });
    await expect.poll(wrong.closed, within).toBe(4403);
    const other = await userOf(servers[0], 'seen', 'other', 'right');
    const refused = subscribeBySocket(servers[0], other.token, adminEvents, { realm });
    await expect.poll(refused.ended, within).toBe(true);
    expect(received(refused)).toEqual([]);
  });

  it('ends with its connection when the token is not good any more', async () => {
    const viewer = await userOf(servers[0], 'seen', 'viewer', 'right');
    const subscription = subscribeBySocket(servers[1], viewer.token, adminEvents, { realm });
    await begun(subscription);
    const [user] = (await admin.send('GET', '/seen/users?username=viewer')).body;
    await admin.send('POST', `/seen/users/${user.id}/logout`);
    await expect.poll(subscription.closed, within).toBe(4403);
  });

  it('is within the limits of a request', async () => {
    const fields = Array.from({ length: 600 }, (_, at) => `f${at}: cursor`).join(' ');
    const query = `subscription ($realm: ID!) { adminEvents(realm: $realm) { ${fields} } }`;
    const subscription = subscribeBySocket(servers[0], admin.token, query, { realm });
    await expect.poll(subscription.ended, within).toBe(true);
    expect(received(subscription)).toEqual([]);
  });

  it('ends with the service', async () => {
    const server = await startServer({ databaseUrl });
    const subscription = subscribeBySocket(server, admin.token, adminEvents, { realm });
    await begun(subscription);
    await server.close();
    await expect.poll(subscription.closed, within).toBe(1001);
  });
});

describe('a connection', () => {
  it('answers queries as well', async () => {
    const query = subscribeBySocket(servers[0], admin.token, '{ realm(name: "seen") { name } }');
    await expect.poll(query.ended, within).toBe(true);
    expect(query.messages).toMatchObject([{ data: { realm: { name: 'seen' } } }]);
  });

  it('is refused to pages of other origins, at other addresses, and ended when it sends too much', async () => {
    const statusOf = (path: string, origin: string) =>
      new Promise((done) => {
        const address = `${servers[0].url.replace('http', 'ws')}${path}`;
        const socket = new WebSocket(address, 'graphql-transport-ws', { origin });
        socket.on('unexpected-response', (_request, response) => done(response.statusCode));
        socket.on('error', () => undefined);
        socket.on('open', () => {
          socket.on('close', done);
          socket.send(JSON.stringify({ type: 'connection_init', payload: { text: 'x'.repeat(2_000_000) } }));
        });
      });
    expect(await statusOf('/graphql', 'https://elsewhere.example')).toBe(403);
    expect(await statusOf('/auth', servers[0].url)).toBe(404);
    expect(await statusOf('/graphql', servers[0].url)).toBe(1009);
  });

  it('that asks for another protocol is answered in this one', async () => {
    const socket = connect(servers[0].port, '127.0.0.1');
    const head = 'GET /health/live HTTP/1.1\r\nHost: here\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n';
    socket.write(`${head}HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n\r\n`);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await expect.poll(() => text, within).toContain('{"status":"UP"}');
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});
