import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type BetterSqlite3 from 'better-sqlite3';
import type { Client } from 'pg';
import { hostsOf } from '../config/database-hosts.js';
import type { Dialect } from './db.js';
import { keepPrivate } from './private-file.js';
import { sqliteDriver } from './sqlite-driver.js';
import { DatabaseUnusable } from './unusable.js';
import { dialectOf, sqliteFile } from './url.js';

interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 in hexadecimal digits */
  readonly checksum: string;
}

interface AppliedMigration {
  readonly migration_name: string;
  readonly checksum: string;
}

/** The key that Prisma's own migration command locks, so that the two exclude each other. */
const advisoryLock = 72_707_369;
const secondsToWait = 30;
/** in milliseconds */
const pauseBetweenAttempts = 20;

/** The folder of the migrations, which lies at the same place relative to the sources and to the build. */
const migrationsFolder = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

const appliedMigrations = 'SELECT migration_name, checksum FROM "_prisma_migrations" WHERE rolled_back_at IS NULL';

/** The table of Prisma's own migration command, whose time columns have another type on each database. */
const migrationTable = (time: string): string => `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" ${time},
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" ${time},
  "started_at" ${time} NOT NULL DEFAULT current_timestamp,
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Brings the database up to date, making the SQLite file and its folder where they are missing, and returns the names
 * of the migrations that it applied. All of them are applied or none; instances that start at once take turns.
 * Throws DatabaseUnusable when the database cannot be reached, or is not one that this build's migrations led to.
 */
export async function migrate(databaseUrl: string, folder: string = migrationsFolder): Promise<string[]> {
  const dialect = dialectOf(databaseUrl);
  const migrations = loadMigrations(folder, dialect);
  return dialect === 'sqlite'
    ? migrateSqlite(sqliteFile(databaseUrl), migrations)
    : migratePostgresql(databaseUrl, migrations);
}

/**
 * The names of the migrations that `migrate` would apply to the database; of a SQLite file that is missing, all of them.
 * Changes nothing. Throws DatabaseUnusable as `migrate` does.
 */
export async function pendingMigrations(databaseUrl: string, folder: string = migrationsFolder): Promise<string[]> {
  const dialect = dialectOf(databaseUrl);
  const migrations = loadMigrations(folder, dialect);
  const applied =
    dialect === 'sqlite' ? await appliedToSqlite(sqliteFile(databaseUrl)) : await appliedToPostgresql(databaseUrl);
  return pending(migrations, applied).map(({ name }) => name);
}

async function appliedToSqlite(file: string): Promise<AppliedMigration[]> {
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

async function appliedToPostgresql(url: string): Promise<AppliedMigration[]> {
  const client = await connectPostgresql(url);
  try {
    const { rows: known } = await client.query(`SELECT to_regclass('"_prisma_migrations"') AS "table"`);
    return known[0]?.table ? (await client.query<AppliedMigration>(appliedMigrations)).rows : [];
  } finally {
    await client.end();
  }
}

function loadMigrations(folder: string, dialect: Dialect): Migration[] {
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

/** The migrations that are not applied yet, in their order. */
function pending(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { migration_name: name, checksum } of applied) {
    const migration = known.get(name);
    if (!migration) {
      throw new DatabaseUnusable(`The database has the migration ${name}, which this version does not include.`);
    }
    if (migration.checksum !== checksum) {
      throw new DatabaseUnusable(`The migration ${name} was changed after it had been applied to the database.`);
    }
  }
  const done = new Set(applied.map((row) => row.migration_name));
  return migrations.filter(({ name }) => !done.has(name));
}

async function migrateSqlite(file: string, migrations: readonly Migration[]): Promise<string[]> {
  const Sqlite = await sqliteDriver();
  const database = open();
  try {
    database.pragma('foreign_keys = OFF'); // has no effect inside a transaction; migrations replace whole tables
    await beginAlone(database);
    database.exec(migrationTable('DATETIME'));
    const todo = pending(migrations, database.prepare<[], AppliedMigration>(appliedMigrations).all());
    const record = database.prepare(
      'INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES (?, ?, ?, ?, ?, 1)',
    );
    for (const { name, sql, checksum } of todo) {
      const startedAt = Date.now();
      database.exec(sql);
      record.run(randomUUID(), checksum, Date.now(), name, startedAt);
    }
    refuseBrokenReferences(todo.length ? database.pragma('foreign_key_check') : []);
    database.exec('COMMIT');
    return todo.map(({ name }) => name);
  } finally {
    database.close(); // rolls back what is not committed
  }

  function open() {
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

async function connectPostgresql(url: string): Promise<Client> {
  const [{ default: pg }, { writableUrl }] = await Promise.all([import('pg'), import('./hosts-postgresql.js')]);
  try {
    const connectionString = await writableUrl(url);
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: secondsToWait * 1000 });
    client.on('error', () => {}); // a lost connection also fails the query that is running
    await client.connect();
    return client;
  } catch (error) {
    const urls = hostsOf(url).map((text) => new URL(text));
    const database = urls[0]?.pathname.slice(1) || 'the default database';
    const hosts = urls.map(({ host }) => host || 'this machine').join(', ');
    throw new DatabaseUnusable(`The database ${database} on ${hosts} cannot be reached: ${reasonOf(error)}.`, error);
  }
}

async function migratePostgresql(url: string, migrations: readonly Migration[]): Promise<string[]> {
  const client = await connectPostgresql(url);
  try {
    await client.query(`SELECT pg_advisory_lock(${advisoryLock})`);
    await client.query('BEGIN');
    await client.query(migrationTable('TIMESTAMPTZ'));
    const { rows } = await client.query<AppliedMigration>(appliedMigrations);
    const todo = pending(migrations, rows);
    for (const { name, sql, checksum } of todo) {
      await client.query(sql);
      await client.query(
        'INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES ($1, $2, now(), $3, now(), 1)',
        [randomUUID(), checksum, name],
      );
    }
    await client.query('COMMIT');
    return todo.map(({ name }) => name);
  } finally {
    await client.end(); // rolls back what is not committed, and gives up the lock
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
