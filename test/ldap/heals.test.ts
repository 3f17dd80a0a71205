import type { Socket } from 'node:net';
import { Client } from 'ldapts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  directoryWith,
  group,
  hasSlapd,
  manyPeople,
  mapperFor,
  person,
  personDn,
  rootDn,
  rootPassword,
  storageFor,
  suffix,
  synchronise,
} from './directory.js';
import { type LdapProxy, proxyFor } from './proxy.js';

const people = 50;
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe.skipIf(!hasSlapd)('a directory that is not as it should be', () => {
  let server: TestServer;
  let admin: Caller;
  let slapd: Slapd;
  let proxy: LdapProxy;
  let root: Client;

  const realmWith = async (realm: string, config: Record<string, string> = {}, url = proxy.url) => {
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    return storageFor(admin, realm, url, { batchSizeForSync: '10', readTimeout: '2000', ...config });
  };
  const names = async (realm: string): Promise<string[]> =>
    (await admin.send('GET', `/${realm}/users?max=1000`)).body.map(({ username }: { username: string }) => username);
  const idsByName = async (realm: string): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await admin.send('GET', `/${realm}/users?max=1000`)).body.map((user: { username: string; id: string }) => [
        user.username,
        user.id,
      ]),
    );
  const rename = (from: string, to: string) => root.modifyDN(personDn(from), `uid=${to}`);

  beforeAll(async () => {
    slapd = await directoryWith([
      ...manyPeople(people),
      group(
        'all',
        Array.from({ length: people }, (_, at) => personDn(`user${at}`)),
      ),
    ]);
    proxy = await proxyFor(slapd.url);
    server = await startServer();
    admin = await administrator(server);
    root = new Client({ url: slapd.url });
    await root.bind(rootDn, rootPassword);
  }, 60_000);

  const endings: [string, (socket: Socket) => void][] = [
    ['that ends the connection', (socket) => void socket.destroy()],
    ['that says nothing any more', () => undefined],
    ['that speaks another language', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['that answers with half a message', (socket) => void socket.end(Buffer.from('308400ffffff020103', 'hex'))],
    ['that answers with an unknown operation', (socket) => void socket.end(Buffer.from('30050201037f00', 'hex'))],
    ['that answers with a message without sense', (socket) => void socket.end(Buffer.from('3003ffffff', 'hex'))],
  ];
  it.each(endings)('keeps whole batches of one %s, and the next time heals', async (name, ending) => {
    const realm = name.replaceAll(' ', '-');
    const id = await realmWith(realm);
    await mapperFor(admin, realm, id, 'group-ldap-mapper', { 'groups.dn': `ou=groups,${suffix}`, mode: 'READ_ONLY' });
    // the groups, and two pages of people
    proxy.failAfter(3, ending);
    const { status, body } = await synchronise(admin, realm, id);
    proxy.heal();
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { errorMessage: expect.stringContaining('User storage "directory": ') },
    });
    expect((await names(realm)).length).toBe(20);
    const [all] = (await admin.send('GET', `/${realm}/groups`)).body;
    expect((await admin.send('GET', `/${realm}/groups/${all.id}/members`)).body).toHaveLength(20);
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: people - 20, updated: 20, removed: 0 });
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 0, updated: people, removed: 0 });
    expect((await admin.send('GET', `/${realm}/groups/${all.id}/members?max=1000`)).body).toHaveLength(people);
    // nobody is taken for vanished whose page did not come
    proxy.failAfter(2, ending);
    expect((await synchronise(admin, realm, id)).status).toBe(503);
    proxy.heal();
    expect((await names(realm)).length).toBe(people);
  });

  it('follows people who change, exchange and inherit names, in one batch and beyond', async () => {
    for (const [realm, batchSizeForSync] of [
      ['exchange', '1000'],
      ['exchange-beyond', '1'],
    ] as const) {
      const id = await realmWith(realm, { batchSizeForSync });
      await synchronise(admin, realm, id);
      const before = await idsByName(realm);
      // 1 and 2 exchange their names, 3 gets that of 4, 4 that of 5, who leaves; somebody new gets that of 3
      await rename('user1', 'other');
      await rename('user2', 'user1');
      await rename('other', 'user2');
      const leaver = await root.search(personDn('user5'), { scope: 'base' });
      await root.del(personDn('user5'));
      await rename('user4', 'user5');
      await rename('user3', 'user4');
      await root.add(personDn('user3'), { objectClass: 'inetOrgPerson', uid: 'user3', cn: 'New', sn: 'One' });
      const result = await synchronise(admin, realm, id);
      expect(result.body).toMatchObject({ added: 1, updated: people - 1, removed: 1, failed: 0 });
      const now = await idsByName(realm);
      expect(now).toMatchObject({ user1: before.user2, user2: before.user1, user4: before.user3, user5: before.user4 });
      expect(Object.values(before)).not.toContain(now.user3);
      expect(await names(realm)).toHaveLength(people);
      expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 0, updated: people, removed: 0 });
      // as it was, for the next
      await root.del(personDn('user3'));
      await rename('user4', 'user3');
      await rename('user5', 'user4');
      await rename('user1', 'other');
      await rename('user2', 'user1');
      await rename('other', 'user2');
      const { dn: _dn, ...entry } = leaver.searchEntries[0] ?? { dn: '' };
      await root.add(personDn('user5'), entry as Record<string, string>);
    }
  });

  it('takes the first of those who are there twice, and says so each time', async () => {
    const twice = await directoryWith([
      `dn: ou=more,ou=people,${suffix}\nobjectClass: organizationalUnit\nou: more\n`,
      person('ann', { email: 'ann@example.org', more: ['entryUUID: 11111111-1111-1111-1111-111111111111'] }),
      person('ann', { firstName: 'Another', email: 'other@example.org', dn: `uid=ann,ou=more,ou=people,${suffix}` }),
      person('bob', { email: 'bob@example.org', more: ['entryUUID: 22222222-2222-2222-2222-222222222222'] }),
      person('bobby', { email: 'bobby@example.org', more: ['entryUUID: 22222222-2222-2222-2222-222222222222'] }),
      person('cleo', { email: 'shared@example.org' }),
      person('dan', { email: 'shared@example.org' }),
      person('eve', { firstName: 'x'.repeat(300), email: null }),
      `dn: cn=nameless,ou=people,${suffix}\nobjectClass: inetOrgPerson\ncn: nameless\nsn: None\n`,
    ]);
    for (const [realm, batchSizeForSync] of [
      ['twice', '1000'],
      ['twice-beyond', '1'],
    ] as const) {
      const id = await realmWith(realm, { searchScope: '2', batchSizeForSync }, twice.url);
      // the second ann, bobby, dan, eve, and who has no name
      const result = { added: 3, updated: 0, removed: 0, failed: 5 };
      expect((await synchronise(admin, realm, id)).body).toMatchObject(result);
      expect((await names(realm)).toSorted()).toEqual(['ann', 'bob', 'cleo']);
      for (let times = 0; times < 2; times += 1) {
        expect((await synchronise(admin, realm, id)).body).toMatchObject({ ...result, added: 0, updated: 3 });
      }
      // nobody can tell who of the two it is
      expect(await login(server, realm, 'cleo', 'cleo')).toBeTruthy();
    }
  });

  it('leaves out values that cannot be stored, with those who have them', async () => {
    const odd = await directoryWith([
      person('fine'),
      `${person('odd', { email: null }).trimEnd()}\ndescription:: ${base64('a\0b')}\n`,
    ]);
    const id = await realmWith('odd', {}, odd.url);
    await mapperFor(admin, 'odd', id, 'user-attribute-ldap-mapper', {
      'user.model.attribute': 'description',
      'ldap.attribute': 'description',
    });
    expect((await synchronise(admin, 'odd', id)).body).toMatchObject({ added: 1, failed: 1 });
    expect((await admin.send('GET', '/odd/users?search=odd')).status).toBe(200);
  });

  it('takes one who logs in from many places at once into the realm once', async () => {
    const id = await realmWith('at-once');
    const logins = Array.from({ length: 12 }, () => login(server, 'at-once', 'user7', 'user7'));
    await Promise.all(logins);
    expect(await names('at-once')).toEqual(['user7']);
    expect((await synchronise(admin, 'at-once', id)).body).toMatchObject({ added: people - 1, failed: 0 });
  });
});
