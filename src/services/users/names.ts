import type { Db } from '../../database/db.js';
import { listed } from '../../database/where.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { isOn, type RealmRecord } from '../core/realm.js';
import { isProtected } from './protected-attributes.js';
import type { UserInput } from './representation.js';
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

/** Whether one of the names is longer than existing databases and tools hold. */
export const isTooLong = (...names: (string | null | undefined)[]): boolean =>
  names.some((name) => name != null && name.length > 255);

/** Who holds which user names and addresses among those that somebody wants. */
export interface Holders {
  username: Map<string, string>;
  email: Map<string, string>;
}

interface HolderRow {
  id: string;
  username: string;
  email: string | null;
}

/** Who holds this name, or one that looks the same. */
export const holderOf = ({ username: holders }: Holders, username: string): string | undefined =>
  [username, ...lookAlikes(username)].map((name) => holders.get(name)).find((id) => id !== undefined);

/** Who has this address, or logs in with it as a user name: nobody else may have it. */
export const holderOfEmail = ({ username, email: holders }: Holders, email: string): string | undefined =>
  holders.get(email) ?? username.get(email);

/** A query for the holders of names. For a single name PostgreSQL is not to plan as for a long list. */
function holding(tx: Db, realmId: string, column: 'username' | 'email', names: readonly string[]): Prisma.Sql {
  const [first, ...others] = names;
  const wanted = others.length === 0 ? Prisma.sql`= ${first}` : Prisma.sql`IN (${listed(tx, names)})`;
  return Prisma.sql`SELECT "id", "username", "email" FROM "User"
    WHERE "realmId" = ${realmId} AND ${Prisma.raw(`"${column}"`)} ${wanted}`;
}

/** Looks up the holders of these names in a realm, and those whose user name is one of the addresses: one statement at most. */
export async function holdersOf(tx: Db, realmId: string, usernames: string[], emails: string[]): Promise<Holders> {
  const lookedFor = [
    { column: 'username', names: usernames.flatMap((name) => [name, ...lookAlikes(name)]) },
    { column: 'username', names: emails.filter((email) => !usernames.includes(email)) },
    { column: 'email', names: emails },
  ] as const;
  const queries = lookedFor.flatMap(({ column, names }) =>
    names.length > 0 ? holding(tx, realmId, column, names) : [],
  );
  const found = queries.length > 0 ? await tx.query<HolderRow>(Prisma.join(queries, ' UNION ALL ')) : [];
  return {
    username: new Map(found.map(({ id, username }) => [username, id])),
    email: new Map(found.flatMap(({ id, email }) => (email === null ? [] : [[email, id]]))),
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
