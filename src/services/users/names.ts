import type { Db } from '../../database/db.js';
import type { UserInput } from './representation.js';

/** An address as it is stored: lower case, and nothing for a blank one. */
export const storedEmail = (email: string | null | undefined): string | null =>
  email == null || email.trim() === '' ? null : email.toLowerCase();

/** The first and last name that a representation gives, either as fields or among its attributes. */
export const givenName = (input: UserInput, name: 'firstName' | 'lastName'): string | undefined =>
  input[name] ?? input.attributes?.[name]?.[0];

/** Names of fields, which never become attributes. */
const fieldNames = new Set(['username', 'email', 'firstName', 'lastName']);

/** The attributes of a representation that are attributes indeed. */
export const ownAttributes = (attributes: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !fieldNames.has(name)));

/** Whether one of the names is longer than existing databases and tools hold. */
export const isTooLong = (...names: (string | null | undefined)[]): boolean =>
  names.some((name) => name != null && name.length > 255);

/** Who holds which user names and addresses among those that somebody wants. */
export interface Holders {
  username: Map<string, string>;
  email: Map<string, string>;
}

/** Looks up the holders of these names in a realm. */
export async function holdersOf(tx: Db, realmId: string, usernames: string[], emails: string[]): Promise<Holders> {
  const select = { id: true, username: true, email: true } as const;
  const named =
    usernames.length === 0 ? [] : await tx.user.findMany({ where: { realmId, username: { in: usernames } }, select });
  const addressed =
    emails.length === 0 ? [] : await tx.user.findMany({ where: { realmId, email: { in: emails } }, select });
  return {
    username: new Map(named.map(({ id, username }) => [username, id])),
    email: new Map(addressed.map(({ id, email }) => [email as string, id])),
  };
}

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
