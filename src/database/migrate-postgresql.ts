import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { hostsOf } from '../config/database-hosts.js';
import { currentHistory, markEarlier } from './earlier-history.js';
import { type Fence, ServerRefused } from './fence.js';
import {
  type AppliedMigration,
  appliedMigrations,
  insertApplied,
  type Migration,
  migrationTable,
  pending,
  reasonOf,
} from './migrations.js';
import { ownSession } from './shared-sessions-postgresql.js';
import { isUnknownAuthority } from './unknown-authority.js';
import { DatabaseUnusable } from './unusable.js';

/** The lock key of Prisma's own migration command, so that the two exclude each other. */
const advisoryLock = 72_707_369;
/** in seconds */
const patience = { connect: 30, locks: 300 };
/**
 * How long a migration waits for a lock, and before its next attempt, in milliseconds. Other users of the table queue
 * behind it during the wait.
 */
const lockTimeout = 500;
const pause = { forLocks: 500, forOthers: 200 };
/** PostgreSQL's codes for a lock that it did not get, a deadlock and a serialization failure. */
const passing = new Set(['55P03', '40P01', '40001']);

/** The first line of a migration whose statements are committed one by one. */
const stepwise = /^-- without a transaction$/m;
/** The marker above a statement that is repeated, each time in a separate transaction, until it changes no row. */
const repeated = /^-- in batches$/m;

/** The migrations that a database has. Throws DatabaseUnusable when it cannot be reached. */
export async function appliedToPostgresql(url: string, fence: Fence): Promise<AppliedMigration[]> {
  const client = await connect(url, fence);
  try {
    const { rows: known } = await client.query(`SELECT to_regclass('"_prisma_migrations"') AS "table"`);
    return known[0]?.table ? await appliedIn(client) : [];
  } finally {
    await client.end();
  }
}

/**
 * Applies the pending migrations: to an empty database in one transaction, otherwise one by one while other instances
 * serve. Continues where an earlier attempt ended. Throws DatabaseUnusable as `migrate` does.
 */
export async function migratePostgresql(
  url: string,
  migrations: readonly Migration[],
  fence: Fence,
): Promise<Migration[]> {
  const client = await connect(url, fence);
  try {
    await client.query('SET statement_timeout = 0');
    await lockOut(client);
    await client.query(migrationTable('TIMESTAMPTZ'));
    const { applied, replacement } = currentHistory('postgresql', migrations, await appliedIn(client));
    if (replacement) await replaceEarlier(client, replacement);
    const todo = pending(migrations, applied);
    if (applied.length === 0) await inOneTransaction(client, todo);
    else for (const migration of todo) await beside(client, migration);
    return todo;
  } finally {
    await client.end(); // rolls back open work and releases the lock
  }
}

const appliedIn = async (client: Client): Promise<AppliedMigration[]> =>
  (await client.query<AppliedMigration>(appliedMigrations)).rows;

async function replaceEarlier(client: Client, replacement: Migration): Promise<void> {
  await client.query('BEGIN');
  await client.query(markEarlier);
  await record(client, replacement);
  await client.query('COMMIT');
}

/**
 * Waits for other instances that migrate. It polls, because a waiting statement would hold back an index that another
 * instance builds concurrently.
 */
async function lockOut(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${advisoryLock}) AS "locked"`,
    );
    if (rows[0]?.locked) return;
    await sleep(pause.forOthers);
  }
}

async function inOneTransaction(client: Client, migrations: readonly Migration[]): Promise<void> {
  await client.query('BEGIN');
  for (const migration of migrations) {
    // the table is empty, so nobody waits for the locks
    await client.query(migration.sql.replaceAll(/\bCONCURRENTLY\b/g, ''));
    await record(client, migration);
  }
  await client.query('COMMIT');
}

const record = (client: Client, { name, checksum }: Migration) =>
  client.query(insertApplied('$1', '$2', 'now()', '$3', 'now()'), [randomUUID(), checksum, name]);

/** Applies a migration to a database that others use. */
async function beside(client: Client, migration: Migration): Promise<void> {
  if (stepwise.test(migration.sql)) {
    await dropUnfinishedIndexes(client);
    for (const statement of statementsOf(migration.sql)) await step(client, statement);
    await record(client, migration);
    return;
  }
  const deadline = Date.now() + patience.locks * 1000;
  for (;;) {
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = ${lockTimeout}`);
      await client.query(migration.sql);
      await record(client, migration);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (!isPassing(error)) throw error;
      if (Date.now() > deadline) throw locked(migration, error);
    }
    await sleep(pause.forLocks);
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && passing.has(String(error.code));

const locked = ({ name }: Migration, cause: unknown): DatabaseUnusable =>
  new DatabaseUnusable(
    `The migration ${name} did not get its locks within ${patience.locks} seconds. End the long transaction that pg_stat_activity shows, and start again: what was applied stays.`,
    cause,
  );

/** Statements end with a semicolon at the end of a line. */
const statementsOf = (sql: string): string[] =>
  sql
    .split(/;[ \t]*(?:\n|$)/)
    .map((text) => text.trim())
    .filter((text) => text.replaceAll(/^--.*$/gm, '').trim() !== '');

/** Executes a single statement, and repeats it after conflicts with others. */
async function step(client: Client, statement: string): Promise<void> {
  for (;;) {
    try {
      const { rowCount } = await client.query(statement);
      if (!repeated.test(statement) || !rowCount) return;
    } catch (error) {
      if (!isPassing(error)) throw error;
      await sleep(pause.forLocks);
    }
  }
}

/** Drops the indexes that an earlier attempt has begun to build concurrently: PostgreSQL leaves them unusable. */
async function dropUnfinishedIndexes(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`SELECT indexrelid::regclass::text AS "name" FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace`);
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

async function connect(url: string, fence: Fence): Promise<Client> {
  const { connectToPrimary } = await import('./hosts-postgresql.js');
  const open = () => connectToPrimary(url, fence, { connectionTimeoutMillis: patience.connect * 1000 });
  try {
    return await ownSession(open);
  } catch (error) {
    if (error instanceof ServerRefused || error instanceof DatabaseUnusable) throw error;
    const urls = hostsOf(url).map((text) => new URL(text));
    const database = urls[0]?.pathname.slice(1) || 'the default database';
    const hosts = urls.map(({ host }) => host || 'this machine').join(', ');
    const remedy = hasUnknownAuthority(error)
      ? ' Name the file with the certificate of its authority in the address, as sslrootcert.'
      : '';
    throw new DatabaseUnusable(
      `The database ${database} on ${hosts} cannot be reached: ${reasonOf(error)}.${remedy}`,
      error,
    );
  }
}

const hasUnknownAuthority = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && isUnknownAuthority(error.code);
