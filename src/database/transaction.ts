import type { SqlDriverAdapter, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';

/** A transaction as `dbOf` uses it. It ends with `commit` or `rollback`. */
export interface Transaction extends Pick<SqlQueryable, 'queryRaw' | 'executeRaw'> {
  /**
   * Runs a statement whose answer is not awaited. It may be sent together with the next statement, which then reports
   * its failure. `check` sees the rows before the commit, and throws if they are not acceptable.
   */
  later(query: SqlQuery, check?: (rows: unknown[][]) => void): Promise<void>;
  /** Waits until all statements of `later` are done. */
  settle(): Promise<void>;
  /**
   * Announces the row that is about to be locked. Throws if the lock would not exclude other parts of the same
   * transaction.
   */
  own?(row: string, exclusive: boolean): void;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** A statement without values. */
const bare = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] });

/** A transaction of the driver adapter for a database without round trips: every statement runs at once. */
export async function adapterTransaction(adapter: SqlDriverAdapter): Promise<Transaction> {
  const transaction = await adapter.startTransaction();
  return {
    queryRaw: (query) => transaction.queryRaw(query),
    executeRaw: (query) => transaction.executeRaw(query),
    async later(query, check) {
      if (check) check((await transaction.queryRaw(query)).rows);
      else await transaction.executeRaw(query);
    },
    settle: async () => undefined,
    async commit() {
      await transaction.executeRaw(bare('COMMIT'));
      await transaction.commit();
    },
    async rollback() {
      await transaction.executeRaw(bare('ROLLBACK')).catch(() => undefined);
      await transaction.rollback();
    },
  };
}
