import type { Db } from '../../database/db.js';
import type { StorageServices } from './storage.js';

/** Milliseconds for which an instance has a storage to itself; each batch renews it. */
export const leaseTime = 60_000;

/** The right to synchronise a storage. */
export interface Lease {
  owner: string;
  /** Renews it in the transaction of a batch. False where another instance has taken it meanwhile. */
  renew(tx: Db): Promise<boolean>;
  /** Gives it back, with what is to be kept of the synchronisation. */
  end(kept: { fullSyncAt?: number; changedSyncAt?: number; lastKind: string; lastResult: object }): Promise<void>;
}

/** Takes the right to synchronise a storage, unless somebody has it. */
export async function takeLease(
  { database, newId, now }: Pick<StorageServices, 'database' | 'newId' | 'now'>,
  componentId: string,
): Promise<Lease | undefined> {
  const owner = newId();
  const taken = await database.transaction(async (tx) => {
    await tx.insertNew('UserStorageState', [{ componentId }]);
    const at = now();
    const { count } = await tx.userStorageState.updateMany({
      where: { componentId, OR: [{ leaseUntil: null }, { leaseUntil: { lt: at } }] },
      data: { leaseOwner: owner, leaseUntil: at + leaseTime },
    });
    return count === 1;
  });
  if (!taken) return undefined;
  return {
    owner,
    async renew(tx) {
      const { count } = await tx.userStorageState.updateMany({
        where: { componentId, leaseOwner: owner },
        data: { leaseUntil: now() + leaseTime },
      });
      return count === 1;
    },
    async end(kept) {
      await database.transaction((tx) =>
        tx.userStorageState.updateMany({
          where: { componentId, leaseOwner: owner },
          data: { ...kept, endedAt: now(), leaseOwner: null, leaseUntil: null },
        }),
      );
    },
  };
}
