import { DriverAdapterError, type Transaction } from '@prisma/driver-adapter-utils';
import { adapterName, bare, type Queries } from './sqlite-queries.js';
import { breaks } from './turns.js';

interface Waiting {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** A SQLite transaction. Service transactions that have ended wait for its COMMIT, which they share. */
interface Shared {
  readonly ended: Waiting[];
  /** whether one has begun and not ended */
  open: boolean;
  /** whether COMMIT must follow as soon as none is open */
  due: boolean;
}

/** Transactions on one connection, which follow one another. */
export interface Transactions {
  /**
   * Begins a transaction. `begin` sends the statement that begins SQLite's transaction; `release` is called once, when
   * this one has ended.
   */
  start(begin: () => Promise<unknown>, release: () => void): Promise<Transaction>;
  /** Commits the ended transactions. For a caller that may write and is in no transaction. */
  settle(): Promise<void>;
}

const savepoint = 'shared';

/**
 * Commits transactions together if their requests came at the same time. COMMIT waits for the disk, and after it the
 * other connection reads its pages again: this is half of the cost of a short write. Each caller learns of the commit
 * only after all are committed, and each transaction is undone by itself if it fails. The COMMIT runs after all
 * requests that have arrived by now were processed and no transaction is open. `committed` is called after each COMMIT.
 */
export function transactionsOn(writer: Queries, committed: () => void): Transactions {
  let shared: Shared | undefined;

  const commit = async (): Promise<void> => {
    const { ended } = shared as Shared;
    shared = undefined;
    try {
      // it is finished when the call returns, so nothing can run in between
      await writer.executeRaw(bare('COMMIT'));
      for (const { resolve } of ended) resolve();
    } catch (error) {
      if (writer.connection.inTransaction) writer.connection.exec('ROLLBACK');
      for (const { reject } of ended) reject(error);
      return;
    }
    committed();
  };
  const commitSoon = (mine: Shared): void => {
    setImmediate(() => {
      if (shared !== mine) return;
      if (mine.open) mine.due = true;
      else void commit();
    });
  };

  return {
    async settle() {
      if (shared) await commit();
    },
    async start(begin, release) {
      const nested = shared !== undefined;
      try {
        await (nested ? writer.executeRaw(bare(`SAVEPOINT ${savepoint}`)) : begin());
      } catch (error) {
        release();
        throw error;
      }
      shared ??= { ended: [], open: true, due: false };
      const mine = shared;
      mine.open = true;

      const leave = async (): Promise<void> => {
        mine.open = false;
        if (mine.due && shared === mine) await commit();
        release();
      };
      const rollback = (): Promise<void> => {
        if (!writer.connection.inTransaction) {
          // SQLite rolls back by itself on some errors: the waiting transactions may try again
          shared = undefined;
          const cause = { kind: 'TransactionWriteConflict' } as const;
          for (const { reject } of mine.ended) reject(new DriverAdapterError(cause));
        } else if (nested) {
          writer.connection.exec(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`);
        } else {
          shared = undefined;
          writer.connection.exec('ROLLBACK');
        }
        return leave();
      };
      return transactionOn(writer, {
        rollback,
        async commit() {
          try {
            if (nested) await writer.executeRaw(bare(`RELEASE ${savepoint}`));
          } catch (error) {
            await rollback();
            throw error;
          }
          const committed = new Promise<void>((resolve, reject) => mine.ended.push({ resolve, reject }));
          if (mine.ended.length === 1) commitSoon(mine);
          await leave();
          await committed;
        },
      });
    },
  };
}

/** A transaction in the form of Prisma's driver adapters, which ends once. */
function transactionOn(
  writer: Queries,
  ending: { commit: () => Promise<void>; rollback: () => Promise<void> },
): Transaction {
  const pause = breaks();
  let ended = false;

  const inside = async <T>(run: () => Promise<T>): Promise<T> => {
    await pause();
    // after a rollback by SQLite itself, later statements would be committed one by one
    if (ended || !writer.connection.inTransaction) {
      const cause = 'The transaction was rolled back or has already ended.';
      throw new DriverAdapterError({ kind: 'TransactionAlreadyClosed', cause });
    }
    return run();
  };
  const execute = (sql: string): Promise<void> => inside(() => writer.executeRaw(bare(sql))).then(() => {});
  const end = async (how: 'commit' | 'rollback'): Promise<number> => {
    ended = true;
    await ending[how]();
    return 0;
  };
  /** Prisma sends COMMIT or ROLLBACK as a statement before: open work is undone. */
  const undo = async (): Promise<void> => {
    if (!ended) await end('rollback');
  };

  return {
    provider: 'sqlite',
    adapterName,
    options: { usePhantomQuery: false },
    queryRaw: (query) => inside(() => writer.queryRaw(query)),
    executeRaw(query) {
      if (query.sql === 'COMMIT') return inside(() => end('commit'));
      if (query.sql === 'ROLLBACK') return undo().then(() => 0);
      return inside(() => writer.executeRaw(query));
    },
    commit: undo,
    rollback: undo,
    createSavepoint: (name) => execute(`SAVEPOINT ${name}`),
    rollbackToSavepoint: (name) => execute(`ROLLBACK TO ${name}`),
    releaseSavepoint: (name) => execute(`RELEASE SAVEPOINT ${name}`),
  };
}
