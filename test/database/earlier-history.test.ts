import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { migrate, migrationState } from '../../src/database/migrate.js';
import { loadMigrations, migrationsFolder } from '../../src/database/migrations.js';
import { sqliteDriver } from '../../src/database/sqlite-driver.js';
import { sqliteFile } from '../../src/database/url.js';
import { dialect, freshDatabaseUrl, temporaryFolder } from '../support/database.js';

// test/upgrade/rolling.test.ts upgrades a database that the version before has made.
const init = '20261127160000_init';
const earlier = readFileSync(new URL('../upgrade/earlier-history.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [string, string, string])
  .filter(([of]) => of === dialect)
  .map(([, name, checksum]) => ({ name, checksum }));

/** The migrations since then. */
const since = loadMigrations(migrationsFolder, dialect)
  .map(({ name }) => name)
  .filter((name) => name > init);

/** Executes a statement beside the service, and returns its rows. */
async function execute(url: string, statement: string): Promise<unknown[]> {
  if (dialect === 'sqlite') {
    const database = (await sqliteDriver()).open(sqliteFile(url));
    try {
      if (statement.startsWith('SELECT')) return database.prepare(statement).all([]);
      database.exec(statement);
      return [];
    } finally {
      database.close();
    }
  }
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

const namesIn = async (url: string) =>
  (await execute(url, 'SELECT "migration_name" FROM "_prisma_migrations" ORDER BY "migration_name"')).flat();

/** A database whose history is that of an earlier revision; the schema is the same. */
async function databaseWith(history: readonly { name: string; checksum: string }[]): Promise<string> {
  const url = await freshDatabaseUrl();
  const folder = temporaryFolder();
  cpSync(join(migrationsFolder, dialect, init), join(folder, dialect, init), { recursive: true });
  await migrate(url, { folder });
  const rows = history.map(({ name, checksum }, at) => `('${at}', '${checksum}', CURRENT_TIMESTAMP, '${name}', 1)`);
  await execute(url, 'DELETE FROM "_prisma_migrations"');
  await execute(
    url,
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "finished_at", "migration_name", "applied_steps_count") VALUES ${rows.join(', ')}`,
  );
  return url;
}

describe('a database from before the first release', () => {
  it('gets `init` in place of its migrations, once when two instances start at the same time', async () => {
    const url = await databaseWith(earlier);
    expect(await migrationState(url)).toEqual({ pending: since, later: [] });
    expect(await namesIn(url)).not.toContain(init);
    expect((await Promise.all([migrate(url), migrate(url)])).flat()).toEqual(since);
    expect(await migrationState(url)).toEqual({ pending: [], later: [] });
    // the version before looks for its rows
    expect(await namesIn(url)).toEqual([...earlier.map(({ name }) => name), init, ...since]);
    const replaced = await execute(
      url,
      `SELECT count(*) FROM "_prisma_migrations" WHERE "logs" = 'replaced by ${init}'`,
    );
    expect(replaced.flat().map(Number)).toEqual([earlier.length]);
  });

  it('is refused and left as it is if it does not have all of them', async () => {
    const url = await databaseWith(earlier.slice(0, -1));
    const message = `The database has ${earlier.length - 1} of the ${earlier.length} migrations from before the first release. Start revision 03cbda19 of Realmgate once, which applies the others, and then this version.`;
    await expect(migrate(url)).rejects.toThrow(message);
    await expect(migrationState(url)).rejects.toThrow(message);
    expect(await namesIn(url)).toEqual(earlier.slice(0, -1).map(({ name }) => name));
  });

  it('is refused if one of them is another', async () => {
    const url = await databaseWith(earlier.with(3, { name: '20261121080000_else', checksum: '0'.repeat(64) }));
    await expect(migrate(url)).rejects.toThrow('The database has other migrations than revision 03cbda19');
  });
});
