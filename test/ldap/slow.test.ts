import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { synchroniseDue } from '../../src/services/user-storage/sync/periodic.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { directoryWith, hasSlapd, manyPeople, person, storageFor, synchronise } from './directory.js';
import { type LdapProxy, proxyFor } from './proxy.js';

const within = { timeout: 20_000, interval: 20 };
/** Connections to one directory. */
const connections = 8;

/** Work of which no part ends before `release` is called. */
interface Held {
  /** statuses of what has ended */
  ended: string[];
  all: Promise<unknown>;
}

describe.skipIf(!hasSlapd)('a directory that does not answer', () => {
  let server: TestServer;
  let admin: Caller;
  let proxy: LdapProxy;

  const realmWith = async (realm: string, config: Record<string, string> = {}) => {
    const users = [{ username: 'local', enabled: true, credentials: [{ type: 'password', value: 'local' }] }];
    expect((await admin.send('POST', '/', { realm, enabled: true, users })).status).toBe(201);
    const id = await storageFor(admin, realm, proxy.url, {
      connectionTimeout: '30000',
      readTimeout: '30000',
      ...config,
    });
    expect((await synchronise(admin, realm, id)).status).toBe(200);
    return id;
  };
  const manyLogins = (realm: string, count: number): Held => {
    const ended: string[] = [];
    const all = Array.from({ length: count }, (_, at) =>
      login(server, realm, `user${at % 20}`, `user${at % 20}`).then(
        () => void ended.push('right'),
        ({ message }: Error) => void ended.push(message),
      ),
    );
    return { ended, all: Promise.all(all) };
  };

  beforeAll(async () => {
    proxy = await proxyFor((await directoryWith(manyPeople(20))).url);
    server = await startServer();
    admin = await administrator(server);
  }, 60_000);
  beforeEach(() => proxy.heal());

  it('holds up neither other realms nor local users, and is asked over a bounded number of connections', async () => {
    expect((await admin.send('POST', '/', { realm: 'without', enabled: true })).status).toBe(201);
    await realmWith('held');
    proxy.failAfter(0);
    proxy.peak();
    const held = manyLogins('held', 200);
    await expect.poll(() => held.ended.length, within).toBeGreaterThan(0);
    expect(await login(server, 'held', 'local', 'local')).toBeTruthy();
    expect((await admin.send('GET', '/without/users')).status).toBe(200);
    expect((await admin.send('GET', '/held/users')).status).toBe(200);
    expect(await login(server, 'master', 'admin', 'admin')).toBeTruthy();
    // the directory has answered nobody until now
    expect(held.ended).not.toContain('right');
    expect(proxy.peak()).toBeLessThanOrEqual(connections);
    proxy.heal();
    await held.all;
    expect(held.ended.filter((outcome) => outcome === 'right').length).toBeGreaterThanOrEqual(connections);
    expect(await login(server, 'held', 'user1', 'user1')).toBeTruthy();
  }, 60_000);

  it('lets everybody in who comes at once while it answers', async () => {
    await realmWith('burst');
    const burst = manyLogins('burst', 2 * connections);
    await burst.all;
    expect(new Set(burst.ended)).toEqual(new Set(['right']));
  }, 60_000);

  it.each(['true', 'false'])(
    'has logins counted among its connections, with pooling %s',
    async (connectionPooling) => {
      const realm = `counted-${connectionPooling}`;
      await realmWith(realm, { connectionPooling, connectionPoolingMaxSize: '3' });
      proxy.holdLogins(true);
      const most = connectionPooling === 'true' ? 3 : connections;
      const held = manyLogins(realm, 20);
      await expect.poll(() => proxy.holdLogins(true), within).toBeGreaterThan(0);
      expect(await login(server, realm, 'local', 'local')).toBeTruthy();
      expect(held.ended).not.toContain('right');
      expect(proxy.holdLogins(true)).toBeLessThanOrEqual(most);
      proxy.holdLogins(false);
      await held.all;
      expect(held.ended).toContain('right');
    },
    60_000,
  );
});

describe.skipIf(!hasSlapd)('periodic synchronisation', () => {
  it('goes on with other storages while a directory does not answer', async () => {
    const silent = await proxyFor((await directoryWith(manyPeople(2))).url);
    const sound = await directoryWith(manyPeople(3));
    const server = await startServer();
    const admin = await administrator(server);
    const realmWith = async (realm: string, url: string) => {
      expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
      await storageFor(admin, realm, url, { fullSyncPeriod: '3600', connectionTimeout: '30000', readTimeout: '30000' });
    };
    silent.failAfter(0);
    for (const realm of ['silent-0', 'silent-1', 'silent-2']) await realmWith(realm, silent.url);
    for (const realm of ['sound-0', 'sound-1']) await realmWith(realm, sound.url);
    const due = synchroniseDue(server.services);
    for (const realm of ['sound-0', 'sound-1']) {
      await expect.poll(async () => (await admin.send('GET', `/${realm}/users/count`)).body, within).toBe(3);
    }
    expect((await admin.send('GET', '/silent-0/users/count')).body).toBe(0);
    silent.heal();
    await due;
    expect((await admin.send('GET', '/silent-0/users/count')).body).toBe(2);
  }, 60_000);
});

describe.skipIf(!hasSlapd)('two directories of one realm', () => {
  let server: TestServer;
  let admin: Caller;
  let first: LdapProxy;
  let second: LdapProxy;

  beforeAll(async () => {
    const inFirst = [person('anna', { password: 'first' }), person('berta')];
    const inSecond = [person('anna', { password: 'second' }), person('carl'), person('dora')];
    first = await proxyFor((await directoryWith(inFirst)).url);
    second = await proxyFor((await directoryWith(inSecond)).url);
    server = await startServer();
    admin = await administrator(server);
  }, 60_000);

  const realmWith = async (realm: string, priorities: [string, string]) => {
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    const timeouts = { readTimeout: '1000', connectionTimeout: '1000' };
    const one = await storageFor(admin, realm, first.url, { ...timeouts, priority: priorities[0] });
    const other = await storageFor(admin, realm, second.url, { ...timeouts, priority: priorities[1] });
    return [one, other] as const;
  };

  it.each([
    ['0', '1', 'first', 'second'],
    ['1', '0', 'second', 'first'],
    ['9', '10', 'first', 'second'],
  ])('ask the one with the lower priority first: %s and %s', async (one, other, right, wrong) => {
    const realm = `priorities-${one}`;
    const [firstId, secondId] = await realmWith(realm, [one, other]);
    expect(await login(server, realm, 'anna', right)).toBeTruthy();
    await expect(login(server, realm, 'anna', wrong)).rejects.toThrow('Invalid user credentials');
    const mine = right === 'first' ? firstId : secondId;
    const [anna] = (await admin.send('GET', `/${realm}/users?username=anna&exact=true`)).body;
    expect(anna.federationLink).toBe(mine);
    const theirs = mine === firstId ? secondId : firstId;
    const others = mine === firstId ? { added: 2 } : { added: 1 };
    expect((await synchronise(admin, realm, theirs)).body).toMatchObject({ ...others, updated: 0, failed: 1 });
    expect((await synchronise(admin, realm, mine)).body).toMatchObject({ removed: 0, failed: 0 });
    expect(await login(server, realm, 'anna', right)).toBeTruthy();
  });

  it('answer for their own people while the other one does not', async () => {
    const realm = 'half';
    const [down, up] = await realmWith(realm, ['0', '1']);
    expect((await synchronise(admin, realm, down)).body).toMatchObject({ added: 2 });
    expect((await admin.send('GET', `/${realm}/users?search=carl`)).body).toMatchObject([{ username: 'carl' }]);
    first.failAfter(0, (socket) => socket.destroy());
    expect(await login(server, realm, 'carl', 'carl')).toBeTruthy();
    // whether the first one has the name as well, nobody can tell
    expect((await admin.send('GET', `/${realm}/users?search=dora`)).body).toEqual([]);
    await expect(login(server, realm, 'dora', 'dora')).rejects.toThrow('cannot be reached');
    expect((await synchronise(admin, realm, up)).body).toMatchObject({ added: 0, removed: 0, failed: 2 });
    await expect(login(server, realm, 'berta', 'berta')).rejects.toThrow('cannot be reached');
    await expect(login(server, realm, 'anna', 'second')).rejects.toThrow('cannot be reached');
    expect((await synchronise(admin, realm, down)).status).toBe(503);
    expect((await admin.send('GET', `/${realm}/users/count`)).body).toBe(3);
    first.heal();
    expect(await login(server, realm, 'berta', 'berta')).toBeTruthy();
    expect(await login(server, realm, 'dora', 'dora')).toBeTruthy();
  });
});
