import type { SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';
import type { SqliteConnection, SqliteStatement } from './sqlite-connection.js';
import { adapterError } from './sqlite-errors.js';
import { columnTypesOf, readValue, writtenValue } from './sqlite-values.js';

/** The name of the adapter in Prisma's interface. */
export const adapterName = 'realmgate-sqlite';

const mostCachedStatements = 500;

/**
 * Statements on one connection, in the form of Prisma's adapters. Each is finished when the call returns; its promise
 * only has the outcome.
 */
export interface Queries extends Pick<SqlQueryable, 'queryRaw' | 'executeRaw'> {
  readonly connection: SqliteConnection;
  executeScript(script: string): Promise<void>;
  /** Whether a statement returns rows, or is wrong, which running it reports. */
  mayReturnRows(sql: string): boolean;
}

/** A statement without parameters. */
export const bare = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] });

/** Runs statements on a connection. The most recent ones stay prepared. */
export function queriesOn(connection: SqliteConnection): Queries {
  const prepared = cachedStatements(connection);
  const valuesOf = ({ args, argTypes }: SqlQuery) => args.map((arg, at) => writtenValue(arg, argTypes[at]?.scalarType));
  return {
    connection,
    async queryRaw(query) {
      return reported(() => {
        const statement = prepared(query.sql);
        const { columns } = statement;
        const values = valuesOf(query);
        if (columns.length === 0) {
          statement.run(values);
          return { columnNames: [], columnTypes: [], rows: [] };
        }
        const rows = statement.all(values);
        const columnTypes = columnTypesOf(columns, rows);
        return {
          columnNames: columns.map(({ name }) => name),
          columnTypes,
          rows: rows.map((row) => row.map((value, at) => readValue(value, columnTypes[at]))),
        };
      });
    },
    async executeRaw(query) {
      return reported(() => prepared(query.sql).run(valuesOf(query)));
    },
    async executeScript(script) {
      return reported(() => connection.exec(script));
    },
    mayReturnRows(sql) {
      try {
        return prepared(sql).columns.length > 0;
      } catch {
        return true;
      }
    },
  };
}

/** Converts errors of the driver to errors of an adapter. */
function reported<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw adapterError(error);
  }
}

/** Prepares a text once, as long as it is among the most recent ones. */
function cachedStatements(connection: SqliteConnection): (sql: string) => SqliteStatement {
  const cache = new Map<string, SqliteStatement>();
  return (sql) => {
    const known = cache.get(sql);
    if (known) {
      // moves it to the end of the Map's order, so that used statements stay
      cache.delete(sql);
      cache.set(sql, known);
      return known;
    }
    const made = connection.prepare(sql);
    const [oldest] = cache.keys();
    if (cache.size >= mostCachedStatements && oldest !== undefined) cache.delete(oldest);
    cache.set(sql, made);
    return made;
  };
}
