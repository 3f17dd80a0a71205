import { modelNames, modelOf } from '../../src/database/model.js';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { Prisma } from '../../src/database/prisma.js';

/** The rows of every table, by `<model> <primary key>`. */
export type Tables = ReadonlyMap<string, Row>;
export interface Row {
  model: string;
  columns: Record<string, unknown>;
}

/** Opens the database of a server beside it. */
export const openBeside = (databaseUrl: string): Promise<OpenDatabase> =>
  openDatabase({ databaseUrl, databasePool: 2, sqliteSynchronous: 'NORMAL' });

/** All rows of the data model. */
export async function readTables(database: OpenDatabase): Promise<Tables> {
  const rows = new Map<string, Row>();
  for (const name of modelNames()) {
    const { primaryKey } = modelOf(name);
    const found = await database.read.query<Record<string, unknown>>(
      Prisma.sql`SELECT * FROM ${Prisma.raw(`"${name}"`)}`,
    );
    for (const columns of found) {
      rows.set(`${name} ${primaryKey.map((column) => columns[column]).join(' ')}`, { model: name, columns });
    }
  }
  return rows;
}

/** A text of what a row has, in the same order on both databases. */
export const content = ({ columns }: Row): string =>
  JSON.stringify(columns, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
