import type { Prisma, PrismaClient } from '../generated/sqlite/client.js';
import type { DelegateName, ModelMethods } from './model-methods.js';

export type Dialect = 'sqlite' | 'postgresql';

/** Name of a model, as in the Prisma schema. */
export type ModelName = Prisma.ModelName;

type DataOf<M extends ModelName> = NonNullable<Parameters<PrismaClient[Uncapitalize<M>]['createMany']>[0]>['data'];
/** A row to be inserted into a model's table. */
export type CreateManyRow<M extends ModelName> = Exclude<DataOf<M>, readonly unknown[] | unknown[]>;

/**
 * The interface of services to a database, inside and outside of a transaction. Each method of a model is executed as
 * one statement (see reader.ts and writer.ts); raw statements do the rest.
 */
export type Db = { readonly [D in DelegateName]: ModelMethods<D> } & {
  readonly dialect: Dialect;
  /** Whether other callers may be waiting for the end of this work. */
  readonly isInTransaction: boolean;
  /** The rows of a raw statement. Build it with the `sql` tag. `alone`: it must not be sent together with others. */
  query<Row>(statement: Prisma.Sql, hints?: { alone?: boolean }): Promise<Row[]>;
  /** Runs a raw statement and returns the number of rows that it changed. */
  execute(statement: Prisma.Sql): Promise<number>;
  readonly later: Later;
  /** Inserts rows and skips rows that collide with a unique key. Returns the number of inserted rows. */
  insertNew<M extends ModelName>(model: M, rows: CreateManyRow<M>[]): Promise<number>;
};

type LaterMethod = 'updateMany' | 'deleteMany';

/**
 * Writes of a transaction whose counts are not needed. They keep their order, but may be sent together with the next
 * statement or with COMMIT, so a failure of theirs may be reported by that one. `createMany` always works like this.
 */
type Later = {
  readonly [M in DelegateName]: {
    [K in LaterMethod]: (args: Parameters<PrismaClient[M][K]>[0]) => Promise<unknown>;
  };
} & {
  execute(statement: Prisma.Sql): Promise<unknown>;
  insertNew<M extends ModelName>(model: M, rows: CreateManyRow<M>[]): Promise<unknown>;
  /** Runs `check` on the rows of a query before the transaction is committed; it throws if they are not acceptable. */
  expect(statement: Prisma.Sql, check: (rows: unknown[][]) => void): Promise<void>;
  /** Waits for all of it. */
  settle(): Promise<void>;
  /** Announces rows before they are locked: `exclusive`, or shared with others. */
  own(model: ModelName, ids: readonly string[], exclusive: boolean): void;
};

/** How a transaction may be carried out. */
export interface TransactionOptions {
  /**
   * Whether the transaction may share its commit, and on PostgreSQL its messages, with other waiting ones. Only for
   * short transactions that announce their locks with `own`.
   */
  shared?: boolean;
}

/** Reads and transactions. */
export interface Access {
  readonly dialect: Dialect;
  /** For reads outside of a transaction. On SQLite it sees the last committed state and never waits for writers. */
  readonly read: Db;
  /**
   * Runs `work` in one transaction and commits when it resolves. If the transaction is shared, `work` may run twice.
   * The caller does retries.
   */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

/** The connections to the primary, or to all standbys together. */
export interface PoolState {
  readonly pool: 'primary' | 'standbys';
  /** how many there can be */
  readonly size: number;
  readonly inUse: number;
  readonly idle: number;
  /** how many requests wait for a connection */
  readonly waiting: number;
}

/** The lag of a standby behind the primary. */
export interface StandbyLag {
  /** the number of the host in DATABASE_READ_URL, from 0 */
  readonly standby: number;
  /** whether it follows the primary; otherwise the other fields mean nothing */
  readonly follows: boolean;
  /** how much of the log of writes it has not applied yet */
  readonly bytes: number;
  /** age of the last write that it has applied, if it has not applied all */
  readonly seconds: number;
}

export interface Database extends Access {
  /** Access for background work: its statements are marked and do not count. */
  readonly upkeep: Access;
  /** Renews the statistics of the tables, for good plans. PostgreSQL does so by itself. */
  optimize(): Promise<void>;
  /** Number of statements sent for requests since the database was opened. */
  readonly statements: () => number;
  /** The connection pools of this process. Empty on SQLite, which has no pool. */
  readonly pools: () => PoolState[];
  /** The lag of each standby that is used for reads. */
  readonly standbyLags: () => Promise<StandbyLag[]>;
  close(): Promise<void>;
}
