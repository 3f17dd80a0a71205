import type BetterSqlite3 from 'better-sqlite3';
import { DatabaseUnusable } from './unusable.js';

/** The driver of SQLite. Throws DatabaseUnusable where it is not installed: services on PostgreSQL do without it. */
export async function sqliteDriver(): Promise<typeof BetterSqlite3> {
  try {
    return (await import('better-sqlite3')).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new DatabaseUnusable(
      'SQLite needs the package better-sqlite3, which is not installed. Install it (without a prebuilt binary for this machine, that needs a C++ compiler and Python), or set DATABASE_URL to a PostgreSQL database.',
      error,
    );
  }
}
