// @both-databases
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { realmgate } from '../cli/run.js';
import { dialect } from '../support/database.js';
import { type Answer, administrator, type Caller, startWithRealm } from '../support/fixture.js';
import { postgresqlBinaries } from '../support/postgresql.mjs';
import type { TestServer } from '../support/server.js';
import { type Disk, postgresqlIn, smallDisk } from './disk.js';
import { expectNothingByHalves } from './halves.js';

const megabytes = { sqlite: 16, postgresql: 160 };
const canRun = dialect === 'sqlite' || postgresqlBinaries() !== undefined;
const disk: Disk | undefined = canRun ? smallDisk(megabytes[dialect]) : undefined;
if (!disk) console.log('The tests of a full disk are left out: they need root, and a system that lets it mount.');

let databaseUrl: string;
let server: TestServer;
let caller: Caller;
const created: string[] = [];

/** A database whose files are on the disk. */
const databaseOn = async ({ folder }: Disk): Promise<string> =>
  dialect === 'sqlite' ? `file:${join(folder, 'test.db')}` : (await postgresqlIn(folder)).url;

let serial = 0;
/** Users of some kilobytes, so that free pages in the files are soon used up. */
async function createUser(): Promise<Answer> {
  const username = `user-${serial++}`;
  const note = Array.from({ length: 300 }, () => Math.random().toString(36)).join('');
  const answer = await caller.send('POST', '/full/users', { username, attributes: { note: [note] } });
  if (answer.status === 201) created.push(username);
  return answer;
}

describe.skipIf(!disk)('a database whose disk is full', () => {
  beforeAll(async () => {
    if (!disk) return;
    databaseUrl = await databaseOn(disk);
    ({ server, admin: caller } = await startWithRealm(
      { realm: 'full', enabled: true, adminEventsEnabled: true },
      { databaseUrl, databasePool: 4 },
    ));
    caller = await administrator(server);
  });

  it('refuses writes until there is space, keeps nothing by halves, and is read meanwhile', async () => {
    for (let round = 0; round < 2; round += 1) {
      expect((await createUser()).status).toBe(201);
      disk?.fill();
      const refusals: Answer[] = [];
      for (let tries = 0; refusals.length < 10 && tries < 5000; tries += 4) {
        const answers = await Promise.all([createUser(), createUser(), createUser(), createUser()]);
        refusals.push(...answers.filter(({ status }) => status !== 201));
      }
      expect(refusals.length).toBeGreaterThanOrEqual(10);
      expect(refusals.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
        refusals.map(() => [503, '1']),
      );
      expect((await caller.send('GET', '/full/users?max=1')).status).toBe(200);
      const graphql = await caller.graphql<{ realm: unknown }>('{ realm(name: "full") { name } }');
      expect(graphql.data.realm).toEqual({ name: 'full' });
      const ready = async () => (await fetch(`${server.url}/health/ready`)).json();
      expect(await ready()).toMatchObject({ status: 'UP', reads: 'UP' });
      await expectNothingByHalves(server.database, 'full', created);
      // a PostgreSQL server has disks of its own
      if (dialect === 'sqlite' && round === 0) {
        const { findings } = JSON.parse((await realmgate(['check', '--json'], { DATABASE_URL: databaseUrl })).output);
        expect(findings).toContainEqual(expect.objectContaining({ about: 'disk', level: 'problem' }));
      }

      disk?.empty();
      await expect.poll(ready, { timeout: 20_000 }).toEqual({ status: 'UP', reads: 'UP', writes: 'UP' });
      await expect.poll(async () => (await createUser()).status, { timeout: 20_000 }).toBe(201);
      await expectNothingByHalves(server.database, 'full', created);
    }
  }, 120_000);
});
