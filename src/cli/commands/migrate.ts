import { readConfig } from '../../config/config.js';
import { directUrl } from '../../config/database-hosts.js';
import { migrate, pendingMigrations } from '../../database/migrate.js';

/** Applies the pending migrations and prints their names; with `status` it only prints them. */
export async function migrateDatabase({ status }: { status?: boolean }): Promise<void> {
  const databaseUrl = directUrl(readConfig(process.env));
  const names = status ? await pendingMigrations(databaseUrl) : await migrate(databaseUrl);
  if (names.length === 0) console.log('The database is up to date.');
  else console.log([status ? 'Pending migrations:' : 'Applied migrations:', ...names].join('\n  '));
}
