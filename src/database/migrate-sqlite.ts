import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
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
import { sqliteDriver } from './sqlite-driver.js';
import { DatabaseUnusable } from './unusable.js';

const secondsToWait = 30;
/** in milliseconds */
const pauseBetweenAttempts = 20;

/** The migrations that a file has; none where it is missing. Throws DatabaseUnusable when it cannot be opened. */
export async function appliedToSqlite(file: string): Promise<AppliedMigration[]> {
  if (!existsSync(file)) return [];
  const Sqlite = await sqliteDriver();
  try {
    const database = new Sqlite(file, { readonly: true });
    try {
      const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'").get();
      return table ? database.prepare<[], AppliedMigration>(appliedMigrations).all() : [];
    } finally {
      database.close();
    }
  } catch (error) {
    throw cannotBeOpened(file, error);
  }
}

/**
 * Applies what is pending to a file in one transaction, and makes the file and its folder where they are missing.
 * Throws DatabaseUnusable as `migrate` does.
 */
export async function migrateSqlite(file: string, migrations: readonly Migration[]): Promise<Migration[]> {
  const database = await open(file);
  try {
    database.pragma('foreign_keys = OFF'); // has no effect inside a transaction; migrations replace whole tables
    await beginAlone(database);
    database.exec(migrationTable('DATETIME'));
    const todo = pending(migrations, database.prepare<[], AppliedMigration>(appliedMigrations).all());
    const record = database.prepare(insertApplied('?', '?', '?', '?', '?'));
    for (const { name, sql, checksum } of todo) {
      const startedAt = Date.now();
      database.exec(sql);
      record.run(randomUUID(), checksum, Date.now(), name, startedAt);
    }
    refuseBrokenReferences(todo.length ? database.pragma('foreign_key_check') : []);
    database.exec('COMMIT');
    return todo;
  } finally {
    database.close(); // rolls back what is not committed
  }
}

async function open(file: string): Promise<BetterSqlite3.Database> {
  const Sqlite = await sqliteDriver();
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    keepPrivate(file);
    const opened = new Sqlite(file, { timeout: secondsToWait * 1000 });
    try {
      opened.pragma('journal_mode = WAL'); // stays with the file
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
 * Begins a transaction when nobody else writes. The process goes on while it waits: what it waits for may be a transaction of
 * the same process.
 */
async function beginAlone(database: BetterSqlite3.Database): Promise<void> {
  database.pragma('busy_timeout = 0');
  const deadline = Date.now() + secondsToWait * 1000;
  for (;;) {
    try {
      database.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY') || Date.now() > deadline) throw error;
    }
    await sleep(pauseBetweenAttempts);
  }
}

function refuseBrokenReferences(broken: unknown): void {
  if (!Array.isArray(broken) || broken.length === 0) return;
  const tables = [...new Set(broken.map((row: { table: string }) => row.table))].join(', ');
  throw new DatabaseUnusable(`A migration would leave references to missing rows in ${tables}.`);
}
