import { defaultTimeout, firstValue, type SqliteDriver } from './sqlite-connection.js';
import { type Queries, queriesOn } from './sqlite-queries.js';

/** A connection with the settings of all. `timeout`: how long a statement waits for another process, in milliseconds. */
export function openConnection(sqlite: SqliteDriver, file: string, timeout: number): Queries {
  const queries = queriesOn(sqlite.open(file, { timeout }));
  setPragmas(queries, [
    'cache_size = -65536', // KiB
    // mapped, the file would be unmapped and mapped again after every commit of the other connection
    'mmap_size = 0',
    'temp_store = MEMORY',
    // as on PostgreSQL; values for case-insensitive searches are stored in lower case
    'case_sensitive_like = ON',
    'journal_size_limit = 67108864',
  ]);
  return queries;
}

/** A connection that sees the last committed state, and refuses to write. */
export function openReader(sqlite: SqliteDriver, file: string, timeout: number = defaultTimeout): Queries {
  const reader = openConnection(sqlite, file, timeout);
  setPragmas(reader, ['query_only = ON']);
  return reader;
}

/**
 * Makes a reader plan with new statistics. The statement takes the write lock for a moment, and writes nothing. It
 * fails at once if another process is writing, because all reads would have to wait for it.
 */
export async function reloadStatistics({ connection, executeScript }: Queries): Promise<void> {
  const timeout = firstValue(connection, 'PRAGMA busy_timeout');
  try {
    await executeScript('PRAGMA busy_timeout = 0; PRAGMA query_only = OFF; ANALYZE sqlite_schema');
  } finally {
    await executeScript(`PRAGMA query_only = ON; PRAGMA busy_timeout = ${timeout}`);
  }
}

export function setPragmas({ connection }: Queries, pragmas: readonly string[]): void {
  for (const pragma of pragmas) connection.exec(`PRAGMA ${pragma}`);
}
