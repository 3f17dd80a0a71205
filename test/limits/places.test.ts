import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Subscription, subscribe } from '../events/sse.js';
import { type SocketSubscription, subscribeBySocket } from '../events/websocket.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let viewer: Caller;
let realm: string;
const within = { timeout: 30_000, interval: 20 };
const events = 'subscription ($realm: ID!) { adminEvents(realm: $realm) { cursor event { resourcePath } } }';

beforeAll(async () => {
  server = await startServer({ connectionsPerAddress: 20, subscriptionsPerCaller: 2 });
  admin = await administrator(server);
  const user = {
    username: 'viewer',
    enabled: true,
    credentials: [{ type: 'password', value: 'right' }],
    clientRoles: { 'realm-management': ['view-events'] },
  };
  expect((await admin.send('POST', '/', { realm: 'places', enabled: true, users: [user] })).status).toBe(201);
  realm = (await admin.graphql<{ realm: { id: string } }>('{ realm(name: "places") { id } }')).data.realm.id;
  viewer = await userOf(server, 'places', 'viewer', 'right');
});

/** Waits for the first message; what has come instead is part of the failure. */
const begun = (one: Subscription | SocketSubscription) =>
  expect
    .poll(() => one.messages.map(({ data, errors }) => (data ? 'data' : JSON.stringify(errors))).join(), within)
    .toContain('data');
const codesOf = ({ messages }: Subscription) =>
  messages.flatMap(({ errors }) => errors?.map(({ extensions }) => extensions?.code) ?? []);

/** A connection that sends `init` as its first message, or nothing. */
function connect(init?: object): { socket: WebSocket; end: Promise<number>; acknowledged: Promise<void> } {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  socket.on('error', () => undefined);
  const end = new Promise<number>((done) => {
    socket.on('close', done);
    socket.on('unexpected-response', (_request, response) => done(response.statusCode ?? 0));
  });
  socket.on('open', () => init && socket.send(JSON.stringify({ type: 'connection_init', payload: init })));
  const acknowledged = new Promise<void>((done) => {
    socket.on('message', (data) => String(data).includes('connection_ack') && done());
  });
  return { socket, end, acknowledged };
}
const opened = ({ socket }: ReturnType<typeof connect>) =>
  expect.poll(() => socket.readyState, within).toBe(WebSocket.OPEN);

describe('subscriptions', () => {
  it('are limited for each user over both transports, and whoever is refused is told', async () => {
    const own = await subscribe(server, viewer.token, events, { realm });
    const bySocket = subscribeBySocket(server, viewer.token, events, { realm });
    await Promise.all([begun(own), begun(bySocket)]);
    const refused = await subscribe(server, viewer.token, events, { realm });
    await expect.poll(() => [refused.ended(), refused.status], within).toEqual([true, 503]);
    const again = subscribeBySocket(server, viewer.token, events, { realm });
    await expect.poll(again.ended, within).toBe(true);
    expect(again.messages.filter(({ data }) => data)).toEqual([]);
    again.close();
    // others have their places
    const other = await subscribe(server, admin.token, events, { realm });
    await begun(other);
    for (const one of [own, bySocket, other]) one.close();
    await expect
      .poll(async () => {
        const next = await subscribe(server, viewer.token, events, { realm });
        await expect.poll(() => next.messages.length > 0 || next.ended(), within).toBe(true);
        next.close();
        return codesOf(next).length === 0 && next.status === 200;
      }, within)
      .toBe(true);
  });

  it('that are refused give their places back', async () => {
    for (let round = 0; round < 5; round += 1) {
      const wrong = await subscribe(server, viewer.token, events, { realm: 'UmVhbG06bm9uZQ' });
      await expect.poll(wrong.ended, within).toBe(true);
    }
    // a place is free once the server has seen the end of the connection
    await expect
      .poll(async () => {
        const own = await subscribe(server, viewer.token, events, { realm });
        await expect.poll(() => own.messages.length > 0 || own.ended(), within).toBe(true);
        own.close();
        return own.status;
      }, within)
      .toBe(200);
  });
});

describe('connections', () => {
  beforeAll(async () => {
    const { databaseUrl } = server.services.config;
    server = await startServer({ databaseUrl, connectionsPerAddress: 3 });
  });
  const token = () => ({ Authorization: `Bearer ${admin.token}` });

  it('take a place with connection_init, not before', async () => {
    const silent = Array.from({ length: 8 }, () => connect());
    await Promise.all(silent.map(opened));
    const spoken = Array.from({ length: 3 }, () => connect(token()));
    await Promise.all(spoken.map(({ acknowledged }) => acknowledged));
    expect(await connect(token()).end).toBe(4429);
    expect(await connect({ Authorization: 'Bearer wrong' }).end).toBe(4403);
    spoken[0]?.socket.close();
    await spoken[0]?.end;
    await expect
      .poll(async () => {
        const next = connect(token());
        const got = await Promise.race([next.acknowledged.then(() => 'ack'), next.end]);
        next.socket.close();
        return got;
      }, within)
      .toBe('ack');
    for (const { socket } of [...silent, ...spoken]) socket.close();
    await Promise.all(silent.map(({ end }) => end));
  });

  it('that say nothing are limited for each address, and the next is told at once', async () => {
    const silent = Array.from({ length: 20 }, () => connect());
    await Promise.all(silent.map(opened));
    expect(await connect().end).toBe(429);
    for (const { socket } of silent) socket.close();
    await Promise.all(silent.map(({ end }) => end));
    const next = connect(token());
    await next.acknowledged;
    next.socket.close();
  });

  it('are closed for a message that is nested deeply', async () => {
    const one = connect(token());
    await one.acknowledged;
    one.socket.send(
      `{"id":"1","type":"subscribe","payload":{"query":"{ __typename }","variables":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}}`,
    );
    expect(await one.end).toBe(4400);
  });
});
