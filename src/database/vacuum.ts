import { Fence } from './fence.js';
import { firstValue } from './sqlite-connection.js';
import { sqliteDriver } from './sqlite-driver.js';
import { dialectOf, sqliteFile } from './url.js';

/** Bytes of a SQLite file before and after. */
interface Vacuumed {
  before: number;
  after: number;
}

/** How long it waits for others who write to a SQLite file, in milliseconds. */
const longestWait = 60_000;

/**
 * Frees the space of deleted rows and renews the planner statistics. SQLite rewrites the whole file, needs as much free
 * space, and makes other writers wait. PostgreSQL locks no table, and reports no sizes.
 */
export const vacuum = (databaseUrl: string): Promise<Vacuumed | undefined> =>
  dialectOf(databaseUrl) === 'sqlite' ? vacuumSqlite(sqliteFile(databaseUrl)) : vacuumPostgresql(databaseUrl);

async function vacuumSqlite(file: string): Promise<Vacuumed> {
  const database = (await sqliteDriver()).open(file, { timeout: longestWait });
  try {
    const number = (pragma: string) => Number(firstValue(database, `PRAGMA ${pragma}`));
    const size = () => number('page_count') * number('page_size');
    const before = size();
    database.exec('VACUUM; ANALYZE');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return { before, after: size() };
  } finally {
    database.close();
  }
}

async function vacuumPostgresql(url: string): Promise<undefined> {
  const { connectToPrimary } = await import('./hosts-postgresql.js');
  const client = await connectToPrimary(url, new Fence());
  try {
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
}
