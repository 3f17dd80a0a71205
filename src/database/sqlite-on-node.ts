import { nameOfSqliteCode } from './sqlite-codes.js';
import {
  defaultTimeout,
  type SqliteConnection,
  type SqliteDriver,
  type SqliteStatement,
  type SqliteValue,
} from './sqlite-connection.js';

/** What is used of `node:sqlite`, which the types of the oldest supported Node do not have. */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options: { readOnly: boolean; timeout: number }) => NodeDatabase;
  readonly StatementSync: { readonly prototype: object };
}

interface NodeDatabase {
  readonly isTransaction: boolean;
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
}

interface NodeStatement {
  setReturnArrays(enabled: boolean): void;
  setReadBigInts(enabled: boolean): void;
  columns(): { name: string; type: string | null }[];
  all(...values: readonly unknown[]): SqliteValue[][];
  run(...values: readonly unknown[]): { changes: number | bigint };
}

/** What the service uses that a SQLite of others, with which Node may be built, can lack. */
const needed = `
  CREATE VIRTUAL TABLE trigrams USING fts5(text, tokenize = 'trigram');
  SELECT unixepoch('subsec'), json_group_array(value ->> '$.a') FROM json_each('[{"a": 1}]');`;

/**
 * The driver on the SQLite that is part of Node, or a sentence that says why this Node cannot be used. Texts that are read as
 * columns of their own end at NUL, which no text in the database has.
 */
export function nodeDriver(): SqliteDriver | string {
  const sqlite = loaded();
  if (sqlite === undefined || !('setReturnArrays' in sqlite.StatementSync.prototype)) {
    return `Node.js ${process.versions.node} has no node:sqlite, or an early one. Node.js 22.16 and 24 have it.`;
  }
  const open: SqliteDriver['open'] = (file, { readonly = false, timeout = defaultTimeout } = {}) =>
    connectionOf(named(() => new sqlite.DatabaseSync(file, { readOnly: readonly, timeout })));
  const memory = open(':memory:');
  try {
    const [row] = memory.prepare('SELECT sqlite_version()').all([]);
    const version = String(row?.[0]);
    memory.exec(needed);
    return { name: 'node', version, open };
  } catch (error) {
    return `The SQLite of Node.js ${process.versions.node} cannot be used: ${(error as Error).message}.`;
  } finally {
    memory.close();
  }
}

/** The module without the warning that it is experimental, which tells an operator nothing to act on. */
function loaded(): NodeSqlite | undefined {
  const warn = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    const isExperimental = rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ');
    if (!isExperimental) Reflect.apply(warn, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = warn;
  }
}

function connectionOf(database: NodeDatabase): SqliteConnection {
  return {
    get inTransaction() {
      return database.isTransaction;
    },
    prepare: (sql) => statementOf(named(() => database.prepare(sql))),
    exec: (sql) => named(() => database.exec(sql)),
    close: () => named(() => database.close()),
  };
}

function statementOf(prepared: NodeStatement): SqliteStatement {
  prepared.setReturnArrays(true);
  prepared.setReadBigInts(true);
  return {
    columns: prepared.columns(),
    all: (values) => named(() => prepared.all(...values)),
    run: (values) => named(() => Number(prepared.run(...values).changes)),
  };
}

/** Gives an error of SQLite's the name of its code, where Node has the number. */
function named<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) {
      Object.assign(error, { code: nameOfSqliteCode(Number(error.errcode)) });
    }
    throw error;
  }
}
