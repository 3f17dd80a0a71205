// @both-databases
// @thorough
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/open.js';
import { type Disk, postgresqlIn, smallDisk } from '../faults/disk.js';
import { expectNothingByHalves } from '../faults/halves.js';
import { atEndOfFile, dialect } from '../support/database.js';
import { postgresqlBinaries, startStandby } from '../support/postgresql.mjs';
import { installedProxies } from '../support/proxies.js';
import { startSystem, untilEnded } from './system.js';
import { type Outcome, observed, tableOf } from './table.js';

// All that happens to a service in production, one after the other, under load: `npm run drill` prints what came of it.

/** Seconds for which there is no database. */
const outage = 30;
const canRun = installedProxies.length > 0 && (dialect === 'sqlite' || postgresqlBinaries() !== undefined);
const disk: Disk | undefined = canRun ? smallDisk(dialect === 'sqlite' ? 256 : 512) : undefined;

/** A database on the small disk; on PostgreSQL with a standby. */
async function databaseOn({ folder }: Disk) {
  if (dialect === 'sqlite') return { url: `file:${join(folder, 'drill.db')}` };
  const further = { max_wal_size: '64MB', wal_keep_size: '64MB' };
  const primary = await postgresqlIn(folder, { durable: true, replicated: true, further });
  const standby = await startStandby(primary);
  atEndOfFile(() => standby.stop());
  execFileSync('psql', [
    primary.url,
    '-qc',
    `ALTER SYSTEM SET synchronous_standby_names = '*'`,
    '-c',
    'SELECT pg_reload_conf()',
  ]);
  const url = primary.url.replace(/(@[^/]+)/, `$1,${new URL(standby.url).host}`);
  return { url, servers: { primary, standby } };
}

describe.skipIf(!disk)('the drill', () => {
  it(`loses nothing that was acknowledged, behind ${installedProxies.join(' and ')}`, async () => {
    if (!disk) return;
    const { url, servers } = await databaseOn(disk);
    let note = '';
    const system = await startSystem(url, () => note);
    const outcomes: Outcome[] = [];
    const step = async (name: string, act: () => Promise<void>) => {
      const outcome = await observed(name, system, act);
      outcomes.push(outcome);
      return outcome;
    };

    await step('calm', () => sleep(2000));

    const restarted = await step('rolling restart', async () => {
      for (const instance of system.instances) {
        instance.run.process.kill('SIGTERM');
        await untilEnded(instance);
        await system.startAgain(instance);
      }
    });
    expect([restarted.refused, restarted.others]).toEqual([0, []]);

    await step('killed instances', async () => {
      for (const instance of system.instances) {
        instance.run.process.kill('SIGKILL');
        await untilEnded(instance);
        await system.startAgain(instance);
      }
    });

    const back = await step('clock an hour back', async () => {
      for (const { run } of system.instances) run.process.kill('SIGUSR2');
      await system.works();
    });
    expect([back.refused, back.others]).toEqual([0, []]);

    const full = await step('full disk', async () => {
      disk.fill();
      note = randomBytes(3000).toString('hex');
      await system.refuses(10);
      note = '';
      disk.empty();
    });
    expect(full.refused).toBeGreaterThan(0);

    if (servers) {
      const { primary, standby } = servers;
      const without = await step(`${outage} s without database`, async () => {
        await primary.halt();
        await sleep(outage * 1000);
        await primary.resume();
      });
      expect(without.refused).toBeGreaterThan(0);
      expect(without.others).toEqual([]);

      await step('failover', async () => {
        await primary.crash();
        await system.refuses(1);
        await standby.promote();
      });
      const returned = await step('former primary returns', async () => {
        await primary.resume();
        await system.works();
      });
      expect([returned.refused, returned.others]).toEqual([0, []]);
    }
    await system.stop();

    const database = await openDatabase({
      databaseUrl: servers?.standby.url ?? url,
      databasePool: 2,
      sqliteSynchronous: 'NORMAL',
    });
    atEndOfFile(() => database.close());
    const users = await database.read.user.findMany({
      where: { username: { startsWith: 'by-' } },
      select: { username: true },
    });
    console.log(tableOf(outcomes, new Set(users.map(({ username }) => username))));
    const acknowledged = outcomes.flatMap((outcome) => outcome.acknowledged);
    await expectNothingByHalves(database, system.realm, acknowledged);
    expect(outcomes.flatMap(({ others }) => others).filter((status) => ![0, 502, 504].includes(status))).toEqual([]);
  }, 600_000);
});
