import { createServer } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { selfSigned } from '../mail/mailbox.js';
import { atEndOfFile } from '../support/database.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { directoryWith, hasSlapd, manyPeople, rootDn, rootPassword, storageFor, synchronise } from './directory.js';

const count = 1500;

describe.skipIf(!hasSlapd)('LDAP that fails', () => {
  let server: TestServer;
  let admin: Caller;
  let slapd: Slapd;
  let certificate: { cert: string; key: string };

  const realmWith = async (realm: string) => {
    const users = [{ username: 'local', enabled: true, credentials: [{ type: 'password', value: 'local' }] }];
    expect((await admin.send('POST', '/', { realm, enabled: true, users })).status).toBe(201);
    return realm;
  };

  beforeAll(async () => {
    certificate = await selfSigned();
    slapd = await directoryWith(manyPeople(count), certificate);
    server = await startServer({ ldapAuthorities: certificate.cert });
    admin = await administrator(server);
  }, 60_000);

  it('goes on after a directory was killed in the middle, and the next synchronisation heals', async () => {
    const realm = await realmWith('killed');
    const id = await storageFor(admin, realm, slapd.url, { batchSizeForSync: '20' });
    const running = synchronise(admin, realm, id);
    for (;;) {
      const { body } = await admin.send('GET', `/${realm}/users/count`);
      if (body > 1) break;
    }
    await slapd.kill();
    const { status, body } = await running;
    expect(status).toBe(503);
    expect(body.errorMessage).toContain('User storage "directory": the directory cannot be reached');
    const left = (await admin.send('GET', `/${realm}/users/count`)).body;
    expect(left).toBeLessThan(count + 1);
    expect(await login(server, realm, 'local', 'local')).toBeTruthy();
    expect((await admin.send('GET', `/${realm}/users?search=user`)).status).toBe(200);
    const someone = (await admin.send('GET', `/${realm}/users?search=user&max=1`)).body[0].username;
    await expect(login(server, realm, someone, someone)).rejects.toThrow('cannot be reached');
    await slapd.start();
    const healed = await synchronise(admin, realm, id);
    expect(healed.body).toMatchObject({ added: count + 1 - left, updated: left - 1, removed: 0, failed: 0 });
    expect(await login(server, realm, someone, someone)).toBeTruthy();
  }, 60_000);

  it('gives up on a directory that does not answer in time', async () => {
    const realm = await realmWith('slow');
    const id = await storageFor(admin, realm, slapd.url, { readTimeout: '1500', connectionTimeout: '1500' });
    slapd.pause();
    try {
      expect((await synchronise(admin, realm, id)).status).toBe(503);
      expect((await admin.send('POST', `/${realm}/users`, { username: 'new' })).status).toBe(503);
    } finally {
      slapd.resume();
    }
    // how long a directory takes for all its users is up to the machine
    const path = `/${realm}/components/${id}`;
    const { config } = (await admin.send('GET', path)).body;
    const patient = { config: { ...config, readTimeout: ['60000'], connectionTimeout: ['60000'] } };
    expect((await admin.send('PUT', path, patient)).status).toBe(204);
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: count });
  }, 60_000);

  it('takes garbage for a directory that cannot be reached', async () => {
    const noise = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')));
    });
    await new Promise<void>((resolve) => noise.listen(0, '127.0.0.1', resolve));
    atEndOfFile(async () => void noise.close());
    const address = noise.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const realm = await realmWith('garbage');
    const id = await storageFor(admin, realm, `ldap://127.0.0.1:${port}`, { readTimeout: '1000' });
    expect((await synchronise(admin, realm, id)).status).toBe(503);
  });

  it('speaks TLS, from the start and later, and only with whom it trusts', async () => {
    const secure = slapd.secureUrl.replace('localhost', '127.0.0.1');
    for (const [realm, url, startTls] of [
      ['tls', secure, 'false'],
      ['starttls', slapd.url, 'true'],
    ] as const) {
      await realmWith(realm);
      const id = await storageFor(admin, realm, url, { startTls, customUserSearchFilter: '(uid=user1)' });
      expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 1 });
      expect(await login(server, realm, 'user1', 'user1')).toBeTruthy();
    }
    const wary = await startServer();
    const settings = { action: 'testConnection', connectionUrl: secure };
    const refused = await (await administrator(wary)).send('POST', '/master/testLDAPConnection', settings);
    expect(refused).toMatchObject({ status: 400, body: { errorMessage: 'LDAP test error' } });
  });

  it('tries a directory, and sends a stored password to no other', async () => {
    const realm = await realmWith('tries');
    const componentId = await storageFor(admin, realm, slapd.url);
    const send = (settings: object) => admin.send('POST', `/${realm}/testLDAPConnection`, settings);
    const known = { action: 'testAuthentication', connectionUrl: slapd.url, bindDn: rootDn };
    expect((await send({ ...known, bindCredential: rootPassword })).status).toBe(204);
    expect((await send({ ...known, bindCredential: 'wrong' })).status).toBe(400);
    expect((await send({ ...known, bindCredential: '**********', componentId })).status).toBe(204);
    const elsewhere = { ...known, connectionUrl: 'ldap://127.0.0.1:1', bindCredential: '**********', componentId };
    expect((await send(elsewhere)).body.errorMessage).toContain('bindCredential');
    const able = await admin.send('POST', `/${realm}/ldap-server-capabilities`, {
      action: 'queryServerCapabilities',
      connectionUrl: slapd.url,
      authType: 'none',
    });
    expect(able.body).toContainEqual({ oid: '1.2.840.113556.1.4.319', type: 'CONTROL' });
  });
});
