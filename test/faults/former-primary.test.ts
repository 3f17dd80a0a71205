// @both-databases
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { realmgate } from '../cli/run.js';
import { atEndOfFile, dialect } from '../support/database.js';
import { callerWith, login } from '../support/fixture.js';
import { hasPgbouncer, startPgbouncer } from '../support/pgbouncer.mjs';
import { postgresqlBinaries, startPostgresql, startStandby } from '../support/postgresql.mjs';
import { ready, start } from '../support/process.js';
import { admin } from '../support/server.js';
import { createUsers } from './stream.js';

const realm = 'lasting';
/** No answer within this time, in milliseconds, counts as none at all. */
const patience = 25_000;

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const names = async (url: string): Promise<string[]> =>
  (await query<{ username: string }>(url, `SELECT username FROM "User" WHERE username LIKE 'by-%'`)).map(
    (row) => row.username,
  );

describe.skipIf(dialect !== 'postgresql' || postgresqlBinaries() === undefined || !hasPgbouncer)(
  'a primary that returns after its standby was promoted (PostgreSQL only: SQLite has none)',
  () => {
    it('gets no write of a process that has seen the new primary, or that is told of it, also through a pooler', async () => {
      const primary = await startPostgresql({ replicated: true });
      atEndOfFile(() => primary.stop());
      const standby = await startStandby(primary);
      atEndOfFile(() => standby.stop());
      const both = primary.url.replace(/(@[^/]+)/, `$1,${new URL(standby.url).host}`);
      const pooler = await startPgbouncer(primary.url);
      atEndOfFile(() => pooler.stop());

      const settings = { ADMIN_PASSWORD: admin.password, LOG_LEVEL: 'info', DATABASE_STATEMENT_TIMEOUT: '2' };
      const direct = start({ ...settings, DATABASE_URL: both });
      const pooled = start({ ...settings, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: both });
      const [one, other] = [{ url: await ready(direct) }, { url: await ready(pooled) }];
      const root = callerWith(one, await login(one, 'master', admin.username, admin.password));
      await root.send('PUT', '/master', { accessTokenLifespan: 3600 });
      const caller = callerWith(one, await login(one, 'master', admin.username, admin.password));
      expect((await caller.send('POST', '/', { realm, enabled: true })).status).toBe(201);

      const streams = [
        createUsers({ realm, name: 'by-one', patience }, one, caller),
        createUsers({ realm, name: 'by-other', patience }, other, caller),
      ] as const;
      const statuses = (at: 0 | 1) => streams[at].answers.map(({ status }) => status);
      /** Waits for an answer with the status to a request from now on. */
      const next = (at: 0 | 1, status: number) => {
        const before = streams[at].answers.length + 1;
        return expect.poll(() => statuses(at).slice(before), { timeout: patience }).toContain(status);
      };
      await Promise.all([next(0, 201), next(1, 201)]);
      await primary.crash();
      await next(0, 503);
      await standby.promote();
      const acknowledgedFrom = streams.map(({ answers }) => answers.length);
      pooler.lead(standby.url);
      await Promise.all([next(0, 201), next(1, 201)]);

      // the former primary returns, the pooler leads there, and all connections to the new one are lost
      await primary.resume();
      const left = await names(primary.url);
      pooler.lead(primary.url);
      await query(standby.url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
      await Promise.all([next(0, 201), next(1, 503)]);
      for (const { output } of [direct, pooled])
        await expect
          .poll(output, { timeout: patience })
          .toMatch(/a database server is refused: .* is behind: its timeline is 1/);
      // who does not know the new primary is told by the former one
      await expect(migrate(primary.url)).rejects.toThrow('the newest one is 2');

      const checked = await realmgate(['check'], { DATABASE_URL: both });
      expect(checked.output).toMatch(/problem +host +The server \S+ is behind: its timeline is 1/);
      expect(checked.status).toBe(1);

      pooler.lead(standby.url);
      await Promise.all([next(0, 201), next(1, 201)]);
      await Promise.all(streams.map((each) => each.stop()));

      const stored = await names(standby.url);
      const acknowledged = streams.flatMap(({ answers }, at) =>
        answers.slice(acknowledgedFrom[at]).filter(({ status }) => status === 201),
      );
      expect(acknowledged.filter(({ username }) => !stored.includes(username))).toEqual([]);
      expect(await names(primary.url)).toEqual(left);
      expect([...new Set([...statuses(0), ...statuses(1)])].sort()).toEqual([201, 503]);
      const lines = (text: string) => direct.output().split(text).length - 1;
      expect([lines('was promoted and is used'), lines('a database server is refused')]).toEqual([1, 1]);
      await expect.poll(() => lines('the database cannot be reached: '), { timeout: patience }).toBeGreaterThan(0);
      await expect.poll(() => lines('the database can be reached again'), { timeout: patience }).toBeGreaterThan(0);
    }, 120_000);
  },
);
