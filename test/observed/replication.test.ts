// @both-databases
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { wireTo } from '../faults/wire.js';
import { atEndOfFile, dialect } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { postgresqlBinaries, startPostgresql, startStandby } from '../support/postgresql.mjs';
import { startServer } from '../support/server.js';

/** In milliseconds: less than a statement may take, so that no answer has waited for the end of one. */
const patience = 25_000;

async function session(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  atEndOfFile(() => client.end());
  return client;
}

const numberOf = async (client: pg.Client, expression: string): Promise<number> =>
  Number((await client.query(`SELECT ${expression} AS n`)).rows[0].n);
const written = (primary: pg.Client) => numberOf(primary, `pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')`);
const applied = (standby: pg.Client) => numberOf(standby, `pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')`);
const age = (standby: pg.Client) =>
  numberOf(standby, 'extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())');

/** A service behind a wire to its primary, with as many standbys, of which the first is behind a wire as well. */
async function world(standbys: number) {
  const primary = await startPostgresql({ replicated: true });
  atEndOfFile(() => primary.stop());
  const followers = [];
  for (let at = 0; at < standbys; at += 1) {
    const standby = await startStandby(primary);
    atEndOfFile(() => standby.stop());
    followers.push(standby);
  }
  const [first, ...others] = followers;
  if (!first) throw new Error('There is no standby.');
  const wires = { primary: await wireTo(primary.url), standby: await wireTo(first.url) };
  for (const wire of Object.values(wires)) atEndOfFile(() => wire.close());
  const hosts = [wires.standby, ...others].map(({ url }) => new URL(url).host).join(',');
  const settings = { databaseUrl: wires.primary.url, databaseReadUrl: `postgresql://postgres@${hosts}/postgres` };
  const server = await startServer(settings);
  const text = async () => {
    const answer = await fetch(`${server.url}/metrics`, { signal: AbortSignal.timeout(patience) });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  /** What `/metrics` has of standbys: values by the end of the name and the number of the standby. */
  const replication = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      [...(await text()).matchAll(/^realmgate_replication_(\w+)\{standby="(\d)"\} (\S+)$/gm)].map(
        ([, name, standby, value]) => [`${name} ${standby}`, Number(value)],
      ),
    );
  return { primary, followers, wires, server, text, replication };
}

describe.skipIf(dialect !== 'postgresql' || postgresqlBinaries() === undefined)(
  'the metrics of replication (PostgreSQL only: SQLite has no standbys)',
  () => {
    it('say how far each standby is behind, and nothing of how far one that does not follow', async () => {
      const { primary, followers, wires, server, replication } = await world(2);
      const { send } = await administrator(server);
      const [first, second] = followers;
      if (!first || !second) throw new Error('A standby is missing.');
      const [writer, standby] = [await session(primary.url), await session(first.url)];
      const caughtUp = (at: number) => ({ [`follows ${at}`]: 1, [`lag_bytes ${at}`]: 0, [`lag_seconds ${at}`]: 0 });
      await expect.poll(replication, { timeout: patience }).toEqual({ ...caughtUp(0), ...caughtUp(1) });

      await standby.query('SELECT pg_wal_replay_pause()');
      expect((await send('POST', '/', { realm: 'behind', enabled: true })).status).toBe(201);
      await expect.poll(replication, { timeout: patience }).toMatchObject(caughtUp(1));
      const atLeast = [-(await applied(standby)) + (await written(writer)), await age(standby)];
      const found = await replication();
      const atMost = [-(await applied(standby)) + (await written(writer)), await age(standby)];
      expect(found['follows 0']).toBe(1);
      for (const [at, name] of ['lag_bytes 0', 'lag_seconds 0'].entries()) {
        expect(found[name]).toBeGreaterThan(0);
        expect(found[name]).toBeGreaterThanOrEqual(atLeast[at] ?? Number.NaN);
        expect(found[name]).toBeLessThanOrEqual(atMost[at] ?? Number.NaN);
      }

      await standby.query('SELECT pg_wal_replay_resume()');
      await expect.poll(replication, { timeout: patience }).toEqual({ ...caughtUp(0), ...caughtUp(1) });
      wires.standby.become('frozen');
      await expect.poll(replication, { timeout: patience }).toEqual({ 'follows 0': 0, ...caughtUp(1) });
      wires.standby.become('whole');
      await second.promote();
      await expect.poll(replication, { timeout: patience }).toEqual({ ...caughtUp(0), 'follows 1': 0 });
    }, 150_000);

    it.each(['frozen', 'mute'] as const)(
      'keep no other metric waiting while the primary is %s',
      async (state) => {
        const { wires, replication, text } = await world(1);
        await expect.poll(replication, { timeout: patience }).toMatchObject({ 'follows 0': 1 });
        wires.primary.become(state);
        expect(await text()).toContain('\nrealmgate_requests_running{');
        expect(await replication()).toEqual({});
        wires.primary.become('whole');
        await expect.poll(replication, { timeout: patience }).toMatchObject({ 'follows 0': 1 });
      },
      120_000,
    );
  },
);
