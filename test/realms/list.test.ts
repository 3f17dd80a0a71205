// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith, login } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';

const names = Array.from({ length: 12 }, (_, n) => `realm-${String.fromCharCode(97 + n)}`);
/** Realms in which a user of the realm master has a role each. */
const own = ['realm-b', 'realm-e', 'realm-k'];
let server: TestServer;
let admin: Caller;

const listed = async (caller: Caller, query = ''): Promise<string[]> => {
  const { status, body } = await caller.send('GET', `/admin/realms${query}`);
  expect(status).toBe(200);
  return body.map(({ realm }: { realm: string }) => realm);
};

async function userOfMaster(username: string): Promise<{ id: string; caller: () => Promise<Caller> }> {
  const credentials = [{ type: 'password', value: 'secret-1' }];
  await admin.send('POST', '/admin/realms/master/users', { username, enabled: true, credentials });
  const [{ id }] = (await admin.send('GET', `/admin/realms/master/users?username=${username}`)).body;
  return { id, caller: async () => callerWith(server, await login(server, 'master', username, 'secret-1')) };
}

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  for (const realm of names) await admin.send('POST', '/admin/realms', { realm, enabled: true });
});

/** Every page of some sizes, also behind the end. */
const pages = [
  [0, 1],
  [0, 5],
  [3, 4],
  [11, 5],
  [40, 5],
  [0, 500],
  [2, 900],
] as const;

describe('the list of realms', () => {
  it.each(pages)('from %i has %i at most, for who administers all', async (first, max) => {
    const all = ['master', ...names].sort();
    expect(await listed(admin)).toEqual(all);
    expect(await listed(admin, `?first=${first}&max=${max}`)).toEqual(all.slice(first, first + max));
    expect(await listed(admin, `?first=${first}`)).toEqual(all.slice(first));
    expect(await listed(admin, `?max=${max}`)).toEqual(all.slice(0, max));
  });

  it('counts only what the caller administers', async () => {
    const { id, caller } = await userOfMaster('some');
    for (const realm of own) {
      const [client] = (await admin.send('GET', `/admin/realms/master/clients?clientId=${realm}-realm`)).body;
      const role = (await admin.send('GET', `/admin/realms/master/clients/${client.id}/roles/view-realm`)).body;
      await admin.send('POST', `/admin/realms/master/users/${id}/role-mappings/clients/${client.id}`, [role]);
    }
    const some = await caller();
    expect(await listed(some)).toEqual(own);
    for (const [first, max] of [
      [0, 1],
      [1, 1],
      [1, 5],
      [2, 1],
      [3, 2],
    ] as const) {
      expect(await listed(some, `?first=${first}&max=${max}`)).toEqual(own.slice(first, first + max));
    }
  });

  it.each(['', '?max=5', '?first=0&max=0', '?first=50&max=1'])(
    'is refused with %j to who administers none',
    async (query) => {
      const { caller } = await userOfMaster(`none-${query.length}`);
      expect((await (await caller()).send('GET', `/admin/realms${query}`)).status).toBe(403);
    },
  );

  it('takes as many statements for a page however many realms there are', async () => {
    const statements = async () => {
      // what is remembered of the caller and the realms is read before
      await listed(admin, '?first=0&max=5');
      return countStatements(server, () => listed(admin, '?first=0&max=5'));
    };
    const few = await statements();
    for (const realm of names) await admin.send('POST', '/admin/realms', { realm: `z-${realm}`, enabled: true });
    expect(await statements()).toBe(few);
    expect(few).toBeGreaterThan(0);
  });
});
