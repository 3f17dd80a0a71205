// @both-databases
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openMailbox } from '../mail/mailbox.js';
import { dialect, preparedDatabaseUrl } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { startReceiver } from '../webhooks/receiver.js';
import { ownNames } from './names.js';
import { startProcess } from './process.js';

const names = ownNames();
if (!names)
  console.log('The tests of names that do not resolve are left out: they need root, and a system that lets it mount.');

const database = 'database.realmgate.test';
const mail = 'mail.realmgate.test';
const hook = 'hook.realmgate.test';
const directory = 'directory.realmgate.test';
const provider = 'provider.realmgate.test';
/** No answer within this time, in milliseconds, counts as none at all. */
const patience = 25_000;
const at = (url: string, host: string): string => {
  const moved = new URL(url);
  moved.hostname = host;
  return moved.href;
};

const start = async (databaseUrl: string) => {
  const settings = {
    WEBHOOK_PRIVATE_ADDRESSES: 'true',
    WEBHOOK_RETRY_WAIT: '1',
    FETCH_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const server = await startProcess(databaseUrl, { settings, within: names?.within ?? [] });
  const caller = await administrator(server as unknown as TestServer);
  const status = (path: string) =>
    fetch(server.url + path, { signal: AbortSignal.timeout(patience) }).then((answer) => answer.status);
  return { server, caller, status };
};

describe.skipIf(!names)('a host name that does not resolve for a while', () => {
  it.skipIf(dialect === 'sqlite')(
    'of the database: requests may be tried later, and then they succeed',
    async () => {
      names?.resolve(database);
      const url = await preparedDatabaseUrl();
      const { caller, status } = await start(at(url, database));
      names?.resolve();
      const client = new pg.Client(url);
      await client.connect();
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await client.end();
      for (let round = 0; round < 3; round += 1) {
        const { status: read, headers } = await caller.send('GET', '/master/users?max=10');
        expect([read, headers.get('retry-after')]).toEqual([503, '1']);
        expect((await caller.send('POST', '/master/users', { username: 'lost' })).status).toBe(503);
      }
      expect([await status('/health/ready'), await status('/health/live')]).toEqual([503, 200]);
      names?.resolve(database);
      await expect.poll(() => status('/health/ready'), { timeout: patience }).toBe(200);
      expect((await caller.send('POST', '/master/users', { username: 'found' })).status).toBe(201);
    },
    60_000,
  );

  it('of a mail server, a directory, an identity provider or a webhook: only that fails', async () => {
    names?.resolve();
    const { caller, status } = await start(await preparedDatabaseUrl());
    const mailbox = await openMailbox();
    const receiver = await startReceiver();
    await caller.send('PUT', '/admin/realms/master/events/config', { adminEventsEnabled: true });
    const me = await caller.send('GET', '/master/users?username=admin');
    await caller.send('PUT', `/master/users/${me.body[0].id}`, { email: 'admin@mail.example' });
    const smtp = { host: mail, port: String(mailbox.port), from: 'a@mail.example' };
    const testMail = () => caller.send('POST', '/master/testSMTPConnection', smtp);
    const testDirectory = () =>
      caller.send('POST', '/admin/realms/master/testLDAPConnection', {
        action: 'testConnection',
        connectionUrl: `ldap://${directory}:3899`,
      });
    const importProvider = () =>
      caller.send('POST', '/admin/realms/master/identity-provider/import-config', {
        providerId: 'oidc',
        fromUrl: `http://${provider}:8099/metadata`,
      });
    const { data } = await caller.graphql<{ realm: { id: string } }>('{ realm(name: "master") { id } }');
    const input = { realm: data.realm.id, name: 'all', url: at(receiver.url, hook), includesAdminEvents: true };
    const made = await caller.graphql(
      'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { userErrors { message } } }',
      { input },
    );
    expect(made).toMatchObject({ data: { webhookCreate: { userErrors: [] } } });

    const failed = await Promise.all([testMail(), testDirectory(), importProvider()]);
    expect(failed.map(({ status: each }) => each)).toEqual([500, 400, 400]);
    for (const { body } of failed) expect(body.errorMessage ?? body.error).toEqual(expect.any(String));
    expect((await caller.send('POST', '/master/users', { username: 'told-of' })).status).toBe(201);
    expect([await status('/health/ready'), receiver.received.length]).toEqual([200, 0]);

    names?.resolve(mail, hook);
    expect((await testMail()).status).toBe(204);
    expect(mailbox.mails).toHaveLength(1);
    await expect.poll(() => receiver.received.length, { timeout: patience }).toBeGreaterThan(0);
  }, 60_000);
});
