// @thorough
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  directoryWith,
  group,
  hasSlapd,
  manyPeople,
  mapperFor,
  personDn,
  storageFor,
  suffix,
  synchronise,
} from './directory.js';
import { type LdapProxy, proxyFor } from './proxy.js';

const people = 40;

describe.skipIf(!hasSlapd)('a directory that answers in two seconds', () => {
  let server: TestServer;
  let admin: Caller;
  let proxy: LdapProxy;

  const realmWith = async (realm: string) => {
    const users = [{ username: 'local', enabled: true, credentials: [{ type: 'password', value: 'local' }] }];
    expect((await admin.send('POST', '/', { realm, enabled: true, users })).status).toBe(201);
    const storage = await storageFor(admin, realm, proxy.url, { connectionTimeout: '30000', readTimeout: '30000' });
    await mapperFor(admin, realm, storage, 'group-ldap-mapper', {
      'groups.dn': `ou=groups,${suffix}`,
      mode: 'READ_ONLY',
    });
    return storage;
  };
  const searches = async <T>(work: () => Promise<T>): Promise<{ result: T; count: number }> => {
    const before = proxy.count('search');
    const result = await work();
    return { result, count: proxy.count('search') - before };
  };

  beforeAll(async () => {
    const members = Array.from({ length: people }, (_, at) => personDn(`user${at}`));
    proxy = await proxyFor((await directoryWith([...manyPeople(people), group('staff', members)])).url);
    server = await startServer();
    admin = await administrator(server);
    proxy.slowDown(2000);
  }, 60_000);

  it('is waited for by logins, and by nobody else', async () => {
    const realm = 'logins';
    await realmWith(realm);
    expect(await login(server, realm, 'user0', 'user0')).toBeTruthy();
    const ended: string[] = [];
    const logins = Array.from({ length: 8 }, (_, at) =>
      login(server, realm, `user${at}`, `user${at}`).then(() => void ended.push(`user${at}`)),
    );
    const before = proxy.count('bind') + proxy.count('search');
    expect(await login(server, realm, 'local', 'local')).toBeTruthy();
    expect((await admin.send('GET', `/${realm}/users?max=10`)).status).toBe(200);
    expect((await admin.send('GET', `/${realm}/users/count`)).status).toBe(200);
    await Promise.all(logins);
    expect(ended).toHaveLength(8);
    // of each: the person, its groups and the password, another look at both, and what the connection begins with
    expect(proxy.count('bind') + proxy.count('search') - before).toBeLessThanOrEqual(8 * 8);
  }, 120_000);

  it('is asked as often for forty people as for one', async () => {
    const realm = 'lists';
    const storage = await realmWith(realm);
    const one = await searches(() => admin.send('GET', `/${realm}/users?username=user39`));
    expect(one.result.body).toHaveLength(1);
    const all = await searches(() => admin.send('GET', `/${realm}/users?search=user&max=${people}`));
    expect(all.result.body).toHaveLength(people);
    expect(all.count).toBeLessThanOrEqual(one.count);
    const sync = await searches(() => synchronise(admin, realm, storage));
    expect(sync.result.body).toMatchObject({ added: 0, updated: people, failed: 0 });
    expect(sync.count).toBeLessThanOrEqual(3);
  }, 120_000);
});
