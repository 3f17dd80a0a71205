import { limit } from '../../config/limits.js';
import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { invalid } from '../core/refusal.js';

/** The lengths that an interval of time can have, in milliseconds. */
export const intervalLengths = { MINUTE: 60_000, HOUR: 3_600_000, DAY: 86_400_000 } as const;

/** Equal intervals of time, one after another. */
export interface Intervals {
  from: Date;
  interval: keyof typeof intervalLengths;
  count: number;
}

/** How many intervals can be counted at a time: the hours of a month, or the days of two years. */
export const mostIntervals = limit(
  'Searches and pages',
  'Intervals for which events are counted',
  750,
  'intervals',
  '`LIMIT`',
);

/** The latest valid time, in milliseconds. */
const latest = 8_640_000_000_000_000;

/** The starts of intervals, in order. Refuses a number that is out of range, and intervals after the end of time. */
export function startsOf({ from, interval, count }: Intervals): Date[] {
  if (count < 1 || count > mostIntervals)
    throw invalid(`\`count\` must be from 1 to ${mostIntervals}, got ${count}`, 'count', { argument: 'LIMIT' });
  const length = intervalLengths[interval];
  if (from.getTime() + count * length > latest)
    throw invalid('`from` must be earlier: a time in the intervals cannot be written', 'from', { argument: 'LIMIT' });
  return Array.from({ length: count }, (_, at) => new Date(from.getTime() + at * length));
}

/**
 * Counts matching login events in intervals, in one statement, by the ID of the realm and the number of the interval.
 * It reads the events within the intervals through the index of realms and times.
 */
export async function countLoginEvents(
  db: Db,
  realmIds: readonly string[],
  { from, interval, count }: Intervals,
  where: Prisma.LoginEventWhereInput,
): Promise<Map<string, Map<number, number>>> {
  const [start, size] = [BigInt(from.getTime()), BigInt(intervalLengths[interval])];
  const time = { gte: start, lt: start + size * BigInt(count) };
  const rows = await db.loginEvent.countByInterval({
    by: ['realmId'],
    interval: { column: 'time', from: start, size },
    where: { AND: [{ realmId: { in: [...realmIds] }, time }, where] },
  });
  const found = new Map<string, Map<number, number>>();
  for (const { realmId, interval: at, count: events } of rows)
    found.set(realmId, (found.get(realmId) ?? new Map()).set(at, events));
  return found;
}
