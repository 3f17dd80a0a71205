import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import {
  DriverAdapterError,
  type IsolationLevel,
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type BetterSqlite3 from 'better-sqlite3';
import { checkpointsOf } from './checkpoints.js';
import { bare, type Connection, transactionsOn } from './sqlite-transactions.js';

export interface SqliteOptions {
  /** FULL keeps every committed write through a power cut. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** How long a write waits for another process that is writing, in milliseconds, until it fails with P1008. */
  readonly busyTimeout?: number;
}

const adapterName = 'better-sqlite3-guarded';
const mostCachedStatements = 500;
const firstPause = 2;
const longestPause = 25;

/**
 * Prisma driver adapter for the SQLite file at `file`.
 *
 * The adapter it builds upon has one connection, on which a plain query runs inside whichever transaction happens to
 * be open: it reads what is not committed, and is undone when that transaction is rolled back. Here, transactions and
 * writes queue up for one connection, in the order in which they came, and plain reads have another one, which sees
 * the last committed state and never waits. Transactions that come at the same time share their COMMIT. `file` must be a real file, since two connections share it.
 */
export function sqliteAdapter(file: string, options: SqliteOptions = {}): SqlDriverAdapterFactory {
  const { synchronous = 'FULL', busyTimeout = 5000 } = options;
  return {
    provider: 'sqlite',
    adapterName,
    async connect() {
      const writer = await openConnection(file, busyTimeout);
      // KiB: what does not fit goes to the log on the way, not all of it within the COMMIT, which nobody can interrupt
      writer.client.pragma('cache_size = -16384');
      writer.client.pragma('journal_mode = WAL');
      writer.client.pragma(`synchronous = ${synchronous}`);
      writer.client.pragma('foreign_keys = ON');
      // waiting inside of SQLite would stop the whole process, so the adapter waits outside, in `patiently`
      writer.client.pragma('busy_timeout = 0');
      const reader = await openConnection(file, busyTimeout);
      reader.client.pragma('query_only = ON');
      return guarded(writer, reader, { file, synchronous, busyTimeout });
    },
  };
}

async function openConnection(file: string, busyTimeout: number): Promise<Connection> {
  const connection = (await new PrismaBetterSqlite3({ url: file, timeout: busyTimeout }).connect()) as Connection;
  connection.client.pragma('cache_size = -65536'); // KiB
  // mapped, the file would be unmapped and mapped again after every commit of the other connection
  connection.client.pragma('mmap_size = 0');
  connection.client.pragma('temp_store = MEMORY');
  // as on PostgreSQL; whatever is searched without regard to case is kept in lower case
  connection.client.pragma('case_sensitive_like = ON');
  connection.client.pragma('journal_size_limit = 67108864');
  cacheStatements(connection.client);
  return connection;
}

/** What the SQLite adapter can do beyond Prisma's interface. */
export interface SqliteAdapter extends SqlDriverAdapter {
  /** Renews the statistics by which statements are planned, where tables have changed much. Takes milliseconds. */
  optimize(): Promise<void>;
}

function guarded(
  writer: Connection,
  reader: Connection,
  { file, synchronous, busyTimeout }: Required<SqliteOptions> & { file: string },
): SqliteAdapter {
  const lock = fairLock();
  const patiently = patience(busyTimeout);
  const transactions = transactionsOn(writer, () => checkpoints.committed());

  /** Runs one statement outside of a transaction when it is its turn. */
  const write = async <T>(run: () => Promise<T>): Promise<T> => {
    const joined = Date.now();
    const release = await lock();
    try {
      await transactions.settle();
      return await patiently(run, joined);
    } finally {
      release();
    }
  };

  const checkpoints = checkpointsOf(writer.client, { file, synchronous }, (work) => write(async () => work()));

  return {
    provider: 'sqlite',
    adapterName,
    queryRaw: (query) =>
      onlyReads(reader.client, query.sql) ? reader.queryRaw(query) : write(() => writer.queryRaw(query)),
    executeRaw: (query) => write(() => writer.executeRaw(query)),
    executeScript: (script) => write(() => writer.executeScript(script)),
    optimize: () =>
      write(async () => {
        writer.client.pragma('analysis_limit = 400'); // rows per index: enough to tell a few from many
        writer.client.pragma('optimize = 0x10002');
        // the other connection reads the statistics anew; the statement needs the right to write, and writes nothing
        reader.client.pragma('query_only = OFF');
        reader.client.exec('ANALYZE sqlite_schema');
        reader.client.pragma('query_only = ON');
      }),
    getConnectionInfo: () => ({ maxBindValues: 32_766, supportsRelationJoins: false }),
    async startTransaction(isolationLevel) {
      refuseWeakerIsolation(isolationLevel);
      const joined = Date.now();
      const release = await lock();
      // Taking the write lock at the start means that no statement later on can fail for want of it.
      const begin = () => patiently(() => writer.executeRaw(bare('BEGIN IMMEDIATE')), joined);
      return transactions.start(begin, release);
    },
    async dispose() {
      const release = await lock();
      await transactions.settle();
      await checkpoints.close();
      await reader.dispose();
      await writer.dispose();
      release();
    },
  };
}

function refuseWeakerIsolation(level: IsolationLevel | undefined): void {
  if (level !== undefined && level !== 'SERIALIZABLE') {
    throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level });
  }
}

/** Whether the statement can run on the reader: it gives rows and changes nothing. */
function onlyReads(reader: BetterSqlite3.Database, sql: string): boolean {
  try {
    const { reader: givesRows, readonly } = reader.prepare(sql);
    return givesRows && readonly;
  } catch {
    return true; // wrong on either connection; the reader reports it without waiting
  }
}

/**
 * Returns a function that repeats `run` while another process is writing; this process goes on in the meantime. It gives up
 * `timeout` milliseconds after the write has `joined` the queue, so that all who wait for the other process are told at
 * the same time; what the writes of this process took is not counted.
 */
function patience(timeout: number): <T>(run: () => Promise<T>, joined: number) => Promise<T> {
  /** since when every attempt has found the other process writing */
  let busySince: number | undefined;
  return async (run, joined) => {
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      try {
        const result = await run();
        busySince = undefined;
        return result;
      } catch (error) {
        if (!isBusy(error)) {
          busySince = undefined;
          throw error;
        }
        busySince ??= Date.now();
        if (Date.now() + pause > Math.max(joined, busySince) + timeout) throw error;
      }
      // the random part keeps two processes from meeting again and again
      await sleep(pause * (0.5 + Math.random()));
    }
  };
}

function isBusy(error: unknown): boolean {
  return isDriverAdapterError(error) && error.cause.kind === 'SocketTimeout';
}

/** Returns a function that resolves, in the order of its calls, once all earlier callers have called what they got. */
function fairLock(): () => Promise<() => void> {
  let last = Promise.resolve();
  return () => {
    const before = last;
    const { promise, resolve } = withResolvers();
    last = promise;
    return before.then(() => resolve);
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/**
 * Makes `prepare` of the connection give the same statement again for the same text.
 * The stock adapter calls `prepare(sql).bind(args)`, which binds for ever, so it gets a stand-in that binds per run.
 */
function cacheStatements(connection: BetterSqlite3.Database): void {
  const prepare = connection.prepare.bind(connection);
  const cache = new Map<string, ReturnType<typeof standIn>>();
  const cached = (sql: string): ReturnType<typeof standIn> => {
    const known = cache.get(sql);
    if (known) {
      // to the end of the Map's order: what is used stays
      cache.delete(sql);
      cache.set(sql, known);
      return known;
    }
    const made = standIn(prepare(sql));
    const [oldest] = cache.keys();
    if (cache.size >= mostCachedStatements && oldest !== undefined) cache.delete(oldest);
    cache.set(sql, made);
    return made;
  };
  Object.assign(connection, { prepare: cached });
}

function standIn(prepared: BetterSqlite3.Statement) {
  let columns: BetterSqlite3.ColumnDefinition[] | undefined;
  return {
    reader: prepared.reader,
    readonly: prepared.readonly,
    bind: (values: unknown[]) => ({
      reader: prepared.reader,
      columns: () => {
        columns ??= prepared.columns();
        return columns;
      },
      run: () => prepared.run(values),
      raw: () => ({ all: () => prepared.raw().all(values) }),
    }),
  };
}
