// How long others wait while the migrations since the last release are applied to a PostgreSQL database of that release, which is
// filled with users and events. Writers of each table send a statement after the other, before and meanwhile. Prints Markdown tables:
// what writers waited, and which locks against writers were held. With --database sqlite it prints how long the migrations take.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { startPostgresql } from '../test/support/postgresql.mjs';
import { table } from './client.mjs';
import { fills } from './migration-fills.mjs';
import { watchLocks } from './migration-locks.mjs';
import { migratedSqlite } from './migrations-sqlite.mjs';

const { values: args } = parseArgs({
  options: {
    database: { type: 'string', default: 'postgresql' },
    users: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '5' },
  },
});
const [users, events] = [Number(args.users), Number(args.events)];

/** The numbers of rows, from the first to the last parameter. */
const numbers = '(SELECT n FROM generate_series($1::int, $2::int) n)';
const writes = {
  User: (at) => [`UPDATE "User" SET "version" = "version" + 1 WHERE "id" = $1`, [`u-${1 + (at % users)}`]],
  Client: () => ['UPDATE "Client" SET "version" = "version" + 1 WHERE "id" = (SELECT min("id") FROM "Client")', []],
  Realm: () => ['UPDATE "Realm" SET "version" = "version" + 1', []],
  AdminEvent: (at) => [fills(numbers).AdminEvent, [events + 1 + at, events + 1 + at]],
  LoginEvent: (at) => [fills(numbers).LoginEvent, [events + 1 + at, events + 1 + at]],
};

async function session(url) {
  const client = new pg.Client(url);
  client.on('error', () => undefined); // a failure elsewhere stops the server
  await client.connect();
  return client;
}

/** Writes a table all the time; `longest` answers what a statement has taken since it was asked last, in milliseconds. */
async function writerOf(url, name) {
  const client = await session(url);
  let longest = 0;
  let since;
  let running = true;
  const ended = (async () => {
    for (let at = 0; running; at += 1) {
      since = performance.now();
      const { rowCount } = await client.query(...writes[name](at));
      if (rowCount !== 1) throw new Error(`A write of ${name} changed ${rowCount} rows`);
      longest = Math.max(longest, performance.now() - since);
      since = undefined;
      await pause(2);
    }
    await client.end();
  })();
  return {
    name,
    longest() {
      const found = Math.max(longest, since === undefined ? 0 : performance.now() - since);
      longest = 0;
      return found;
    },
    stop() {
      running = false;
      return ended;
    },
  };
}

/** Fills a database of the released version, and migrates it beside the writers. */
async function migratedPostgresql(cluster, released) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: cluster.url };
  execFileSync('node', [released, 'migrate'], { env });
  execFileSync('node', [released, 'create-admin', '--username', 'admin'], { env, input: 'admin\n' });
  const owner = await session(cluster.url);
  for (const [name, fill] of Object.entries(fills(numbers))) {
    const wanted = name === 'User' ? users : events;
    const { rowCount } = await owner.query(fill, [1, wanted]);
    if (rowCount !== wanted) throw new Error(`${name} got ${rowCount} rows instead of ${wanted}`);
  }
  await owner.query('VACUUM ANALYZE');

  const writers = await Promise.all(Object.keys(writes).map((name) => writerOf(cluster.url, name)));
  await pause(Number(args.seconds) * 1000);
  const before = writers.map((writer) => writer.longest());
  const locks = watchLocks(owner);
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)('node', ['dist/cli/realmgate.js', 'migrate'], { env });
  const seconds = (performance.now() - startedAt) / 1000;
  const during = writers.map((writer) => writer.longest());
  const held = await locks.stop();
  await Promise.all(writers.map((writer) => writer.stop()));
  await owner.end();
  console.log(
    `${users} users, ${events} events of each kind; ${stdout.trim().split('\n').length - 1} migrations took ${seconds.toFixed(1)} s.\n`,
  );
  console.log(
    table(
      ['table', 'longest write before, ms', 'longest write meanwhile, ms'],
      writers.map(({ name }, at) => [name, before[at].toFixed(0), during[at].toFixed(0)]),
    ),
  );
  console.log(
    table(
      ['table', 'lock', 'held for at most, ms'],
      held.map(([name, mode, ms]) => [name, mode, ms.toFixed(0)]),
    ),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'realmgate-released-'));
const cluster = args.database === 'postgresql' ? await startPostgresql() : undefined;
try {
  execFileSync('tar', ['-xzf', 'test/upgrade/released.tgz', '-C', folder]);
  symlinkSync(resolve('node_modules'), join(folder, 'package', 'node_modules'));
  const released = join(folder, 'package/dist/cli/realmgate.js');
  if (cluster) await migratedPostgresql(cluster, released);
  else console.log(await migratedSqlite({ folder, released, users, events }));
} finally {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}
