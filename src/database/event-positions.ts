import type { Database, Dialect } from './db.js';
import { Prisma } from './prisma.js';

/**
 * On PostgreSQL the position of an event is the transaction that stored it: whatever clock an instance has and in which
 * order transactions commit, none appears any more before the oldest one of this database that is still under way.
 * What is not under way any more when `pg_stat_activity` is read, the next statement sees. There, the ids of transactions
 * have 32 bits. SQLite numbers the events, one writer after the other.
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

/** The position before which no event of any realm will appear any more. */
export async function eventHorizon({ dialect, read }: Pick<Database, 'dialect' | 'read'>): Promise<bigint> {
  // of several statements in one message, the later ones see what was under way at the first one
  const [row] = await read.query<{ horizon: bigint | number | string }>(statements[dialect], { alone: true });
  return BigInt(row?.horizon ?? 0);
}

/**
 * Has positions go on after those that are there, also after those of events that have expired: a database that was restored into another cluster of PostgreSQL counts
 * its transactions from another number. To be called before events are stored.
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
