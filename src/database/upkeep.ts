import type { Access, Db, ModelName } from './db.js';
import { sumUpCounts } from './kept-counts.js';
import { Prisma } from './prisma.js';
import { quote } from './statement.js';
import { renewTrigrams } from './trigram-index.js';

/** Does what writes of users leave to be done for many at once: SQLite's search index, PostgreSQL's counters. */
export const catchUp = (access: Pick<Access, 'dialect' | 'transaction'>): Promise<void> =>
  access.dialect === 'sqlite' ? renewTrigrams(access) : sumUpCounts(access);

/**
 * Milliseconds that one statement of a long background job should take, so that nobody waits for long: on SQLite the
 * whole process does.
 */
export const statementTime = ({ dialect }: Pick<Access, 'dialect'>): number => (dialect === 'sqlite' ? 40 : 100);

/**
 * Milliseconds that a long background job pauses after a transaction that took `spent`. On SQLite nobody else could
 * write in the meantime: others, in other processes too, get as much time as that took.
 */
export const pauseAfter = ({ dialect }: Pick<Access, 'dialect'>, spent: number): number =>
  dialect === 'sqlite' ? spent : 1;

/**
 * Has PostgreSQL plan anew for tables that have grown in this transaction. It checks references by plans that it made when the
 * tables were all but empty: these read them from the beginning to the end, each time.
 */
export async function planAnew(tx: Db, models: readonly ModelName[]): Promise<void> {
  if (tx.dialect !== 'postgresql') return;
  for (const name of models) await tx.execute(Prisma.sql`ANALYZE ${Prisma.raw(quote(name))}`);
}

/** Writes SQLite's file anew, so that no free page of it holds what was there before. */
export async function rewriteFile({ dialect, read }: Access): Promise<void> {
  if (dialect === 'sqlite') await read.execute(Prisma.sql`VACUUM`);
}
