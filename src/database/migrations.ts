import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../config/project.js';
import type { Dialect } from './db.js';
import { DatabaseUnusable } from './unusable.js';

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 in hexadecimal digits */
  readonly checksum: string;
}

export interface AppliedMigration {
  readonly migration_name: string;
  readonly checksum: string;
}

/** The folder of the migrations. */
export const migrationsFolder = join(projectFolder, 'prisma/migrations');

/** The prefix of the column `logs` in rows of replaced migrations. */
export const replacedBy = 'replaced by ';

export const appliedMigrations = `SELECT migration_name, checksum FROM "_prisma_migrations"
  WHERE rolled_back_at IS NULL AND COALESCE(logs, '') NOT LIKE '${replacedBy}%'`;

/** Adds the row of a migration that was applied: ID, checksum, end, name, start. */
export const insertApplied = (...values: readonly [string, string, string, string, string]): string =>
  `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES (${values.join(', ')}, 1)`;

/** The table of Prisma's own migration command, whose time columns have another type on each database. */
export const migrationTable = (time: string): string => `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" ${time},
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" ${time},
  "started_at" ${time} NOT NULL DEFAULT current_timestamp,
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

/** The migrations of a folder for one database, in their order. */
export function loadMigrations(folder: string, dialect: Dialect): Migration[] {
  const base = join(folder, dialect);
  return readdirSync(base, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(base, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/**
 * The name of a migration that removes something that earlier versions use. After all other migrations, earlier
 * versions still work.
 */
const contracting = /^\d+_contract_/;

/**
 * The migrations of a database that this version does not include. Throws DatabaseUnusable if one of them removed
 * something that this version needs.
 */
export function laterMigrations(migrations: readonly Migration[], applied: readonly AppliedMigration[]): string[] {
  const known = new Set(migrations.map(({ name }) => name));
  const later = applied.map((row) => row.migration_name).filter((name) => !known.has(name));
  const last = later.find((name) => contracting.test(name));
  if (last !== undefined) {
    throw new DatabaseUnusable(
      `A later version has removed what this one needs from the database, with the migration ${last}. Start the later version, or restore a backup that was made before.`,
    );
  }
  return later;
}

/**
 * The migrations that are not applied yet, in their order. Throws DatabaseUnusable when one was changed after it had been
 * applied, and as `laterMigrations` does.
 */
export function pending(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  laterMigrations(migrations, applied);
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const changed = applied.find(({ migration_name: name, checksum }) => {
    const migration = known.get(name);
    return migration !== undefined && migration.checksum !== checksum;
  });
  if (changed) {
    throw new DatabaseUnusable(
      `The migration ${changed.migration_name} was changed after it had been applied to the database.`,
    );
  }
  const done = new Set(applied.map((row) => row.migration_name));
  return migrations.filter(({ name }) => !done.has(name));
}

/** The message of a cause, without the full stop. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
