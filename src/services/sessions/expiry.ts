import type { Prisma } from '../../generated/sqlite/client.js';
import { batchSize, inBatches } from '../core/batches.js';
import type { Services } from '../core/context.js';
import { inTransaction } from '../core/unit-of-work.js';
import { expiredAt } from './lifetime.js';

/**
 * Removes sessions that were idle or have lasted for too long, and expired codes, links, and revocations. A thousand in
 * a transaction. Until then they exist, but are not valid.
 */
export async function removeExpired({ database, now }: Pick<Services, 'database' | 'now'>): Promise<void> {
  const at = Math.floor(now() / 1000);
  const realms = await database.upkeep.read.realm.findMany({
    where: { sessions: { some: {} } },
    select: { id: true, settings: true },
  });
  for (const { id: realmId, settings } of realms) {
    for (const where of expiredAt(settings as Record<string, unknown>, at)) {
      await inBatches(async () => {
        const found = await database.upkeep.read.userSession.findMany({
          where: { realmId, ...where },
          select: { id: true },
          take: batchSize,
        });
        const ids: Prisma.UserSessionWhereInput = { id: { in: found.map(({ id }) => id) } };
        if (found.length > 0) await inTransaction(database.upkeep, (tx) => tx.userSession.deleteMany({ where: ids }));
        return found.length;
      });
    }
  }
  await inBatches(async () => {
    const where = { expiresAt: { lt: at } };
    const found = await database.upkeep.read.oneTimeToken.findMany({ where, select: { id: true }, take: batchSize });
    const ids = found.map(({ id }) => id);
    if (ids.length > 0)
      await inTransaction(database.upkeep, (tx) => tx.oneTimeToken.deleteMany({ where: { id: { in: ids } } }));
    return ids.length;
  });
}
