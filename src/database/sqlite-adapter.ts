import { setTimeout as sleep } from 'node:timers/promises';
import {
  DriverAdapterError,
  type IsolationLevel,
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { CheckpointThread } from './checkpoint-thread.js';
import { checkpointsOf } from './checkpoints.js';
import type { SqliteDriver } from './sqlite-connection.js';
import { sqliteDriver } from './sqlite-driver.js';
import { adapterName, bare, type Queries, queriesOn } from './sqlite-queries.js';
import { transactionsOn } from './sqlite-transactions.js';

export interface SqliteOptions {
  /** FULL keeps every committed write through a power cut. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** How long a write waits for another process that is writing, in milliseconds, until it fails with P1008. */
  readonly busyTimeout?: number;
}

const firstPause = 2;
const longestPause = 25;

/**
 * Prisma driver adapter for the SQLite file at `file`.
 *
 * On one connection, a plain query would run inside whichever transaction happens to be open: it would read what is not
 * committed, and be undone when that transaction is rolled back. Here, transactions and
 * writes queue up for one connection, in the order in which they came, and plain reads have another one, which sees
 * the last committed state and never waits. Transactions that come at the same time share their COMMIT. `file` must be a real file, since two connections share it.
 */
export function sqliteAdapter(file: string, options: SqliteOptions = {}): SqlDriverAdapterFactory {
  const { synchronous = 'FULL', busyTimeout = 5000 } = options;
  return {
    provider: 'sqlite',
    adapterName,
    async connect() {
      const sqlite = await sqliteDriver();
      const writer = openConnection(sqlite, file, busyTimeout);
      // KiB: what does not fit goes to the log on the way, not all of it within the COMMIT, which nobody can interrupt
      setPragmas(writer, ['cache_size = -16384', 'journal_mode = WAL', `synchronous = ${synchronous}`]);
      // waiting inside of SQLite would stop the whole process, so the adapter waits outside, in `patiently`
      setPragmas(writer, ['foreign_keys = ON', 'busy_timeout = 0']);
      const reader = openConnection(sqlite, file, busyTimeout);
      setPragmas(reader, ['query_only = ON']);
      return guarded(writer, reader, { file, synchronous, busyTimeout });
    },
  };
}

function openConnection(sqlite: SqliteDriver, file: string, busyTimeout: number): Queries {
  const queries = queriesOn(sqlite.open(file, { timeout: busyTimeout }));
  setPragmas(queries, [
    'cache_size = -65536', // KiB
    // mapped, the file would be unmapped and mapped again after every commit of the other connection
    'mmap_size = 0',
    'temp_store = MEMORY',
    // as on PostgreSQL; whatever is searched without regard to case is kept in lower case
    'case_sensitive_like = ON',
    'journal_size_limit = 67108864',
  ]);
  return queries;
}

/** SQLite does this when it closes the last connection, which can take until its statements are garbage. */
function emptyLog({ connection }: Queries): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // the log stays, and whoever opens the file reads it
  }
}

function setPragmas({ connection }: Queries, pragmas: readonly string[]): void {
  for (const pragma of pragmas) connection.exec(`PRAGMA ${pragma}`);
}

/** What the SQLite adapter can do beyond Prisma's interface. */
export interface SqliteAdapter extends SqlDriverAdapter {
  /** Renews the statistics by which statements are planned, where tables have changed much. Takes milliseconds. */
  optimize(): Promise<void>;
}

function guarded(
  writer: Queries,
  reader: Queries,
  { busyTimeout, ...settings }: CheckpointThread & { busyTimeout: number },
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

  const checkpoints = checkpointsOf(writer.connection, settings, (work) => write(async () => work()));

  return {
    provider: 'sqlite',
    adapterName,
    async queryRaw(query) {
      if (reader.mayReturnRows(query.sql)) {
        try {
          return await reader.queryRaw(query);
        } catch (error) {
          // the reader refuses what writes before it has done anything
          if (!isRefusedByReader(error)) throw error;
        }
      }
      return write(() => writer.queryRaw(query));
    },
    executeRaw: (query) => write(() => writer.executeRaw(query)),
    executeScript: (script) => write(() => writer.executeScript(script)),
    optimize: () =>
      write(async () => {
        // rows per index: enough to tell a few from many
        setPragmas(writer, ['analysis_limit = 400', 'optimize = 0x10002']);
        // the other connection reads the statistics anew; the statement needs the right to write, and writes nothing
        reader.connection.exec('PRAGMA query_only = OFF; ANALYZE sqlite_schema; PRAGMA query_only = ON');
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
      reader.connection.close();
      emptyLog(writer);
      writer.connection.close();
      release();
    },
  };
}

function refuseWeakerIsolation(level: IsolationLevel | undefined): void {
  if (level !== undefined && level !== 'SERIALIZABLE') {
    throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level });
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

const isRefusedByReader = (error: unknown): boolean =>
  isDriverAdapterError(error) && error.cause.originalCode === 'SQLITE_READONLY';

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
