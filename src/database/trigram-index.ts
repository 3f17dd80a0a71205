import type { Database, Db } from './db.js';
import { trigramIndex } from './kept-tables.js';
import type { Model } from './model.js';
import { Prisma } from './prisma.js';
import { quote, type Statement } from './statement.js';

/**
 * Above this number, reading the table is faster: in the order of the list until the page is full, or completely where
 * every row counts.
 */
export const few = { forPage: 250, forCount: 20_000 } as const;
/** Rows that are indexed in one transaction: a few milliseconds, in which other writers wait. */
const atOnce = 500;

/**
 * Number of pieces, and characters of a piece, that the index uses to narrow down rows. The rows are then compared with
 * the whole pattern.
 */
const narrowing = { characters: 24, pieces: 3 } as const;

/**
 * The query of SQLite's trigram index for rows that may match a pattern of LIKE; undefined without three letters in a
 * row.
 */
export function trigramQuery(pattern: string): string | undefined {
  // SQLite ends the text of a query at NUL
  const pieces = pattern.match(/(?:\\[^\0]|[^\\%_\0])+/gs) ?? [];
  const letters = pieces.map((piece) => [...piece.replace(/\\(.)/gs, '$1')]).filter(({ length }) => length >= 3);
  if (letters.length === 0) return undefined;
  const longest = letters.toSorted((one, other) => other.length - one.length).slice(0, narrowing.pieces);
  return letters
    .filter((piece) => longest.includes(piece))
    .map((piece) => `"${piece.slice(0, narrowing.characters).join('').replaceAll('"', '""')}"`)
    .join(' AND ');
}

/** Whether a column has a trigram index, which SQLite does not use by itself. */
export const hasTrigrams = (out: Statement, model: Model, field: string): boolean =>
  out.dialect === 'sqlite' && model.name === trigramIndex.model && field === trigramIndex.column;

/** Whether the rows of a model are narrowed down to the results of the trigram index. */
export const isNarrowed = (out: Statement, model: Model): boolean =>
  model.name === trigramIndex.model && [...out.searches.values()].some((found) => found !== undefined);

const index = quote(trigramIndex.table);
const queue = quote(trigramIndex.queue.table);
const row = quote(trigramIndex.queue.row);

/**
 * The rowids of the rows that may match, as JSON; undefined if there are more than `most`. Recently changed rows are
 * not in the index yet, so all of these are included.
 */
export async function candidates(
  send: (sql: string, values: unknown[]) => Promise<unknown[][]>,
  query: string,
  most: number,
) {
  const [found] = await send(
    `SELECT count(*), json_group_array(${row}) FROM (
       SELECT rowid AS ${row} FROM ${index} WHERE ${index} MATCH ? UNION SELECT ${row} FROM ${queue} LIMIT ${most + 1})`,
    [query],
  );
  const [count, rowids] = found as [number, string];
  return Number(count) > most ? undefined : rowids;
}

/** Adds changed rows to SQLite's trigram index, five hundred in each transaction. Returns when no row is left. */
export async function renewTrigrams({ transaction }: Pick<Database, 'transaction'>): Promise<void> {
  const [into, waiting, changed] = [Prisma.raw(index), Prisma.raw(queue), Prisma.raw(row)];
  const [table, column] = [Prisma.raw(quote(trigramIndex.model)), Prisma.raw(quote(trigramIndex.column))];
  const batch = Prisma.sql`SELECT ${changed} FROM ${waiting} ORDER BY ${changed} LIMIT ${atOnce}`;
  const step = async (tx: Db): Promise<number> => {
    await tx.execute(Prisma.sql`DELETE FROM ${into} WHERE rowid IN (${batch})`);
    await tx.execute(Prisma.sql`INSERT INTO ${into} (rowid, ${column})
      SELECT rowid, ${column} FROM ${table} WHERE rowid IN (${batch})`);
    return tx.execute(Prisma.sql`DELETE FROM ${waiting} WHERE ${changed} IN (${batch})`);
  };
  // others can write in between
  while ((await transaction(step)) === atOnce) await new Promise((resume) => setTimeout(resume, 5));
}
