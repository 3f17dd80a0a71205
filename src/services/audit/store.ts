import type { Database, Db } from '../../database/db.js';
import { databaseTime } from '../../database/portable.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { inTransaction } from '../core/unit-of-work.js';
import type { Place } from '../webhooks/messages.js';

/** The only row: all instances write one sequence of lines. */
const id = 'file';
/** How long the process that writes has the file for itself without a sign of life, in milliseconds. */
const lease = 30_000;

/** Has the file begin with the events from a position on, unless it has begun before. */
export const beginAt = (database: Database, position: bigint): Promise<unknown> =>
  inTransaction(database, (tx) =>
    tx.execute(
      Prisma.sql`INSERT INTO "AuditCursor" ("id", "position") VALUES (${id}, ${position}) ON CONFLICT ("id") DO NOTHING`,
    ),
  );

/** Takes or keeps the file for this process. Whether it has it, until `release` or for a while. */
export async function claim(database: Database, owner: string): Promise<boolean> {
  const now = databaseTime(database);
  const taken = await inTransaction(database, (tx) =>
    tx.execute(Prisma.sql`
      UPDATE "AuditCursor" SET "leaseOwner" = ${owner}, "leaseUntil" = ${now} + ${lease}
       WHERE "id" = ${id} AND ("leaseUntil" <= ${now} OR "leaseOwner" = ${owner})`),
  );
  return taken === 1;
}

/** Lets another process write. */
export const release = (database: Database, owner: string): Promise<unknown> =>
  inTransaction(database, (tx) =>
    tx.execute(
      Prisma.sql`UPDATE "AuditCursor" SET "leaseOwner" = NULL, "leaseUntil" = 0 WHERE "id" = ${id} AND "leaseOwner" = ${owner}`,
    ),
  );

/** The place after which the file goes on. */
export async function placeOfFile(db: Db): Promise<Place> {
  const [row] = await db.query<{ position: bigint; positionTime: bigint; positionId: string }>(
    Prisma.sql`SELECT "position", "positionTime", "positionId" FROM "AuditCursor" WHERE "id" = ${id}`,
  );
  if (!row) throw new Error('the row of the audit file is missing');
  return { position: BigInt(row.position), time: BigInt(row.positionTime), id: row.positionId };
}

/** Goes on after an event that the file has. False when another process has taken the file in the meantime. */
export async function advance(database: Database, owner: string, place: Place): Promise<boolean> {
  const kept = await inTransaction(database, (tx) =>
    tx.execute(Prisma.sql`
      UPDATE "AuditCursor" SET "position" = ${place.position}, "positionTime" = ${place.time}, "positionId" = ${place.id},
             "leaseUntil" = ${databaseTime(tx)} + ${lease}
       WHERE "id" = ${id} AND "leaseOwner" = ${owner}`),
  );
  return kept === 1;
}
