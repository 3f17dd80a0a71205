import { createServer } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { selfSigned } from '../mail/mailbox.js';
import { atEndOfFile } from '../support/database.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { directoryWith, hasSlapd, person, rootPassword, storageFor, suffix, synchronise } from './directory.js';

const referral = (name: string, address: string) =>
  [
    `dn: ou=${name},ou=people,${suffix}`,
    'objectClass: referral',
    'objectClass: extensibleObject',
    `ou: ${name}`,
    `ref: ${address}`,
    '',
  ].join('\n');

/** A server that keeps what it is sent, and answers nothing. */
async function listener() {
  const received: Buffer[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.on('data', (data) => received.push(data));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfFile(async () => void server.close());
  const address = server.address();
  return {
    host: `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    connections: () => connections,
    received: () => Buffer.concat(received).toString('latin1'),
  };
}

describe.skipIf(!hasSlapd)('referrals of a directory', () => {
  let server: TestServer;
  let admin: Caller;
  let main: Slapd;
  let branch: Slapd;
  let silent: Awaited<ReturnType<typeof listener>>;
  let silentMain: Slapd;

  const realmWith = async (realm: string, url: string, config: Record<string, string>) => {
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    const settings = { searchScope: '2', connectionTimeout: '500', readTimeout: '500', ...config };
    return storageFor(admin, realm, url, settings);
  };
  const namesIn = async (realm: string) =>
    (await admin.send('GET', `/${realm}/users`)).body.map(({ username }: { username: string }) => username);

  beforeAll(async () => {
    const certificate = await selfSigned();
    branch = await directoryWith([person('berta')], certificate);
    main = await directoryWith([person('anna'), referral('branch', `${branch.url}/ou=people,${suffix}`)], certificate);
    silent = await listener();
    silentMain = await directoryWith(
      [person('anna'), referral('elsewhere', `ldap://${silent.host}/ou=people,${suffix}`)],
      certificate,
    );
    server = await startServer({ ldapAuthorities: certificate.cert });
    admin = await administrator(server);
  }, 60_000);

  it.each<Record<string, string>>([{}, { referral: 'ignore' }, { pagination: 'false' }])(
    'are not followed unless the storage says so: %j',
    async (config) => {
      const realm = `ignored${Object.values(config).join('')}`;
      const id = await realmWith(realm, silentMain.url, config);
      expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 1, failed: 0 });
      expect((await admin.send('GET', `/${realm}/users?search=berta`)).body).toEqual([]);
      await expect(login(server, realm, 'berta', 'berta')).rejects.toThrow('Invalid user credentials');
      expect(silent.connections()).toBe(0);
    },
  );

  it.each(['true', 'false'])('are followed where the storage says so, with pagination %s', async (pagination) => {
    const realm = `followed-${pagination}`;
    const id = await realmWith(realm, main.url, { referral: 'follow', pagination, editMode: 'WRITABLE' });
    expect((await admin.send('GET', `/${realm}/users?search=berta`)).body).toMatchObject([{ username: 'berta' }]);
    expect(await login(server, realm, 'berta', 'berta')).toBeTruthy();
    await expect(login(server, realm, 'berta', 'wrong')).rejects.toThrow('Invalid user credentials');
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 1, updated: 1, removed: 0, failed: 0 });
    expect(await namesIn(realm)).toEqual(['anna', 'berta']);
  });

  it('find nobody where the other server does not answer, and remove nobody', async () => {
    const realm = 'broken';
    const id = await realmWith(realm, main.url, { referral: 'follow' });
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 2 });
    await branch.kill();
    try {
      const { status, body } = await synchronise(admin, realm, id);
      expect(status).toBe(503);
      expect(body.errorMessage).toContain('the directory cannot be reached');
    } finally {
      await branch.start();
    }
    expect(await namesIn(realm)).toEqual(['anna', 'berta']);
  });

  it.each([
    ['ldaps', () => silentMain.secureUrl.replace('localhost', '127.0.0.1'), 'false'],
    ['starttls', () => silentMain.url, 'true'],
  ] as const)('do not take the password of the storage out of TLS: %s', async (realm, url, startTls) => {
    const id = await realmWith(realm, url(), { referral: 'follow', startTls, connectionPooling: 'false' });
    const before = silent.connections();
    expect((await synchronise(admin, realm, id)).status).toBe(503);
    expect(silent.connections()).toBe(before + 1);
    expect(silent.received()).not.toContain(rootPassword);
  });

  it('end after a number of servers that refer to each other', async () => {
    const many = Array.from({ length: 30 }, (_, at) =>
      referral(`part${at}`, `${branch.url}/ou=part${at},${suffix}??base`),
    );
    const circle = await directoryWith([person('carl'), ...many]);
    const id = await realmWith('circle', circle.url, { referral: 'follow' });
    const { status, body } = await synchronise(admin, 'circle', id);
    expect(status).toBe(503);
    expect(body.errorMessage).toContain('referred to too many other servers');
  });
});
