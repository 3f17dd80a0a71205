import {
  type ArgType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import type { Pool } from 'pg';
import type { Config } from '../config/config.js';
import { directUrl, hostsOf } from '../config/database-hosts.js';
import type { Access, Database, Db, Dialect, ModelName } from './db.js';
import { Fence } from './fence.js';
import type { Guard } from './guard-postgresql.js';
import { delegateName, modelNames, modelOf } from './model.js';
import { observedIn, observedOn } from './observed-statements.js';
import { poolStates } from './pool-states.js';
import { Prisma } from './prisma.js';
import { type ReadHints, readerOf } from './reader.js';
import { readsOn } from './reads-postgresql.js';
import { shareOr, sharingOn } from './sharing-postgresql.js';
import type { SqliteAdapter } from './sqlite-adapter.js';
import type { StandbyPools } from './standbys-postgresql.js';
import { statementName } from './statement-names.js';
import { logStatements, type StatementLog, upkeep } from './statements.js';
import { adapterTransaction, type Transaction } from './transaction.js';
import { startTransaction } from './transaction-postgresql.js';
import { dialectOf, sqliteFile } from './url.js';
import type { Means } from './waiting-postgresql.js';
import { insert, writerOf } from './writer.js';

export type DatabaseSettings = Pick<Config, 'databaseUrl' | 'databasePool' | 'sqliteSynchronous'> &
  Partial<
    Pick<Config, 'databaseDirectUrl' | 'databaseReadUrl' | 'databaseStatementTimeout' | 'databaseSharedTransactions'>
  >;

export interface OpenDatabase extends Database {
  readonly log: StatementLog;
}

/**
 * Opens a database that `migrate` has brought up to date. Statements go straight to Prisma's driver adapter:
 * the schema, the types and the drivers are Prisma's, its query engine is never loaded. Only one driver is loaded.
 */
export async function openDatabase(settings: DatabaseSettings, fence = new Fence()): Promise<OpenDatabase> {
  const dialect = dialectOf(settings.databaseUrl);
  const { factory, log, note } = logStatements(await driver(dialect, settings, fence));
  const adapter = await factory.connect();
  const means = dialect === 'sqlite' ? undefined : meansOf(adapter as Pooled, note, await guardFor(settings, fence));
  const stopWatching = dialect === 'sqlite' ? undefined : await watch(settings, fence);
  const begin = means ? () => startTransaction(means) : () => adapterTransaction(adapter);
  const poolsOfStandbys = await standbyPools(settings);
  const reads = means && readsOn(means, poolsOfStandbys);
  const queryable = observedOn(dialect, reads ?? adapter);
  const sharing = means && settings.databaseSharedTransactions !== false ? sharingOn(means) : undefined;
  const access = (head = ''): Access => ({
    dialect,
    read: dbOf(dialect, queryable, { head }),
    async transaction(work, { shared = false } = {}) {
      const run = (begun: Transaction) => {
        const transaction = observedIn(dialect, begun);
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

const statementTimeoutOf = ({ databaseStatementTimeout = 60 }: DatabaseSettings): number => databaseStatementTimeout;

/** Checks each transaction where a pooler is in between. */
async function guardFor(
  { databaseUrl, databaseDirectUrl }: DatabaseSettings,
  fence: Fence,
): Promise<Guard | undefined> {
  if (databaseDirectUrl === undefined) return undefined;
  const { guardOf } = await import('./guard-postgresql.js');
  return guardOf(databaseUrl, fence);
}

async function watch(settings: DatabaseSettings, fence: Fence): Promise<() => void> {
  const { watchHosts } = await import('./watch-hosts-postgresql.js');
  return watchHosts(directUrl(settings), fence);
}

/** Connections to each standby that reads may go to. */
async function standbyPools(settings: DatabaseSettings): Promise<StandbyPools[]> {
  if (settings.databaseReadUrl === undefined) return [];
  const { poolOf } = await import('./pool-postgresql.js');
  const common = { statementTimeout: statementTimeoutOf(settings), hasPooler: false };
  return hostsOf(settings.databaseReadUrl).map((url) => ({
    reads: poolOf({ url, size: settings.databasePool, ...common }),
    positions: poolOf({ url, size: 1, ...common }),
  }));
}

async function driver(dialect: Dialect, settings: DatabaseSettings, fence: Fence): Promise<SqlDriverAdapterFactory> {
  if (dialect === 'sqlite') {
    const { sqliteAdapter } = await import('./sqlite-adapter.js');
    return sqliteAdapter(sqliteFile(settings.databaseUrl), {
      synchronous: settings.sqliteSynchronous,
      statementTimeout: statementTimeoutOf(settings) * 1000,
    });
  }
  const [{ PrismaPg }, { keepSessionSettings, poolOf }] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('./pool-postgresql.js'),
  ]);
  const { databaseDirectUrl, databasePool } = settings;
  const statementTimeout = statementTimeoutOf(settings);
  const hasPooler = databaseDirectUrl !== undefined;
  if (hasPooler) await keepSessionSettings(databaseDirectUrl, statementTimeout, fence);
  const pool = poolOf({ url: settings.databaseUrl, size: databasePool, statementTimeout, hasPooler, fence });
  return new PrismaPg(pool, {
    disposeExternalPool: true,
    statementNameGenerator: ({ sql, once }: SqlQuery & ReadHints) =>
      (once || hasPooler ? undefined : statementName(sql)) as string,
  });
}

/** What the driver adapter of PostgreSQL has beyond Prisma's interface; how it reports errors is not in its type. */
type Pooled = SqlDriverAdapter & { underlyingDriver(): Pool; onError(error: unknown): never };

const meansOf = (adapter: Pooled, note: (query: SqlQuery) => void, guard: Guard | undefined): Means => ({
  pool: adapter.underlyingDriver(),
  note,
  nameOf: statementName,
  keepsStatements: guard === undefined,
  guard,
  fail: (error) => adapter.onError(error),
});

/**
 * Renews PostgreSQL's statistics of tables of which more than a tenth has changed, and makes those of tables that have
 * none. It does so itself, but up to a minute later, and never for tables of a few rows; until then, it plans for tables as
 * small as they were before an import, and has recursive statements lay out memory for a hundred thousand roles.
 */
async function analyzeChanged(db: Db): Promise<void> {
  const tables = await db.query<{ name: string }>(Prisma.sql`SELECT relname AS "name" FROM pg_stat_user_tables
    WHERE schemaname = current_schema() AND (n_mod_since_analyze > 100 + n_live_tup / 10
      OR n_live_tup > 0 AND last_analyze IS NULL AND last_autoanalyze IS NULL)`);
  for (const { name } of tables) await db.execute(Prisma.sql`ANALYZE ${Prisma.raw(`"${name}"`)}`);
}

const argType: ArgType = { scalarType: 'unknown', arity: 'scalar' };

type Queryable = Pick<SqlQueryable, 'queryRaw' | 'executeRaw'>;

/** `head` is what every statement begins with. */
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
  const base = {
    dialect,
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
    // a second selection of the same relation is loaded by the delegate that the schema library looks for
    has: (target, key) => key in target || modelByDelegate().has(String(key)),
    get(target, key: string) {
      if (key in target) return target[key as keyof typeof target];
      let delegate = delegates.get(key);
      if (!delegate) {
        const name = modelByDelegate().get(key);
        if (!name) return undefined;
        delegate = { ...readerOf(name, dialect, send), ...writerOf(name, dialect, run, runLater) };
        delegates.set(key, delegate);
      }
      return delegate;
    },
  }) as unknown as Db;
}

/** The writes of `Db.later`, and what is to be found before the commit. */
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

/** The drivers know no bigint in every place; times in milliseconds are exact as numbers. */
const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return value;
  return value === undefined ? null : value;
};

const textOf = (dialect: Dialect, statement: Prisma.Sql): string =>
  dialect === 'sqlite' ? statement.sql : statement.text;

/** Rows as objects. 64-bit integers come as numbers, JSON parsed; SQLite has no booleans of its own: 0 and 1. */
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
