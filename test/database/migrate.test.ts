// @both-databases
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { migrate, migrationState } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { DatabaseUnusable } from '../../src/database/unusable.js';
import { atEndOfFile, dialect, freshDatabaseUrl, temporaryFolder } from '../support/database.js';

const builtModule = new URL('../../build/database/migrate.js', import.meta.url).href;
const realMigrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** A copy of the project's migrations, to which tests may add. */
function migrationsFolder(): string {
  const folder = temporaryFolder();
  cpSync(join(realMigrations, dialect), join(folder, dialect), { recursive: true });
  return folder;
}

function writeMigration(folder: string, name: string, sql: string): void {
  mkdirSync(join(folder, dialect, name), { recursive: true });
  writeFileSync(join(folder, dialect, name, 'migration.sql'), sql);
}

/** What `migrate` returns in a process of its own, which runs the build: in one process, SQLite's turns are no test. */
async function inOwnProcess(url: string): Promise<string[]> {
  const script = `import(process.argv[1]).then(({ migrate }) => migrate(process.argv[2])).then((names) => console.log(JSON.stringify(names)))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, builtModule, url]);
  return JSON.parse(stdout);
}

async function open(databaseUrl: string) {
  const database = await openDatabase({ databaseUrl, databasePool: 2, sqliteSynchronous: 'NORMAL' });
  atEndOfFile(() => database.close());
  return database;
}

describe('an empty database', () => {
  it('gets every migration once when three instances start at the same time', async () => {
    const url = await freshDatabaseUrl();
    const applied = await Promise.all([inOwnProcess(url), inOwnProcess(url), inOwnProcess(url)]);
    const all = readdirSync(join(realMigrations, dialect)).filter((name) => /^\d/.test(name));
    expect(applied.flat().sort()).toEqual(all.sort());
    expect(await migrate(url)).toEqual([]);
    expect(await (await open(url)).read.realm.count()).toBe(0);
  });

  it('stays empty when a migration fails', async () => {
    const url = await freshDatabaseUrl();
    const folder = migrationsFolder();
    writeMigration(folder, '90000101000000_wrong', 'CREATE TABLE "Extra" ("id" TEXT PRIMARY KEY); SELECT nonsense;');
    await expect(migrate(url, { folder })).rejects.toThrow(/nonsense/);
    await expect((await open(url)).read.realm.count()).rejects.toMatchObject({ cause: { kind: 'TableDoesNotExist' } });
    expect(await migrate(url)).not.toEqual([]);
  });
});

describe('a database with data', () => {
  it('keeps it when a later migration replaces a table', async () => {
    const url = await freshDatabaseUrl();
    const folder = migrationsFolder();
    await migrate(url, { folder });
    const database = await open(url);
    await database.transaction(async (tx) => {
      await tx.realm.createMany({ data: [{ id: 'r', name: 'one' }] });
      await tx.group.createMany({ data: [{ id: 'g', realmId: 'r', container: 'r', name: 'a', path: '/a' }] });
    });
    writeMigration(
      folder,
      '90000101000000_replace',
      `CREATE TABLE "new_LocalizationText" AS SELECT * FROM "LocalizationText";
       DROP TABLE "LocalizationText";
       ALTER TABLE "new_LocalizationText" RENAME TO "LocalizationText";
       ALTER TABLE "Realm" ADD COLUMN "note" TEXT NOT NULL DEFAULT 'none';`,
    );
    expect(await migrate(url, { folder })).toEqual(['90000101000000_replace']);
    expect(await database.read.group.count({ where: { realm: { name: 'one' } } })).toBe(1);
  });

  it('is refused when a migration was changed after it had been applied', async () => {
    const url = await freshDatabaseUrl();
    const folder = migrationsFolder();
    writeMigration(folder, '90000101000000_extra', 'CREATE TABLE "Extra" ("id" TEXT PRIMARY KEY);');
    await migrate(url, { folder });
    writeMigration(folder, '90000101000000_extra', 'CREATE TABLE "Extra" ("id" INTEGER PRIMARY KEY);');
    await expect(migrate(url, { folder })).rejects.toThrow(
      'The migration 90000101000000_extra was changed after it had been applied to the database.',
    );
  });

  it('of a later version is used as long as that has removed nothing', async () => {
    const url = await freshDatabaseUrl();
    const folder = migrationsFolder();
    writeMigration(folder, '90000101000000_future', 'CREATE TABLE "Extra" ("id" TEXT PRIMARY KEY);');
    await migrate(url, { folder });
    expect(await migrate(url)).toEqual([]);
    expect(await migrationState(url)).toEqual({ pending: [], later: ['90000101000000_future'] });
    writeMigration(folder, '90000101000001_contract_notes', 'DROP TABLE "Extra";');
    await migrate(url, { folder });
    await expect(migrate(url)).rejects.toThrow(DatabaseUnusable);
    await expect(migrationState(url)).rejects.toThrow(
      'A later version has removed what this one needs from the database, with the migration 90000101000001_contract_notes. Start the later version, or restore a backup that was made before.',
    );
  });
});

describe.runIf(dialect === 'sqlite')('a SQLite file', () => {
  it('is made with the folders that it lies in', async () => {
    const file = join(temporaryFolder(), 'a', 'b', 'c.db');
    await migrate(`file:${file}`);
    expect(existsSync(file)).toBe(true);
  });

  it('that cannot be opened is named in one sentence', async () => {
    const folder = temporaryFolder();
    await expect(migrate(`file:${folder}`)).rejects.toThrow(`The database file ${folder} cannot be opened: `);
    const text = join(folder, 'text.db');
    writeFileSync(text, 'This is a letter and not a database, though it is long enough to be one. '.repeat(20));
    await expect(migrate(`file:${text}`)).rejects.toThrow(
      `The database file ${text} cannot be opened: file is not a database.`,
    );
  });

  it('is refused when a migration would break references', async () => {
    const url = await freshDatabaseUrl();
    const folder = migrationsFolder();
    writeMigration(
      folder,
      '90000101000000_broken',
      `INSERT INTO "LocalizationText" ("realmId", "locale", "key", "value") VALUES ('nowhere', 'en', 'a', 'b');`,
    );
    await expect(migrate(url, { folder })).rejects.toThrow(
      'would leave references to missing rows in LocalizationText.',
    );
    expect(await migrate(url)).not.toEqual([]);
  });
});

describe.runIf(dialect === 'postgresql')('a PostgreSQL server', () => {
  it('that cannot be reached is named in one sentence, without the password', async () => {
    const attempt = migrate('postgresql://someone:hunter2@127.0.0.1:1/realmgate');
    await expect(attempt).rejects.toThrow('The database realmgate on 127.0.0.1:1 cannot be reached: ');
    await expect(attempt).rejects.not.toThrow('hunter2');
  });
});
