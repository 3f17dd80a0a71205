import type { Services } from '../../core/context.js';
import { inTransaction } from '../../core/unit-of-work.js';
import { revertibleFor } from './representation.js';

/** Removes what takes applies back that are too old for that. The applies stay in the history of their realms. */
export async function removeExpiredInverses({ database, now }: Pick<Services, 'database' | 'now'>): Promise<void> {
  const appliedAt = { lte: BigInt(now() - revertibleFor) };
  await inTransaction(database.upkeep, (tx) =>
    tx.realmApply.updateMany({ where: { appliedAt, inverse: { not: null } }, data: { inverse: null } }),
  );
}
