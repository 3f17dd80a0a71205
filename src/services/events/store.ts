import type { Db } from '../../database/db.js';
import { deleteInParts, updateInParts } from '../../database/in-parts.js';
import { numberIn } from '../../database/portable.js';
import { Prisma } from '../../database/prisma.js';

/**
 * The realms that have login events. Skips from realm to realm in the index: the cost does not depend on the number of
 * events.
 */
export async function realmsWithEvents(db: Db): Promise<string[]> {
  const rows = await db.query<{ realmId: string }>(Prisma.sql`
    WITH RECURSIVE "found"("realmId") AS (
      SELECT min("realmId") FROM "LoginEvent"
      UNION ALL
      SELECT (SELECT min(e."realmId") FROM "LoginEvent" e WHERE e."realmId" > f."realmId")
        FROM "found" f WHERE f."realmId" IS NOT NULL
    ) SELECT "realmId" FROM "found" WHERE "realmId" IS NOT NULL`);
  return rows.map(({ realmId }) => realmId);
}

/** Milliseconds before which admin events of a realm have expired, for each realm that does not keep them for ever. */
export async function adminEventExpiries(db: Db, now: number): Promise<{ realmId: string; before: bigint }[]> {
  const rows = await db.query<{ realmId: string; kept: number }>(Prisma.sql`
    SELECT "id" AS "realmId", ${numberIn(db, Prisma.sql`"settings"`, 'adminEventsExpiration')} AS "kept" FROM "Realm"
     WHERE ${numberIn(db, Prisma.sql`"settings"`, 'adminEventsExpiration')} > 0`);
  return rows.map(({ realmId, kept }) => ({ realmId, before: BigInt(now - Number(kept) * 1000) }));
}

/**
 * Records that admin events of a realm before this time are removed. The record stays even if the realm later keeps
 * events for longer.
 */
export const recordExpiry = (tx: Db, realmId: string, before: bigint): Promise<unknown> =>
  tx.execute(Prisma.sql`
    INSERT INTO "AuditExpiry" ("realmId", "before") VALUES (${realmId}, ${before})
        ON CONFLICT ("realmId") DO UPDATE SET "before" = excluded."before" WHERE excluded."before" > "AuditExpiry"."before"`);

/**
 * The times in milliseconds before which admin events of a realm are removed, or may be at any moment, for each realm
 * with such a time.
 */
export async function expiryTimes(db: Db, now: number): Promise<Map<string, bigint>> {
  const recorded = await db.auditExpiry.findMany({ select: { realmId: true, before: true } });
  const times = new Map(recorded.map(({ realmId, before }) => [realmId, before]));
  // an instance of an older version does not record its removals
  for (const { realmId, before } of await adminEventExpiries(db, now)) {
    if (before > (times.get(realmId) ?? 0n)) times.set(realmId, before);
  }
  return times;
}

/** The given realms with events at positions from `from` to before `horizon`. */
export async function realmsWithEventsBetween(
  db: Db,
  realmIds: readonly string[],
  from: bigint,
  horizon: bigint,
): Promise<string[]> {
  const list = Prisma.join([...realmIds]);
  const rows = await db.query<{ realmId: string }>(Prisma.sql`
    SELECT "realmId" FROM "LoginEvent" WHERE "realmId" IN (${list}) AND "position" >= ${from} AND "position" < ${horizon}
    UNION
    SELECT "realmId" FROM "AdminEvent" WHERE "realmId" IN (${list}) AND "position" >= ${from} AND "position" < ${horizon}`);
  return rows.map(({ realmId }) => realmId);
}

/** Deletes all login events of a realm; returns their number. */
export async function deleteLoginEvents(tx: Db, realmId: string): Promise<number> {
  const most = await deleteInParts(tx, 'LoginEvent', Prisma.sql`"realmId" = ${realmId}`);
  return most + (await tx.loginEvent.deleteMany({ where: { realmId } })).count;
}

/** Hides all admin events of a realm from its list; returns their number. */
export async function unlistAdminEvents(tx: Db, realmId: string): Promise<number> {
  const where = Prisma.sql`"realmId" = ${realmId} AND "listed"`;
  const most = await updateInParts(tx, 'AdminEvent', Prisma.sql`"listed" = false`, where);
  const rest = await tx.adminEvent.updateMany({ where: { realmId, listed: true }, data: { listed: false } });
  return most + rest.count;
}
