// @both-databases
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { Prisma } from '../../src/database/prisma.js';
import { dialect, preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, login, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Subscription, subscribe } from './sse.js';

// Two instances on one database.
let databaseUrl: string;
let servers: [TestServer, TestServer];
let admin: Caller;
let other: Caller;
const within = { timeout: 15_000, interval: 50 };

beforeAll(async () => {
  databaseUrl = await preparedDatabaseUrl();
  servers = [await startServer({ databaseUrl }), await startServer({ databaseUrl })];
  admin = await administrator(servers[0]);
  other = await administrator(servers[1]);
});

async function makeRealm(realm: string): Promise<string> {
  const user = (username: string, roles: string[]) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'right' }],
    clientRoles: { 'realm-management': roles },
  });
  const users = [user('ann', []), user('viewer', ['view-events'])];
  const made = await admin.send('POST', '/', { realm, enabled: true, eventsEnabled: true, users });
  expect(made.status).toBe(201);
  const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
  return data.realm.id;
}

const adminEvents = `subscription ($realm: ID!, $after: String) {
  adminEvents(realm: $realm, after: $after) { cursor event { operation resourcePath } }
}`;
const loginEvents = `subscription ($realm: ID!, $after: String) {
  loginEvents(realm: $realm, after: $after) { cursor event { id type user { username } details { name value } } }
}`;
const received = ({ messages }: Subscription) => messages.flatMap(({ data }) => Object.values(data ?? {}));
const eventsOf = (subscription: Subscription): Record<string, unknown>[] =>
  received(subscription).flatMap(({ event }) => (event ? [event] : []));
const pathsOf = (subscription: Subscription) => eventsOf(subscription).map(({ resourcePath }) => resourcePath);
const lastCursor = (subscription: Subscription) => received(subscription).at(-1)?.cursor;
const begun = (subscription: Subscription) =>
  expect.poll(() => received(subscription).length, within).toBeGreaterThan(0);

describe('a subscription', () => {
  it('tells of the writes of every instance, once and in their order', async () => {
    const realm = await makeRealm('watched');
    const seen = await Promise.all(servers.map((server) => subscribe(server, admin.token, adminEvents, { realm })));
    for (const subscription of seen) await begun(subscription);
    const names = Array.from({ length: 20 }, (_, at) => `role-${at}`);
    await Promise.all(names.map((name, at) => (at % 2 ? admin : other).send('POST', '/watched/roles', { name })));
    const paths = names.map((name) => `roles/${name}`).toSorted();
    for (const subscription of seen) {
      await expect.poll(() => pathsOf(subscription).toSorted(), within).toEqual(paths);
    }
    expect(pathsOf(seen[0] as Subscription)).toEqual(pathsOf(seen[1] as Subscription));
    for (const subscription of seen) subscription.close();
  });

  it('loses and repeats nothing over reconnects to either instance while others write', async () => {
    const realm = await makeRealm('resumed');
    const total = 60;
    const write = async () => {
      for (let at = 0; at < total; at += 4) {
        const some = [0, 1, 2, 3].map((more) => `role-${at + more}`);
        await Promise.all(some.map((name, by) => (by % 2 ? admin : other).send('POST', '/resumed/roles', { name })));
        await new Promise((resume) => setTimeout(resume, 150));
      }
    };
    const first = await subscribe(servers[0], admin.token, adminEvents, { realm });
    await begun(first);
    let after = lastCursor(first);
    first.close();
    const writing = write();
    const told: unknown[] = [];
    for (let round = 0; told.length < total && round < 100; round += 1) {
      const server = servers[round % 2] as TestServer;
      const subscription = await subscribe(server, admin.token, adminEvents, { realm, after });
      await begun(subscription);
      await new Promise((resume) => setTimeout(resume, Math.random() * 900));
      subscription.close();
      told.push(...pathsOf(subscription));
      after = lastCursor(subscription);
    }
    await writing;
    expect(told.toSorted()).toEqual(Array.from({ length: total }, (_, at) => `roles/role-${at}`).toSorted());
  });

  it.runIf(dialect === 'postgresql')('waits for events that are committed after later ones', async () => {
    const realm = await makeRealm('late');
    const { id: realmId } = (await admin.send('GET', '/late')).body;
    const subscription = await subscribe(servers[0], admin.token, loginEvents, { realm });
    await begun(subscription);
    const typesOf = () => eventsOf(subscription).map(({ type }) => type);
    let commit: (() => void) | undefined;
    let stored: (() => void) | undefined;
    const isStored = new Promise<void>((done) => {
      stored = done;
    });
    const late = servers[1].database.transaction(async (tx) => {
      await tx.loginEvent.createMany({
        data: [{ id: randomUUID(), realmId, time: BigInt(Date.now()), type: 'LOGOUT' }],
      });
      await tx.later.settle();
      stored?.();
      await new Promise<void>((done) => {
        commit = done;
      });
    });
    await isStored;
    await login(servers[0], 'late', 'ann', 'right');
    // waits until the server has looked for events again and again; no numbers are compared, so the clock may be the real one
    const { statements } = servers[0].database;
    const before = statements();
    await expect.poll(statements, within).toBeGreaterThan(before + 10);
    expect(typesOf()).toEqual([]);
    commit?.();
    await late;
    await expect.poll(typesOf, within).toEqual(['LOGOUT', 'LOGIN']);
    subscription.close();
  });

  it('goes by the order in which events were stored, whatever the clocks of instances say', async () => {
    const realm = await makeRealm('clocks');
    const behind = await startServer({ databaseUrl }, () => Date.now() - 20_000);
    const late = await administrator(behind);
    const first = await subscribe(behind, admin.token, adminEvents, { realm });
    await begun(first);
    for (const [name, caller] of Object.entries({ one: admin, two: late, three: admin })) {
      expect((await caller.send('POST', '/clocks/roles', { name })).status).toBe(201);
    }
    await expect.poll(() => pathsOf(first), within).toEqual(['roles/one', 'roles/two', 'roles/three']);
    const after = received(first)[1]?.cursor;
    first.close();
    const second = await subscribe(servers[1], admin.token, adminEvents, { realm, after });
    await expect.poll(() => pathsOf(second), within).toEqual(['roles/two', 'roles/three']);
    second.close();
    await behind.close();
  });

  it.runIf(dialect === 'postgresql')('goes on after what was stored in another cluster', async () => {
    const realm = await makeRealm('restored');
    const first = await subscribe(servers[0], admin.token, adminEvents, { realm });
    await begun(first);
    await admin.send('POST', '/restored/roles', { name: 'before' });
    await expect.poll(() => pathsOf(first), within).toEqual(['roles/before']);
    first.close();
    // as if transactions had been counted further where the database was before
    const further = Prisma.sql`UPDATE "AdminEvent" SET "position" = "position" + 1000000000 WHERE "realmId" = (
      SELECT "id" FROM "Realm" WHERE "name" = 'restored')`;
    await servers[0].database.transaction((tx) => tx.execute(further));
    const restarted = await startServer({ databaseUrl });
    const list = '{ realm(name: "restored") { adminEvents(first: 1) { edges { cursor } } } }';
    const { data } = await admin.graphql<{ realm: { adminEvents: { edges: { cursor: string }[] } } }>(list);
    const after = data.realm.adminEvents.edges[0]?.cursor;
    await admin.send('POST', '/restored/roles', { name: 'after' });
    const second = await subscribe(restarted, admin.token, adminEvents, { realm, after });
    await expect.poll(() => pathsOf(second), within).toEqual(['roles/after']);
    second.close();
  });

  it('tells of logins, and goes on after a cursor of the list', async () => {
    const realm = await makeRealm('busy');
    await login(servers[0], 'busy', 'ann', 'right');
    const list = `{ realm(name: "busy") { loginEvents(first: 1) { totalCount edges { cursor node { type } } } } }`;
    const { data } = await admin.graphql<{
      realm: { loginEvents: { totalCount: number; edges: { cursor: string; node: { type: string } }[] } };
    }>(list);
    expect(data.realm.loginEvents).toMatchObject({ totalCount: 1, edges: [{ node: { type: 'LOGIN' } }] });
    const after = data.realm.loginEvents.edges[0]?.cursor;
    await login(servers[1], 'busy', 'viewer', 'right');
    const subscription = await subscribe(servers[0], admin.token, loginEvents, { realm, after });
    await expect
      .poll(() => eventsOf(subscription), within)
      .toMatchObject([{ type: 'LOGIN', user: { username: 'viewer' } }]);
    await login(servers[1], 'busy', 'ann', 'right');
    await expect.poll(() => eventsOf(subscription).length, within).toBe(2);
    subscription.close();
  });

  it('hides users from who may not see them, and ends when the right is taken away', async () => {
    const realm = await makeRealm('ending');
    const viewer = await userOf(servers[1], 'ending', 'viewer', 'right');
    const subscription = await subscribe(servers[1], viewer.token, loginEvents, { realm });
    await begun(subscription);
    await login(servers[0], 'ending', 'ann', 'right');
    await expect.poll(() => eventsOf(subscription), within).toMatchObject([{ type: 'LOGIN', user: null }]);
    const [user] = (await admin.send('GET', '/ending/users?username=viewer')).body;
    const [client] = (await admin.send('GET', '/ending/clients?clientId=realm-management')).body;
    const mapped = `/ending/users/${user.id}/role-mappings/clients/${client.id}`;
    const roles = (await admin.send('GET', mapped)).body;
    expect((await admin.send('DELETE', mapped, roles)).status).toBe(204);
    await expect.poll(subscription.ended, within).toBe(true);
    expect(subscription.messages.at(-1)?.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  it('ends when the session of the caller does', async () => {
    const realm = await makeRealm('leaving');
    const viewer = await userOf(servers[1], 'leaving', 'viewer', 'right');
    const subscription = await subscribe(servers[1], viewer.token, loginEvents, { realm });
    await begun(subscription);
    const [user] = (await admin.send('GET', '/leaving/users?username=viewer')).body;
    expect((await admin.send('POST', `/leaving/users/${user.id}/logout`)).status).toBe(204);
    await expect.poll(subscription.ended, within).toBe(true);
    expect(subscription.messages.at(-1)?.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  it('is refused to anybody else, and with a cursor that is none', async () => {
    const realm = await makeRealm('closed');
    const ann = await userOf(servers[0], 'closed', 'ann', 'right');
    const codeOf = async (token: string | undefined, variables: object) => {
      const subscription = await subscribe(servers[0], token, loginEvents, { realm, ...variables });
      await expect.poll(subscription.ended, within).toBe(true);
      expect(received(subscription)).toEqual([]);
      return subscription.messages[0]?.errors?.[0]?.extensions?.code ?? subscription.status;
    };
    expect(await codeOf(undefined, {})).toBeOneOf(['UNAUTHENTICATED', 401]);
    expect(await codeOf(ann.token, {})).toBeOneOf(['FORBIDDEN', 'NOT_FOUND']);
    expect(await codeOf(admin.token, { after: 'nonsense' })).toBe('BAD_CURSOR');
    expect(await codeOf(admin.token, { realm: 'nonsense' })).toBe('BAD_ID');
  });

  it('holds no place that others wait for, and ends with the service', async () => {
    const realm = await makeRealm('narrow');
    const server = await startServer({ databaseUrl, maxConcurrentRequests: 2, maxQueuedRequests: 1 });
    const many = [];
    for (let at = 0; at < 6; at += 1) {
      const subscription = await subscribe(server, admin.token, loginEvents, { realm });
      await begun(subscription);
      many.push(subscription);
    }
    expect((await fetch(`${server.url}/auth/realms/narrow`)).status).toBe(200);
    await server.close();
    for (const subscription of many) await expect.poll(subscription.ended, within).toBe(true);
  });
});
