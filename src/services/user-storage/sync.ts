import { GreaterThanEqualsFilter } from 'ldapts';
import type { Db } from '../../database/db.js';
import { forgetPoliciesOf } from '../authorization/cascade.js';
import { type Entry, idOf } from '../ldap/entry.js';
import { LdapFault } from '../ldap/fault.js';
import { generalizedTime, knowsPages, searchPeople } from '../ldap/people.js';
import { pagesOf, wholeOf } from '../ldap/search.js';
import { numberOf } from './config.js';
import { importPeople, withoutRaces } from './import.js';
import { type Lease, takeLease } from './lease.js';
import { allMemberships } from './load-memberships.js';
import type { Memberships } from './memberships.js';
import { type Person, personOf, readAttributes } from './person.js';
import { after, resultOf, type Step, type SyncKind, type SyncProgress } from './progress.js';
import { nothingDone, type SyncResult } from './representation.js';
import type { Storage, SyncServices } from './storage.js';

const largestBatch = 1000;
/** Milliseconds by which the clocks of the directory and of this server may differ. */
const clockSkew = 60_000;

const batchOf = ({ config }: Storage): number => {
  const wanted = numberOf(config, 'batchSizeForSync', largestBatch);
  return wanted > 0 ? Math.min(wanted, largestBatch) : largestBatch;
};

/** A synchronisation that goes on. */
interface Running {
  services: SyncServices;
  storage: Storage;
  lease: Lease;
  progress: SyncProgress;
  memberships: Memberships;
  /** what identifies the entries of the directory that came until now */
  seen: Set<string>;
  /** people whose names others have at present */
  blocked: Person[];
}

/**
 * Brings the users of a storage up to its directory. One batch is one page of the directory and one transaction, so what
 * was done before a fault stays, and the next time goes on. One instance at a time does it, and with `endedAt` only if no
 * other one has ended since then. Throws `LdapFault` where the directory stops; the numbers of what was done are kept with
 * the error.
 */
export async function syncStorage(
  services: SyncServices,
  storage: Storage,
  kind: SyncKind,
  endedAt?: bigint | null,
): Promise<SyncResult> {
  const ignored = { ...nothingDone(), ignored: true };
  if (!storage.enabled || !storage.imports) return ignored;
  const lease = await takeLease(services, storage, kind, endedAt);
  if (!lease) return ignored;
  const { startedAt } = lease.begun;
  const since = kind === 'CHANGED' ? sinceLast(lease) : undefined;
  const total = since === undefined ? lease.before.entries : null;
  const progress = { ...lease.begun, total };
  const running: Running = { services, storage, lease, progress, memberships: [], seen: new Set(), blocked: [] };
  const end = (more: object, result: object) =>
    lease.end({ ...more, lastKind: kind, lastResult: { ...resultOf(running.progress), ...result } });
  try {
    await run(running, since);
    const { done } = running.progress;
    const whole = since === undefined && { fullSyncAt: startedAt, entries: done };
    await end({ ...whole, changedSyncAt: startedAt, progress: { ...running.progress, total: done } }, {});
    return resultOf(running.progress);
  } catch (error) {
    const text = error instanceof LdapFault ? error.message : 'an internal error';
    await end({ progress: running.progress }, { error: text }).catch(() => undefined);
    throw error;
  }
}

/** When the last synchronisation began that came to its end. Without one all users count as changed. */
const sinceLast = ({ before: { fullSyncAt, changedSyncAt } }: Lease): number | undefined =>
  fullSyncAt === null ? undefined : Number(changedSyncAt ?? fullSyncAt);

async function run(running: Running, since: number | undefined): Promise<void> {
  const { services, storage } = running;
  const { people, directory, config } = storage;
  const { attributes, binary } = readAttributes(storage);
  const value = since === undefined ? undefined : generalizedTime(since - clockSkew);
  const filter = value === undefined ? undefined : new GreaterThanEqualsFilter({ attribute: people.modified, value });
  await inBatch(running, async () => ({}));
  running.memberships = await allMemberships(services, storage);
  const batch = batchOf(storage);
  const pages = knowsPages(config) ? pagesOf : wholeOf;
  for await (const page of pages(directory, searchPeople(people, attributes, binary, filter), batch)) {
    const known = peopleOf(running, page);
    const lost = page.length - known.length;
    await importBatch(running, known, { done: page.length, failed: lost }, (blocked) => {
      running.blocked.push(...blocked);
      return 0;
    });
  }
  if (since === undefined) await removeVanished(running);
  // by now others have given up their names, or are gone
  for (let at = 0; at < running.blocked.length; at += largestBatch) {
    await importBatch(running, running.blocked.slice(at, at + largestBatch), {}, ({ length }) => length);
  }
}

/** The people of a page: entries without a name, and those of an id that came before, are none. */
const peopleOf = ({ storage, seen }: Running, page: readonly Entry[]): Person[] =>
  page.flatMap((entry) => {
    const id = idOf(entry, storage.people.id);
    if (!id || seen.has(id)) return [];
    // whoever is in the directory is not taken for vanished
    seen.add(id);
    return personOf(storage, entry) ?? [];
  });

/** Imports people. `failing` says how many of those whose names others have are given up. */
async function importBatch(
  running: Running,
  people: readonly Person[],
  step: Step,
  failing: (blocked: readonly Person[]) => number,
): Promise<void> {
  const { services, storage, memberships } = running;
  let blocked: readonly Person[] = [];
  await inBatch(running, async (tx) => {
    const { added, updated, failed, ...rest } = await importPeople(tx, services, storage, people, memberships);
    blocked = rest.blocked;
    return { ...step, added, updated, failed: failed + (step.failed ?? 0) };
  });
  running.progress = after(running.progress, { failed: failing(blocked) });
}

/** One transaction with its part of the progress. Ends the synchronisation when the service stops. */
async function inBatch(running: Running, work: (tx: Db) => Promise<Step>): Promise<void> {
  const { services, lease } = running;
  if (services.stopping.aborted) throw new LdapFault('the service stops; the next synchronisation goes on from here');
  const { progress, notice } = await withoutRaces(services.database, async (tx) => {
    await lease.renew(tx);
    const progress = after(running.progress, await work(tx));
    return { progress, notice: await lease.report(tx, progress) };
  });
  running.progress = progress;
  services.feed.publish(notice);
}

/** Deletes the users that the directory no longer has, in batches. */
async function removeVanished(running: Running): Promise<void> {
  const { services, storage, seen } = running;
  let last = '';
  for (;;) {
    const users = await services.database.read.user.findMany({
      where: { federationLink: storage.id, federationId: { not: null }, id: { gt: last } },
      select: { id: true, federationId: true },
      orderBy: { id: 'asc' },
      take: largestBatch,
    });
    const gone = users.flatMap(({ id, federationId }) => (seen.has(federationId ?? '') ? [] : id));
    if (gone.length > 0) {
      await inBatch(running, async (tx) => {
        await forgetPoliciesOf(tx, 'user', gone);
        await tx.user.deleteMany({ where: { id: { in: gone } } });
        return { removed: gone.length };
      });
    }
    if (users.length < largestBatch) return;
    last = users.at(-1)?.id ?? '';
  }
}
