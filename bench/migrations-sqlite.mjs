// How long the migrations since the last release take on a SQLite file of that release. Nobody uses the file meanwhile: a service
// applies them before it serves.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteDriver } from '../build/database/sqlite-driver.js';
import { fills } from './migration-fills.mjs';

/** Makes a filled file with the released version, and migrates it with this one. Returns a sentence. */
export async function migratedSqlite({ folder, released, users, events }) {
  const file = join(folder, 'filled.db');
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: `file:${file}` };
  execFileSync('node', [released, 'migrate'], { env });
  execFileSync('node', [released, 'create-admin', '--username', 'admin'], { env, input: 'admin\n' });
  const connection = (await sqliteDriver()).open(file);
  connection.exec('CREATE TEMP TABLE numbered (n INTEGER PRIMARY KEY)');
  connection.exec(`WITH RECURSIVE each(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < ${Math.max(users, events)})
    INSERT INTO numbered SELECT n FROM each`);
  for (const [name, fill] of Object.entries(fills('(SELECT n FROM numbered WHERE n <= ?)'))) {
    const wanted = name === 'User' ? users : events;
    const made = connection.prepare(fill).run([wanted]);
    if (made !== wanted) throw new Error(`${name} got ${made} rows instead of ${wanted}`);
  }
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
  const startedAt = performance.now();
  const stdout = execFileSync('node', ['dist/cli/realmgate.js', 'migrate'], { env, encoding: 'utf8' });
  const seconds = (performance.now() - startedAt) / 1000;
  const size = statSync(file).size / 2 ** 20;
  return `SQLite, ${users} users, ${events} events of each kind, ${size.toFixed(0)} MiB afterwards: ${stdout.trim().split('\n').length - 1} migrations took ${seconds.toFixed(1)} s.`;
}
