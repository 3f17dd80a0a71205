import type { Db } from './db.js';
import { Prisma } from './prisma.js';
import { quote } from './statement.js';

/** Rows that SQLite writes within a few milliseconds, including their dependent rows. */
const mostAtOnce = 2000;

/**
 * Changes rows in portions of two thousand before another statement changes the rest. On SQLite a statement blocks all
 * other requests, and a transaction makes breaks between its statements. Does nothing on PostgreSQL. `where` names
 * columns of the table, and must be false for a changed row. Returns the number of rows.
 */
async function inParts(tx: Db, table: string, where: Prisma.Sql, change: (name: Prisma.Sql) => Prisma.Sql) {
  if (tx.dialect !== 'sqlite') return 0;
  const name = Prisma.raw(quote(table));
  const part = Prisma.sql`${change(name)} WHERE rowid IN (SELECT rowid FROM ${name} WHERE ${where} LIMIT ${mostAtOnce})`;
  let sum = 0;
  for (let count = mostAtOnce; count === mostAtOnce; sum += count) count = await tx.execute(part);
  return sum;
}

/** Deletes rows before the statement that deletes the rest, directly or by cascade. See `inParts`. */
export const deleteInParts = (tx: Db, table: string, where: Prisma.Sql): Promise<number> =>
  inParts(tx, table, where, (name) => Prisma.sql`DELETE FROM ${name}`);

/** Updates rows before the statement that updates the rest. See `inParts`. */
export const updateInParts = (tx: Db, table: string, set: Prisma.Sql, where: Prisma.Sql): Promise<number> =>
  inParts(tx, table, where, (name) => Prisma.sql`UPDATE ${name} SET ${set}`);
