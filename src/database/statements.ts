import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapterFactory, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';

/** The statements that were sent to one database, without BEGIN, COMMIT, and the like, and without upkeep. */
export interface StatementLog {
  /** Number of statements since the database was opened. */
  count(): number;
  /** Calls `listener` with the text of every statement from now on. Returns a function that stops this. */
  listen(listener: (sql: string) => void): () => void;
}

const bracket = /^\s*(begin|commit|rollback|savepoint|release|set transaction)\b/i;

/** The prefix of statements that no request asked for: they do not count. */
export const upkeep = '/* upkeep */ ';

const counted = new AsyncLocalStorage<{ count: number }>();

/** Returns the result of `work` and its number of statements. Statements of concurrent work are not counted. */
export async function countingStatements<R>(work: () => Promise<R>): Promise<{ result: R; statements: number }> {
  const own = { count: 0 };
  const result = await counted.run(own, work);
  return { result, statements: own.count };
}

/** Wraps a driver adapter so that each statement is logged. This costs far less than Prisma's own query log. */
export function logStatements(factory: SqlDriverAdapterFactory): {
  factory: SqlDriverAdapterFactory;
  log: StatementLog;
  /** For statements that do not pass the factory's adapters. */
  note: (query: SqlQuery) => void;
} {
  const listeners = new Set<(sql: string) => void>();
  let count = 0;

  const note = ({ sql }: SqlQuery): void => {
    if (bracket.test(sql) || sql.startsWith(upkeep)) return;
    count += 1;
    const work = counted.getStore();
    if (work) work.count += 1;
    for (const listener of listeners) listener(sql);
  };
  const logged = (target: SqlQueryable): Pick<SqlQueryable, 'queryRaw' | 'executeRaw'> => ({
    queryRaw(query) {
      note(query);
      return target.queryRaw(query);
    },
    executeRaw(query) {
      note(query);
      return target.executeRaw(query);
    },
  });
  /** `target` with some of its members replaced; its methods keep `this`, which the stock adapters need. */
  const replaced = <T extends object>(target: T, members: Partial<T>): T =>
    new Proxy(target, {
      get(object, name) {
        if (name in members) return members[name as keyof T];
        const value: unknown = Reflect.get(object, name, object);
        return typeof value === 'function' ? value.bind(object) : value;
      },
    });

  return {
    factory: {
      provider: factory.provider,
      adapterName: factory.adapterName,
      async connect() {
        const adapter = await factory.connect();
        return replaced(adapter, {
          ...logged(adapter),
          async startTransaction(isolationLevel) {
            const transaction = await adapter.startTransaction(isolationLevel);
            return replaced(transaction, logged(transaction));
          },
        });
      },
    },
    note,
    log: {
      count: () => count,
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}
