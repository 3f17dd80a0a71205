// @both-databases
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { dialect, preparedDatabaseUrl } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { startServer } from '../support/server.js';

describe.skipIf(dialect !== 'postgresql')('a database that takes no writes for a while (PostgreSQL only)', () => {
  it('is stated by the readiness, which a setting makes depend on writes', async () => {
    const databaseUrl = await preparedDatabaseUrl();
    const servers = [await startServer({ databaseUrl }), await startServer({ databaseUrl, readyRequires: 'writes' })];
    const callers = await Promise.all(servers.map(administrator));
    const client = new pg.Client(databaseUrl);
    await client.connect();
    const name = new URL(databaseUrl).pathname.slice(1);
    const endSessions =
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()';
    const write = () =>
      Promise.all(callers.map(async (one) => (await one.send('PUT', '/master', { displayName: 'M' })).status));
    const ready = () =>
      Promise.all(
        servers.map(async ({ url }) => {
          const answer = await fetch(`${url}/health/ready`);
          return { answered: answer.status, ...((await answer.json()) as object) };
        }),
      );
    const whole = { answered: 200, status: 'UP', reads: 'UP', writes: 'UP' };
    expect(await ready()).toEqual([whole, whole]);

    await client.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    await client.query(endSessions, [name]);
    await expect.poll(write, { timeout: 10_000 }).toEqual([503, 503]);
    // a session that began before the setting, and was not listed yet, still takes writes
    const readyWithout = async () => {
      const states = await ready();
      if (states.some((state) => 'writes' in state && state.writes === 'UP')) {
        await client.query(endSessions, [name]);
        await write();
      }
      return states;
    };
    await expect.poll(readyWithout, { timeout: 10_000 }).toEqual([
      { ...whole, writes: 'DOWN' },
      { answered: 503, status: 'DOWN', reads: 'UP', writes: 'DOWN' },
    ]);

    await client.query('SET default_transaction_read_only = off');
    await client.query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`);
    await client.query(endSessions, [name]);
    await client.end();
    await expect.poll(ready, { timeout: 10_000 }).toEqual([whole, whole]);
    await expect.poll(write, { timeout: 10_000 }).toEqual([204, 204]);
  });
});
