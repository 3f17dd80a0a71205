import type { Database, Db } from '../../database/db.js';
import { databaseFault } from '../../database/errors.js';
import type { Context, Unit } from './context.js';
import { invalid, Refusal } from './refusal.js';

const attempts = 6;

/** Thrown inside a transaction to undo it and still answer. */
class Undone extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super('rolled back on request');
    this.result = result;
  }
}

/**
 * Runs `work` in one transaction and, once that is committed, what it left in `afterCommit`. A conflict between
 * writers is tried again, five times at most, with growing pauses. With `undo` everything is rolled back and
 * the result is what would have happened.
 */
export async function inTransaction<R>(ctx: Context, undo: boolean, work: (unit: Unit) => Promise<R>): Promise<R> {
  let afterCommit: Unit['afterCommit'] = [];
  try {
    const result = await retried(ctx.services.database, async (tx) => {
      afterCommit = [];
      const done = await work({ tx, afterCommit, dryRun: undo });
      if (undo) throw new Undone(done);
      return done;
    });
    for (const effect of afterCommit) await effect();
    return result;
  } catch (error) {
    if (error instanceof Undone) return error.result as R;
    throw error;
  }
}

/** Runs `work` in a transaction; a conflict between writers is tried again, five times at most, with growing pauses. */
export async function retried<R>(database: Pick<Database, 'transaction'>, work: (tx: Db) => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction(work);
    } catch (error) {
      const fault = databaseFault(error);
      if (fault?.kind === 'retry' && attempt < attempts) {
        await new Promise((resume) => setTimeout(resume, Math.random() * 10 * 2 ** attempt));
        continue;
      }
      if (fault?.kind === 'retry') throw new Refusal('busy', 'Too many writers at once; try again');
      throw error;
    }
  }
}

/** Refuses, in these words, what cannot be part of a shared transaction nor be tried and taken back. Throws `invalid`. */
export function requireAlone(
  { unit }: Pick<Context, 'unit'>,
  message: string,
  { dryRun = false, field }: { dryRun?: boolean | undefined; field?: string } = {},
): void {
  if (unit || dryRun) throw invalid(message, field);
}

/**
 * Refuses what may have to write in a transaction of its own, such as making the keys of a realm, while operations share
 * one: it would wait for that for ever. Throws `invalid`.
 */
export const refuseWithin = (ctx: Pick<Context, 'unit'>, what: string): void =>
  requireAlone(ctx, `${what} within an atomic mutation or a dry run`);
