import { currentHistory } from './earlier-history.js';
import { Fence } from './fence.js';
import { appliedToPostgresql, migratePostgresql } from './migrate-postgresql.js';
import { appliedToSqlite, migrateSqlite } from './migrate-sqlite.js';
import { laterMigrations, loadMigrations, migrationsFolder, pending } from './migrations.js';
import { sqliteDriver } from './sqlite-driver.js';
import { dialectOf, sqliteFile } from './url.js';

export interface MigrateOptions {
  /** The folder with the migrations. Default: the migrations of this version. */
  readonly folder?: string;
  /** The known PostgreSQL servers of this process. */
  readonly fence?: Fence;
}

/**
 * Brings the database up to date and returns the names of the applied migrations. Creates the SQLite file and its
 * folder if they are missing. A SQLite file or an empty database gets all migrations or none; elsewhere, the migrations
 * before a failed one stay. Instances that start at the same time take turns. Throws DatabaseUnusable if the database
 * cannot be reached, or cannot be used with this version.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder = migrationsFolder, fence = new Fence() } = options;
  const dialect = dialectOf(databaseUrl);
  const migrations = loadMigrations(folder, dialect);
  const applied =
    dialect === 'sqlite'
      ? await migrateSqlite(await sqliteDriver(), sqliteFile(databaseUrl), migrations)
      : await migratePostgresql(databaseUrl, migrations, fence);
  return applied.map(({ name }) => name);
}

/** The differences between a database's migrations and this version's. */
interface MigrationState {
  /** migrations that `migrate` would apply; all of them if the SQLite file is missing */
  readonly pending: string[];
  /** migrations of a later version that this version can work with */
  readonly later: string[];
}

/** The names of pending and later migrations. Changes nothing. Throws DatabaseUnusable as `migrate` does. */
export async function migrationState(databaseUrl: string, options: MigrateOptions = {}): Promise<MigrationState> {
  const { folder = migrationsFolder, fence = new Fence() } = options;
  const dialect = dialectOf(databaseUrl);
  const migrations = loadMigrations(folder, dialect);
  const rows =
    dialect === 'sqlite'
      ? appliedToSqlite(await sqliteDriver(), sqliteFile(databaseUrl))
      : await appliedToPostgresql(databaseUrl, fence);
  const { applied } = currentHistory(dialect, migrations, rows);
  return {
    pending: pending(migrations, applied).map(({ name }) => name),
    later: laterMigrations(migrations, applied),
  };
}
