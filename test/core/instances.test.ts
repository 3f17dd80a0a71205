// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { Prisma } from '../../src/database/prisma.js';
import type { ChangeNotice } from '../../src/services/core/feed.js';
import { dialect, preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, callerWith, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// Two instances on one database. The clock of the tests is so slow that no cache expires on its own.
let servers: [TestServer, TestServer];
let one: Caller;
let other: Caller;
const heard: [ChangeNotice[], ChangeNotice[]] = [[], []];
const within = { timeout: 1500, interval: 20 };

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  servers = [await startServer({ databaseUrl }), await startServer({ databaseUrl })];
  one = await administrator(servers[0]);
  other = await administrator(servers[1]);
  for (const at of [0, 1] as const) servers[at].services.feed.subscribe((notice) => heard[at].push(notice));
});

const create = async (realm: string) => {
  const users = [
    {
      username: 'ann',
      enabled: true,
      credentials: [{ type: 'password', value: 'pw' }],
      clientRoles: { 'realm-management': ['view-users'] },
    },
  ];
  expect((await one.send('POST', '/', { realm, enabled: true, users })).status).toBe(201);
};

const statusOf = (caller: Caller, path: string) => async () => (await caller.send('GET', path)).status;
const rolesHeard = (at: 0 | 1, path: string) =>
  heard[at].filter(({ operation, touches }) => operation === 'role.create' && touches.includes(path)).length;

const heardOf = (at: 0 | 1, operation: string) => heard[at].filter((notice) => notice.operation === operation).length;

describe('what is committed by one instance', () => {
  it('takes a permission away on the other', async () => {
    await create('guarded');
    const ann = callerWith(servers[1], (await userOf(servers[0], 'guarded', 'ann', 'pw')).token);
    expect(await statusOf(ann, '/guarded/users')()).toBe(200);
    const [user] = (await one.send('GET', '/guarded/users?username=ann')).body;
    const [client] = (await one.send('GET', '/guarded/clients?clientId=realm-management')).body;
    const mapped = `/guarded/users/${user.id}/role-mappings/clients/${client.id}`;
    const roles = (await one.send('GET', mapped)).body;
    expect((await one.send('DELETE', mapped, roles)).status).toBe(204);
    await expect.poll(statusOf(ann, '/guarded/users'), within).toBe(403);
    expect((await one.send('POST', mapped, roles)).status).toBe(204);
    await expect.poll(statusOf(ann, '/guarded/users'), within).toBe(200);
  });

  it('shuts a disabled user out of the other', async () => {
    await create('locked');
    const ann = callerWith(servers[1], (await userOf(servers[0], 'locked', 'ann', 'pw')).token);
    expect(await statusOf(ann, '/locked/users')()).toBe(200);
    const [user] = (await one.send('GET', '/locked/users?username=ann')).body;
    await one.send('PUT', `/locked/users/${user.id}`, { enabled: false });
    await expect.poll(statusOf(ann, '/locked/users'), within).toBe(401);
  });

  it('changes the settings of a realm on the other', async () => {
    await create('set');
    const displayName = async () => (await other.send('GET', '/set')).body.displayName;
    expect(await displayName()).toBeUndefined();
    await one.send('PUT', '/set', { displayName: 'Set here' });
    await expect.poll(displayName, within).toBe('Set here');
  });

  it('removes a realm from the other', async () => {
    await create('removed');
    expect(await statusOf(other, '/removed')()).toBe(200);
    await one.send('DELETE', '/removed');
    await expect.poll(statusOf(other, '/removed'), within).toBe(404);
    await expect.poll(statusOf(other, '/removed/users'), within).toBe(404);
  });

  it('is heard once by each, in both directions, whatever else happens at that time', async () => {
    await create('loud');
    const { id } = (await other.send('GET', '/loud')).body;
    const names = Array.from({ length: 20 }, (_, at) => `role-${at}`);
    await Promise.all(names.map((name, at) => (at % 2 ? one : other).send('POST', '/loud/roles', { name })));
    for (const at of [0, 1] as const) await expect.poll(() => rolesHeard(at, `roles:${id}`), within).toBe(20);
    await one.send('POST', '/loud/roles', { name: 'last' });
    for (const at of [0, 1] as const) await expect.poll(() => rolesHeard(at, `roles:${id}`), within).toBe(21);
  });

  it('is not heard when it was only imagined', async () => {
    const before = heard.map(({ length }) => length);
    await one.send('POST', '/loud/roles', { name: 'imagined' }, { prefer: 'dry-run' });
    await one.send('POST', '/loud/roles', { name: 'real' });
    await expect.poll(() => heard.map(({ length }) => length), within).toEqual(before.map((length) => length + 1));
  });

  it('is heard without a notice, which may be lost with the instance that would have sent it', async () => {
    const change = { realmId: 'r', operation: 'unnoticed', eventId: 'unnoticed', touches: [], at: 1n };
    await servers[0].database.transaction((tx) => tx.change.createMany({ data: change }));
    for (const at of [0, 1] as const) await expect.poll(() => heardOf(at, 'unnoticed'), within).toBe(1);
  });

  it.runIf(dialect === 'postgresql')('is heard once, in whichever order transactions end', async () => {
    const change = (eventId: string) => ({ realmId: 'r', operation: 'late', eventId, touches: [], at: 1n });
    const { transaction } = servers[0].database;
    await transaction(async (tx) => {
      await tx.change.createMany({ data: change('numbered first') });
      await tx.later.settle();
      await transaction((other) => other.change.createMany({ data: change('numbered second') }));
      for (const at of [0, 1] as const) await expect.poll(() => heardOf(at, 'late'), within).toBe(1);
    });
    for (const at of [0, 1] as const) await expect.poll(() => heardOf(at, 'late'), within).toBe(2);
    const heardLate = heard[1].filter(({ operation }) => operation === 'late').map(({ eventId }) => eventId);
    expect(heardLate).toEqual(['numbered second', 'numbered first']);
  });

  it.runIf(dialect === 'postgresql')('is heard after the connection was lost', async () => {
    await create('lost');
    expect((await other.send('GET', '/lost')).body.displayName).toBeUndefined();
    await servers[0].database.read.query(Prisma.sql`
      SELECT pg_terminate_backend("pid") AS "done" FROM "pg_stat_activity"
       WHERE "application_name" = 'realmgate_changes' AND "datname" = current_database()`);
    await one.send('PUT', '/lost', { displayName: 'Missed' });
    const displayName = async () => (await other.send('GET', '/lost')).body.displayName;
    await expect.poll(displayName, within).toBe('Missed');
    const updates = heard[1].filter(({ operation }) => operation === 'realm.update');
    expect(new Set(updates.map(({ eventId }) => eventId)).size).toBe(updates.length);
  });
});
