import type { Access, Db } from '../../database/db.js';
import { databaseTime } from '../../database/portable.js';
import { Prisma } from '../../database/prisma.js';
import { inTransaction } from '../core/unit-of-work.js';
import type { Place } from '../events/place.js';

/** A task that has progressed to a place in the order of events, for all instances together. */
export type Cursor =
  /** the events in the audit file */
  | 'file'
  /** the blocks of the audit chain whose hashes are in the audit file; the position is the number of a block */
  | 'fileBlocks'
  /** the events that are sealed */
  | 'chain';

/** Milliseconds after which a cursor is free if its process shows no sign of life. */
const lease = 30_000;

/** Sets the first position of a cursor, unless it already has one. */
export const beginAt = (database: Access, cursor: Cursor, position: bigint): Promise<unknown> =>
  inTransaction(database, (tx) =>
    tx.execute(
      Prisma.sql`INSERT INTO "AuditCursor" ("id", "position") VALUES (${cursor}, ${position}) ON CONFLICT ("id") DO NOTHING`,
    ),
  );

/** Takes or keeps a cursor for this process. Returns whether it has it, until `release` or the end of the lease. */
export async function claim(database: Access, cursor: Cursor, owner: string): Promise<boolean> {
  const now = databaseTime(database);
  const taken = await inTransaction(database, (tx) =>
    tx.execute(Prisma.sql`
      UPDATE "AuditCursor" SET "leaseOwner" = ${owner}, "leaseUntil" = ${now} + ${lease}
       WHERE "id" = ${cursor} AND ("leaseUntil" <= ${now} OR "leaseOwner" = ${owner})`),
  );
  return taken === 1;
}

/** Releases a cursor for other processes. */
export const release = (database: Access, cursor: Cursor, owner: string): Promise<unknown> =>
  inTransaction(database, (tx) =>
    tx.execute(
      Prisma.sql`UPDATE "AuditCursor" SET "leaseOwner" = NULL, "leaseUntil" = 0 WHERE "id" = ${cursor} AND "leaseOwner" = ${owner}`,
    ),
  );

/** The place after which a cursor continues. Undefined if it has not begun. */
export async function placeOf(db: Db, cursor: Cursor): Promise<Place | undefined> {
  const [row] = await db.query<{ position: bigint; positionTime: bigint; positionId: string }>(
    Prisma.sql`SELECT "position", "positionTime", "positionId" FROM "AuditCursor" WHERE "id" = ${cursor}`,
  );
  return row && { position: BigInt(row.position), time: BigInt(row.positionTime), id: row.positionId };
}

/** Moves a cursor from one place to another. False when another process has moved it in the meantime. */
export async function advance(tx: Db, cursor: Cursor, from: Place, to: Place): Promise<boolean> {
  const moved = await tx.execute(Prisma.sql`
    UPDATE "AuditCursor" SET "position" = ${to.position}, "positionTime" = ${to.time}, "positionId" = ${to.id}
     WHERE "id" = ${cursor} AND "position" = ${from.position} AND "positionTime" = ${from.time}
       AND "positionId" = ${from.id}`);
  return moved === 1;
}
