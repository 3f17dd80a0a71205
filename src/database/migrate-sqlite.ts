import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentHistory, markEarlier } from './earlier-history.js';
import {
  type AppliedMigration,
  appliedMigrations,
  insertApplied,
  type Migration,
  migrationTable,
  pending,
  reasonOf,
} from './migrations.js';
import { keepPrivate } from './private-file.js';
import { objectsOf, type SqliteConnection, type SqliteDriver, sqliteCodeOf } from './sqlite-connection.js';
import { DatabaseUnusable } from './unusable.js';

const secondsToWait = 30;
/** in milliseconds */
const pauseBetweenAttempts = 20;

/** The migrations of a file; none if it is missing. Throws DatabaseUnusable if it cannot be opened. */
export function appliedToSqlite(sqlite: SqliteDriver, file: string): AppliedMigration[] {
  if (!existsSync(file)) return [];
  try {
    const database = sqlite.open(file, { readonly: true });
    try {
      const tables = database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'").all([]);
      return tables.length > 0 ? appliedIn(database) : [];
    } finally {
      database.close();
    }
  } catch (error) {
    throw cannotBeOpened(file, error);
  }
}

/**
 * Applies the pending migrations to a file in one transaction, and creates the file and its folder if they are missing.
 * Throws DatabaseUnusable as `migrate` does.
 */
export async function migrateSqlite(
  sqlite: SqliteDriver,
  file: string,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const database = open(sqlite, file);
  try {
    database.exec('PRAGMA foreign_keys = OFF'); // has no effect inside a transaction; migrations replace whole tables
    await beginAlone(database);
    database.exec(migrationTable('DATETIME'));
    const insert = database.prepare(insertApplied('?', '?', '?', '?', '?'));
    const record = ({ name, checksum }: Migration, startedAt: number) =>
      insert.run([randomUUID(), checksum, Date.now(), name, startedAt]);
    const { applied, replacement } = currentHistory('sqlite', migrations, appliedIn(database));
    if (replacement) {
      database.exec(markEarlier);
      record(replacement, Date.now());
    }
    const todo = pending(migrations, applied);
    for (const migration of todo) {
      const startedAt = Date.now();
      database.exec(migration.sql);
      record(migration, startedAt);
    }
    if (todo.length > 0) refuseBrokenReferences(database);
    database.exec('COMMIT');
    return todo;
  } finally {
    database.close(); // rolls back open work
  }
}

const appliedIn = (database: SqliteConnection): AppliedMigration[] => objectsOf(database.prepare(appliedMigrations));

function open(sqlite: SqliteDriver, file: string): SqliteConnection {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    keepPrivate(file);
    const opened = sqlite.open(file, { timeout: secondsToWait * 1000 });
    try {
      opened.exec('PRAGMA journal_mode = WAL'); // stays with the file
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  } catch (error) {
    throw cannotBeOpened(file, error);
  }
}

const cannotBeOpened = (file: string, error: unknown): DatabaseUnusable =>
  new DatabaseUnusable(`The database file ${file} cannot be opened: ${reasonOf(error)}.`, error);

/**
 * Begins a transaction when nobody else writes. The process is not blocked while it waits, because it may wait for a
 * transaction of the same process.
 */
async function beginAlone(database: SqliteConnection): Promise<void> {
  database.exec('PRAGMA busy_timeout = 0');
  const deadline = Date.now() + secondsToWait * 1000;
  for (;;) {
    try {
      database.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!sqliteCodeOf(error)?.startsWith('SQLITE_BUSY') || Date.now() > deadline) throw error;
    }
    await sleep(pauseBetweenAttempts);
  }
}

function refuseBrokenReferences(database: SqliteConnection): void {
  const broken = objectsOf<{ table: string }>(database.prepare('PRAGMA foreign_key_check'));
  if (broken.length === 0) return;
  const tables = [...new Set(broken.map(({ table }) => table))].join(', ');
  throw new DatabaseUnusable(`A migration would leave references to missing rows in ${tables}.`);
}
