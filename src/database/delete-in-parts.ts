import type { Db } from './db.js';
import { Prisma } from './prisma.js';
import { quote } from './statement.js';

/** Rows that SQLite deletes within some milliseconds, with those that go along with them. */
const mostAtOnce = 2000;

/**
 * Deletes rows ahead of the one that takes them along, two thousand in each statement. On SQLite nobody else is answered during a statement, and
 * a transaction makes breaks between its statements. Does nothing on PostgreSQL. `where` names columns of the table.
 */
export async function deleteInParts(tx: Db, table: string, where: Prisma.Sql): Promise<void> {
  if (tx.dialect !== 'sqlite') return;
  const name = Prisma.raw(quote(table));
  const part = Prisma.sql`DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} WHERE ${where} LIMIT ${mostAtOnce})`;
  for (let count = mostAtOnce; count === mostAtOnce; ) count = await tx.execute(part);
}
