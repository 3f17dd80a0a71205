import type { Database, Dialect } from './db.js';
import { Prisma } from './prisma.js';

/**
 * On PostgreSQL the position of an event is the ID of the transaction that stored it. Clocks of instances and the order
 * of commits do not matter: no new event appears before the oldest transaction of this database that is still running.
 * The next statement sees all transactions that have ended when `pg_stat_activity` is read. Transaction IDs have 32
 * bits there. SQLite has one writer at a time, which numbers the events.
 */
const statements: Record<Dialect, Prisma.Sql> = {
  sqlite: Prisma.sql`SELECT "last" + 1 AS "horizon" FROM "EventPosition"`,
  postgresql: Prisma.sql`
    WITH "present" AS MATERIALIZED (
      SELECT "pg_snapshot_xmax"("pg_current_snapshot"())::text::bigint AS "next"
    ), "running" AS (
      SELECT mod("next" - "backend_xid"::text::bigint, 4294967296) AS "behind"
        FROM "pg_stat_activity", "present"
       WHERE "datname" = current_database() AND "backend_xid" IS NOT NULL
    )
    SELECT "next" + "shift" - COALESCE((SELECT max("behind") FROM "running" WHERE "behind" BETWEEN 1 AND 2147483648), 0)
           AS "horizon"
      FROM "present", "EventPosition"`,
};

/** The position before which no event of any realm can still appear. */
export async function eventHorizon({ dialect, read }: Pick<Database, 'dialect' | 'read'>): Promise<bigint> {
  // if several statements share one message, the later ones see the transactions that ran at the first one
  const [row] = await read.query<{ horizon: bigint | number | string }>(statements[dialect], { alone: true });
  return BigInt(row?.horizon ?? 0);
}

/**
 * Continues positions after all earlier ones, including expired events. This is necessary for a database that was
 * restored into another PostgreSQL cluster, which counts its transactions from another number. Call it before events
 * are stored.
 */
export async function alignPositions(database: Pick<Database, 'dialect' | 'transaction'>): Promise<void> {
  if (database.dialect === 'sqlite') return;
  await database.transaction(async (tx) => {
    const [aligned] = await tx.query<{ shift: number | string }>(Prisma.sql`
      UPDATE "EventPosition" SET "shift" = "highest" - "pg_snapshot_xmin"("pg_current_snapshot"())::text::bigint + 1
        FROM (SELECT GREATEST(
                (SELECT max("position") FROM "LoginEvent"),
                (SELECT max("position") FROM "AdminEvent"),
                (SELECT max("position") FROM "Webhook"),
                (SELECT max("position") FROM "AuditCursor")) AS "highest") h
       WHERE "highest" > "pg_snapshot_xmax"("pg_current_snapshot"())::text::bigint + "shift"
      RETURNING "shift"`);
    if (!aligned) return;
    const position = Prisma.raw(`"pg_current_xact_id"()::text::bigint + ${BigInt(aligned.shift)}`);
    for (const table of ['"LoginEvent"', '"AdminEvent"']) {
      await tx.execute(Prisma.sql`ALTER TABLE ${Prisma.raw(table)} ALTER COLUMN "position" SET DEFAULT ${position}`);
    }
  });
}
