// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { leaseTime } from '../../src/services/user-storage/sync/lease.js';
import { startPeriodicSync, synchroniseDue } from '../../src/services/user-storage/sync/periodic.js';
import { type Message, subscribe } from '../events/sse.js';
import { subscribeBySocket } from '../events/websocket.js';
import { directoryWith, hasSlapd, manyPeople, storageFor, synchronise } from '../ldap/directory.js';
import { type LdapProxy, proxyFor } from '../ldap/proxy.js';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const people = 60;
const within = { timeout: 20_000, interval: 20 };
const hour = 3_600_000;

const watch = `subscription ($storage: ID!) {
  userStorageSync(userStorage: $storage) { status isFinished kind startedAt endedAt done total added updated removed failed error }
}`;
interface State {
  status: string;
  isFinished: boolean;
  done: number;
  total: number | null;
  added: number;
  error: string | null;
}
const statesOf = ({ messages }: { messages: Message[] }): State[] =>
  messages.flatMap(({ data }) => (data ? [data.userStorageSync as unknown as State] : []));

// Two instances on one database, whose clock the tests move on.
describe.skipIf(!hasSlapd)('synchronisations of users on several instances', () => {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  let databaseUrl: string;
  let servers: [TestServer, TestServer];
  let admin: Caller;
  let proxy: LdapProxy;

  /** A realm with somebody who may look at it and somebody who may not, and its storage. */
  async function realmWith(realm: string, config: Record<string, string> = {}) {
    const user = (username: string, roles: string[]) => ({
      username,
      enabled: true,
      credentials: [{ type: 'password', value: 'right' }],
      clientRoles: { 'realm-management': roles },
    });
    const users = [user('viewer', ['view-realm']), user('other', ['view-users'])];
    expect((await admin.send('POST', '/', { realm, enabled: true, users })).status).toBe(201);
    const id = await storageFor(admin, realm, proxy.url, { batchSizeForSync: '10', readTimeout: '30000', ...config });
    const { data } = await admin.graphql<{ realm: { userStorages: { id: string }[] } }>(
      `{ realm(name: "${realm}") { userStorages { id } } }`,
    );
    return { id, storage: data.realm.userStorages[0]?.id ?? '' };
  }

  beforeAll(async () => {
    const slapd = await directoryWith(manyPeople(people));
    proxy = await proxyFor(slapd.url);
    databaseUrl = await preparedDatabaseUrl();
    servers = [await startServer({ databaseUrl }, now), await startServer({ databaseUrl }, now)];
    admin = await administrator(servers[0]);
  }, 60_000);

  it('are told of as they go on, on every instance', async () => {
    const { id, storage } = await realmWith('told');
    const viewer = await userOf(servers[0], 'told', 'viewer', 'right');
    const seen = [
      await subscribe(servers[0], admin.token, watch, { storage }),
      subscribeBySocket(servers[1], viewer.token, watch, { storage }),
    ];
    for (const each of seen) await expect.poll(() => statesOf(each), within).toMatchObject([{ status: 'NEVER' }]);
    proxy.failAfter(2);
    const running = synchronise(admin, 'told', id);
    const half = {
      status: 'RUNNING',
      isFinished: false,
      kind: 'FULL',
      done: 20,
      total: null,
      added: 20,
      endedAt: null,
    };
    for (const each of seen) await expect.poll(() => statesOf(each).at(-1), within).toMatchObject(half);
    proxy.heal();
    expect((await running).body).toMatchObject({ added: people });
    const whole = { status: 'DONE', isFinished: true, done: people, total: people, added: people, error: null };
    for (const each of seen) await expect.poll(() => statesOf(each).at(-1), within).toMatchObject(whole);

    // the next one knows how many there are, and how it ends
    proxy.failAfter(1, (socket) => void socket.destroy());
    expect((await synchronise(admin, 'told', id)).status).toBe(503);
    proxy.heal();
    const cut = { status: 'FAILED', isFinished: true, done: 10, total: people, added: 0 };
    for (const each of seen) {
      await expect.poll(() => statesOf(each).at(-1), within).toMatchObject(cut);
      expect(statesOf(each).at(-1)?.error).toContain('cannot be reached');
      each.close();
    }
    const { data } = await admin.graphql<{ realm: { userStorages: unknown[] } }>(
      '{ realm(name: "told") { userStorages { isSynchronising sync { status done } lastSync { error } } } }',
    );
    expect(data.realm.userStorages).toMatchObject([
      { isSynchronising: false, sync: { status: 'FAILED', done: 10 }, lastSync: { error: expect.any(String) } },
    ]);
  });

  it('are told of only to those who may look at the storage, and while they may', async () => {
    const { storage } = await realmWith('guarded');
    const other = await userOf(servers[0], 'guarded', 'other', 'right');
    const viewer = await userOf(servers[0], 'guarded', 'viewer', 'right');
    for (const token of [other.token, undefined]) {
      const refused = await subscribe(servers[0], token, watch, { storage });
      await expect.poll(() => refused.ended(), within).toBe(true);
      expect(statesOf(refused)).toEqual([]);
    }
    const seen = await subscribe(servers[1], viewer.token, watch, { storage });
    await expect.poll(() => statesOf(seen).length, within).toBe(1);
    const [user] = (await admin.send('GET', '/guarded/users?username=viewer')).body;
    expect((await admin.send('DELETE', `/guarded/users/${user.id}`)).status).toBe(204);
    await expect.poll(() => seen.ended(), within).toBe(true);
    expect(seen.messages.at(-1)?.errors).toBeTruthy();
  });

  it('happen once in a period, by one instance', async () => {
    const { id } = await realmWith('periods', { fullSyncPeriod: '3600', changedSyncPeriod: '600' });
    const stops = servers.map(({ services }) => startPeriodicSync(services, 20));
    const state = () =>
      servers[0].database.read.userStorageState.findUnique({
        where: { componentId: id },
        select: { fullSyncAt: true, changedSyncAt: true, lastKind: true, leaseOwner: true },
      });
    const both = () => Promise.all(servers.map(({ services }) => synchroniseDue(services)));
    try {
      await expect.poll(state, within).toMatchObject({ lastKind: 'FULL', leaseOwner: null });
      await both();
      // one search for each page of the directory
      const searches = proxy.count('search');
      ahead += 1.5 * hour;
      const first = (await state())?.fullSyncAt ?? 0n;
      await expect.poll(async () => ((await state())?.fullSyncAt ?? 0n) > first, within).toBe(true);
      await both();
      expect(proxy.count('search') - searches).toBe(people / 10);
      ahead += hour / 4;
      await expect.poll(state, within).toMatchObject({ lastKind: 'CHANGED', leaseOwner: null });
      await both();
      const changed = proxy.count('search');
      await both();
      expect(proxy.count('search')).toBe(changed);
    } finally {
      for (const stop of stops) await stop();
      admin = await administrator(servers[0]);
      expect((await admin.send('DELETE', `/periods/components/${id}`)).status).toBe(204);
    }
  });

  it('are taken over from an instance that stops, or is gone', async () => {
    admin = await administrator(servers[0]);
    const { id } = await realmWith('inherited', { fullSyncPeriod: '3600' });
    const count = () => servers[0].database.read.user.count({ where: { federationLink: id } });
    const stopping = new AbortController();
    proxy.failAfter(2);
    const holder = synchroniseDue({ ...servers[0].services, stopping: stopping.signal });
    await expect.poll(count, within).toBe(20);
    // who comes meanwhile does nothing
    await synchroniseDue(servers[1].services);
    expect((await synchronise(admin, 'inherited', id)).body).toMatchObject({ ignored: true });
    stopping.abort();
    proxy.heal();
    await holder;
    expect(await count()).toBe(20);
    ahead += 1.1 * hour;
    await synchroniseDue(servers[1].services);
    expect(await count()).toBe(people);

    // one that died has left its right behind, which ends by itself
    admin = await administrator(servers[0]);
    await servers[0].database.transaction((tx) =>
      tx.userStorageState.updateMany({
        where: { componentId: id },
        data: { leaseOwner: 'somebody', leaseUntil: now() + leaseTime },
      }),
    );
    expect((await synchronise(admin, 'inherited', id)).body).toMatchObject({ ignored: true });
    ahead += leaseTime + 1;
    admin = await administrator(servers[0]);
    const fields = '{ realm(name: "inherited") { userStorages { sync { status } } } }';
    expect((await admin.graphql(fields)).data).toMatchObject({
      realm: { userStorages: [{ sync: { status: 'INTERRUPTED' } }] },
    });
    expect((await synchronise(admin, 'inherited', id)).body).toMatchObject({ ignored: false, added: 0 });
  });
});
