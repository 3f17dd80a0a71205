import { Prisma } from '../generated/sqlite/client.js';
import type { Database, Db } from './db.js';
import type { Model } from './model.js';
import type { Statement } from './statement.js';

/** More rows than this are found sooner by reading users in the order of the list until the page is full. */
const few = 250;
/** Rows that are indexed in one transaction: a few milliseconds, in which other writers wait. */
const atOnce = 500;

/** The query of SQLite's trigram index for rows that may match a pattern of LIKE; undefined where it has no three letters in a row. */
export function trigramQuery(pattern: string): string | undefined {
  const pieces = pattern.match(/(?:\\.|[^\\%_])+/gs) ?? [];
  const usable = pieces.map((piece) => piece.replace(/\\(.)/gs, '$1')).filter((piece) => [...piece].length >= 3);
  return usable.length === 0 ? undefined : usable.map((piece) => `"${piece.replaceAll('"', '""')}"`).join(' AND ');
}

/** Whether a column has an index of trigrams, which SQLite does not use by itself. */
export const hasTrigrams = (out: Statement, model: Model, field: string): boolean =>
  out.dialect === 'sqlite' && model.name === 'User' && field === 'search';

/**
 * The rowids of the users that may match, as JSON; undefined when they are many. Users whose names changed a moment ago are
 * not in the index yet, so all of these are among them.
 */
export async function candidates(send: (sql: string, values: unknown[]) => Promise<unknown[][]>, query: string) {
  const [row] = await send(
    `SELECT count(*), json_group_array("user") FROM (
       SELECT rowid AS "user" FROM "UserSearch" WHERE "UserSearch" MATCH ? UNION SELECT "user" FROM "UserSearchQueue" LIMIT ${few + 1})`,
    [query],
  );
  const [count, rowids] = row as [number, string];
  return Number(count) > few ? undefined : rowids;
}

/**
 * Puts users whose names changed into SQLite's index of trigrams, five hundred in each transaction. Returns when nothing
 * is left to do.
 */
export async function indexUsers({ transaction }: Pick<Database, 'transaction'>): Promise<void> {
  const batch = Prisma.sql`SELECT "user" FROM "UserSearchQueue" ORDER BY "user" LIMIT ${atOnce}`;
  const step = async (tx: Db): Promise<number> => {
    await tx.execute(Prisma.sql`DELETE FROM "UserSearch" WHERE rowid IN (${batch})`);
    await tx.execute(Prisma.sql`INSERT INTO "UserSearch" (rowid, "search")
      SELECT rowid, "search" FROM "User" WHERE rowid IN (${batch})`);
    return tx.execute(Prisma.sql`DELETE FROM "UserSearchQueue" WHERE "user" IN (${batch})`);
  };
  // others have their turn in between
  while ((await transaction(step)) === atOnce) await new Promise((resume) => setTimeout(resume, 5));
}
