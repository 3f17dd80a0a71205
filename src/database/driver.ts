import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils';
import type { Pool } from 'pg';
import type { Config } from '../config/config.js';
import { directUrl, hostsOf } from '../config/database-hosts.js';
import type { Dialect } from './db.js';
import type { Fence } from './fence.js';
import type { Guard } from './guard-postgresql.js';
import type { ReadHints } from './reader.js';
import type { StandbyPools } from './standbys-postgresql.js';
import { statementName } from './statement-names.js';
import { sqliteFile } from './url.js';
import type { Means } from './waiting-postgresql.js';

// Only the driver of the database in use is loaded.

export type DatabaseSettings = Pick<Config, 'databaseUrl' | 'databasePool' | 'sqliteSynchronous'> &
  Partial<
    Pick<Config, 'databaseDirectUrl' | 'databaseReadUrl' | 'databaseStatementTimeout' | 'databaseSharedTransactions'>
  >;

const statementTimeoutOf = ({ databaseStatementTimeout = 60 }: DatabaseSettings): number => databaseStatementTimeout;

/** Checks the server of each transaction, if connections go through a pooler. */
export async function guardFor(
  { databaseUrl, databaseDirectUrl }: DatabaseSettings,
  fence: Fence,
): Promise<Guard | undefined> {
  if (databaseDirectUrl === undefined) return undefined;
  const { guardOf } = await import('./guard-postgresql.js');
  return guardOf(databaseUrl, fence);
}

/** Watches the hosts of a PostgreSQL database until the returned function is called. */
export async function startWatching(settings: DatabaseSettings, fence: Fence): Promise<() => void> {
  const { watchHosts } = await import('./watch-hosts-postgresql.js');
  return watchHosts(directUrl(settings), fence);
}

/** Connections to each standby that reads may go to. */
export async function standbyPools(settings: DatabaseSettings): Promise<StandbyPools[]> {
  if (settings.databaseReadUrl === undefined) return [];
  const { poolOf } = await import('./pool-postgresql.js');
  const common = { statementTimeout: statementTimeoutOf(settings), hasPooler: false };
  return hostsOf(settings.databaseReadUrl).map((url) => ({
    reads: poolOf({ url, size: settings.databasePool, ...common }),
    positions: poolOf({ url, size: 1, ...common }),
  }));
}

/** The driver adapter of the database. */
export async function driver(
  dialect: Dialect,
  settings: DatabaseSettings,
  fence: Fence,
): Promise<SqlDriverAdapterFactory> {
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

/** The members of PostgreSQL's driver adapter beyond Prisma's interface. Its reporting of errors is not in its type. */
export type Pooled = SqlDriverAdapter & { underlyingDriver(): Pool; onError(error: unknown): never };

/** The parts of the adapter that reads and transactions on PostgreSQL use. */
export const meansOf = (adapter: Pooled, note: (query: SqlQuery) => void, guard: Guard | undefined): Means => ({
  pool: adapter.underlyingDriver(),
  note,
  nameOf: statementName,
  keepsStatements: guard === undefined,
  guard,
  fail: (error) => adapter.onError(error),
});
