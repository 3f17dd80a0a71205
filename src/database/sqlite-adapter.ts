import { setTimeout as sleep } from 'node:timers/promises';
import {
  DriverAdapterError,
  type IsolationLevel,
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import type { CheckpointThread } from './checkpoint-thread.js';
import { checkpointsOf } from './checkpoints.js';
import { longReads } from './long-reads.js';
import type { ReadHints } from './reader.js';
import { slowStatements } from './slow-statements.js';
import type { SqliteStatement } from './sqlite-connection.js';
import { sqliteDriver } from './sqlite-driver.js';
import { openConnection, openReader, reloadStatistics, setPragmas } from './sqlite-open.js';
import { adapterName, bare, type Queries } from './sqlite-queries.js';
import { transactionsOn } from './sqlite-transactions.js';
import { quote } from './statement.js';

export interface SqliteOptions {
  /** FULL keeps every committed write through a power cut. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** How long a write waits for another process that is writing, in milliseconds, until it fails with P1008. */
  readonly busyTimeout?: number;
  /** Maximum duration of a read that can take long, in milliseconds. */
  readonly statementTimeout?: number;
}

const firstPause = 2;
const longestPause = 25;

/**
 * Prisma driver adapter for the SQLite file at `file`.
 *
 * On a single connection, a plain query would run inside any transaction that is open at the time. It would read
 * uncommitted rows, and be undone by a rollback. Here, transactions and writes queue for one connection, in the order
 * of their arrival. Plain reads have another connection, which sees the last committed state and never waits.
 * Transactions that come at the same time share their COMMIT. `file` must be a real file, since two connections share
 * it.
 */
export function sqliteAdapter(file: string, options: SqliteOptions = {}): SqlDriverAdapterFactory {
  const { synchronous = 'FULL', busyTimeout = 5000, statementTimeout = 60_000 } = options;
  return {
    provider: 'sqlite',
    adapterName,
    async connect() {
      const sqlite = await sqliteDriver();
      const writer = openConnection(sqlite, file, busyTimeout);
      // KiB: pages beyond this size go to the log before the COMMIT, which cannot be interrupted
      setPragmas(writer, ['cache_size = -16384', 'journal_mode = WAL', `synchronous = ${synchronous}`]);
      // waiting inside of SQLite would stop the whole process, so the adapter waits outside, in `patiently`
      setPragmas(writer, ['foreign_keys = ON', 'busy_timeout = 0']);
      const reader = openReader(sqlite, file, busyTimeout);
      return guarded(writer, reader, { file, synchronous, busyTimeout, statementTimeout });
    },
  };
}

/**
 * SQLite does this only when it closes the last connection, which can take until its statements are garbage-collected.
 */
function emptyLog({ connection }: Queries): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // the log stays, and the next process that opens the file reads it
  }
}

/** The members of the SQLite adapter beyond Prisma's interface. */
export interface SqliteAdapter extends SqlDriverAdapter {
  /** Renews the planner statistics of tables that have changed much. Takes milliseconds. */
  optimize(): Promise<void>;
}

function guarded(
  writer: Queries,
  reader: Queries,
  { busyTimeout, statementTimeout, ...settings }: CheckpointThread & { busyTimeout: number; statementTimeout: number },
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

  const mayTakeLong = forecastOf(reader);
  const known = slowStatements();
  const long = longReads({ file: settings.file }, statementTimeout);
  const checkpoints = checkpointsOf(writer.connection, settings, (work) => write(async () => work()));

  return {
    provider: 'sqlite',
    adapterName,
    async queryRaw(query) {
      if (mayTakeLong(query) || known.isSlow(query.sql)) return long.queryRaw(query);
      if (reader.mayReturnRows(query.sql)) {
        try {
          const start = performance.now();
          const answer = reader.queryRaw(query);
          // it is done when the call returns
          const duration = performance.now() - start;
          const rows = await answer;
          known.took(query.sql, duration);
          return rows;
        } catch (error) {
          // the reader refuses a write before it has done anything
          if (!isRefusedByReader(error)) throw error;
        }
      }
      return write(() => writer.queryRaw(query));
    },
    executeRaw: (query) => write(() => writer.executeRaw(query)),
    executeScript: (script) => write(() => writer.executeScript(script)),
    optimize: () =>
      write(async () => {
        // rows per index: enough for an estimate
        await writer.executeScript('PRAGMA analysis_limit = 400; PRAGMA optimize = 0x10002');
        await reloadStatistics(reader);
        long.renew();
      }),
    getConnectionInfo: () => ({ maxBindValues: 32_766, supportsRelationJoins: false }),
    async startTransaction(isolationLevel) {
      refuseWeakerIsolation(isolationLevel);
      const joined = Date.now();
      const release = await lock();
      // Taking the write lock at the start means that no later statement can fail for lack of it.
      const begin = () => patiently(() => writer.executeRaw(bare('BEGIN IMMEDIATE')), joined);
      return transactions.start(begin, release);
    },
    async dispose() {
      const release = await lock();
      await transactions.settle();
      await checkpoints.close();
      await long.close();
      reader.connection.close();
      emptyLog(writer);
      writer.connection.close();
      release();
    },
  };
}

/** Maximum rows that this thread reads in a few milliseconds. */
const quickRows = 5000;

/** Returns a function that tells whether a statement reads so many rows that others would have to wait for it. */
function forecastOf({ connection }: Queries): (query: SqlQuery & ReadHints) => boolean {
  const lastRows = new Map<string, SqliteStatement>();
  /** The maximum number of rows in a table. */
  const rowsOf = (table: string): number => {
    const lastRow = lastRows.get(table) ?? connection.prepare(`SELECT max(rowid) FROM ${quote(table)}`);
    lastRows.set(table, lastRow);
    return Number(lastRow.all([])[0]?.[0] ?? 0);
  };
  return ({ scans = [] }) =>
    scans.some(({ tables, times }) => Math.max(...[...tables].map(rowsOf)) * times > quickRows);
}

function refuseWeakerIsolation(level: IsolationLevel | undefined): void {
  if (level !== undefined && level !== 'SERIALIZABLE') {
    throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level });
  }
}

/**
 * Returns a function that repeats `run` while another process is writing; this process is not blocked. It gives up
 * `timeout` milliseconds after the write has `joined` the queue, so that all writes that wait for the other process
 * fail at the same time. Time spent on this process's own writes is not counted.
 */
function patience(timeout: number): <T>(run: () => Promise<T>, joined: number) => Promise<T> {
  /** the time since which every attempt was blocked by the other process */
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
      // the random part keeps two processes from colliding again and again
      await sleep(pause * (0.5 + Math.random()));
    }
  };
}

function isBusy(error: unknown): boolean {
  return isDriverAdapterError(error) && error.cause.kind === 'SocketTimeout';
}

const isRefusedByReader = (error: unknown): boolean =>
  isDriverAdapterError(error) && error.cause.originalCode === 'SQLITE_READONLY';

/** Returns a function that resolves, in the order of its calls, once all earlier callers have released the lock. */
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
