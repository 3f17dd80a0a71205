import type { Filter } from 'ldapts';
import type { RealmRecord } from '../core/realm.js';
import { idValue } from '../ldap/entry.js';
import { LdapFault } from '../ldap/fault.js';
import { allOf, equals } from '../ldap/filter.js';
import { containing, searchPeople } from '../ldap/people.js';
import { findEntries, findEntry } from '../ldap/search.js';
import { one } from './config.js';
import { importPeople, withoutRaces } from './import.js';
import type { Memberships } from './memberships.js';
import { type Person, personOf, readAttributes } from './person.js';
import { givesMemberships, membershipsOf } from './person-memberships.js';
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
  return attribute === undefined ? undefined : personWith(storage, equals(attribute, value));
}

/** The person with this id of the directory, as it is there now. Throws `LdapFault`. */
export const personOfId = (storage: Storage, federationId: string): Promise<Person | undefined> =>
  personWith(storage, equals(storage.people.id, idValue(federationId, storage.people.id)));

async function personWith(storage: Storage, filter: Filter): Promise<Person | undefined> {
  const { attributes, binary } = readAttributes(storage);
  const search = searchPeople(storage.people, attributes, binary, filter);
  const entry = await findEntry(storage.directory, search);
  return entry && personOf(storage, entry);
}

/** The storages of a realm that are asked for users; no statement where the realm is known to have none. */
const asked = async (services: StorageServices, realmId: string, id?: string): Promise<Storage[]> =>
  askedOf(await storagesOf(services, realmId, id));

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
 * priority, or only the one with this id; one that does not answer is passed over.
 */
export async function importByLogin(
  services: StorageServices,
  realmId: string,
  name: string,
  byEmail: boolean,
  id?: string,
): Promise<boolean> {
  for (const storage of await asked(services, realmId, id)) {
    const seen = await orNothing(async () => {
      const byAddress = byEmail ? await findPerson(storage, 'email', name) : undefined;
      const person = byAddress ?? (await findPerson(storage, 'username', name));
      return person && { person, memberships: await membershipsOfNew(services, storage, [person]) };
    });
    if (!seen) continue;
    const { person, memberships } = seen;
    const { found } = await withoutRaces(services.database, (tx) =>
      importPeople(tx, services, storage, [person], memberships, 'alwaysRead'),
    );
    if (found > 0) return true;
  }
  return false;
}

/** The groups and roles of those people whom the realm does not have yet: of the others they are as they were. */
async function membershipsOfNew(
  services: StorageServices,
  storage: Storage,
  people: readonly Person[],
): Promise<Memberships> {
  if (people.length === 0 || !givesMemberships(storage)) return [];
  const known = await services.database.read.user.findMany({
    where: { federationLink: storage.id, federationId: { in: people.map(({ federationId }) => federationId) } },
    select: { federationId: true },
  });
  const ids = new Set(known.map(({ federationId }) => federationId));
  const news = people.filter(({ federationId }) => !ids.has(federationId));
  try {
    return await membershipsOf(services, storage, news);
  } catch (error) {
    // a mapper that cannot work does not keep people out
    if (error instanceof LdapFault && error.code !== undefined) return [];
    throw error;
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
    return allOf(words.map((word) => containing(attributes(fields), word)));
  }
  const parts = fields.flatMap((field) => {
    const value = criteria[field]?.trim();
    return value ? [containing(attributes([field]), value)] : [];
  });
  return parts.length === 0 ? undefined : allOf(parts);
}

/**
 * Takes the people of the directories who match into the realm, so that the search finds them there: a hundred of each
 * storage at most. One search for each storage, two for each mapper of groups or roles if there are new ones, and one
 * transaction if there are any. Answers whether that changed anything.
 */
export async function importMatches(
  services: StorageServices,
  realm: Pick<RealmRecord, 'id' | 'components'>,
  criteria: Criteria,
): Promise<boolean> {
  if (realm.components.length === 0 || (!criteria.search && fields.every((field) => !criteria[field]))) return false;
  let changed = false;
  for (const storage of await asked(services, realm.id)) {
    const filter = filterOf(storage, criteria);
    if (!filter) continue;
    const { attributes, binary } = readAttributes(storage);
    const search = searchPeople(storage.people, attributes, binary, filter);
    const seen = await orNothing(async () => {
      const entries = await findEntries(storage.directory, search, mostFound);
      const people = entries.flatMap((entry) => personOf(storage, entry) ?? []);
      return { people, memberships: await membershipsOfNew(services, storage, people) };
    });
    if (!seen || seen.people.length === 0) continue;
    const { people, memberships } = seen;
    const { added, updated } = await withoutRaces(services.database, (tx) =>
      importPeople(tx, services, storage, people, memberships, 'alwaysRead'),
    );
    changed ||= added + updated > 0;
  }
  return changed;
}
