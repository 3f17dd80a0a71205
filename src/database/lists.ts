import type { Dialect } from './db.js';
import { Prisma } from './prisma.js';
import { bigIntAsNumber, quote } from './statement.js';

/** A query for the items of a list, in a column with this name. */
export const listed = ({ dialect }: { dialect: Dialect }, items: readonly unknown[], name = 'item'): Prisma.Sql => {
  const column = Prisma.raw(quote(name));
  return dialect === 'sqlite'
    ? Prisma.sql`SELECT value AS ${column} FROM json_each(${JSON.stringify(items, bigIntAsNumber)})`
    : Prisma.sql`SELECT unnest(${arrayOf(items)}::text[]) AS ${column}`;
};

/** The types of PostgreSQL for the items of lists. */
export const arrayTypes: Record<string, string> = { String: 'text', Int: 'integer', BigInt: 'bigint' };

/** An array as PostgreSQL reads it. It plans for a few items, and not for a hundred as with a list in JSON. */
export const arrayOf = (items: readonly unknown[]): string =>
  `{${items.map((item) => `"${String(item).replace(/[\\"]/g, '\\$&')}"`).join()}}`;

/** Combines queries with the same columns. */
export const unionOf = (queries: readonly Prisma.Sql[]): Prisma.Sql => Prisma.join([...queries], ' UNION ALL ');

/** A query for one column, as the list of a Prisma filter: `{ id: { in: among(sql) } }`. It must not return NULL. */
export const among = (query: Prisma.Sql): string[] => query as unknown as string[];

/** For a filter: a JSON list that contains this text. Prisma's types have this test for PostgreSQL only. */
export const hasItem = (text: string): object => ({ array_contains: text });
