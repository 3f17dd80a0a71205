import { OrFilter } from 'ldapts';
import { isOn, type RealmRecord } from '../../core/realm.js';
import { type Entry, idOf, nameOf, textsOf } from '../../ldap/entry.js';
import { asDirectoryRefusal } from '../../ldap/fault.js';
import { equals } from '../../ldap/filter.js';
import { searchPeople } from '../../ldap/people.js';
import { findEntries } from '../../ldap/search.js';
import { storedEmail } from '../../users/names.js';
import { storedUsername } from '../../users/usernames.js';
import { attributeFor } from '../attribute-for.js';
import type { Person } from '../person.js';
import { type Storage, type StorageServices, searchableStorages, storagesOf } from '../storage.js';

/** The new names of a user; unchanged names may be left out. */
export interface WantedNames {
  username?: string | undefined;
  email?: string | null | undefined;
  /** the user's entry, if it already is in a directory */
  federationLink?: string | null;
  federationId?: string | null;
}

/** The holders of usernames and addresses in a directory, by their IDs in it. */
interface Found {
  storage: Storage;
  usernames: ReadonlyMap<string, ReadonlySet<string>>;
  emails: ReadonlyMap<string, ReadonlySet<string>>;
}

const searchedTogether = 200;

/**
 * Returns for each user the name that it cannot have because a directory user has it. New users must not get the name
 * of a directory user who may log in later, so a directory that does not answer causes a refusal. One search for two
 * hundred names.
 */
export async function namesInUse(
  services: StorageServices,
  realm: RealmRecord,
  users: readonly WantedNames[],
): Promise<('username' | 'email' | undefined)[]> {
  const sharesEmails = isOn(realm, 'duplicateEmailsAllowed');
  const wanted = users.map(({ username, email, ...own }) => ({
    username: storedUsername(username ?? ''),
    email: sharesEmails ? '' : (storedEmail(email) ?? ''),
    ...own,
  }));
  if (realm.components.length === 0 || !wanted.some(({ username, email }) => username || email)) {
    return wanted.map(() => undefined);
  }
  // an address that is the username of another user would prevent a login, and vice versa
  const usernames = wanted.flatMap(({ username, email }) => [username, email]).filter(Boolean);
  const emails = sharesEmails ? [] : usernames.filter((name) => name.includes('@'));
  const found: Found[] = [];
  for (const storage of searchableStorages(await storagesOf(services, realm.id))) {
    const holders = holdersIn(storage, [...new Set(usernames)], [...new Set(emails)]);
    found.push(
      await holders.catch((error: unknown) => {
        throw asDirectoryRefusal(storage.name, error);
      }),
    );
  }
  return wanted.map(({ username, email, federationLink, federationId }) => {
    const isTaken = (by: 'usernames' | 'emails', name: string) =>
      found.some(({ storage, [by]: holders }) => {
        const own = storage.id === federationLink ? federationId : undefined;
        return [...(holders.get(name) ?? [])].some((id) => id !== own);
      });
    if (isTaken('usernames', username)) return 'username';
    if (isTaken('emails', email) || isTaken('usernames', email)) return 'email';
    return isTaken('emails', username) ? 'username' : undefined;
  });
}

/** The directory IDs of the directory users who were already imported. */
export async function knownOf(
  { database }: Pick<StorageServices, 'database'>,
  { id }: Storage,
  people: readonly Pick<Person, 'federationId'>[],
): Promise<ReadonlySet<string>> {
  const known = await database.read.user.findMany({
    where: { federationLink: id, federationId: { in: people.map(({ federationId }) => federationId) } },
    select: { federationId: true },
  });
  return new Set(known.flatMap(({ federationId }) => federationId ?? []));
}

/**
 * Leaves out new directory users with the username or address of a user in an earlier storage. Names belong to the
 * first storage that has them, even if that user was not imported yet. One search for two hundred names. Throws
 * `LdapFault` if such a storage does not answer.
 */
export async function withoutTaken(
  services: StorageServices,
  storage: Storage,
  before: readonly Storage[],
  people: readonly Person[],
): Promise<readonly Person[]> {
  if (people.length === 0 || before.length === 0) return people;
  const { database } = services;
  const realm = await database.read.realm.findUnique({ where: { id: storage.realmId }, select: { settings: true } });
  const sharesEmails = (realm?.settings as Record<string, unknown> | undefined)?.duplicateEmailsAllowed === true;
  const emailOf = ({ email }: Person) => (sharesEmails ? '' : (email ?? ''));
  const known = await knownOf(services, storage, people);
  const isKnown = ({ federationId }: Person) => known.has(federationId);
  const names = people.flatMap((person) => (isKnown(person) ? [] : [person.username, emailOf(person)]));
  const wanted = [...new Set(names.filter((name) => name !== ''))];
  if (wanted.length === 0) return people;
  const taken = new Set<string>();
  for (const other of before) {
    const addresses = sharesEmails ? [] : wanted.filter((name) => name.includes('@'));
    const { usernames, emails } = await holdersIn(other, wanted, addresses);
    for (const name of [...usernames.keys(), ...emails.keys()]) taken.add(name);
  }
  return people.filter((person) => isKnown(person) || !(taken.has(person.username) || taken.has(emailOf(person))));
}

async function holdersIn(storage: Storage, usernames: readonly string[], emails: readonly string[]): Promise<Found> {
  const { people, directory } = storage;
  const usernameAttribute = attributeFor(storage, 'username') ?? people.username;
  const emailAttribute = attributeFor(storage, 'email');
  const filters = [
    ...usernames.map((name) => equals(usernameAttribute, name)),
    ...(emailAttribute === undefined ? [] : emails.map((email) => equals(emailAttribute, email))),
  ];
  const byUsername = new Map<string, Set<string>>();
  const byEmail = new Map<string, Set<string>>();
  const note = (holders: Map<string, Set<string>>, entry: Entry, names: readonly string[]) => {
    for (const name of names) holders.set(name, (holders.get(name) ?? new Set()).add(idOf(entry, people.id) ?? ''));
  };
  const attributes = [people.id, usernameAttribute, ...(emailAttribute === undefined ? [] : [emailAttribute])];
  for (let at = 0; at < filters.length; at += searchedTogether) {
    const some = new OrFilter({ filters: filters.slice(at, at + searchedTogether) });
    const search = searchPeople(people, attributes, [], some);
    for (const entry of await findEntries(directory, search, 2 * searchedTogether)) {
      // further values of an attribute are not names of a user
      note(byUsername, entry, [nameOf(entry, usernameAttribute) ?? ''].map(storedUsername));
      if (emailAttribute === undefined) continue;
      note(
        byEmail,
        entry,
        textsOf(entry, emailAttribute)
          .slice(0, 1)
          .flatMap((email) => storedEmail(email) ?? []),
      );
    }
  }
  return { storage, usernames: byUsername, emails: byEmail };
}
