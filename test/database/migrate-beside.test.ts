// @both-databases
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { migrate, migrationState } from '../../src/database/migrate.js';
import { atEndOfFile, dialect, freshDatabaseUrl, temporaryFolder } from '../support/database.js';

const rows = 1000;

function writeMigration(folder: string, name: string, ...lines: string[]): void {
  mkdirSync(join(folder, dialect, name), { recursive: true });
  writeFileSync(join(folder, dialect, name, 'migration.sql'), `${lines.join('\n')}\n`);
}

async function session(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  atEndOfFile(() => client.end());
  return client;
}

/** A database with a table of many rows, the folder of its migrations, and a session of somebody else. */
async function filled() {
  const url = await freshDatabaseUrl();
  const folder = temporaryFolder();
  writeMigration(
    folder,
    '1_first',
    'CREATE TABLE "Thing" ("id" INTEGER PRIMARY KEY, "kind" TEXT, "note" TEXT);',
    `INSERT INTO "Thing" SELECT n, 'kind ' || n % 7 FROM generate_series(1, ${rows}) n;`,
  );
  await migrate(url, { folder });
  return { url, folder, other: await session(url) };
}

/** Waits until a session other than this one waits for a lock. */
const someoneWaits = (client: pg.Client) =>
  expect
    .poll(async () => {
      const { rows: waiting } = await client.query(
        `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()`,
      );
      return waiting[0].n;
    })
    .toBeGreaterThan(0);

describe.runIf(dialect === 'postgresql')('a migration of a database that others use (PostgreSQL)', () => {
  it('lets others use a table while it waits for the end of a transaction', async () => {
    const { url, folder, other } = await filled();
    const reader = await session(url);
    await other.query('BEGIN');
    await other.query(`SELECT * FROM "Thing" LIMIT 1`);
    writeMigration(folder, '2_column', 'ALTER TABLE "Thing" ADD COLUMN "more" TEXT;');
    const migrated = migrate(url, { folder });
    await someoneWaits(reader);
    // they wait behind the migration, until it lets go to try again
    for (let at = 0; at < 3; at += 1) await reader.query(`UPDATE "Thing" SET "note" = 'x' WHERE "id" = ${at}`);
    expect((await migrationState(url, { folder })).pending).toEqual(['2_column']);
    await other.query('COMMIT');
    expect(await migrated).toEqual(['2_column']);
  });

  it('builds an index beside writers, while a second instance waits for its turn', async () => {
    const { url, folder, other } = await filled();
    const writer = await session(url);
    await other.query('BEGIN');
    await other.query(`UPDATE "Thing" SET "note" = 'mine' WHERE "id" = 1`);
    writeMigration(
      folder,
      '2_index',
      '-- without a transaction',
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS "Thing_kind" ON "Thing"("kind");',
    );
    const both = Promise.all([migrate(url, { folder }), migrate(url, { folder })]);
    await someoneWaits(writer);
    await writer.query(`UPDATE "Thing" SET "note" = 'yours' WHERE "id" = 2`);
    await other.query('COMMIT');
    expect((await both).flat()).toEqual(['2_index']);
  });

  it('is repeated after an interruption, with what an unfinished index has left behind', async () => {
    const { url, folder, other } = await filled();
    writeMigration(folder, '2_column', 'ALTER TABLE "Thing" ADD COLUMN "more" TEXT;');
    writeMigration(
      folder,
      '3_fill',
      '-- without a transaction',
      '-- in batches',
      `UPDATE "Thing" SET "more" = 'filled' WHERE "id" IN (SELECT "id" FROM "Thing" WHERE "more" IS NULL LIMIT 100);`,
      'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "Thing_more" ON "Thing"("more");',
    );
    await expect(migrate(url, { folder })).rejects.toThrow('could not create unique index');
    expect((await migrationState(url, { folder })).pending).toEqual(['3_fill']);
    const { rows: filledRows } = await other.query(`SELECT count(*)::int AS n FROM "Thing" WHERE "more" = 'filled'`);
    expect(filledRows[0].n).toBe(rows);
    await other.query(`UPDATE "Thing" SET "more" = "id"::text`);
    expect(await migrate(url, { folder })).toEqual(['3_fill']);
    const { rows: indexes } = await other.query(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = '"Thing_more"'::regclass`,
    );
    expect(indexes).toEqual([{ indisvalid: true }]);
  });

  it('keeps those that succeeded before one that fails', async () => {
    const { url, folder } = await filled();
    writeMigration(folder, '2_good', 'CREATE TABLE "Good" ("id" INTEGER PRIMARY KEY);');
    writeMigration(folder, '3_bad', 'CREATE TABLE "Bad" ("id" INTEGER PRIMARY KEY);', 'SELECT nonsense;');
    await expect(migrate(url, { folder })).rejects.toThrow('nonsense');
    expect((await migrationState(url, { folder })).pending).toEqual(['3_bad']);
  });

  it('makes the same of an empty database in one transaction', async () => {
    const { folder } = await filled();
    writeMigration(
      folder,
      '2_index',
      '-- without a transaction',
      '-- in batches',
      `UPDATE "Thing" SET "kind" = 'same' WHERE "id" IN (SELECT "id" FROM "Thing" WHERE "kind" <> 'same' LIMIT 100);`,
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS "Thing_kind" ON "Thing"("kind");',
    );
    expect(await migrate(await freshDatabaseUrl(), { folder })).toEqual(['1_first', '2_index']);
  });
});
