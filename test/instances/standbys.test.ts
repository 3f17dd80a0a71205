// @both-databases
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/open.js';
import { Prisma } from '../../src/database/prisma.js';
import { closedPort, realmgate } from '../cli/run.js';
import { wireTo } from '../faults/wire.js';
import { atEndOfFile, dialect } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { type Cluster, postgresqlBinaries, startPostgresql, startStandby } from '../support/postgresql.mjs';
import { startServer } from '../support/server.js';

const realm = 'read';
const users = 120;

async function session(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  atEndOfFile(() => client.end());
  return client;
}

/** What a standby has been asked: how many rows of users it has read since its start. */
async function rowsRead(standby: pg.Client): Promise<number> {
  const { rows } = await standby.query(
    `SELECT coalesce(sum(idx_tup_fetch + seq_tup_read), 0)::int AS n FROM pg_stat_user_tables WHERE relname = 'User'`,
  );
  return rows[0].n;
}

/** A primary with a table, its standby, and a database that reads there through a wire. */
async function withWire() {
  const primary = await startPostgresql({ replicated: true });
  atEndOfFile(() => primary.stop());
  const writer = await session(primary.url);
  await writer.query('CREATE TABLE note (n int); INSERT INTO note VALUES (1)');
  const standby = await startStandby(primary);
  atEndOfFile(() => standby.stop());
  const wire = await wireTo(standby.url);
  atEndOfFile(() => wire.close());
  const settings = { databasePool: 4, sqliteSynchronous: 'NORMAL', databaseUrl: primary.url } as const;
  const database = await openDatabase({ ...settings, databaseReadUrl: wire.url });
  atEndOfFile(() => database.close());
  const portOf = ({ url }: { url: string }) => Number(new URL(url).port);
  /** A read that takes so long: what it counts, and the port of the server that has counted. */
  const read = async (seconds: number) => {
    const [row] = await database.read.query<{ port: number; n: number }>(
      Prisma.sql`SELECT inet_server_port() AS "port", (SELECT count(*)::int FROM note) AS "n" FROM pg_sleep(${Prisma.raw(String(seconds))})`,
    );
    return row;
  };
  const atStandby = { port: portOf(standby) };
  /** Waits until reads of this length go to the standby. */
  const settled = (seconds: number) => expect.poll(() => read(seconds), { timeout: 20_000 }).toMatchObject(atStandby);
  return { primary, standby, wire, writer, read, settled, atPrimary: { port: portOf(primary) } };
}

/** A service on a primary that reads from its standbys, with a realm of users. */
async function world(standbys: number) {
  const primary = await startPostgresql({ replicated: true });
  atEndOfFile(() => primary.stop());
  const followers: Cluster[] = [];
  for (let at = 0; at < standbys; at += 1) {
    const standby = await startStandby(primary);
    atEndOfFile(() => standby.stop());
    followers.push(standby);
  }
  const hosts = followers.map(({ url }) => new URL(url).host).join(',');
  const databaseReadUrl = `postgresql://postgres@${hosts}/postgres`;
  const settings = { databaseUrl: primary.url, databaseReadUrl };
  const server = await startServer(settings);
  const caller = await administrator(server);
  await caller.send('POST', '/', { realm, enabled: true });
  const partial = Array.from({ length: users }, (_, at) => ({ username: `user-${at}`, enabled: true }));
  const made = await caller.send('POST', `/${realm}/partialImport`, { ifResourceExists: 'FAIL', users: partial });
  expect(made.status).toBe(200);
  return { primary, followers, settings, server, caller };
}

const names = async (caller: Caller) => {
  const { status, body } = await caller.send('GET', `/${realm}/users?max=1000`);
  expect(status).toBe(200);
  return body.map(({ username }: { username: string }) => username);
};

describe.skipIf(dialect !== 'postgresql' || postgresqlBinaries() === undefined)(
  'a database with standbys for reads (PostgreSQL only: SQLite has none)',
  () => {
    it('is read there, and answers what was written before, through any instance', async () => {
      const { followers, settings, caller } = await world(2);
      const other = await administrator(await startServer(settings));
      const readers = await Promise.all(followers.map(({ url }) => session(url)));
      for (const reader of readers) {
        // what is committed is there a little later
        await reader.query(`ALTER SYSTEM SET recovery_min_apply_delay = '15ms'`);
        await reader.query('SELECT pg_reload_conf()');
      }
      const before = await Promise.all(readers.map(rowsRead));
      await names(caller);
      await names(other);
      for (let at = 0; at < 40; at += 1) {
        const username = `later-${at}`;
        const [writer, reader] = at % 2 ? [caller, other] : [other, caller];
        expect((await writer.send('POST', `/${realm}/users`, { username })).status).toBe(201);
        const [own, seen] = await Promise.all([names(writer), names(reader)]);
        expect(own).toContain(username);
        expect(seen).toContain(username);
      }
      // the standbys count what they read with a delay
      const read = async () => (await Promise.all(readers.map(rowsRead))).map((n, at) => n - (before[at] ?? 0) > users);
      await expect.poll(read, { timeout: 20_000 }).toEqual([true, true]);
    });

    it('is read at the primary while a standby stands still, is another database, or cannot be reached', async () => {
      const { primary, followers, caller, settings } = await world(1);
      const [standby] = followers;
      if (!standby) throw new Error('There is no standby.');
      await names(caller);
      const readUrl = `${settings.databaseReadUrl.replace(/\/postgres$/, `,127.0.0.1:${await closedPort()}/postgres`)}`;
      const checked = await realmgate(['check'], { DATABASE_URL: primary.url, DATABASE_READ_URL: readUrl });
      expect(checked.output).toMatch(/^ok +standby +127\.0\.0\.1:\d+ follows the primary, \d+ bytes behind\.$/m);
      expect(checked.output).toMatch(
        /^warning +standby +127\.0\.0\.1:\d+ does not answer\. Check DATABASE_READ_URL\./m,
      );
      const follower = await session(standby.url);
      await follower.query('SELECT pg_wal_replay_pause()');
      expect((await caller.send('POST', `/${realm}/users`, { username: 'paused' })).status).toBe(201);
      expect(await names(caller)).toContain('paused');
      await follower.query('SELECT pg_wal_replay_resume()');
      await standby.stop();
      expect((await caller.send('POST', `/${realm}/users`, { username: 'alone' })).status).toBe(201);
      expect(await names(caller)).toContain('alone');

      // the standby of a copy that goes its own way
      const copy = await startStandby(primary);
      atEndOfFile(() => copy.stop());
      await copy.promote();
      const stray = await session(copy.url);
      await stray.query(`UPDATE "User" SET "username" = 'stray-' || "username"`);
      const misled = await startStandby(copy);
      atEndOfFile(() => misled.stop());
      const database = await openDatabase({
        databasePool: 2,
        sqliteSynchronous: 'NORMAL',
        ...settings,
        databaseReadUrl: misled.url,
      });
      atEndOfFile(() => database.close());
      for (let at = 0; at < 5; at += 1) {
        const found = await database.read.user.findMany({ select: { username: true } });
        expect(found.filter(({ username }) => username.startsWith('stray-'))).toEqual([]);
      }
    });

    it('has seen what was committed without waiting for the disk', async () => {
      const { writer, settled, read, primary } = await withWire();
      await settled(0.01);
      await writer.query(`ALTER SYSTEM SET wal_writer_delay = '10s'`);
      await writer.query('SELECT pg_reload_conf()');
      await writer.query('ALTER ROLE postgres SET synchronous_commit = off');
      // the sessions that the service has begun have the old setting
      await writer.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = $1',
        ['client backend'],
      );
      await settled(0.01);
      const hasty = await session(primary.url);
      for (let n = 2; n < 12; n += 1) {
        await hasty.query('INSERT INTO note VALUES ($1)', [n]);
        expect(await read(0.01)).toMatchObject({ n });
      }
    }, 60_000);

    it('is left for the primary when it stops to answer, although nothing was written since', async () => {
      const { wire, settled, read, atPrimary } = await withWire();
      await settled(0.01);
      wire.become('frozen');
      expect(await read(0.01)).toMatchObject(atPrimary);
      expect(await read(0.01)).toMatchObject(atPrimary);
      wire.become('whole');
      await settled(0.01);
    }, 50_000);

    it('is replaced by the primary for a read that it cancels or whose connection is lost', async () => {
      const { standby, writer, settled, read, atPrimary } = await withWire();
      await settled(1);
      const follower = await session(standby.url);
      await follower.query('ALTER SYSTEM SET max_standby_streaming_delay = 0');
      await follower.query('SELECT pg_reload_conf()');
      const running = `FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`;
      const isRunning = async () => (await follower.query(`SELECT 1 ${running}`)).rowCount;
      const conflicts = async () =>
        (
          await follower.query(
            `SELECT confl_snapshot::int AS n FROM pg_stat_database_conflicts WHERE datname = 'postgres'`,
          )
        ).rows[0].n;

      const conflicting = read(1);
      await expect.poll(isRunning).toBe(1);
      await writer.query('DELETE FROM note');
      await writer.query('VACUUM note');
      expect(await conflicting).toMatchObject(atPrimary);
      await expect.poll(conflicts, { timeout: 10_000 }).toBeGreaterThan(0);

      await settled(1);
      const cutOff = read(1);
      await expect.poll(isRunning).toBe(1);
      await follower.query(`SELECT pg_terminate_backend(pid) ${running}`);
      expect(await cutOff).toMatchObject(atPrimary);
    }, 60_000);
  },
);
