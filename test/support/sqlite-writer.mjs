// A process that begins to write to a SQLite file, says so, and commits as soon as it is sent a line.
//
//   node test/support/sqlite-writer.mjs FILE [STATEMENT]
import { sqliteDriver } from '../../build/database/sqlite-driver.js';

const [file, statement = ''] = process.argv.slice(2);
const database = (await sqliteDriver()).open(file);
database.exec(`BEGIN IMMEDIATE; ${statement}`);
console.log('locked');
process.stdin.once('data', () => {
  database.exec('COMMIT');
  process.exit();
});
