// What better-sqlite3 and the `node:sqlite` of newer versions of Node cost for the same statements, in microseconds of CPU. Each
// round asks both, one after the other, each in a process of its own. Prints a Markdown table.
//
//   node bench/sqlite-drivers.mjs --node <a Node that has node:sqlite> [--rounds 5] [--seconds 2]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { table } from './client.mjs';

const { values: args } = parseArgs({
  options: {
    node: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    /** the driver that this process measures */
    driver: { type: 'string' },
  },
});

const columns = [
  'id',
  'realmId',
  'username',
  'email',
  'firstName',
  'lastName',
  'enabled',
  'version',
  'created',
  'search',
];
const users = 10_000;
const userOf = (at) => [
  `id-${at}`,
  'realm',
  `user-${at}`,
  `user-${at}@mail.example`,
  'First',
  'Last',
  1,
  at,
  1_700_000_000_000,
  `user-${at} first last`,
];

/** A database of a driver: `prepare` gives a statement whose rows are arrays. */
async function open(driver, path) {
  if (driver === 'better-sqlite3') {
    const { default: Database } = await import('better-sqlite3');
    const db = new Database(path);
    const prepare = (text, isRead = true) => {
      const prepared = db.prepare(text);
      if (isRead) prepared.raw(true);
      return { all: (values) => prepared.all(values), run: (values) => prepared.run(values) };
    };
    return { exec: (text) => db.exec(text), prepare };
  }
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(path);
  const prepare = (text, isRead = true) => {
    const prepared = db.prepare(text);
    if (isRead) prepared.setReturnArrays(true);
    return { all: (values) => prepared.all(...values), run: (values) => prepared.run(...values) };
  };
  return { exec: (text) => db.exec(text), prepare };
}

/** CPU time of an operation in microseconds, by the name of the workload. */
async function measure(driver, path) {
  const db = await open(driver, path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; DROP TABLE IF EXISTS "User"`);
  db.exec(`CREATE TABLE "User" (${columns.map((name) => `"${name}"`)}, PRIMARY KEY ("id")) WITHOUT ROWID`);
  const insert = db.prepare(`INSERT INTO "User" VALUES (${columns.map(() => '?')})`, false);
  const insertAll = (from, count) => {
    db.exec('BEGIN');
    for (let at = from; at < from + count; at += 1) insert.run(userOf(at));
    db.exec('COMMIT');
  };
  insertAll(0, users);
  const byId = db.prepare('SELECT * FROM "User" WHERE "id" = ?');
  const page = db.prepare('SELECT * FROM "User" WHERE "id" > ? ORDER BY "id" LIMIT 100');
  const text = db.prepare(
    `SELECT json_group_array(json_array("id", "username", "email")) FROM (SELECT * FROM "User" WHERE "id" > ? ORDER BY "id" LIMIT 100)`,
  );
  let next = users;
  const workloads = {
    'a row by its key': (at) => byId.all([`id-${at % users}`]),
    'a page of 100 rows': (at) => page.all([`id-${at % 900}`]),
    'the same as one JSON text': (at) => text.all([`id-${at % 900}`]),
    '100 inserts in a transaction': () => {
      next += 100;
      insertAll(next, 100);
    },
  };
  const took = {};
  for (const [name, run] of Object.entries(workloads)) {
    for (let at = 0; at < 100; at += 1) run(at); // until it is compiled
    const until = performance.now() + Number(args.seconds) * 1000;
    const before = process.cpuUsage();
    let count = 0;
    while (performance.now() < until) run(count++);
    const { user, system } = process.cpuUsage(before);
    took[name] = (user + system) / count;
  }
  return took;
}

if (args.driver) {
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-drivers-'));
  console.log(JSON.stringify(await measure(args.driver, join(folder, 'users.db'))));
  rmSync(folder, { recursive: true, force: true });
} else {
  if (!args.node) throw new Error('--node is required: the path of a Node that has node:sqlite');
  const ask = (node, driver) =>
    JSON.parse(
      execFileSync(node, [fileURLToPath(import.meta.url), '--driver', driver, '--seconds', args.seconds], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
  const rounds = Array.from({ length: Number(args.rounds) }, () => [
    ask(process.execPath, 'better-sqlite3'),
    ask(args.node, 'node:sqlite'),
  ]);
  const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const names = Object.keys(rounds[0][0]);
  const rows = names.map((name) => [
    name,
    median(rounds.map(([own]) => own[name])).toFixed(1),
    median(rounds.map(([, other]) => other[name])).toFixed(1),
    median(rounds.map(([own, other]) => other[name] / own[name])).toFixed(2),
  ]);
  const version = execFileSync(args.node, ['--version'], { encoding: 'utf8' }).trim();
  const heading = ['CPU, µs', `better-sqlite3, Node ${process.version}`, `node:sqlite, Node ${version}`, 'ratio'];
  console.log(table(heading, rows));
}
