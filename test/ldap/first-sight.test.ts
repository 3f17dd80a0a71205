import { Client } from 'ldapts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import {
  directoryWith,
  group,
  groupDn,
  hasSlapd,
  manyPeople,
  mapperFor,
  personDn,
  rootDn,
  rootPassword,
  storageFor,
  suffix,
} from './directory.js';
import { type LdapProxy, measureWork, proxyFor } from './proxy.js';

const people = 90;

describe.skipIf(!hasSlapd)('people of a directory, first seen and read again', () => {
  let server: TestServer;
  let admin: Caller;
  let slapd: Slapd;
  let proxy: LdapProxy;
  let root: Client;

  const realmWith = async (realm: string, config: Record<string, string> = {}) => {
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    const storage = await storageFor(admin, realm, proxy.url, config);
    const groups = { 'groups.dn': `ou=groups,${suffix}`, mode: 'READ_ONLY' };
    await mapperFor(admin, realm, storage, 'group-ldap-mapper', groups);
    return storage;
  };

  const counted = <T>(work: () => Promise<T>) => measureWork(server, proxy, work);

  const groupsOf = async (realm: string, id: string) =>
    (await admin.send('GET', `/${realm}/users/${id}/groups`)).body.map(({ path }: { path: string }) => path);

  const members = (at: number) => [personDn(`user${at}`), personDn('user1')];

  beforeAll(async () => {
    const groups = Array.from({ length: 20 }, (_, at) => group(`team${at}`, members(at)));
    slapd = await directoryWith([...manyPeople(people), ...groups]);
    proxy = await proxyFor(slapd.url);
    server = await startServer({}, slowClock);
    admin = await administrator(server);
    root = new Client({ url: slapd.url });
    await root.bind(rootDn, rootPassword);
  }, 60_000);

  it.each(['true', 'false'])(
    'finds ninety with their groups in a few searches, importEnabled=%s',
    async (importEnabled) => {
      const realm = `crowd-${importEnabled}`;
      await realmWith(realm, { importEnabled });
      const search = () => admin.send('GET', `/${realm}/users?search=user&max=200`);
      const first = await counted(search);
      expect(first.result.body).toHaveLength(people);
      // people, their groups fifty at a time, and all groups once, as none of them was known
      expect(first.searches).toBeLessThanOrEqual(4);
      expect(first.statements).toBeLessThan(60);
      const again = await counted(search);
      expect(again.result.body).toHaveLength(people);
      expect(again.searches).toBe(1);
      expect(again.statements).toBeLessThan(25);
      const id = first.result.body.find(({ username }: { username: string }) => username === 'user3').id;
      expect(await groupsOf(realm, id)).toEqual(['/team3']);
    },
  );

  it('reads one person once, and none for a list', async () => {
    const realm = 'once';
    await realmWith(realm);
    const [{ id }] = (await admin.send('GET', `/${realm}/users?username=user2&exact=true`)).body;
    const first = await counted(() => admin.send('GET', `/${realm}/users/${id}`));
    expect(first.searches).toBe(2);
    const again = await counted(() => admin.send('GET', `/${realm}/users/${id}`));
    expect(again.searches).toBe(0);
    const list = await counted(() => admin.send('GET', `/${realm}/users?max=50`));
    expect(list.searches).toBe(0);
  });

  it('does not let people leave a hard-coded group', async () => {
    const realm = 'fixed';
    const storage = await realmWith(realm);
    await admin.send('POST', `/${realm}/groups`, { name: 'everybody' });
    await mapperFor(admin, realm, storage, 'hardcoded-ldap-group-mapper', { group: '/everybody' });
    const [{ id }] = (await admin.send('GET', `/${realm}/users?username=user2&exact=true`)).body;
    const groups = (await admin.send('GET', `/${realm}/users/${id}/groups`)).body;
    const everybody = groups.find(({ path }: { path: string }) => path === '/everybody').id;
    const refused = await admin.send('DELETE', `/${realm}/users/${id}/groups/${everybody}`);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toBe("Not possible to delete group. It's hardcoded by LDAP mapper");
    expect(await groupsOf(realm, id)).toContain('/everybody');
  });

  it('goes by what it knows while the directory does not answer', async () => {
    const realm = 'down';
    await realmWith(realm, { cachePolicy: 'NO_CACHE', readTimeout: '300', connectionTimeout: '300' });
    const [{ id }] = (await admin.send('GET', `/${realm}/users?username=user5&exact=true`)).body;
    expect(await groupsOf(realm, id)).toEqual(['/team5']);
    slapd.pause();
    try {
      expect((await admin.send('GET', `/${realm}/users/${id}`)).body.username).toBe('user5');
      expect(await groupsOf(realm, id)).toEqual(['/team5']);
      expect((await admin.send('GET', `/${realm}/users?username=user5&exact=true`)).body).toHaveLength(1);
    } finally {
      slapd.resume();
    }
  });

  it('has changes of memberships and of names at once without a cache', async () => {
    const realm = 'live';
    await realmWith(realm, { cachePolicy: 'NO_CACHE' });
    const [{ id }] = (await admin.send('GET', `/${realm}/users?username=user7&exact=true`)).body;
    expect(await groupsOf(realm, id)).toEqual(['/team7']);
    await root.del(groupDn('team7'));
    expect(await groupsOf(realm, id)).toEqual([]);
    await root.del(personDn('user7'));
    expect((await admin.send('GET', `/${realm}/users/${id}`)).status).toBe(404);
    expect((await admin.send('GET', `/${realm}/users?username=user7&exact=true`)).body).toEqual([]);
  });
});
