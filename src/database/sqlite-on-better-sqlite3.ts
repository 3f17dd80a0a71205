import type BetterSqlite3 from 'better-sqlite3';
import { nameOfSqliteCode } from './sqlite-codes.js';
import {
  defaultTimeout,
  type SqliteConnection,
  type SqliteDriver,
  type SqliteStatement,
  type SqliteValue,
} from './sqlite-connection.js';

type Package = typeof BetterSqlite3;

/** The driver on better-sqlite3, which a C++ compiler builds where there is no binary for the machine. */
export function betterSqlite3Driver(Database: Package): SqliteDriver {
  const memory = new Database(':memory:'); // loads the binary
  const version = memory.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '';
  memory.close();
  return {
    name: 'better-sqlite3',
    version,
    open: (file, { readonly = false, timeout = defaultTimeout } = {}) =>
      connectionOf(named(() => new Database(file, { readonly, timeout }))),
  };
}

function connectionOf(database: BetterSqlite3.Database): SqliteConnection {
  database.defaultSafeIntegers(true);
  return {
    get inTransaction() {
      return database.inTransaction;
    },
    prepare: (sql) => statementOf(named(() => database.prepare(sql))),
    exec: (sql) => named(() => void database.exec(sql)),
    close: () => named(() => void database.close()),
  };
}

function statementOf(prepared: BetterSqlite3.Statement): SqliteStatement {
  if (prepared.reader) prepared.raw(true);
  return {
    columns: prepared.reader ? prepared.columns() : [],
    all: (values) => named(() => prepared.all(values) as SqliteValue[][]),
    run: (values) => named(() => prepared.run(values).changes),
  };
}

/** Has an error whose code is newer than the package, which tells its number, say the name. */
function named<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const [, number] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code) ?? [];
    if (number !== undefined) Object.assign(error as Error, { code: nameOfSqliteCode(Number(number)) });
    throw error;
  }
}
