import { GreaterThanEqualsFilter } from 'ldapts';
import type { Db } from '../../database/db.js';
import { forgetPoliciesOf } from '../authorization/cascade.js';
import { retried } from '../core/transaction.js';
import { LdapFault } from '../ldap/fault.js';
import { generalizedTime, knowsPages, searchPeople } from '../ldap/people.js';
import { pagesOf, wholeOf } from '../ldap/search.js';
import { numberOf } from './config.js';
import { importPeople } from './import.js';
import { type Lease, takeLease } from './lease.js';
import { allMemberships } from './load-memberships.js';
import { personOf, readAttributes } from './person.js';
import { nothingDone, type SyncResult } from './representation.js';
import type { Storage, StorageServices } from './storage.js';

/** Which users are looked at: all, or those that changed since the last time. */
export type SyncKind = 'FULL' | 'CHANGED';

/** Hears of what is done so far, after each batch. */
export type Progress = (result: Readonly<SyncResult>) => void;

const largestBatch = 1000;
/** Milliseconds by which the clocks of the directory and of this server may differ. */
const clockSkew = 60_000;

const batchOf = ({ config }: Storage): number => {
  const wanted = numberOf(config, 'batchSizeForSync', largestBatch);
  return wanted > 0 ? Math.min(wanted, largestBatch) : largestBatch;
};

/**
 * Brings the users of a storage up to its directory. One batch is one page of the directory and one transaction, so what
 * was done before a fault stays, and the next time goes on. One instance at a time does it. Throws `LdapFault` where the
 * directory stops; the numbers of what was done are kept with the error.
 */
export async function syncStorage(
  services: StorageServices,
  storage: Storage,
  kind: SyncKind,
  progress: Progress = () => undefined,
): Promise<SyncResult> {
  const ignored = { ...nothingDone(), ignored: true };
  if (!storage.enabled || !storage.imports) return ignored;
  const lease = await takeLease(services, storage.id);
  if (!lease) return ignored;
  const began = services.now();
  const result = nothingDone();
  try {
    const since = kind === 'CHANGED' ? await lastSync(services, storage) : undefined;
    await run(services, storage, lease, since, result, progress);
    await lease.end({
      ...(since === undefined && { fullSyncAt: began }),
      changedSyncAt: began,
      lastKind: kind,
      lastResult: result,
    });
    return result;
  } catch (error) {
    const text = error instanceof LdapFault ? error.message : 'an internal error';
    await lease.end({ lastKind: kind, lastResult: { ...result, error: text } }).catch(() => undefined);
    throw error;
  }
}

/** When the last synchronisation began that came to its end. Without one all users count as changed. */
async function lastSync({ database }: StorageServices, { id }: Storage): Promise<number | undefined> {
  const state = await database.read.userStorageState.findUnique({
    where: { componentId: id },
    select: { fullSyncAt: true, changedSyncAt: true },
  });
  if (!state?.fullSyncAt) return undefined;
  return Number(state.changedSyncAt ?? state.fullSyncAt);
}

async function run(
  services: StorageServices,
  storage: Storage,
  lease: Lease,
  since: number | undefined,
  result: SyncResult,
  progress: Progress,
): Promise<void> {
  const { people, directory, config } = storage;
  const { attributes, binary } = readAttributes(storage);
  const value = since === undefined ? undefined : generalizedTime(since - clockSkew);
  const filter = value === undefined ? undefined : new GreaterThanEqualsFilter({ attribute: people.modified, value });
  const memberships = await allMemberships(services, storage);
  const batch = batchOf(storage);
  const pages = knowsPages(config) ? pagesOf : wholeOf;
  const seen = new Set<string>();
  for await (const page of pages(directory, searchPeople(people, attributes, binary, filter), batch)) {
    const found = page.map((entry) => personOf(storage, entry));
    const known = found.filter((person) => person !== undefined);
    result.failed += found.length - known.length;
    const done = await inBatch(services, lease, (tx) => importPeople(tx, services, storage, known, memberships));
    result.added += done.added;
    result.updated += done.updated;
    result.failed += done.failed;
    for (const id of done.ids) seen.add(id);
    progress(result);
  }
  if (since === undefined) await removeVanished(services, storage, lease, seen, result, progress);
}

const inBatch = <T>({ database }: StorageServices, lease: Lease, work: (tx: Db) => Promise<T>): Promise<T> =>
  retried(database, async (tx) => {
    if (!(await lease.renew(tx))) throw new LdapFault('another instance has taken over the synchronisation', 0);
    return work(tx);
  });

/** Deletes the users that the directory no longer has, in batches. */
async function removeVanished(
  services: StorageServices,
  storage: Storage,
  lease: Lease,
  seen: ReadonlySet<string>,
  result: SyncResult,
  progress: Progress,
): Promise<void> {
  let after = '';
  for (;;) {
    const users = await services.database.read.user.findMany({
      where: { federationLink: storage.id, federationId: { not: null }, id: { gt: after } },
      select: { id: true },
      orderBy: { id: 'asc' },
      take: largestBatch,
    });
    const gone = users.map(({ id }) => id).filter((id) => !seen.has(id));
    if (gone.length > 0) {
      await inBatch(services, lease, async (tx) => {
        await forgetPoliciesOf(tx, 'user', gone);
        await tx.user.deleteMany({ where: { id: { in: gone } } });
      });
      result.removed += gone.length;
      progress(result);
    }
    if (users.length < largestBatch) return;
    after = users.at(-1)?.id ?? '';
  }
}
