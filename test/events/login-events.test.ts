// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { removeExpiredEvents } from '../../src/services/events/expiry.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
});

async function makeRealm(realm: string, settings: object = {}): Promise<void> {
  const user = (username: string, roles: string[]) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'right' }],
    clientRoles: { 'realm-management': roles },
  });
  const users = [user('ann', []), user('viewer', ['view-events']), user('keeper', ['manage-events'])];
  const body = { realm, enabled: true, eventsEnabled: true, adminEventsEnabled: true, ...settings, users };
  expect((await admin.send('POST', '/', body)).status).toBe(201);
}

const tryLogin = (realm: string, password: string, username = 'ann') =>
  fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password }),
  });
const events = async (realm: string, query = '', caller = admin) =>
  (await caller.send('GET', `/${realm}/events${query}`)).body as { type: string; time: number; error?: string }[];

describe('the list of login events', () => {
  it('takes types one by one or separated by commas', async () => {
    await makeRealm('listed');
    await tryLogin('listed', 'right');
    await tryLogin('listed', 'wrong');
    for (const query of ['?type=LOGIN&type=LOGIN_ERROR', '?type=LOGIN,LOGIN_ERROR', '']) {
      expect((await events('listed', query)).map(({ type }) => type).toSorted()).toEqual(['LOGIN', 'LOGIN_ERROR']);
    }
    expect((await events('listed', '?type=LOGIN')).map(({ type }) => type)).toEqual(['LOGIN']);
    expect((await admin.send('GET', '/listed/events?type=NO_SUCH')).status).toBe(400);
    expect((await admin.send('GET', '/listed/events?dateTo=2020-13-45')).status).toBe(400);
    expect((await admin.send('GET', '/listed/events?max=many')).status).toBe(404);
  });

  it('has a hundred unless it is told how many', async () => {
    await makeRealm('long');
    const { id: realmId } = (await admin.send('GET', '/long')).body;
    const row = (at: number) => ({ id: `long-${at}`, realmId, time: BigInt(Date.now() - at), type: 'LOGIN' });
    const data = Array.from({ length: 150 }, (_, at) => row(at));
    await server.database.transaction((tx) => tx.loginEvent.createMany({ data }));
    const all = await events('long', '?max=-1');
    expect(all).toHaveLength(150);
    expect(all.map(({ time }) => time)).toEqual(all.map(({ time }) => time).toSorted((a, b) => b - a));
    expect(await events('long')).toEqual(all.slice(0, 100));
    expect(await events('long', '?first=140&max=20')).toEqual(all.slice(140));
  });

  it('is for those who may see events, and emptied by those who may manage them', async () => {
    await makeRealm('guarded');
    await makeRealm('other');
    const viewer = await userOf(server, 'guarded', 'viewer', 'right');
    const keeper = await userOf(server, 'guarded', 'keeper', 'right');
    const ann = await userOf(server, 'guarded', 'ann', 'right');
    await tryLogin('other', 'right');
    expect((await ann.send('GET', '/guarded/events')).status).toBe(403);
    expect((await viewer.send('GET', '/other/events')).status).toBe(403);
    expect(await events('guarded', '', viewer)).toHaveLength(3);
    expect((await viewer.send('DELETE', '/guarded/events')).status).toBe(403);
    expect((await keeper.send('DELETE', '/guarded/events')).status).toBe(204);
    expect(await events('guarded')).toEqual([]);
    expect(await events('other')).toHaveLength(1);
    const { body } = await admin.send('GET', '/guarded/admin-events?resourcePath=events');
    expect(body).toMatchObject([{ operationType: 'DELETE', resourceType: 'REALM' }]);
  });
});

describe('login events', () => {
  it('go when their realm has kept them long enough, in any number, or is gone', async () => {
    await makeRealm('brief', { eventsExpiration: 60 });
    await makeRealm('patient');
    await makeRealm('gone');
    for (const realm of ['brief', 'patient', 'gone']) await tryLogin(realm, 'right');
    const { id: realmId } = (await admin.send('GET', '/brief')).body;
    const old = BigInt(Date.now() - 61_000);
    const row = (at: number) => ({ id: `brief-${at}`, realmId, time: old, type: 'LOGIN' });
    const data = Array.from({ length: 2500 }, (_, at) => row(at));
    await server.database.transaction((tx) => tx.loginEvent.createMany({ data }));
    const gone = (await admin.send('GET', '/gone')).body.id as string;
    expect((await admin.send('DELETE', '/gone')).status).toBe(204);
    await removeExpiredEvents(server.services);
    expect(await events('brief', '?max=-1')).toHaveLength(1);
    expect(await events('patient')).toHaveLength(1);
    expect(await server.database.read.loginEvent.count({ where: { realmId: gone } })).toBe(0);
    await removeExpiredEvents({ database: server.database, now: () => Date.now() + 61_000 });
    expect(await events('brief')).toEqual([]);
    expect(await events('patient')).toHaveLength(1);
  });

  it('hold no password', async () => {
    await makeRealm('secret');
    await tryLogin('secret', 'planted-password');
    await tryLogin('secret', 'planted-password', 'nobody');
    const stored = await server.database.read.loginEvent.findMany({ where: { type: 'LOGIN_ERROR' } });
    expect(stored.length).toBeGreaterThanOrEqual(2);
    const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
    expect(JSON.stringify(stored, bigints)).not.toContain('planted-password');
  });
});
