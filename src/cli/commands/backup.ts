import { readConfig } from '../../config/config.js';
import { backup } from '../../database/backup.js';
import { print } from '../print.js';

/** Copies the SQLite database to a new file, and prints its size. Throws DatabaseUnusable, also for PostgreSQL. */
export async function backUp(out: string): Promise<void> {
  const { databaseUrl, sqliteDriver } = readConfig(process.env);
  const size = await backup(databaseUrl, out, sqliteDriver);
  print(`${out} has ${(size / 1e6).toFixed(1)} MB. Keep SECRETS_KEY as well: it is not in the file.`);
}
