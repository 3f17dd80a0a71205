import type { Access, Db, ModelName } from './db.js';
import { sumUpCounts } from './kept-counts.js';
import { Prisma } from './prisma.js';
import { quote } from './statement.js';
import { renewTrigrams } from './trigram-index.js';

/**
 * Does the upkeep that writes of users leave for later, for many at once: SQLite's search index, PostgreSQL's counters.
 */
export const catchUp = (access: Pick<Access, 'dialect' | 'transaction'>): Promise<void> =>
  access.dialect === 'sqlite' ? renewTrigrams(access) : sumUpCounts(access);

/**
 * Maximum milliseconds of one statement of a long background job, so that nobody waits for long: on SQLite the whole
 * process waits.
 */
export const statementTime = ({ dialect }: Pick<Access, 'dialect'>): number => (dialect === 'sqlite' ? 40 : 100);

/**
 * Milliseconds that a long background job pauses after a transaction that took `spent`. On SQLite nobody else could
 * write during it, so others, including other processes, get as much time.
 */
export const pauseAfter = ({ dialect }: Pick<Access, 'dialect'>, spent: number): number =>
  dialect === 'sqlite' ? spent : 1;

/**
 * Makes PostgreSQL plan again for tables that have grown in this transaction. Its plans for checks of references are
 * from the time when the tables were nearly empty, and would scan them each time.
 */
export async function analyzeTables(tx: Db, models: readonly ModelName[]): Promise<void> {
  if (tx.dialect !== 'postgresql') return;
  for (const name of models) await tx.execute(Prisma.sql`ANALYZE ${Prisma.raw(quote(name))}`);
}

/** Rewrites SQLite's file, so that no free page of it holds deleted data. */
export async function rewriteFile({ dialect, read }: Access): Promise<void> {
  if (dialect === 'sqlite') await read.execute(Prisma.sql`VACUUM`);
}
