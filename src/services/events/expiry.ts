import type { Access, Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { batchSize, inBatches } from '../core/batches.js';
import type { Services } from '../core/context.js';
import { inTransaction } from '../core/unit-of-work.js';

/**
 * Removes login events that are older than their realm keeps them (`eventsExpiration`, in seconds; 0 keeps them for ever)
 * and those of realms that are gone, a thousand in a transaction.
 */
export async function removeExpiredEvents({ database, now }: Pick<Services, 'database' | 'now'>): Promise<void> {
  const { upkeep } = database;
  const ids = await realmsWithEvents(upkeep.read);
  const realms = await upkeep.read.realm.findMany({
    where: { id: { in: ids } },
    select: { id: true, settings: true },
  });
  const settings = new Map(realms.map((realm) => [realm.id, realm.settings as Record<string, unknown>]));
  for (const realmId of ids) {
    const known = settings.get(realmId);
    const kept = known?.eventsExpiration;
    if (!known) await removeEvents(upkeep, { realmId });
    else if (typeof kept === 'number' && kept > 0) {
      await removeEvents(upkeep, { realmId, time: { lt: BigInt(now() - kept * 1000) } });
    }
  }
}

/** Goes from realm to realm in the index, so that it does not cost what the table is large. */
async function realmsWithEvents(db: Db): Promise<string[]> {
  const rows = await db.query<{ realmId: string }>(Prisma.sql`
    WITH RECURSIVE "found"("realmId") AS (
      SELECT min("realmId") FROM "LoginEvent"
      UNION ALL
      SELECT (SELECT min(e."realmId") FROM "LoginEvent" e WHERE e."realmId" > f."realmId")
        FROM "found" f WHERE f."realmId" IS NOT NULL
    ) SELECT "realmId" FROM "found" WHERE "realmId" IS NOT NULL`);
  return rows.map(({ realmId }) => realmId);
}

const removeEvents = (access: Access, where: Prisma.LoginEventWhereInput): Promise<void> =>
  inBatches(async () => {
    const found = await access.read.loginEvent.findMany({ where, select: { id: true }, take: batchSize });
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) await inTransaction(access, (tx) => tx.loginEvent.deleteMany({ where: { id: { in: ids } } }));
    return ids.length;
  });
