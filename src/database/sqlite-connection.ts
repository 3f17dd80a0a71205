/**
 * A value that SQLite accepts or returns. Integers are returned as bigint; numbers are stored by the affinity of the
 * column.
 */
export type SqliteValue = null | number | bigint | string | Uint8Array;

export interface SqliteColumn {
  readonly name: string;
  /** as declared in the table; null for an expression */
  readonly type: string | null;
}

/** A prepared statement, which can run any number of times. */
export interface SqliteStatement {
  /** columns of its rows; empty if it returns no rows */
  readonly columns: readonly SqliteColumn[];
  /** All rows. For statements that return rows. */
  all(values: readonly unknown[]): SqliteValue[][];
  /** Runs a statement and ignores its rows. Returns how many rows an INSERT, UPDATE or DELETE has changed. */
  run(values: readonly unknown[]): number;
}

/**
 * One connection to a SQLite file. If SQLite refuses a statement, it throws an error whose `code` is the name of
 * SQLite's code, such as `SQLITE_BUSY` or `SQLITE_CONSTRAINT_UNIQUE`.
 */
export interface SqliteConnection {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  /** Runs any number of statements and ignores their rows. */
  exec(sql: string): void;
  /**
   * Defines a function without arguments for statements of this connection, called for each row. An error that it
   * throws ends the statement.
   */
  define(name: string, run: () => SqliteValue): void;
  close(): void;
}

interface SqliteOpenOptions {
  readonly readonly?: boolean;
  /** How long a statement waits for another connection that has locked the file, in milliseconds. Default 5000. */
  readonly timeout?: number;
}

/** Opens SQLite files. */
export interface SqliteDriver {
  readonly name: 'node:sqlite' | '@photostructure/sqlite';
  /** the version of SQLite that it contains */
  readonly version: string;
  open(file: string, options?: SqliteOpenOptions): SqliteConnection;
}

/** How long a statement waits for others unless a connection is opened with another time, in milliseconds. */
export const defaultTimeout = 5000;

/** The name of SQLite's code for an error of a connection; undefined for any other error. */
export function sqliteCodeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

/** The first value that a statement returns; undefined if it returns no row. */
export const firstValue = (connection: SqliteConnection, sql: string): SqliteValue | undefined =>
  connection.prepare(sql).all([])[0]?.[0];

/** The rows of a statement as objects, with integers as numbers. */
export function objectsOf<Row>(statement: SqliteStatement, values: readonly unknown[] = []): Row[] {
  const names = statement.columns.map(({ name }) => name);
  const plain = (value: SqliteValue | undefined) => (typeof value === 'bigint' ? Number(value) : value);
  return statement.all(values).map((row) => Object.fromEntries(names.map((name, at) => [name, plain(row[at])])) as Row);
}
