import { PresenceFilter } from 'ldapts';
import type { Context } from '../../core/context.js';
import type { RealmRecord } from '../../core/realm.js';
import { invalid, type Refusal } from '../../core/refusal.js';
import { requireAlone } from '../../core/unit-of-work.js';
import { rdnOf } from '../../ldap/dn.js';
import { type Entry, isBinaryId } from '../../ldap/entry.js';
import { directoryRefusal, LdapFault, resultCodes } from '../../ldap/fault.js';
import { withDirectory } from '../../ldap/pool.js';
import { findEntry } from '../../ldap/search.js';
import { nameTaken } from '../../users/names.js';
import { type Config, editModeOf, flagOf } from '../config.js';
import { type LinkedUser, passwordValue, writePassword } from '../password.js';
import { type Person, personOf, readAttributes } from '../person.js';
import { type Storage, searchableStorages, storagesOf } from '../storage.js';
import { storageIdOf } from '../storage-id.js';
import { joinGroups, memberAttributes, type NewMember } from './write-memberships.js';
import { standardValues, type Values, writtenValues } from './written-values.js';

/** A user of the realm who gets an entry in a directory. */
export interface Registrant {
  username: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  attributes: Readonly<Record<string, readonly string[]>>;
  /** the plain password */
  password: string | undefined;
  temporary: boolean;
}

/** The result of a registration in the directory. */
export interface Registered {
  /** the ID of the user, if the storage determines it */
  userId: string | undefined;
  storageId: string;
  federationId: string;
  attributes: Record<string, string[]>;
  entry: Entry;
  /** the user in the directory, if nothing else of it is stored */
  person?: Person;
}

const asks = (config: Config): boolean => flagOf(config, 'syncRegistrations') && editModeOf(config) === 'WRITABLE';

/** The storage that new users of a realm are written to, if any; no statement if no storage accepts them. */
export async function registrationStorage(
  { services }: Pick<Context, 'services'>,
  realm: RealmRecord,
): Promise<Storage | undefined> {
  if (!realm.components.some(({ config }) => asks(config as Config))) return undefined;
  return searchableStorages(await storagesOf(services, realm.id)).find(({ config }) => asks(config));
}

/** The creation of an entry in a directory cannot be rolled back. */
export const requireRegistration = (ctx: Context, asked: { dryRun: boolean } | undefined): void =>
  requireAlone(ctx, 'A user cannot be created in a directory within an atomic mutation or a dry run', asked);

function valuesOf(storage: Storage, user: Registrant): Values {
  const names: Readonly<Record<string, string | null>> = {
    username: user.username,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
  };
  const written = writtenValues(storage, {
    field: (name) => names[name] ?? null,
    attribute: (name) => user.attributes[name] ?? [],
    fullName: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.username,
    isNew: true,
  });
  for (const [name, values] of standardValues(storage)) written.set(name, values);
  const { people } = storage;
  const byName = new Map([...written.keys()].map((name) => [name.toLowerCase(), name]));
  if (!byName.has(people.username.toLowerCase())) written.set(people.username, [user.username]);
  written.set('objectClass', [...(people.objectClasses.length > 0 ? people.objectClasses : ['person'])]);
  return written;
}

const refusalFor = (storage: Storage, fault: LdapFault): Refusal =>
  fault.code === resultCodes.entryAlreadyExists ? nameTaken('username') : directoryRefusal(storage.name, fault);

/**
 * Writes a user to the directory, with the password if there is one. If it throws a refusal, the directory has no
 * entry.
 */
export async function register(ctx: Context, storage: Storage, user: Registrant): Promise<Registered> {
  const { people, directory } = storage;
  const values = valuesOf(storage, user);
  const named = [...values].find(([name]) => name.toLowerCase() === people.rdn.toLowerCase())?.[1][0];
  if (named === undefined || String(named).trim() === '') {
    throw invalid(`The user has no value for ${people.rdn}, the RDN attribute of the directory`, 'username');
  }
  const dn = `${rdnOf(people.rdn, String(named))},${people.createBase}`;
  const isLater = people.isActiveDirectory || flagOf(storage.config, 'usePasswordModifyExtendedOp');
  if (user.password !== undefined && !isLater) {
    const [name, value] = passwordValue(storage, user.password);
    values.set(name, [value]);
  }
  const entry = Object.fromEntries([...values].filter(([, list]) => list.length > 0)) as Record<string, string[]>;
  let added = false;
  try {
    await withDirectory(directory, (client) => client.add(dn, entry));
    added = true;
    const { attributes, binary } = readAttributes(storage);
    const made = await findEntry(directory, {
      base: dn,
      scope: 'base',
      filter: new PresenceFilter({ attribute: 'objectClass' }),
      attributes: [...attributes, ...memberAttributes(storage)],
      binary: isBinaryId(people.id) ? [...binary, people.id] : binary,
    });
    const person = made && personOf(storage, made);
    if (!person) throw new LdapFault(`the new entry has no ${people.id}`, resultCodes.noSuchAttribute);
    if (user.password !== undefined && isLater) {
      const link: LinkedUser = { federationLink: storage.id, federationId: person.federationId, enabled: true };
      await writePassword(storage, link, user.password, user.temporary);
    }
    const { federationId, attributes: given } = person;
    const userId = storage.imports ? undefined : storageIdOf(storage.id, user.username);
    const registered = { userId, storageId: storage.id, federationId, attributes: given, entry: made };
    return storage.imports ? registered : { ...registered, person };
  } catch (error) {
    if (added) await remove(ctx, storage, dn);
    throw error instanceof LdapFault ? refusalFor(storage, error) : error;
  }
}

async function remove({ services }: Pick<Context, 'services'>, storage: Storage, dn: string): Promise<void> {
  await withDirectory(storage.directory, (client) => client.del(dn)).catch((error: unknown) => {
    services.log.warn({ storage: storage.id, err: error }, 'an entry of a directory could not be removed again');
  });
}

/**
 * Removes the entries of users who were not created in the realm after all. The others become members of their groups
 * in the directory. One statement for all of them.
 */
export async function settle(
  ctx: Pick<Context, 'services'>,
  storage: Storage,
  registered: readonly Registered[],
): Promise<void> {
  if (registered.length === 0) return;
  const kept = await ctx.services.database.read.user.findMany({
    where: { federationLink: storage.id, federationId: { in: registered.map(({ federationId }) => federationId) } },
    select: { federationId: true, groups: { select: { group: { select: { name: true, path: true } } } } },
  });
  const groupsOf = new Map(kept.map(({ federationId, groups }) => [federationId, groups.map(({ group }) => group)]));
  const newcomers: NewMember[] = [];
  for (const { entry, federationId } of registered) {
    const groups = groupsOf.get(federationId);
    if (groups) newcomers.push({ entry, groups });
    else await remove(ctx, storage, entry.dn);
  }
  await joinGroups(ctx.services, storage, newcomers).catch((error: unknown) => {
    ctx.services.log.warn({ storage: storage.id, err: error }, 'new users could not be added to groups of a directory');
  });
}
