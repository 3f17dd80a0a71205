import { type Filter, OrFilter } from 'ldapts';
import { conflict } from '../core/refusal.js';
import { retried } from '../core/transaction.js';
import { directoryRefusal, LdapFault } from '../ldap/fault.js';
import { equals } from '../ldap/filter.js';
import { containing, searchPeople } from '../ldap/people.js';
import { findEntries, findEntry } from '../ldap/search.js';
import type { RealmRecord } from '../realms/record.js';
import { one } from './config.js';
import { importPeople } from './import.js';
import { membershipsOf } from './load-memberships.js';
import { type Person, personOf, readAttributes } from './person.js';
import { askedOf, type Storage, type StorageServices, storagesOf } from './storage.js';

/** The attribute of the directory that a field of users comes from, if any. */
export function attributeFor({ mappers, people }: Storage, field: string): string | undefined {
  const mapper = mappers.find(
    ({ providerId, config }) =>
      providerId === 'user-attribute-ldap-mapper' && one(config, 'user.model.attribute') === field,
  );
  return (mapper && one(mapper.config, 'ldap.attribute')) ?? (field === 'username' ? people.username : undefined);
}

/** The person with this value in a field, as the directory has it now. Throws `LdapFault`. */
export async function findPerson(storage: Storage, field: string, value: string): Promise<Person | undefined> {
  const attribute = attributeFor(storage, field);
  if (attribute === undefined) return undefined;
  const { attributes, binary } = readAttributes(storage);
  const search = searchPeople(storage.people, attributes, binary, equals(attribute, value));
  const entry = await findEntry(storage.directory, search);
  return entry && personOf(storage, entry);
}

/** The storages of a realm that are asked for users; no statement where the realm is known to have none. */
const asked = async (services: StorageServices, realmId: string): Promise<Storage[]> =>
  askedOf(await storagesOf(services, realmId));

/** A directory that does not answer is passed over: what others have is found nevertheless. */
async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LdapFault) return undefined;
    throw error;
  }
}

/**
 * Takes whoever logs in with this name into the realm, if a directory has it. Storages are asked in the order of their
 * priority; one that does not answer is passed over.
 */
export async function importByLogin(
  services: StorageServices,
  realmId: string,
  name: string,
  byEmail: boolean,
): Promise<boolean> {
  for (const storage of await asked(services, realmId)) {
    const person = await orNothing(async () => {
      const byAddress = byEmail ? await findPerson(storage, 'email', name) : undefined;
      return byAddress ?? (await findPerson(storage, 'username', name));
    });
    if (!person) continue;
    const memberships = (await orNothing(() => membershipsOf(services, storage, person))) ?? [];
    const { added, ids } = await retried(services.database, (tx) =>
      importPeople(tx, services, storage, [person], memberships),
    );
    if (added > 0 || ids.length > 0) return true;
  }
  return false;
}

/**
 * Refuses a name that a directory has already. Nobody is to get the name of somebody who may log in tomorrow, so a
 * directory that does not answer is a refusal as well.
 */
export async function requireFree(services: StorageServices, realm: RealmRecord, username: string): Promise<void> {
  if (realm.components.length === 0 || username === '') return;
  for (const storage of await asked(services, realm.id)) {
    try {
      if (await findPerson(storage, 'username', username)) throw conflict('User exists with same username', 'username');
    } catch (error) {
      throw error instanceof LdapFault ? directoryRefusal(storage.name, error) : error;
    }
  }
}

/** What users are looked for by. */
export interface Criteria {
  search?: string | undefined;
  username?: string | undefined;
  email?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
}

const fields = ['username', 'email', 'firstName', 'lastName'] as const;
/** Most people that one search takes into the realm. */
const mostFound = 100;

function filterOf(storage: Storage, criteria: Criteria): Filter | undefined {
  const attributes = (names: readonly string[]) => names.flatMap((name) => attributeFor(storage, name) ?? []);
  const words = (criteria.search ?? '').split(/\s+/).filter((word) => word !== '');
  if (criteria.search !== undefined) {
    if (words.length === 0 || criteria.search.startsWith('id:')) return undefined;
    const parts = words.map((word) => containing(attributes(fields), word));
    return parts.length === 1 ? parts[0] : new OrFilter({ filters: parts });
  }
  const parts = fields.flatMap((field) => {
    const value = criteria[field]?.trim();
    return value ? [containing(attributes([field]), value)] : [];
  });
  return parts[0];
}

/**
 * Takes the people of the directories who match into the realm, so that the search finds them there: a hundred of each
 * storage at most. One search, and one transaction if there are any, for each storage.
 */
export async function importMatches(services: StorageServices, realm: RealmRecord, criteria: Criteria): Promise<void> {
  if (realm.components.length === 0 || (!criteria.search && fields.every((field) => !criteria[field]))) return;
  for (const storage of await asked(services, realm.id)) {
    const filter = filterOf(storage, criteria);
    if (!filter) continue;
    const { attributes, binary } = readAttributes(storage);
    const search = searchPeople(storage.people, attributes, binary, filter);
    const entries = (await orNothing(() => findEntries(storage.directory, search, mostFound))) ?? [];
    const people = entries.flatMap((entry) => personOf(storage, entry) ?? []);
    if (people.length === 0) continue;
    await retried(services.database, (tx) => importPeople(tx, services, storage, people, []));
  }
}
