// @both-databases
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { atEndOfFile, dialect } from '../support/database.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { postgresqlBinaries, startArchived } from '../support/postgresql.mjs';
import { startServer } from '../support/server.js';

const secretsKey = new Uint8Array(32).fill(9);
const patience = { timeout: 30_000 };

const whole = async (caller: Caller) => (await caller.send('GET', '/kept/export?secrets=true')).body;

/** Asks a server for one value. */
async function answerOf(url: string, text: string, values: unknown[] = []): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query({ text: `SELECT ${text} AS value`, values });
  await client.end();
  return rows[0].value;
}

describe.skipIf(dialect !== 'postgresql' || postgresqlBinaries() === undefined)(
  'the archive of a PostgreSQL server (SQLite has none)',
  () => {
    it('is restored to the moment before an accident, with everything that was written since the backup', async () => {
      const archived = await startArchived();
      atEndOfFile(() => archived.stop());
      const admin = await administrator(await startServer({ databaseUrl: archived.url, secretsKey }));
      const clients = [{ clientId: 'api', secret: 'secret-of-the-client' }];
      expect((await admin.send('POST', '/', { realm: 'kept', enabled: true, clients })).status).toBe(201);
      archived.backUp();
      const credentials = [{ type: 'password', value: 'right' }];
      const later = { username: 'later', enabled: true, credentials };
      expect((await admin.send('POST', '/kept/users', later)).status).toBe(201);
      const before = await whole(admin);
      const moment = String(await answerOf(archived.url, 'clock_timestamp()::text'));
      expect((await admin.send('DELETE', '/kept')).status).toBe(204);

      const segment = await answerOf(archived.url, 'pg_walfile_name(pg_switch_wal())');
      const isArchived = () =>
        answerOf(archived.url, '(SELECT last_archived_wal >= $1 FROM pg_stat_archiver)', [segment]);
      await expect.poll(isArchived, patience).toBe(true);
      const restored = await archived.restore(moment);
      atEndOfFile(() => restored.stop());
      await expect.poll(() => answerOf(restored.url, 'pg_is_in_recovery()'), patience).toBe(false);
      const server = await startServer({ databaseUrl: restored.url, secretsKey });
      const caller = await administrator(server);
      expect(await whole(caller)).toEqual(before);
      expect(before).toMatchObject({ realm: 'kept' });
      expect(await login(server, 'kept', 'later', 'right')).toMatch(/^eyJ/);
    }, 120_000);
  },
);
