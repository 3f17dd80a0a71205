// @thorough
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Attribute, Change, Client } from 'ldapts';
import { beforeAll, describe, expect, it } from 'vitest';
import { crowd, crowdName, type Slapd } from '../../tools/slapd.mjs';
import { selfSigned } from '../mail/mailbox.js';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import {
  directoryWith,
  groupDn,
  hasSlapd,
  mapperFor,
  personDn,
  rootDn,
  rootPassword,
  storageFor,
  suffix,
  synchronise,
} from './directory.js';
import { type LdapProxy, measureWork, proxyFor } from './proxy.js';

const people = 10_000;
const groups = 200;
const batch = 1000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that are in use after what nobody needs is gone. */
function inUse(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe.skipIf(!hasSlapd)('a directory of ten thousand', () => {
  let server: TestServer;
  let admin: Caller;
  let slapd: Slapd;
  let proxy: LdapProxy;
  let root: Client;
  const realm = 'whole';
  let id: string;

  const realmWith = async (name: string, config: Record<string, string> = {}, url = proxy.url) => {
    expect((await admin.send('POST', '/', { realm: name, enabled: true })).status).toBe(201);
    const storage = await storageFor(admin, name, url, { readTimeout: '30000', ...config });
    await mapperFor(admin, name, storage, 'group-ldap-mapper', {
      'groups.dn': `ou=groups,${suffix}`,
      mode: 'READ_ONLY',
    });
    return storage;
  };

  /** What a synchronisation says, and what it took. */
  async function measured(name: string, storage: string, action?: string) {
    return measureWork(server, proxy, async () => (await synchronise(admin, name, storage, action)).body);
  }

  beforeAll(async () => {
    const certificate = await selfSigned();
    slapd = await directoryWith(crowd(people, groups), certificate);
    proxy = await proxyFor(slapd.url);
    server = await startServer({ ldapAuthorities: certificate.cert }, slowClock);
    admin = await administrator(server);
    root = new Client({ url: slapd.url });
    await root.bind(rootDn, rootPassword);
    id = await realmWith(realm);
  }, 60_000);

  it('comes whole the first time, and with nothing the second', async () => {
    const first = await measured(realm, id);
    expect(first.result).toMatchObject({ ignored: false, added: people, updated: 0, removed: 0, failed: 0 });
    expect((await admin.send('GET', `/${realm}/users/count`)).body).toBe(people);
    expect((await admin.send('GET', `/${realm}/groups/count`)).body).toEqual({ count: groups });
    const [user] = (await admin.send('GET', `/${realm}/users?username=${crowdName(4321)}&exact=true`)).body;
    const joined = (await admin.send('GET', `/${realm}/users/${user.id}/groups`)).body;
    expect(joined.map(({ name }: { name: string }) => name).toSorted()).toEqual(['group121', 'group122']);
    const second = await measured(realm, id);
    expect(second.result).toMatchObject({ added: 0, updated: people, removed: 0, failed: 0 });
    // pages of people, of groups, and nothing for each person
    expect(second.searches).toBeLessThanOrEqual(people / batch + 3);
  }, 120_000);

  it('takes as many statements and requests for each batch, however many there are', async () => {
    const of = async (name: string, filter?: string) => {
      const storage = await realmWith(name, filter === undefined ? {} : { customUserSearchFilter: filter });
      const first = await measured(name, storage);
      const again = await measured(name, storage);
      return { first, again };
    };
    const one = await of('one', '(uid=user00*)');
    const two = await of('two', '(|(uid=user00*)(uid=user01*))');
    const ten = await of('ten');
    expect([one, two, ten].map(({ first }) => first.result.added)).toEqual([batch, 2 * batch, people]);
    for (const run of ['first', 'again'] as const) {
      for (const what of ['statements', 'searches'] as const) {
        const perBatch = two[run][what] - one[run][what];
        expect([run, what, ten[run][what] - one[run][what]]).toEqual([run, what, 9 * perBatch]);
        expect(perBatch).toBeLessThan(25);
      }
    }
  }, 120_000);

  it('takes over what changed, at the price of that', async () => {
    const change = async (at: number) => {
      const modification = new Attribute({ type: 'sn', values: [`Changed ${at}`] });
      await root.modify(personDn(crowdName(at)), new Change({ operation: 'replace', modification }));
    };
    const idle = await measured(realm, id, 'triggerChangedUsersSync');
    expect(idle.result).toMatchObject({ added: 0, updated: 0, removed: 0, failed: 0 });
    for (let at = 0; at < 100; at += 1) await change(at * 7);
    const changed = await measured(realm, id, 'triggerChangedUsersSync');
    expect(changed.result).toMatchObject({ added: 0, updated: 100, removed: 0, failed: 0 });
    expect(changed.searches).toBe(idle.searches);
    // what is written, and nothing for each of them
    expect(changed.statements - idle.statements).toBeLessThan(25);
    const user = (await admin.send('GET', `/${realm}/users?username=${crowdName(693)}&exact=true`)).body[0];
    expect(user.lastName).toBe('Changed 693');
    await root.modify(
      groupDn('group3'),
      new Change({
        operation: 'delete',
        modification: new Attribute({ type: 'member', values: [personDn(crowdName(3))] }),
      }),
    );
    await root.del(personDn(crowdName(9999)));
    const last = await measured(realm, id);
    expect(last.result).toMatchObject({ added: 0, updated: people - 1, removed: 1, failed: 0 });
  }, 120_000);

  it('keeps nothing in memory from one time to the next', async () => {
    await synchronise(admin, realm, id);
    const before = inUse();
    for (let times = 0; times < 3; times += 1) await synchronise(admin, realm, id);
    expect((inUse() - before) / 2 ** 20).toBeLessThan(24);
  }, 120_000);

  it('comes over TLS, from the start and later', async () => {
    const secure = slapd.secureUrl.replace('localhost', '127.0.0.1');
    for (const [name, url, startTls] of [
      ['tls', secure, 'false'],
      ['starttls', slapd.url, 'true'],
    ] as const) {
      const storage = await realmWith(name, { startTls, connectionPooling: 'false' }, url);
      expect((await synchronise(admin, name, storage)).body).toMatchObject({ added: people - 1, failed: 0 });
    }
  }, 120_000);
});
