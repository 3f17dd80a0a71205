import type { SqliteDriver } from '../../src/database/sqlite-connection.js';
import { sqliteDriver } from '../../src/database/sqlite-driver.js';
import { DatabaseUnusable } from '../../src/database/unusable.js';

/** The drivers that this Node has: `npm run newer-node` runs the tests with one that has node:sqlite. */
export const sqliteDrivers: readonly SqliteDriver[] = (
  await Promise.all((['node', 'better-sqlite3'] as const).map(driverOrNone))
).flat();

async function driverOrNone(name: SqliteDriver['name']): Promise<SqliteDriver[]> {
  try {
    return [await sqliteDriver(name)];
  } catch (error) {
    if (error instanceof DatabaseUnusable) return [];
    throw error;
  }
}
