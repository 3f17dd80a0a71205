import type { Access } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { batchSize, inBatches } from '../core/batches.js';
import type { Services } from '../core/context.js';
import { inTransaction } from '../core/unit-of-work.js';
import { adminEventExpiries, realmsWithEvents, recordExpiry } from './store.js';

/**
 * Removes login events after the retention time of their realm (`eventsExpiration`, in seconds; 0 keeps them forever).
 * Also removes the events of deleted realms. A thousand in a transaction.
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

/**
 * Removes admin events after the retention time of their realm (`adminEventsExpiration`, in seconds), a thousand in a
 * transaction. Records its progress, because the audit chain has their hashes. Events of deleted realms stay: they name
 * the user who deleted the realm.
 */
export async function removeExpiredAdminEvents({ database, now }: Pick<Services, 'database' | 'now'>): Promise<void> {
  const { upkeep } = database;
  for (const { realmId, before } of await adminEventExpiries(upkeep.read, now())) {
    const where = { realmId, time: { lt: before } };
    await inBatches(async () => {
      const found = await upkeep.read.adminEvent.findMany({ where, select: { id: true }, take: batchSize });
      const ids = found.map(({ id }) => id);
      if (ids.length > 0) {
        await inTransaction(upkeep, async (tx) => {
          await recordExpiry(tx, realmId, before);
          await tx.adminEvent.deleteMany({ where: { id: { in: ids } } });
        });
      }
      return ids.length;
    });
  }
}

const removeEvents = (access: Access, where: Prisma.LoginEventWhereInput): Promise<void> =>
  inBatches(async () => {
    const found = await access.read.loginEvent.findMany({ where, select: { id: true }, take: batchSize });
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) await inTransaction(access, (tx) => tx.loginEvent.deleteMany({ where: { id: { in: ids } } }));
    return ids.length;
  });
