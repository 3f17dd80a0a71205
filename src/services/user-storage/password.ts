import { Refusal } from '../core/refusal.js';
import { quotedPassword, replace } from '../ldap/change.js';
import { type Entry, idOf, idValue } from '../ldap/entry.js';
import { asDirectoryRefusal, directoryRefusal, LdapFault, resultCodes, unanswered } from '../ldap/fault.js';
import { equals } from '../ldap/filter.js';
import { searchPeople } from '../ldap/people.js';
import { logIn, withDirectory } from '../ldap/pool.js';
import { findEntry } from '../ldap/search.js';
import { controlChanges, controlsRead, refusedBecause } from './account-control.js';
import { flagOf } from './config.js';
import { type Storage, type StorageServices, storagesOf } from './storage.js';

/** The data of a user with which it is found in its storage. */
export interface LinkedUser {
  federationLink: string | null;
  federationId: string | null;
  /** whether the account must be usable with a new password */
  enabled?: boolean;
}

/** The storage of a linked user; undefined for local users, and if the storage was deleted or is not LDAP. */
export async function storageOfUser(
  services: Pick<StorageServices, 'database' | 'sealer'>,
  realmId: string,
  { federationLink }: Pick<LinkedUser, 'federationLink'>,
): Promise<Storage | undefined> {
  if (federationLink === null) return undefined;
  return (await storagesOf(services, realmId, federationLink))[0];
}

/** The current entry of a user in the directory. Throws `LdapFault`. */
export async function entryOfUser(
  storage: Storage,
  { federationId }: Pick<LinkedUser, 'federationId'>,
  attributes: readonly string[] = [],
): Promise<Entry | undefined> {
  if (federationId === null) return undefined;
  const { people, directory } = storage;
  const filter = equals(people.id, idValue(federationId, people.id));
  const entry = await findEntry(
    directory,
    searchPeople(people, [people.id, people.username, ...attributes], [], filter),
  );
  // an attribute may have further values that do not identify the user, and an entry without a DN has no user
  return entry && entry.dn !== '' && idOf(entry, people.id) === federationId ? entry : undefined;
}

/**
 * Codes with which directories refuse a login: the entry was deleted, the password is wrong, or the account is locked.
 */
const refusedLogin = new Set([32, 48, 49, 50, 53]);

/** A directory's answer to a login. `expired`: the password is right, and must be changed. */
export type LoginAnswer = 'right' | 'wrong' | 'expired' | 'disabled';

/**
 * Checks the password of a user by a login to the directory. A directory that does not answer causes a refusal that
 * states so, not a wrong password.
 */
export async function tryPassword(
  services: Pick<StorageServices, 'database' | 'sealer'>,
  realmId: string,
  user: LinkedUser,
  password: string,
): Promise<LoginAnswer> {
  const storage = await storageOfUser(services, realmId, user);
  if (!storage?.enabled || password === '') return 'wrong';
  const entry = await entryOfUser(storage, user).catch((error: unknown) => {
    // a failed login of the storage itself says nothing about the password
    throw unanswered(storage, error);
  });
  if (!entry) return 'wrong';
  try {
    await logIn(entry.server ?? storage.directory, entry.dn, password);
    return 'right';
  } catch (error) {
    if (!(error instanceof LdapFault)) throw error;
    if (error.code !== undefined && refusedLogin.has(error.code)) {
      return refusedBecause(storage, error.detail) ?? 'wrong';
    }
    throw directoryRefusal(storage.name, error);
  }
}

/** The place of a user's new password: stored in this service, or written to the directory. */
export type PasswordPlace = 'here' | 'directory';

/** The place of this user's new password. Refuses users of read-only or disabled storages. */
export function placeOfPassword(storage: Storage | undefined): PasswordPlace {
  if (!storage || (storage.enabled && storage.mode === 'UNSYNCED')) return 'here';
  if (storage.enabled && storage.mode === 'WRITABLE') return 'directory';
  throw new Refusal('invalid', "Can't reset password as account is read only", { field: 'value', member: 'error' });
}

/** Whether passwords have to keep to the policy of the realm before they are written to the directory. */
export const validatesPasswords = ({ config }: Storage): boolean => flagOf(config, 'validatePasswordPolicy');

/** The attribute for a password, in the form that the directory requires. */
export const passwordValue = ({ people }: Storage, password: string): [string, string | Buffer] =>
  people.isActiveDirectory ? ['unicodePwd', quotedPassword(password)] : ['userPassword', password];

/** Writes a new password to the directory, which hashes it. The user has to change a temporary password. */
export async function writePassword(
  storage: Storage,
  user: LinkedUser,
  password: string,
  temporary = false,
): Promise<void> {
  try {
    const entry = await entryOfUser(storage, user, controlsRead(storage));
    if (!entry) throw new LdapFault('the user is no longer in the directory', resultCodes.noSuchObject);
    const [attribute, value] = passwordValue(storage, password);
    const { enabled = true } = user;
    const account = { newPassword: true, mustChangePassword: temporary, ...(enabled && { enabled }) };
    const control = controlChanges(storage, entry, account);
    const extended = flagOf(storage.config, 'usePasswordModifyExtendedOp');
    await withDirectory(storage.directory, async (client) => {
      if (extended) await client.exop('1.3.6.1.4.1.4203.1.11.1', passwordModify(entry.dn, password));
      else await client.modify(entry.dn, replace(attribute, [value]));
      // a password has to be there before an account can be enabled
      if (control.length > 0) await client.modify(entry.dn, control);
    });
  } catch (error) {
    throw asDirectoryRefusal(storage.name, error);
  }
}

/** The request of RFC 3062, section 2, in BER: the user and the new password. */
function passwordModify(dn: string, password: string): Buffer {
  const tagged = (tag: number, value: Buffer): Buffer => Buffer.concat([Buffer.from([tag]), lengthOf(value), value]);
  const parts = [tagged(0x80, Buffer.from(dn)), tagged(0x82, Buffer.from(password))];
  return tagged(0x30, Buffer.concat(parts));
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}
