import { readConfig } from '../../config/config.js';
import { directUrl } from '../../config/database-hosts.js';
import { migrate, migrationState } from '../../database/migrate.js';
import { print } from '../print.js';

/**
 * Applies the pending migrations and prints their names. With `status` it only prints them, and the migrations of a
 * later version.
 */
export async function migrateDatabase({ status }: { status?: boolean }): Promise<void> {
  const config = readConfig(process.env);
  const databaseUrl = directUrl(config);
  if (status) {
    const { pending, later } = await migrationState(databaseUrl);
    printNames('Pending migrations:', pending);
    if (later.length > 0) printNames('Migrations of a later version, which this one works with:', later);
  } else {
    printNames('Applied migrations:', await migrate(databaseUrl));
  }
}

function printNames(title: string, names: readonly string[]): void {
  print(names.length === 0 ? 'The database is up to date.' : [title, ...names].join('\n  '));
}
