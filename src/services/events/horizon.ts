import { Prisma } from '../../generated/sqlite/client.js';
import type { Services } from '../core/context.js';

type Needed = Pick<Services, 'database' | 'now'>;

/**
 * By how much, in milliseconds, the clocks of instances may differ and a transaction may begin later than the event in it
 * says. Events are told of so much later.
 */
const margin = 1000;
/** One look serves all who ask within this time, in milliseconds. */
const shared = 200;

const looks = new WeakMap<object, { at: number; horizon: Promise<bigint> }>();

/**
 * The time, in milliseconds since 1970, before which no event will appear any more: neither the order in which events
 * are committed nor that of their ids is the order of their times. SQLite commits one transaction after the other; on
 * PostgreSQL it lies before the start of the oldest transaction that writes.
 */
export function eventHorizon(services: Needed): Promise<bigint> {
  const at = performance.now();
  const last = looks.get(services.database);
  if (last && at - last.at < shared) return last.horizon;
  const horizon = look(services);
  looks.set(services.database, { at, horizon });
  return horizon;
}

async function look({ database, now }: Needed): Promise<bigint> {
  const present = Math.max(now(), Date.now());
  if (database.dialect === 'sqlite') return BigInt(present - margin);
  const [row] = await database.read.query<{ age: number | string | null }>(Prisma.sql`
    SELECT max(EXTRACT(EPOCH FROM clock_timestamp() - "xact_start")) * 1000 AS "age" FROM "pg_stat_activity"
     WHERE "datname" = current_database() AND "backend_type" = 'client backend' AND "backend_xid" IS NOT NULL`);
  return BigInt(present - Math.max(Math.ceil(Number(row?.age ?? 0)), 0) - margin);
}
