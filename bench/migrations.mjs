// How long others wait while the migrations since the last release are applied to a PostgreSQL database of that release, which is
// filled with users and events. Writers of each table send a statement after the other, before and meanwhile. Prints a Markdown table.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { startPostgresql } from '../test/support/postgresql.mjs';
import { table } from './client.mjs';

const { values: args } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '5' },
  },
});
const [users, events] = [Number(args.users), Number(args.events)];

/** Rows like the first one of a table, but for these columns. `n` is the number of a row. */
const like = (name, columns) =>
  `INSERT INTO "${name}" SELECT (jsonb_populate_record(one, jsonb_build_object(${columns}))).*
   FROM "${name}" one, generate_series($1::int, $2::int) n WHERE one."id" = (SELECT min("id") FROM "${name}")`;
const loginEvent = `INSERT INTO "LoginEvent" ("id", "realmId", "time", "type")
  SELECT 'e-' || n, r."id", n, 'LOGIN' FROM (SELECT "id" FROM "Realm" LIMIT 1) r, generate_series($1::int, $2::int) n`;
const fills = {
  User: like('User', `'id', 'u-' || n, 'username', 'user-' || n, 'search', E'\\nuser-' || n || E'\\n'`),
  AdminEvent: like('AdminEvent', `'id', 'e-' || n, 'time', n`),
  LoginEvent: loginEvent,
};
const writes = {
  User: (at) => [`UPDATE "User" SET "version" = "version" + 1 WHERE "id" = $1`, [`u-${1 + (at % users)}`]],
  Realm: () => ['UPDATE "Realm" SET "version" = "version" + 1', []],
  AdminEvent: (at) => [fills.AdminEvent, [events + 1 + at, events + 1 + at]],
  LoginEvent: (at) => [fills.LoginEvent, [events + 1 + at, events + 1 + at]],
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
      await client.query(...writes[name](at));
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

const folder = mkdtempSync(join(tmpdir(), 'realmgate-released-'));
const cluster = await startPostgresql();
try {
  execFileSync('tar', ['-xzf', 'test/upgrade/released.tgz', '-C', folder]);
  symlinkSync(resolve('node_modules'), join(folder, 'package', 'node_modules'));
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: cluster.url };
  const released = join(folder, 'package/dist/cli/realmgate.js');
  execFileSync('node', [released, 'migrate'], { env });
  execFileSync('node', [released, 'create-admin', '--username', 'admin'], { env, input: 'admin\n' });
  const owner = await session(cluster.url);
  for (const [name, fill] of Object.entries(fills)) await owner.query(fill, [1, name === 'User' ? users : events]);
  await owner.query('VACUUM ANALYZE');
  await owner.end();

  const writers = await Promise.all(Object.keys(writes).map((name) => writerOf(cluster.url, name)));
  await pause(Number(args.seconds) * 1000);
  const before = writers.map((writer) => writer.longest());
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)('node', ['dist/cli/realmgate.js', 'migrate'], { env });
  const seconds = (performance.now() - startedAt) / 1000;
  const during = writers.map((writer) => writer.longest());
  await Promise.all(writers.map((writer) => writer.stop()));
  console.log(
    `${users} users, ${events} events of each kind; ${stdout.trim().split('\n').length - 1} migrations took ${seconds.toFixed(1)} s.\n`,
  );
  console.log(
    table(
      ['table', 'longest write before, ms', 'longest write meanwhile, ms'],
      writers.map(({ name }, at) => [name, before[at].toFixed(0), during[at].toFixed(0)]),
    ),
  );
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
