import type { Services } from '../core/context.js';
import { inTransaction } from '../core/unit-of-work.js';
import { noPreviousSecret } from './secrets.js';

/** Removes the previous secrets of clients that are accepted no more. */
export const removeExpiredSecrets = async ({ database, now }: Pick<Services, 'database' | 'now'>): Promise<void> => {
  await inTransaction(database.upkeep, (tx) =>
    tx.client.updateMany({ where: { previousSecretUntil: { gt: 0n, lte: BigInt(now()) } }, data: noPreviousSecret }),
  );
};
