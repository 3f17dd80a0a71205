import type { Services } from '../../core/context.js';
import { inTransaction } from '../../core/unit-of-work.js';
import { revertibleFor } from './representation.js';

/** Removes the inverses of applies that can no longer be reverted. The applies stay in the history of their realms. */
export async function removeExpiredInverses({ database, now }: Pick<Services, 'database' | 'now'>): Promise<void> {
  const appliedAt = { lte: BigInt(now() - revertibleFor) };
  await inTransaction(database.upkeep, (tx) =>
    tx.realmApply.updateMany({ where: { appliedAt, inverse: { not: null } }, data: { inverse: null } }),
  );
}
