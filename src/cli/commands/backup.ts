import { readConfig } from '../../config/config.js';
import { backup } from '../../database/backup.js';
import { print } from '../print.js';

/** Copies the SQLite database to a new file, and prints its size. Throws DatabaseUnusable, also for PostgreSQL. */
export async function backUp(out: string): Promise<void> {
  const size = await backup(readConfig(process.env).databaseUrl, out);
  print(`${out} has ${(size / 1e6).toFixed(1)} MB. Keep SECRETS_KEY as well: it is not in the file.`);
}
