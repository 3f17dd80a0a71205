import { nameOfSqliteCode, nameOfSqliteText } from './sqlite-codes.js';
import {
  defaultTimeout,
  type SqliteConnection,
  type SqliteDriver,
  type SqliteStatement,
  type SqliteValue,
} from './sqlite-connection.js';

/** The part of the API of `node:sqlite` that is used. The types of the oldest supported Node.js do not have it. */
export interface SqliteModule {
  readonly DatabaseSync: new (file: string, options: { readOnly: boolean; timeout: number }) => ModuleDatabase;
  readonly StatementSync: { readonly prototype: object };
}

interface ModuleDatabase {
  readonly isTransaction: boolean;
  prepare(sql: string): ModuleStatement;
  exec(sql: string): void;
  function(name: string, run: () => SqliteValue): void;
  close(): void;
}

interface ModuleStatement {
  setReturnArrays(enabled: boolean): void;
  setReadBigInts(enabled: boolean): void;
  columns(): { name: string; type: string | null }[];
  all(...values: readonly unknown[]): SqliteValue[][];
  run(...values: readonly unknown[]): { changes: number | bigint };
}

/** Features of SQLite that the service uses. Node.js can be built with a SQLite that lacks them. */
const needed = `
  CREATE VIRTUAL TABLE trigrams USING fts5(text, tokenize = 'trigram');
  SELECT unixepoch('subsec'), json_group_array(value ->> '$.a') FROM json_each('[{"a": 1}]');`;

/**
 * Returns the driver on a module with the API of `node:sqlite`. Throws if its SQLite lacks a feature that the service
 * uses. A text that is read as a separate column ends at NUL. No text in the database contains NUL.
 */
export function driverOn(name: SqliteDriver['name'], sqlite: SqliteModule): SqliteDriver {
  const open: SqliteDriver['open'] = (file, { readonly = false, timeout = defaultTimeout } = {}) =>
    connectionOf(named(() => new sqlite.DatabaseSync(file, { readOnly: readonly, timeout })));
  const memory = open(':memory:');
  try {
    const [row] = memory.prepare('SELECT sqlite_version()').all([]);
    memory.exec(needed);
    return { name, version: String(row?.[0]), open };
  } finally {
    memory.close();
  }
}

function connectionOf(database: ModuleDatabase): SqliteConnection {
  return {
    get inTransaction() {
      return database.isTransaction;
    },
    prepare: (sql) => statementOf(named(() => database.prepare(sql))),
    exec: (sql) => named(() => database.exec(sql)),
    define: (name, run) => database.function(name, run),
    close: () =>
      named(() => {
        // `@photostructure/sqlite` keeps a connection open, with its locks, until its statements are garbage
        if (database.isTransaction) database.exec('ROLLBACK');
        database.close();
      }),
  };
}

function statementOf(prepared: ModuleStatement): SqliteStatement {
  prepared.setReturnArrays(true);
  prepared.setReadBigInts(true);
  return {
    columns: prepared.columns(),
    all: (values) => named(() => prepared.all(...values)),
    run: (values) => named(() => Number(prepared.run(...values).changes)),
  };
}

/**
 * Adds the name of its code to an error of SQLite. The modules set the number, except for `all` in
 * `@photostructure/sqlite`.
 */
function named<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (isSqliteError(error)) {
      const { errcode, message } = error;
      Object.assign(error, { code: errcode === undefined ? nameOfSqliteText(message) : nameOfSqliteCode(errcode) });
    }
    throw error;
  }
}

const isSqliteError = (error: unknown): error is Error & { errcode?: number } =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
