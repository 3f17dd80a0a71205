import { databaseTime } from '../database/surroundings.js';
import { gauge } from '../telemetry/instruments.js';
import type { Services } from './core/context.js';

let difference = 0;

gauge(
  {
    name: 'realmgate_clock_difference_seconds',
    help: 'Difference between the clock of the process and that of the database, measured every minute.',
  },
  (seconds) => seconds.set(difference / 1000),
  { together: 'max' },
);

/**
 * The milliseconds by which the clock of this process differs from the database, or is behind a process that has
 * written to it. Sets the metric to this value.
 */
export async function clockDifference({ database, now }: Pick<Services, 'database' | 'now'>): Promise<number> {
  const newest = await database.upkeep.read.change.findFirst({ orderBy: { seq: 'desc' }, select: { at: true } });
  const apart = Math.abs((await databaseTime(database.upkeep)) - now());
  difference = Math.max(Number(newest?.at ?? 0) - now(), apart);
  return difference;
}
