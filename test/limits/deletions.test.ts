import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { longestHold } from '../support/hold.js';
import { startServer } from '../support/server.js';

// What a realm has very many of goes at once, and nobody else waits for it. A statement of SQLite that deletes all of them would take
// hundreds of milliseconds.
const mostHeld = 100;
const many = 40_000;
const realm = 'crowded';
const time = 1_700_000_000_000;
const seconds = time / 1000;

let admin: Caller;

beforeAll(async () => {
  const server = await startServer();
  const { database } = server;
  admin = await administrator(server);
  const body = {
    realm,
    enabled: true,
    users: [{ username: 'somebody', enabled: true }],
    groups: [{ name: 'all' }],
    clients: [{ clientId: 'app' }],
  };
  expect((await admin.send('POST', '/', body)).status).toBe(201);
  const { id: realmId } = (await admin.send('GET', `/${realm}`)).body;
  const [{ id: userId }] = (await admin.send('GET', `/${realm}/users`)).body;
  const [{ id: clientId }] = (await admin.send('GET', `/${realm}/clients?clientId=app`)).body;
  const rows = <T>(make: (id: string) => T): T[] => Array.from({ length: many }, (_, at) => make(`row-${at}`));
  await database.transaction(async (tx) => {
    const times = { startedAt: seconds, lastAccess: seconds };
    const session = { realmId, userId, ipAddress: '192.0.2.1', ...times };
    await tx.userSession.createMany({ data: rows((id) => ({ id, sid: id, ...session })) });
    await tx.clientSession.createMany({ data: rows((id) => ({ id, sessionId: id, clientId, realmId, ...times })) });
    await tx.loginEvent.createMany({ data: rows((id) => ({ id, realmId, time, type: 'LOGIN', userId })) });
    const record = { realmId, time, operation: 'user.update', operationType: 'UPDATE', resourceType: 'USER' };
    await tx.adminEvent.createMany({
      data: rows((id) => ({ id, ...record, resourcePath: `users/${userId}`, listed: true })),
    });
  });
}, 60_000);

describe('nobody is held up by', () => {
  it.each([
    ['the end of all sessions of a realm', 'POST', '/logout-all', '/client-session-stats', 200],
    ['the removal of all login events', 'DELETE', '/events', '/events', 204],
    ['the removal of all admin events', 'DELETE', '/admin-events', '/admin-events', 204],
  ])('%s', async (_what, method, path, list, status) => {
    const held = await longestHold(async () => {
      expect((await admin.send(method, `/${realm}${path}`)).status).toBe(status);
    });
    expect(held).toBeLessThan(mostHeld);
    expect((await admin.send('GET', `/${realm}${list}`)).body).toEqual([]);
  });
});
