import {
  type ArgType,
  ColumnTypeEnum,
  type SqlQuery,
  type SqlQueryable,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import type { StatementWatch } from './database-outages.js';
import type { Access, Database, Db, Dialect, ModelName } from './db.js';
import {
  type DatabaseSettings,
  driver,
  guardFor,
  meansOf,
  type Pooled,
  standbyPools,
  startWatching,
} from './driver.js';
import { Fence } from './fence.js';
import { delegateName, modelNames, modelOf } from './model.js';
import { observedIn, observedOn } from './observed-statements.js';
import { poolStates } from './pool-states.js';
import { Prisma } from './prisma.js';
import { type ReadHints, readerOf } from './reader.js';
import { readsOn } from './reads-postgresql.js';
import { shareOr, sharingOn } from './sharing-postgresql.js';
import type { SqliteAdapter } from './sqlite-adapter.js';
import { logStatements, type StatementLog, upkeep } from './statements.js';
import { adapterTransaction, type Transaction } from './transaction.js';
import { startTransaction } from './transaction-postgresql.js';
import { dialectOf } from './url.js';
import { insert, writerOf } from './writer.js';

export type { DatabaseSettings };

export interface OpenDatabase extends Database {
  readonly log: StatementLog;
}

/** Options of a process besides the settings. */
interface OpenOptions {
  /** the known PostgreSQL servers */
  readonly fence?: Fence;
  /** receives the outcomes of statements */
  readonly watch?: StatementWatch;
}

/**
 * Opens a database that `migrate` has brought up to date. Statements go straight to Prisma's driver adapter:
 * the schema, the types and the drivers are Prisma's, its query engine is never loaded. Only one driver is loaded.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  { fence = new Fence(), watch }: OpenOptions = {},
): Promise<OpenDatabase> {
  const dialect = dialectOf(settings.databaseUrl);
  const { factory, log, note } = logStatements(await driver(dialect, settings, fence));
  const adapter = await factory.connect();
  const means = dialect === 'sqlite' ? undefined : meansOf(adapter as Pooled, note, await guardFor(settings, fence));
  const stopWatching = dialect === 'sqlite' ? undefined : await startWatching(settings, fence);
  const begin = means ? () => startTransaction(means) : () => adapterTransaction(adapter);
  const poolsOfStandbys = await standbyPools(settings);
  const reads = means && readsOn(means, poolsOfStandbys);
  const observed = { dialect, watch };
  const queryable = observedOn(observed, reads ?? adapter);
  const sharing = means && settings.databaseSharedTransactions !== false ? sharingOn(means) : undefined;
  const access = (head = ''): Access => ({
    dialect,
    read: dbOf(dialect, queryable, { head }),
    async transaction(work, { shared = false } = {}) {
      const run = (begun: Transaction) => {
        const transaction = observedIn(observed, begun);
        return ended(transaction, () => work(dbOf(dialect, transaction, { head, transaction })));
      };
      const alone = async () => run(await begin());
      return shared && sharing ? shareOr(sharing, run, alone) : alone();
    },
  });
  const unasked = access(upkeep);
  return {
    ...access(),
    upkeep: unasked,
    log,
    statements: () => log.count(),
    pools: () =>
      means
        ? poolStates(
            means.pool,
            poolsOfStandbys.map(({ reads }) => reads),
          )
        : [],
    standbyLags: async () => (await reads?.lags()) ?? [],
    optimize: async () =>
      dialect === 'sqlite' ? (adapter as Partial<SqliteAdapter>).optimize?.() : analyzeChanged(unasked.read),
    async close() {
      stopWatching?.();
      await reads?.close();
      await adapter.dispose();
    },
  };
}

/** Commits a transaction when `work` resolves, and rolls it back when it does not. */
async function ended<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/**
 * Renews PostgreSQL's statistics of tables with more than a tenth of changed rows, and makes missing ones. PostgreSQL
 * does so itself, but up to a minute later, and never for tables of a few rows. Until then it plans for the table sizes
 * before an import, and plans recursive statements with memory for a hundred thousand roles.
 */
async function analyzeChanged(db: Db): Promise<void> {
  const tables = await db.query<{ name: string }>(Prisma.sql`SELECT relname AS "name" FROM pg_stat_user_tables
    WHERE schemaname = current_schema() AND (n_mod_since_analyze > 100 + n_live_tup / 10
      OR n_live_tup > 0 AND last_analyze IS NULL AND last_autoanalyze IS NULL)`);
  for (const { name } of tables) await db.execute(Prisma.sql`ANALYZE ${Prisma.raw(`"${name}"`)}`);
}

const argType: ArgType = { scalarType: 'unknown', arity: 'scalar' };

type Queryable = Pick<SqlQueryable, 'queryRaw' | 'executeRaw'>;

/** `head` is the beginning of every statement. */
function dbOf(
  dialect: Dialect,
  queryable: Queryable,
  { head, transaction }: { head: string; transaction?: Transaction },
): Db {
  const request = (sql: string, values: unknown[]) => ({
    sql: head + sql,
    args: values.map(plain),
    argTypes: values.map(() => argType),
  });
  const send = async (sql: string, values: unknown[], hints?: ReadHints) =>
    (await queryable.queryRaw({ ...request(sql, values), ...hints } as SqlQuery)).rows;
  const run = (sql: string, values: unknown[]) => queryable.executeRaw(request(sql, values));
  const delegates = new Map<string, unknown>();
  const runLater = transaction
    ? (sql: string, values: unknown[]) => transaction.later(request(sql, values)).then(() => 0)
    : run;
  const isInTransaction = transaction !== undefined;
  const base = {
    dialect,
    isInTransaction,
    later: laterOf(dialect, runLater, transaction, (statement) =>
      request(textOf(dialect, statement), statement.values),
    ),
    async query(statement: Prisma.Sql, hints: Pick<ReadHints, 'alone'> = {}) {
      const asked = { ...request(textOf(dialect, statement), statement.values), ...hints };
      return asObjects(await queryable.queryRaw(asked));
    },
    execute: (statement: Prisma.Sql) => run(textOf(dialect, statement), statement.values),
    insertNew: (name: ModelName, rows: Record<string, unknown>[]) => insert(modelOf(name), dialect, run, rows, true),
  };
  return new Proxy(base, {
    // a second selection of the same relation is loaded through the delegate that the schema library looks up
    has: (target, key) => key in target || modelByDelegate().has(String(key)),
    get(target, key: string) {
      if (key in target) return target[key as keyof typeof target];
      let delegate = delegates.get(key);
      if (!delegate) {
        const name = modelByDelegate().get(key);
        if (!name) return undefined;
        delegate = { ...readerOf(name, dialect, send, { isInTransaction }), ...writerOf(name, dialect, run, runLater) };
        delegates.set(key, delegate);
      }
      return delegate;
    },
  }) as unknown as Db;
}

/** The writes of `Db.later`, and the checks before the commit. */
function laterOf(
  dialect: Dialect,
  run: (sql: string, values: unknown[]) => Promise<number>,
  transaction: Transaction | undefined,
  requestOf: (statement: Prisma.Sql) => SqlQuery,
): Db['later'] {
  const base = {
    execute: (statement: Prisma.Sql) => run(textOf(dialect, statement), statement.values),
    insertNew: (name: ModelName, rows: Record<string, unknown>[]) => insert(modelOf(name), dialect, run, rows, true),
    expect: (statement: Prisma.Sql, check: (rows: unknown[][]) => void) =>
      transaction?.later(requestOf(statement), check),
    settle: () => transaction?.settle(),
    own: (model: ModelName, ids: readonly string[], exclusive: boolean) => {
      for (const id of ids) transaction?.own?.(`${model} ${id}`, exclusive);
    },
  };
  return new Proxy(base, {
    get(target, key: string) {
      if (key in target) return target[key as keyof typeof target];
      const name = modelByDelegate().get(key);
      return name && writerOf(name, dialect, run);
    },
  }) as unknown as Db['later'];
}

let byDelegate: Map<string, string> | undefined;

function modelByDelegate(): Map<string, string> {
  byDelegate ??= new Map(modelNames().map((name) => [delegateName(name), name]));
  return byDelegate;
}

/** The drivers do not accept bigint everywhere; times in milliseconds are exact as numbers. */
const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return value;
  return value === undefined ? null : value;
};

const textOf = (dialect: Dialect, statement: Prisma.Sql): string =>
  dialect === 'sqlite' ? statement.sql : statement.text;

/** Rows as objects. 64-bit integers become numbers, and JSON is parsed. SQLite stores booleans as 0 and 1. */
function asObjects({ columnNames, columnTypes, rows }: SqlResultSet): unknown[] {
  const convert = columnTypes.map((type) => {
    if (type === ColumnTypeEnum.Int64 || type === ColumnTypeEnum.Numeric) return (value: unknown) => Number(value);
    if (type === ColumnTypeEnum.Json)
      return (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value);
    return undefined;
  });
  return rows.map((row) =>
    Object.fromEntries(
      columnNames.map((name, at) => {
        const value = row[at];
        return [name, value === null ? null : (convert[at]?.(value) ?? value)];
      }),
    ),
  );
}
