import { isOn, type RealmRecord } from '../core/realm.js';
import { conflict, invalid, type Refusal } from '../core/refusal.js';
import type { RefusalCode } from '../core/refusal-codes.js';
import { isProtected } from './protected-attributes.js';
import type { UserInput } from './representation.js';
import type { Holders } from './store.js';
import { lookAlikes, storedUsername } from './usernames.js';

/** An address as it is stored: lower case, and nothing for a blank one. */
export const storedEmail = (email: string | null | undefined): string | null =>
  email == null || email.trim() === '' ? null : email.trim().toLowerCase();

/** The first and last name that a representation gives, either as fields or among its attributes. */
export const givenName = (input: UserInput, name: 'firstName' | 'lastName'): string | undefined =>
  input[name] ?? input.attributes?.[name]?.[0];

/** Names of fields, which never become attributes. */
const fieldNames = new Set(['username', 'email', 'firstName', 'lastName']);

/** The attributes of a representation that callers may set. */
export const ownAttributes = (attributes: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !fieldNames.has(name) && !isProtected(name)));

/** The user name and address that a change brings. */
export interface NewNames {
  username: string | undefined;
  /** null where the address is taken away */
  email: string | null | undefined;
}

/** The user name and address that a change brings, as the options of the realm allow. */
export function namesOf(realm: RealmRecord, { username, email }: UserInput): NewNames {
  const address = email === undefined ? undefined : storedEmail(email);
  if (isOn(realm, 'registrationEmailAsUsername') && address)
    return { username: storedUsername(address), email: address };
  return {
    username: isOn(realm, 'editUsernameAllowed') ? username && storedUsername(username) : undefined,
    email: address,
  };
}

/** Characters of a name that existing databases and tools hold. */
const longestName = 255;

/** Whether a name is longer than existing databases and tools hold. */
export const isTooLong = (...names: (string | null | undefined)[]): boolean =>
  names.some((name) => name != null && name.length > longestName);

/** Refuses names that are too long, with this message of the contract and a fault for each of them. */
export function requireShortNames(
  names: Readonly<Record<'username' | 'email' | 'firstName' | 'lastName', string | null | undefined>>,
  message: string,
): void {
  const long = Object.entries(names).flatMap(([name, text]) => (text && isTooLong(text) ? [{ name, text }] : []));
  if (long.length === 0) return;
  const faults = long.map(({ name, text }) => ({
    path: [name],
    message: `\`${name}\` must be at most ${longestName} characters, got ${text.length}`,
  }));
  throw invalid(message, undefined, { faults });
}

/** Who holds this name, or one that looks the same. */
export const holderOf = ({ username: holders }: Holders, username: string): string | undefined =>
  [username, ...lookAlikes(username)].map((name) => holders.get(name)).find((id) => id !== undefined);

/** Who has this address, or logs in with it as a user name: nobody else may have it. */
export const holderOfEmail = ({ username, email: holders }: Holders, email: string): string | undefined =>
  holders.get(email) ?? username.get(email);

/** Why a user can be refused for what it is to be: the codes of every operation that writes profiles. */
export const profileRefusals = [
  'USERNAME_TAKEN',
  'USERNAME_INVALID',
  'EMAIL_TAKEN',
  'EMAIL_INVALID',
  'PASSWORD_POLICY',
  'READ_ONLY',
  'UNKNOWN_REQUIRED_ACTION',
] as const satisfies RefusalCode[];

/** Refusal of a username or an email address that somebody else has. */
export const nameTaken = (field: 'username' | 'email', message = `User exists with same ${field}`): Refusal =>
  conflict(message, field, field === 'username' ? 'USERNAME_TAKEN' : 'EMAIL_TAKEN');

/** The path of the password for an audit record of an update that sets one. */
export const replacedPasswords = ({ credentials = [] }: UserInput): [['password']] | [] =>
  credentials.some(({ type }) => type === 'password') ? [['password']] : [];

/** A representation for the audit record, without anything that is secret. */
export function withoutSecrets(input: UserInput): UserInput {
  if (!input.credentials) return input;
  return {
    ...input,
    credentials: input.credentials.map(
      ({ value: _value, rawPassword: _raw, secretData: _secret, hashedSaltedValue: _hash, salt: _salt, ...open }) =>
        open,
    ),
  };
}
