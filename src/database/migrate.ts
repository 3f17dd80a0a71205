import { currentHistory } from './earlier-history.js';
import { Fence } from './fence.js';
import { appliedToPostgresql, migratePostgresql } from './migrate-postgresql.js';
import { appliedToSqlite, migrateSqlite } from './migrate-sqlite.js';
import { laterMigrations, loadMigrations, migrationsFolder, pending } from './migrations.js';
import { sqliteDriver } from './sqlite-driver.js';
import { dialectOf, sqliteFile } from './url.js';

export interface MigrateOptions {
  /** The folder with the migrations. Default: those of this version. */
  readonly folder?: string;
  /** What the process knows of the servers of PostgreSQL. */
  readonly fence?: Fence;
}

/**
 * Brings the database up to date, making the SQLite file and its folder where they are missing, and returns the names
 * of the migrations that it applied. All of them are applied to a SQLite file or an empty database, or none; elsewhere, those before
 * one that fails stay. Instances that start at once take turns.
 * Throws DatabaseUnusable when the database cannot be reached, or cannot be used with this version.
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

/** How a database stands to this version. */
interface MigrationState {
  /** what `migrate` would apply; to a SQLite file that is missing, all */
  readonly pending: string[];
  /** what a later version has added, which this one works with */
  readonly later: string[];
}

/** The names of the migrations of either kind. Changes nothing. Throws DatabaseUnusable as `migrate` does. */
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
