import { GreaterThanEqualsFilter } from 'ldapts';
import type { Db } from '../../../database/db.js';
import { inUnitOfWork } from '../../core/unit-of-work.js';
import { type Entry, idOf, textOf } from '../../ldap/entry.js';
import { LdapFault } from '../../ldap/fault.js';
import { generalizedTime, knowsPages, searchPeople } from '../../ldap/people.js';
import { pagesOf, wholeOf } from '../../ldap/search.js';
import { numberOf } from '../config.js';
import { type Person, personOf, readAttributes } from '../person.js';
import { knownOf, withoutTaken } from '../read/in-use.js';
import { nothingDone, type SyncResult } from '../representation.js';
import { type Storage, type SyncServices, searchedStorages } from '../storage.js';
import { removeUsers } from '../store.js';
import { type Imported, importPeople } from './import.js';
import { type Lease, takeLease } from './lease.js';
import { allMemberships } from './load-memberships.js';
import type { Memberships } from './memberships.js';
import { after, resultOf, type Step, type SyncKind, type SyncProgress, secondOf } from './progress.js';
import { reportFailed } from './report-failed.js';

const largestBatch = 1000;
/** Milliseconds by which the clocks of the directory and of this server may differ. */
const clockSkew = 60_000;

const batchOf = ({ config }: Storage): number => {
  const wanted = numberOf(config, 'batchSizeForSync', largestBatch);
  return wanted > 0 ? Math.min(wanted, largestBatch) : largestBatch;
};

/** A running synchronisation. */
interface Running {
  services: SyncServices;
  storage: Storage;
  lease: Lease;
  progress: SyncProgress;
  memberships: Memberships;
  /** only entries that changed since this time are compared; undefined: all entries */
  since: number | undefined;
  /** IDs of the directory entries that were received so far */
  seen: Set<string>;
  /** IDs of entries on the last page whose own timestamp shows a change since then, without the tolerance for clocks */
  recent: Set<string>;
  /** directory users whose names other users have at present */
  blocked: Person[];
  /** storages with precedence: names belong to the first one that has them */
  before: readonly Storage[];
  /** whether one of these did not answer: then no new user gets a name */
  isUnsure: boolean;
}

/**
 * Updates the users of a storage from its directory. One batch is one page of the directory and one transaction, so
 * batches before a fault stay, and the next synchronisation continues. One instance at a time does it, and with
 * `endedAt` only if no other one has ended since then. Throws `LdapFault` if the directory fails; the progress is
 * stored with the error.
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
  const since = kind === 'CHANGED' ? sinceLast(lease, storage) : undefined;
  const total = kind === 'FULL' ? lease.before.entries : null;
  const progress = { ...lease.begun, total };
  const none = { memberships: [], seen: new Set<string>(), recent: new Set<string>(), blocked: [] };
  const asked = await searchedStorages(services, storage.realmId);
  const before = asked.find((other) => other.storage.id === storage.id)?.before ?? [];
  const running: Running = { services, storage, lease, progress, since, before, isUnsure: false, ...none };
  const end = (succeeded: boolean, more: object, result: object) =>
    lease.end({ ...more, succeeded, lastKind: kind, lastResult: { ...resultOf(running.progress), ...result } });
  try {
    await run(running);
    const { done } = running.progress;
    const whole = kind === 'FULL' && { fullSyncAt: startedAt, entries: done };
    await end(true, { ...whole, changedSyncAt: startedAt, progress: { ...running.progress, total: done } }, {});
    return resultOf(running.progress);
  } catch (error) {
    const text = error instanceof LdapFault ? error.message : 'an internal error';
    await end(false, { progress: running.progress }, { error: text }).catch(() => undefined);
    throw error;
  }
}

/** The last second that a directory's time can name. */
const latest = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

/**
 * When the last synchronisation began that came to its end, or the time that an administrator has set since. Without one
 * all users count as changed.
 */
function sinceLast({ before: { changedSyncAt } }: Lease, { config }: Storage): number | undefined {
  const seconds = Math.min(Math.floor(numberOf(config, 'lastSync', 0)), latest);
  if (seconds <= 0) return undefined;
  const last = Number(changedSyncAt ?? 0);
  return secondOf(last) === seconds ? last : seconds * 1000;
}

async function run(running: Running): Promise<void> {
  const { services, storage, since } = running;
  const { people, directory, config } = storage;
  const { attributes, binary } = readAttributes(storage);
  const value = since === undefined ? undefined : generalizedTime(since - clockSkew);
  const filter = value === undefined ? undefined : new GreaterThanEqualsFilter({ attribute: people.modified, value });
  await inBatch(running, async () => ({}));
  running.memberships = await allMemberships(services, storage);
  const batch = batchOf(storage);
  const pages = knowsPages(config) ? pagesOf : wholeOf;
  const read = since === undefined ? attributes : [...attributes, people.modified];
  for await (const page of pages(directory, searchPeople(people, read, binary, filter), batch)) {
    running.recent = recentOf(running, page);
    const { known, nameless } = peopleOf(running, page);
    reportFailed(services, storage, 'user', nameless, { reason: 'without a username or an ID' });
    const named = await entitled(running, known);
    const failed = nameless.length + known.length - named.length;
    await importBatch(running, named, { done: page.length, failed }, (blocked) => {
      running.blocked.push(...blocked);
      return [];
    });
  }
  if (running.progress.kind === 'FULL') await removeVanished(running);
  // by now other users have given up their names, or were deleted
  for (let at = 0; at < running.blocked.length; at += largestBatch) {
    await importBatch(running, running.blocked.slice(at, at + largestBatch), {}, (blocked) => blocked);
  }
}

/** The directory users of a page, and the entries that are left out: entries without a name, and repeated IDs. */
function peopleOf({ storage, seen }: Running, page: readonly Entry[]): { known: Person[]; nameless: Entry[] } {
  const known: Person[] = [];
  const nameless: Entry[] = [];
  for (const entry of page) {
    const id = idOf(entry, storage.people.id);
    const person = id && !seen.has(id) ? personOf(storage, entry) : undefined;
    // users in the directory are not treated as deleted
    if (id) seen.add(id);
    if (person) known.push(person);
    else nameless.push(entry);
  }
  return { known, nameless };
}

/** The IDs of entries whose own timestamp shows a change since the start time of the synchronisation. */
function recentOf({ storage: { people }, since }: Running, page: readonly Entry[]): Set<string> {
  if (since === undefined) return new Set();
  const begin = digitsOf(generalizedTime(since));
  return new Set(
    page.flatMap((entry) => {
      const modified = digitsOf(textOf(entry, people.modified) ?? '');
      return modified >= begin ? (idOf(entry, people.id) ?? []) : [];
    }),
  );
}

/** A time of a directory to the second. */
const digitsOf = (time: string): string => time.slice(0, 14);

/** Leaves out new directory users whose names a user of an earlier storage has, or may have. */
async function entitled(running: Running, people: readonly Person[]): Promise<readonly Person[]> {
  const { services, storage } = running;
  const named = (await withoutNamesakes(running, people)) ?? (await alreadyImported(running, people));
  const left = new Set(named);
  const others = people.filter((person) => !left.has(person));
  const reason = running.isUnsure
    ? 'another directory did not respond'
    : 'the username or email address belongs to a user in another directory';
  reportFailed(services, storage, 'user', others, { reason });
  return named;
}

/**
 * Leaves out new directory users whose names a user of an earlier storage has; undefined if such a storage does not
 * answer.
 */
async function withoutNamesakes(running: Running, people: readonly Person[]): Promise<readonly Person[] | undefined> {
  if (running.isUnsure) return undefined;
  const { services, storage, before } = running;
  try {
    return await withoutTaken(services, storage, before, people);
  } catch (error) {
    if (!(error instanceof LdapFault)) throw error;
    running.isUnsure = true;
    return undefined;
  }
}

async function alreadyImported({ services, storage }: Running, people: readonly Person[]): Promise<Person[]> {
  const known = await knownOf(services, storage, people);
  return people.filter(({ federationId }) => known.has(federationId));
}

/** Imports directory users. `failing` selects the blocked directory users that are given up. */
async function importBatch(
  running: Running,
  people: readonly Person[],
  step: Step,
  failing: (blocked: readonly Person[]) => readonly Person[],
): Promise<void> {
  const { services, storage, memberships, since, recent } = running;
  let outcome: Imported | undefined;
  await inBatch(running, async (tx) => {
    const imported = await importPeople(tx, services, storage, people, memberships);
    outcome = imported;
    const { added, found, failed, unchanged } = imported;
    // some entries are compared only because clocks may differ: they count only if they bring a change
    const again = unchanged.filter(({ federationId }) => recent.has(federationId)).length;
    const updated = since === undefined ? found - added : imported.updated + again;
    return { ...step, added, updated, failed: failed.length + (step.failed ?? 0) };
  });
  const givenUp = failing(outcome?.blocked ?? []);
  const reason = 'the username or email address belongs to another user or is not allowed';
  reportFailed(services, storage, 'user', [...(outcome?.failed ?? []), ...givenUp], { reason });
  running.progress = after(running.progress, { failed: givenUp.length });
}

/** Runs one transaction with its part of the progress. Ends the synchronisation when the service stops. */
async function inBatch(running: Running, work: (tx: Db) => Promise<Step>): Promise<void> {
  const { services, lease } = running;
  if (services.stopping.aborted)
    throw new LdapFault('the service is stopping; the next synchronisation continues here');
  running.progress = await inUnitOfWork(
    services,
    async (unit) => {
      await lease.renew(unit.tx);
      const progress = after(running.progress, await work(unit.tx));
      await lease.report(unit, progress);
      return progress;
    },
    { retryDuplicates: true },
  );
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
        await removeUsers(tx, gone);
        return { removed: gone.length };
      });
    }
    if (users.length < largestBatch) return;
    last = users.at(-1)?.id ?? '';
  }
}
