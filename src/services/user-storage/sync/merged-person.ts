import type { Person } from '../person.js';
import type { Storage } from '../storage.js';
import { alwaysReadBy } from '../write/written-values.js';

/** The fields that an existing user gets from the directory: all, or only the ones that mappers always read. */
export type Extent = 'all' | 'alwaysRead';

interface Kept {
  username: string;
  /** names of fields and attributes that were changed in this service, if such changes stay */
  keptFields: unknown;
}

/** Returns the part of a person that an existing user gets. */
export function mergedPerson(storage: Storage, extent: Extent): (person: Person, user: Kept) => Person {
  const read = extent === 'all' || !storage.imports ? undefined : alwaysReadBy(storage.mappers);
  return (person, user) => {
    const kept = storage.mode === 'UNSYNCED' ? withKeptFields(person, user) : person;
    return read ? alwaysRead(kept, read) : kept;
  };
}

const nameFields = ['email', 'firstName', 'lastName'] as const;

/** A person with the fields of mappers that always read. The others wait for a synchronisation. */
function alwaysRead(person: Person, read: ReadonlySet<string>): Person {
  const isRead = (name: string) => read.has(name) || name === 'LDAP_ID' || name === 'LDAP_ENTRY_DN';
  const attributes = Object.fromEntries(Object.entries(person.attributes).filter(([name]) => isRead(name)));
  const result: Person = { ...person, attributes };
  // the directory has a blank in place of a required value that is missing
  for (const name of nameFields) if (!read.has(name) || !person[name]) delete result[name];
  return result;
}

/** A person without the fields that were changed here. */
function withKeptFields(person: Person, user: Kept): Person {
  const kept = new Set(user.keptFields as string[]);
  if (kept.size === 0) return person;
  const { attributes, ...fields } = person;
  const others = Object.entries(fields).filter(([name]) => !kept.has(name));
  const read = Object.entries(attributes).filter(([name]) => !kept.has(name));
  const username = kept.has('username') ? user.username : person.username;
  return { ...(Object.fromEntries(others) as typeof fields), username, attributes: Object.fromEntries(read) };
}
