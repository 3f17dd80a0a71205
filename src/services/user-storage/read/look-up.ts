import type { Filter } from 'ldapts';
import type { RealmRecord } from '../../core/realm.js';
import { inTransaction, inUnitOfWork } from '../../core/unit-of-work.js';
import { idValue } from '../../ldap/entry.js';
import { LdapFault, resultCodes, unanswered } from '../../ldap/fault.js';
import { allOf, equals } from '../../ldap/filter.js';
import { containing, searchPeople } from '../../ldap/people.js';
import { findEntries } from '../../ldap/search.js';
import { storedUsername } from '../../users/usernames.js';
import { attributeFor } from '../attribute-for.js';
import { type Person, personOf, readAttributes } from '../person.js';
import { type Storage, type StorageServices, searchedStorages } from '../storage.js';
import { importPeople } from '../sync/import.js';
import type { Memberships } from '../sync/memberships.js';
import { knownOf, withoutTaken } from './in-use.js';
import { givesMemberships, membershipsOf } from './person-memberships.js';

/** The user with this name or address in the current state of the directory. */
export async function findPerson(
  storage: Storage,
  field: 'username' | 'email',
  value: string,
): Promise<Person | undefined> {
  const attribute = attributeFor(storage, field);
  const wanted = storedUsername(value);
  return attribute === undefined
    ? undefined
    : personWith(storage, equals(attribute, value), (person) => storedUsername(person[field] ?? '') === wanted);
}

/** The current user with this ID in the directory. Throws `LdapFault`. */
export const personOfId = (storage: Storage, federationId: string): Promise<Person | undefined> =>
  personWith(
    storage,
    equals(storage.people.id, idValue(federationId, storage.people.id)),
    (person) => person.federationId === federationId,
  );

/** Maximum entries in a search for one user: further values of an attribute can match in other entries. */
const mostAlike = 10;

/**
 * The one user with this name: other entries may have it as a further value, which their users can write themselves.
 */
async function personWith(
  storage: Storage,
  filter: Filter,
  isMeant: (person: Person) => boolean,
): Promise<Person | undefined> {
  const { attributes, binary } = readAttributes(storage);
  const search = searchPeople(storage.people, attributes, binary, filter);
  const entries = await findEntries(storage.directory, search, mostAlike);
  const [person, another] = entries.flatMap((entry) => personOf(storage, entry) ?? []).filter(isMeant);
  if (another) throw new LdapFault('the directory has two entries for one user', resultCodes.success);
  return person;
}

/**
 * Imports the user who logs in with this name, if a directory has it. Storages are searched in the order of their
 * priority, or only the one with this ID. If one does not answer, the login is refused, because the name may belong to
 * its user.
 */
export async function importByLogin(
  services: StorageServices,
  realmId: string,
  name: string,
  byEmail: boolean,
  id?: string,
): Promise<boolean> {
  for (const { storage, before } of await searchedStorages(services, realmId)) {
    if (id !== undefined && storage.id !== id) continue;
    const found = await importOne(services, storage, before, { name, byEmail }).catch((error: unknown) => {
      throw unanswered(storage, error);
    });
    if (found) return true;
  }
  return false;
}

async function importOne(
  services: StorageServices,
  storage: Storage,
  before: readonly Storage[],
  { name, byEmail }: { name: string; byEmail: boolean },
): Promise<boolean> {
  const byAddress = byEmail ? await findPerson(storage, 'email', name) : undefined;
  const person = byAddress ?? (await findPerson(storage, 'username', name));
  const people = person ? await withoutTaken(services, storage, before, [person]) : [];
  if (people.length === 0) return false;
  const memberships = await membershipsOfNew(services, storage, people);
  const { realmId } = storage;
  return inUnitOfWork(
    services,
    async ({ tx, changedHere }) => {
      const { found } = await importPeople(tx, services, storage, people, memberships, 'alwaysRead');
      if (found > 0) changedHere({ realmId, operation: 'userStorage.import', touches: [`users:${realmId}`] });
      return found > 0;
    },
    { retryDuplicates: true },
  );
}

/** The groups and roles of the directory users who are new in the realm. Memberships of others stay unchanged. */
async function membershipsOfNew(
  services: StorageServices,
  storage: Storage,
  people: readonly Person[],
): Promise<Memberships> {
  if (people.length === 0 || !givesMemberships(storage)) return [];
  const ids = await knownOf(services, storage, people);
  const news = people.filter(({ federationId }) => !ids.has(federationId));
  try {
    return await membershipsOf(services, storage, news);
  } catch (error) {
    // a broken mapper must not prevent logins
    if (error instanceof LdapFault && error.code !== undefined) return [];
    throw error;
  }
}

/** The search terms for users. */
export interface Criteria {
  search?: string | undefined;
  username?: string | undefined;
  email?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
}

const fields = ['username', 'email', 'firstName', 'lastName'] as const;
/** Maximum number of directory users that one search imports from a storage. */
const mostFound = 100;
/** Maximum number of words in a search of a directory. The database then tests the results for all words. */
const mostWords = 20;

function filterOf(storage: Storage, criteria: Criteria): Filter | undefined {
  const attributes = (names: readonly string[]) => names.flatMap((name) => attributeFor(storage, name) ?? []);
  const words = [...new Set((criteria.search ?? '').split(/\s+/).filter((word) => word !== ''))].slice(0, mostWords);
  if (criteria.search !== undefined) {
    if (words.length === 0 || criteria.search.startsWith('id:')) return undefined;
    return allOf(words.map((word) => containing(attributes(fields), word)));
  }
  const parts = fields.flatMap((field) => {
    const value = criteria[field]?.trim();
    return value ? [containing(attributes([field]), value)] : [];
  });
  return parts.length === 0 ? undefined : allOf(parts);
}

/**
 * Imports the matching users of the directories into the realm, so that the search in the database finds them. At most
 * a hundred of each storage. Takes one search for each storage. New directory users take two more searches for each
 * mapper of groups or roles, and one transaction. Returns whether anything changed.
 */
export async function importMatches(
  services: StorageServices,
  realm: Pick<RealmRecord, 'id' | 'components'>,
  criteria: Criteria,
): Promise<boolean> {
  if (realm.components.length === 0 || (!criteria.search && fields.every((field) => !criteria[field]))) return false;
  let changed = false;
  for (const { storage, before } of await searchedStorages(services, realm.id)) {
    const filter = filterOf(storage, criteria);
    if (!filter) continue;
    const { attributes, binary } = readAttributes(storage);
    const search = searchPeople(storage.people, attributes, binary, filter);
    try {
      const entries = await findEntries(storage.directory, search, mostFound);
      const seen = entries.flatMap((entry) => personOf(storage, entry) ?? []);
      const people = await withoutTaken(services, storage, before, seen);
      if (people.length === 0) continue;
      const memberships = await membershipsOfNew(services, storage, people);
      const { added, updated } = await inTransaction(
        services.database,
        (tx) => importPeople(tx, services, storage, people, memberships, 'alwaysRead'),
        { retryDuplicates: true },
      );
      changed ||= added + updated > 0;
    } catch (error) {
      // results of the database and other directories are returned nevertheless
      if (!(error instanceof LdapFault)) throw error;
    }
  }
  return changed;
}
