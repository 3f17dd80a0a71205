import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { directoryWith, hasSlapd, person, storageFor, suffix, synchronise } from './directory.js';
import { type LdapProxy, proxyFor } from './proxy.js';

const entryOfEve = [
  `dn: uid=eve,ou=people,${suffix}`,
  'objectClass: inetOrgPerson',
  ...['eve', 'carl', 'local'].map((uid) => `uid: ${uid}`),
  'cn: eve',
  'sn: Example',
  'mail: eve@example.org',
  'mail: carl@example.org',
  'userPassword: eve',
  '',
].join('\n');

describe.skipIf(!hasSlapd)('names of other people', () => {
  let server: TestServer;
  let admin: Caller;
  let first: LdapProxy;
  let second: Slapd;

  const realmWith = async (realm: string) => {
    const users = [{ username: 'local', enabled: true, credentials: [{ type: 'password', value: 'local' }] }];
    expect((await admin.send('POST', '/', { realm, enabled: true, users })).status).toBe(201);
  };
  const both = async (realm: string, config: Record<string, string> = {}) => {
    await realmWith(realm);
    return [
      await storageFor(admin, realm, first.url, { priority: '0', readTimeout: '2000', ...config }),
      await storageFor(admin, realm, second.url, { priority: '1' }),
    ] as const;
  };
  const login = async (realm: string, username: string, password = username) => {
    const form = { grant_type: 'password', client_id: 'admin-cli', username, password };
    const path = `/realms/${realm}/protocol/openid-connect/token`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return callerWith(server, undefined).send('POST', path, new URLSearchParams(form).toString(), type);
  };
  const linkOf = async (realm: string, username: string): Promise<string | undefined> =>
    (await admin.send('GET', `/${realm}/users?username=${username}&exact=true`)).body[0]?.federationLink;

  beforeAll(async () => {
    const inFirst = [
      person('anna', { password: 'first' }),
      // eve may write her own entry
      entryOfEve,
      person('berta', { email: 'shared@example.org' }),
    ];
    const inSecond = [
      person('anna', { password: 'second' }),
      person('carl'),
      person('dora', { email: 'shared@example.org' }),
    ];
    first = await proxyFor((await directoryWith(inFirst)).url);
    second = await directoryWith(inSecond);
    server = await startServer({ failuresAddress: 0, failuresAccount: 0 });
    admin = await administrator(server);
  }, 60_000);

  it('are not taken by further values of an attribute', async () => {
    const realm = 'values';
    const [one, other] = await both(realm);
    expect((await login(realm, 'carl')).status).toBe(200);
    expect(await linkOf(realm, 'carl')).toBe(other);
    expect((await login(realm, 'carl', 'eve')).status).toBe(401);
    expect((await login(realm, 'local', 'eve')).status).toBe(401);
    expect((await login(realm, 'eve')).status).toBe(200);
    expect(await linkOf(realm, 'eve')).toBe(one);
  });

  it('are not taken by an id that is one of several values', async () => {
    const realm = 'ids';
    await realmWith(realm);
    await storageFor(admin, realm, first.url, { uuidLDAPAttribute: 'uid' });
    expect((await login(realm, 'eve')).status).toBe(200);
    const { body } = await admin.send('GET', `/${realm}/users?username=eve&exact=true`);
    // somebody who was in the directory once, whose entry is gone
    await server.services.database.transaction((tx) =>
      tx.user.updateMany({ where: { id: body[0].id }, data: { federationId: 'carl', username: 'gone' } }),
    );
    expect((await login(realm, 'gone', 'eve')).status).toBe(401);
  });

  it.each([
    ['a login', (realm: string) => login(realm, 'anna', 'second')],
    ['a search', (realm: string) => admin.send('GET', `/${realm}/users?search=anna`)],
    ['an id of the storage', (realm: string, id: string) => admin.send('GET', `/${realm}/users/f:${id}:anna`)],
    ['a synchronisation', (realm: string, id: string) => synchronise(admin, realm, id)],
  ])('are not taken by %s while the storage that has them does not answer, nor when it does', async (name, take) => {
    const realm = `down-${name.replaceAll(' ', '-')}`;
    const [one, other] = await both(realm);
    first.failAfter(0, (socket) => socket.destroy());
    try {
      const { status } = await take(realm, other);
      expect([200, 404, 503]).toContain(status);
      expect((await login(realm, 'anna', 'second')).status).toBe(503);
      expect((await login(realm, 'carl')).status).toBe(503);
      expect((await login(realm, 'local')).status).toBe(200);
      expect((await admin.send('GET', `/${realm}/users/count`)).body).toBe(1);
    } finally {
      first.heal();
    }
    await take(realm, other);
    expect(await linkOf(realm, 'anna')).not.toBe(other);
    expect((await login(realm, 'anna', 'first')).status).toBe(200);
    expect(await linkOf(realm, 'anna')).toBe(one);
    // the address is that of somebody in the first one
    expect(await linkOf(realm, 'dora')).toBeUndefined();
    expect((await login(realm, 'carl')).status).toBe(200);
  });

  it('are not said to have a wrong password by a storage that is kept out itself', async () => {
    const realm = 'kept-out';
    await realmWith(realm);
    const id = await storageFor(admin, realm, second.url);
    expect((await login(realm, 'carl')).status).toBe(200);
    const path = `/${realm}/components/${id}`;
    const { body } = await admin.send('GET', path);
    const wrong = { ...body, config: { ...body.config, bindCredential: ['expired'] } };
    expect((await admin.send('PUT', path, wrong)).status).toBe(204);
    const refused = await login(realm, 'carl');
    expect(refused).toMatchObject({ status: 503 });
    expect(JSON.stringify(refused.body)).not.toContain('expired');
  });

  it.each([
    { referral: 'follow' },
    { connectionUrl: 'ldap://127.0.0.1:1' },
    { bindDn: 'cn=other' },
    { startTls: 'true' },
  ])('and the password of a storage go nowhere else with %o while it is kept', async (change) => {
    const realm = `kept-${Object.keys(change)[0]?.toLowerCase()}`;
    await realmWith(realm);
    const path = `/${realm}/components/${await storageFor(admin, realm, second.url)}`;
    const { body } = await admin.send('GET', path);
    const lists = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, [value]]));
    const sent = { ...body, config: { ...body.config, ...lists } };
    const refused = await admin.send('PUT', path, sent);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('bindCredential');
    const { bindCredential: _, ...without } = sent.config;
    expect((await admin.send('PUT', path, { ...body, config: without })).status).toBe(400);
  });
});
