// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, login } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
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
import { type LdapProxy, measureWork, proxyFor } from './proxy.js';

const groups = 10_000;
const page = 500;

describe.skipIf(!hasSlapd)('a directory with ten thousand groups', () => {
  let server: TestServer;
  let admin: Caller;
  let proxy: LdapProxy;

  beforeAll(async () => {
    const many = Array.from({ length: groups }, (_, at) => group(`group${at}`, [personDn(`user${at % 10}`)]));
    proxy = await proxyFor((await directoryWith([...manyPeople(10), ...many])).url);
    server = await startServer({}, slowClock);
    admin = await administrator(server);
  }, 120_000);

  const realmWith = async (realm: string, filter?: string) => {
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    const id = await storageFor(admin, realm, proxy.url, { readTimeout: '30000' });
    await mapperFor(admin, realm, id, 'group-ldap-mapper', {
      'groups.dn': `ou=groups,${suffix}`,
      mode: 'READ_ONLY',
      ...(filter && { 'groups.ldap.filter': filter }),
    });
    return id;
  };
  const measured = (work: () => Promise<unknown>) => measureWork(server, proxy, work);

  it('is synchronised with a number of statements that does not grow with the groups', async () => {
    const few = await realmWith('few', '(cn=group99*)');
    const whole = await realmWith('whole');
    const first = await measured(() => synchronise(admin, 'few', few));
    const second = await measured(async () => {
      expect((await synchronise(admin, 'whole', whole)).body).toMatchObject({ added: 10, failed: 0 });
    });
    expect((await admin.send('GET', '/whole/groups/count')).body).toEqual({ count: groups });
    expect(second.statements - first.statements).toBeLessThan(25);
    expect(second.searches).toBeLessThanOrEqual(first.searches + groups / page);
    const [user] = (await admin.send('GET', '/whole/users?username=user3&exact=true')).body;
    expect((await admin.send('GET', `/whole/users/${user.id}/groups/count`)).body).toEqual({ count: groups / 10 });
    const again = await measured(async () => {
      expect((await synchronise(admin, 'whole', whole)).body).toMatchObject({ added: 0, removed: 0 });
    });
    expect(again.statements).toBeLessThanOrEqual(second.statements);
  }, 300_000);

  it('is asked once for all groups, as their places have to be known, and then for those of who logs in', async () => {
    await realmWith('login');
    const first = await measured(() => login(server, 'login', 'user1', 'user1'));
    expect(first.searches).toBeLessThan(groups / page + 12);
    const second = await measured(() => login(server, 'login', 'user2', 'user2'));
    expect(second.searches).toBeLessThan(12);
  }, 60_000);
});
