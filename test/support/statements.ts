import { isSlowClock } from './slow-clock.js';

/** A database that counts its statements. */
interface Counting {
  statements: () => number;
}

/** A server or a world with its database, or the database alone. */
type Counted = Counting | { database: Counting };

interface CountingOptions {
  /** Why the caches, which expire after a second, cannot add statements although the clock is the real one. */
  realClockBecause?: string;
}

const slowed = new WeakSet<Counting>();

/** Notes whether the service of a database runs with the slow clock. `countStatements` refuses other databases. */
export function noteClock(database: Counting, clock: () => number): void {
  if (isSlowClock(clock)) slowed.add(database);
}

/**
 * Runs the work, and returns its result with the number of statements that were sent for requests in the meantime. Throws if
 * the service does not run with the slow clock, because whether a cache expires would then depend on the speed of the machine.
 */
export async function measureStatements<T>(
  counted: Counted,
  work: () => Promise<T>,
  { realClockBecause }: CountingOptions = {},
): Promise<{ result: T; statements: number }> {
  const database = 'database' in counted ? counted.database : counted;
  if (!slowed.has(database) && !realClockBecause)
    throw new Error(
      'Statements can be counted only with the slow clock: start the server with `slowClock` or `slowClockAhead`, or state in `realClockBecause` why no cache can expire.',
    );
  const before = database.statements();
  const result = await work();
  return { result, statements: database.statements() - before };
}

/** Runs the work, and returns the number of statements that were sent for requests in the meantime: see `measureStatements`. */
export const countStatements = async (...measured: Parameters<typeof measureStatements>): Promise<number> =>
  (await measureStatements(...measured)).statements;
