import type { Db } from '../../database/db.js';
import { Prisma } from '../../database/prisma.js';

/** IDs of up to `most` expired or used-up tokens that were created before `before`. */
export async function spentInitialAccess(
  db: Db,
  { at, before, most }: { at: number; before: number; most: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(Prisma.sql`
    SELECT "id" FROM "ClientInitialAccess"
     WHERE "timestamp" < ${before}
       AND ("remainingCount" <= 0 OR ("expiration" > 0 AND "timestamp" + "expiration" < ${at})) LIMIT ${most}`);
  return rows.map(({ id }) => id);
}
