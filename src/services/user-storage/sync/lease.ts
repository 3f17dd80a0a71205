import type { Db } from '../../../database/db.js';
import { inTransaction, inUnitOfWork, type UnitOfWork } from '../../core/unit-of-work.js';
import { LdapFault, resultCodes } from '../../ldap/fault.js';
import type { Config } from '../config.js';
import type { Storage, SyncServices } from '../storage.js';
import { type SyncKind, type SyncProgress, secondOf, touchesSync } from './progress.js';

/** Milliseconds for which an instance has the exclusive right to a storage; each batch renews it. */
export const leaseTime = 60_000;

const kept = { fullSyncAt: true, changedSyncAt: true, entries: true } as const;

/** The stored data of synchronisations. Times are in milliseconds since 1970. */
interface Kept {
  fullSyncAt: bigint | null;
  changedSyncAt: bigint | null;
  entries: number | null;
}

/** The data to store at the end of a synchronisation. */
interface Ending {
  /** whether the synchronisation came to its end */
  succeeded: boolean;
  fullSyncAt?: number;
  changedSyncAt?: number;
  entries?: number;
  lastKind: string;
  lastResult: object;
  progress?: SyncProgress;
}

/** The right to synchronise a storage. */
export interface Lease {
  /** the stored data of earlier synchronisations */
  before: Kept;
  /** the initial progress: nothing is done */
  begun: SyncProgress;
  /**
   * Holds the lease through the transaction of a batch, so that no other instance does the same. Throws `LdapFault` if
   * another instance has taken it in the meantime.
   */
  renew(tx: Db): Promise<void>;
  /** Stores the progress of the synchronisation. */
  report(unit: UnitOfWork, progress: SyncProgress): Promise<void>;
  /** Releases the lease, and stores the end of the synchronisation. */
  end(ending: Ending): Promise<void>;
}

/**
 * Stores the time of a synchronisation in the settings, as in the contract, unless they are changed at the same moment.
 */
async function keepTime(tx: Db, id: string, time: number): Promise<void> {
  const component = await tx.component.findUnique({ where: { id }, select: { config: true, version: true } });
  if (!component) return;
  const config = { ...(component.config as Config), lastSync: [String(secondOf(time))] };
  await tx.later.component.updateMany({ where: { id, version: component.version }, data: { config } });
}

/**
 * Takes the right to synchronise a storage, unless another instance has it. With `endedAt`, also refuses if another
 * synchronisation has ended since that time.
 */
export async function takeLease(
  services: SyncServices,
  { id: componentId, realmId }: Pick<Storage, 'id' | 'realmId'>,
  kind: SyncKind,
  endedAt?: bigint | null,
): Promise<Lease | undefined> {
  const { database, newId, now } = services;
  const owner = newId();
  const startedAt = now();
  const begun = { kind, startedAt, done: 0, total: null, added: 0, updated: 0, removed: 0, failed: 0 };
  const before = await inTransaction(database, async (tx) => {
    await tx.insertNew('UserStorageState', [{ componentId }]);
    const { count } = await tx.userStorageState.updateMany({
      where: {
        componentId,
        OR: [{ leaseUntil: null }, { leaseUntil: { lt: startedAt } }],
        ...(endedAt !== undefined && { endedAt }),
      },
      data: { leaseOwner: owner, leaseUntil: startedAt + leaseTime, progress: begun },
    });
    return count === 1 ? tx.userStorageState.findUnique({ where: { componentId }, select: kept }) : null;
  });
  if (!before) return undefined;
  const own = { componentId, leaseOwner: owner };
  const tell = ({ changed }: UnitOfWork, operation: string, touches: string[]) =>
    changed({ realmId, operation, touches: [...touches, touchesSync(componentId)] });
  return {
    before,
    begun,
    async renew(tx) {
      const { count } = await tx.userStorageState.updateMany({ where: own, data: { leaseUntil: now() + leaseTime } });
      if (count !== 1) throw new LdapFault('another instance has taken over the synchronisation', resultCodes.success);
    },
    async report(unit, progress) {
      await unit.tx.later.userStorageState.updateMany({ where: own, data: { progress: { ...progress } } });
      await tell(unit, 'userStorage.progress', []);
    },
    async end({ progress, succeeded, ...ending }) {
      await inUnitOfWork(services, async (unit) => {
        const { tx } = unit;
        if (succeeded) await keepTime(tx, componentId, startedAt);
        await tx.later.userStorageState.updateMany({
          where: own,
          data: {
            ...ending,
            ...(progress && { progress: { ...progress } }),
            endedAt: now(),
            leaseOwner: null,
            leaseUntil: null,
          },
        });
        const components = succeeded ? [`components:${realmId}`] : [];
        await tell(unit, 'userStorage.sync', [
          ...components,
          `users:${realmId}`,
          `groups:${realmId}`,
          `roles:${realmId}`,
          'rights',
        ]);
      });
    },
  };
}
