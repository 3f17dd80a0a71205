// @both-databases
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.js';
import type { Database } from '../../src/database/db.js';
import { createSealer } from '../../src/services/core/seal.js';
import { unboundText } from '../../src/services/secrets-key/check.js';
import { rotateKey } from '../../src/services/secrets-key/rotate.js';
import { comparable } from '../realms/comparable.js';
import { freshDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, startWithRealm } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { contentOf } from './planted.js';
import { anywhereIn, plant, storedIn, unbound } from './stored.js';

const realm = 'sealed';
const newKey = () => new Uint8Array(randomBytes(32));
const clients = 450;

const representation = {
  realm,
  enabled: true,
  smtpServer: { host: 'mail.example', from: 'a@mail.example', auth: 'true', user: 'u', password: 'mail-secret' },
  identityProviders: [{ alias: 'op', providerId: 'oidc', config: { clientId: 'us', clientSecret: 'op-secret' } }],
  clients: [
    { clientId: 'app', secret: 'app-secret', serviceAccountsEnabled: true },
    ...Array.from({ length: clients }, (_, index) => ({ clientId: `client-${index}`, secret: `secret-${index}` })),
  ],
  users: [{ username: 'ann', enabled: true, credentials: [{ type: 'password', value: 'pw' }] }],
};

async function filled(config: Partial<Config>): Promise<{ databaseUrl: string; secrets: string }> {
  const databaseUrl = await freshDatabaseUrl();
  const { server, admin } = await startWithRealm(representation, { databaseUrl, ...config });
  const [{ id }] = (await admin.send('GET', `/${realm}/clients?clientId=app`)).body;
  const key = await admin.send('POST', `/${realm}/clients/${id}/certificates/jwt.credential/generate`);
  expect(key.status).toBe(200);
  const secrets = await secretsOf(admin);
  await server.close();
  return { databaseUrl, secrets };
}

/** All that an export shows; the order of its lists may change when rows are written anew. */
const secretsOf = async (admin: Caller): Promise<string> => {
  const { status, body } = await admin.send('GET', `/${realm}/export?secrets=true`);
  expect(status).toBe(200);
  return JSON.stringify(comparable(body));
};

async function shown(config: Partial<Config> & { databaseUrl: string }): Promise<string> {
  const server = await startServer(config);
  const secrets = await secretsOf(await administrator(server));
  await server.close();
  return secrets;
}

/** Runs `work` on the database, which a service may use at the same time. */
async function onDatabase(config: Partial<Config>, work: (database: Database, server: TestServer) => Promise<void>) {
  const server = await startServer(config);
  await work(server.database, server).finally(() => server.close());
}

describe('a start', () => {
  it('with a wrong key, or without the key, fails with a sentence', async () => {
    const { databaseUrl } = await filled({ secretsKey: newKey() });
    await expect(startServer({ databaseUrl, secretsKey: newKey() })).rejects.toThrow(/^SECRETS_KEY is not the key/);
    await expect(startServer({ databaseUrl })).rejects.toThrow(/encrypted, but SECRETS_KEY is not set/);
  });

  it('with a wrong key fails also where no key was recorded yet', async () => {
    const key = newKey();
    const { databaseUrl, secrets } = await filled({ secretsKey: key });
    await onDatabase({ databaseUrl, secretsKey: key }, async (database) => {
      await database.transaction((tx) => tx.secretsKeyCheck.deleteMany({ where: {} }));
    });
    await expect(startServer({ databaseUrl, secretsKey: newKey() })).rejects.toThrow(/^SECRETS_KEY is not the key/);
    await expect(startServer({ databaseUrl })).rejects.toThrow(/SECRETS_KEY is not set/);
    expect(await shown({ databaseUrl, secretsKey: key })).toBe(secrets);
  });

  it('with a first key says which command encrypts what is there', async () => {
    const { databaseUrl, secrets } = await filled({});
    const key = newKey();
    await expect(startServer({ databaseUrl, secretsKey: key })).rejects.toThrow(
      /run `npm run rotate-secrets-key` once/,
    );
    await onDatabase({ databaseUrl }, (database) => rotateKey(database, { key }));
    expect(await shown({ databaseUrl, secretsKey: key })).toBe(secrets);
    expect(await contentOf(databaseUrl).then(sealedIn)).not.toContainEqual(expect.stringMatching(/^plain:/));
  });
});

/** The sealed texts in what a database holds; free pages of a SQLite file hold some that are gone. */
const sealedIn = (content: string): string[] => content.match(/(plain:|gcm\d:)[^"\s\\]*/g) ?? [];

describe('a rotation of the key', () => {
  it('is gone on with after a crash, while the service serves with both keys', async () => {
    const [key, previous] = [newKey(), newKey()];
    const { databaseUrl, secrets } = await filled({ secretsKey: previous });
    const both = { databaseUrl, secretsKey: key, secretsKeyPrevious: previous };
    await onDatabase(both, async (database, server) => {
      let transactions = 0;
      const crashing: Database = {
        ...database,
        transaction: (work) => {
          transactions += 1;
          return transactions > 3 ? Promise.reject(new Error('killed')) : database.transaction(work);
        },
      };
      await expect(rotateKey(crashing, { key, previous })).rejects.toThrow('killed');
      const admin = await administrator(server);
      expect(await secretsOf(admin)).toBe(secrets);
      await rotateKey(database, { key, previous });
      expect(await secretsOf(admin)).toBe(secrets);
    });
    expect(await shown({ databaseUrl, secretsKey: key })).toBe(secrets);
    await expect(startServer({ databaseUrl, secretsKey: previous })).rejects.toThrow(/^SECRETS_KEY is not the key/);
  });

  it('leaves nothing behind in any column of any table', async () => {
    const [key, previous] = [newKey(), newKey()];
    const { databaseUrl } = await filled({ secretsKey: previous });
    await onDatabase({ databaseUrl, secretsKey: key, secretsKeyPrevious: previous }, async (database) => {
      await rotateKey(database, { key, previous });
      const sealer = createSealer({ key });
      const stored = await storedIn(database.read);
      expect(stored.length).toBeGreaterThan(clients);
      for (const { sealed, place } of stored) sealer.open(sealed, place);
      expect((await anywhereIn(database.read)).length).toBe(stored.length + 1);
    });
  });

  it('changes nothing with keys that are both wrong', async () => {
    const key = newKey();
    const { databaseUrl, secrets } = await filled({ secretsKey: key });
    await onDatabase({ databaseUrl, secretsKey: key }, async (database) => {
      await expect(rotateKey(database, { key: newKey(), previous: newKey() })).rejects.toThrow('cannot be decrypted');
    });
    expect(await shown({ databaseUrl, secretsKey: key })).toBe(secrets);
  });
});

describe('a database of a version that bound no secret to its place', () => {
  const key = newKey();

  /** Seals all secrets of a database as that version did, and records its key as it did. */
  async function asBefore(databaseUrl: string): Promise<void> {
    await onDatabase({ databaseUrl, secretsKey: key }, async (database) => {
      const sealer = createSealer({ key });
      const stored = await storedIn(database.read);
      await database.transaction(async (tx) => {
        for (const { place, sealed } of stored) await plant(tx, place, unbound(key, sealer.open(sealed, place)));
        const value = unbound(key, unboundText);
        await tx.secretsKeyCheck.updateMany({ where: {}, data: { value } });
      });
    });
  }
  const forms = async (database: Database) => {
    const count = { bound: 0, unbound: 0 };
    for (const { sealed } of await storedIn(database.read))
      count[sealed.startsWith('gcm2:') ? 'bound' : 'unbound'] += 1;
    return count;
  };

  it('is served, and what is written is bound from then on', async () => {
    const { databaseUrl, secrets } = await filled({ secretsKey: key });
    await asBefore(databaseUrl);
    expect(await shown({ databaseUrl, secretsKey: key })).toBe(secrets);
    await onDatabase({ databaseUrl, secretsKey: key }, async (database, server) => {
      const before = await forms(database);
      expect(before.unbound).toBeGreaterThan(clients);
      const admin = await administrator(server);
      const [{ id }] = (await admin.send('GET', `/${realm}/clients?clientId=client-1`)).body;
      expect((await admin.send('POST', `/${realm}/clients/${id}/client-secret`)).status).toBe(200);
      expect((await forms(database)).unbound).toBe(before.unbound - 1);
    });
  });

  it('is bound by the command, with the same key too, and opens nothing else from the next start', async () => {
    const { databaseUrl, secrets } = await filled({ secretsKey: key });
    await asBefore(databaseUrl);
    await onDatabase({ databaseUrl, secretsKey: key }, async (database) => {
      await rotateKey(database, { key });
      expect((await forms(database)).unbound).toBe(0);
    });
    expect(await shown({ databaseUrl, secretsKey: key })).toBe(secrets);
    await onDatabase({ databaseUrl, secretsKey: key }, async (database, server) => {
      const admin = await administrator(server);
      const [{ id }] = (await admin.send('GET', `/${realm}/clients?clientId=app`)).body;
      const data = { secret: unbound(key, 'planted') };
      await database.transaction((tx) => tx.client.updateMany({ where: { id }, data }));
      expect((await admin.send('GET', `/${realm}/clients/${id}/client-secret`)).status).toBe(409);
    });
  });
});

describe('a secret that was planted in the database in clear', () => {
  it('does not count where there is a key', async () => {
    const key = newKey();
    const { databaseUrl } = await filled({ secretsKey: key });
    await onDatabase({ databaseUrl, secretsKey: key }, async (database, server) => {
      const grant = async (secret: string) =>
        (
          await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
            method: 'POST',
            body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'app', client_secret: secret }),
          })
        ).status;
      await database.transaction((tx) =>
        tx.client.updateMany({ where: { clientId: 'app' }, data: { secret: 'plain:planted' } }),
      );
      expect(await grant('planted')).toBe(409);
    });
  });
});
