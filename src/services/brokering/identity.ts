import type { ForeignNameId } from '../saml/name-id.js';
import { valueAt } from './claims.js';
import type { ProviderKind } from './kinds.js';

/** An account at an identity provider that has just logged in there. */
export interface BrokeredIdentity {
  /** alias of the identity provider */
  alias: string;
  /** name of the provider on pages */
  label: string;
  /** ID of the account at the provider */
  id: string;
  /** name for a new user */
  username: string;
  /** whether a mapper has set the username */
  isNamed?: boolean;
  /** whether the user has typed the username: the provider knows nothing of it */
  isTyped?: boolean;
  /** name of the account at the provider, if it differs */
  accountName?: string;
  /** whether the list of links has the name of the account in lower case */
  losesCase?: boolean;
  email?: string;
  /** whether the provider vouches for the address */
  isEmailVerified: boolean;
  firstName?: string;
  lastName?: string;
  /** sets of claims that mappers read; the first that has a claim counts */
  claims: readonly unknown[];
  /** whether the claims are those of an assertion of SAML */
  isAsserted?: boolean;
  /** answer of the token endpoint as JSON, if the provider stores tokens */
  token?: string;
  /** with which the user is logged out at the provider */
  idToken?: string;
  /** session at the provider */
  sessionId?: string;
  /** seconds since 1970 at which that session ends, if the provider says so */
  sessionEndsAt?: number;
  /** how the provider calls the account when it asks for a logout, whatever mappers make of the ID */
  subject?: string;
  /** how the provider names the user in SAML */
  nameId?: ForeignNameId;
}

/** The only character that is not ASCII and whose lower case is: an address with it would count as one with a `k`. */
export const kelvinSign = '\u212a';

/** Whether the addresses that a provider names are trusted, and so is this one. */
export const isTrusted = ({ trustEmail }: { trustEmail: boolean }, email: string | undefined): boolean =>
  trustEmail && email !== undefined && !email.includes(kelvinSign);

const firstText = (claims: readonly unknown[], paths: readonly string[]): string | undefined => {
  for (const path of paths) {
    for (const set of claims) {
      const value = valueAt(set, path);
      // other numbers are rounded: two accounts would have one ID
      if (Number.isSafeInteger(value)) return String(value);
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
    }
  }
  return undefined;
};

/** The account in claims of a provider, by the fields of its kind. Undefined if the claims have no ID. */
export function accountOf(
  { account }: Pick<ProviderKind, 'account'>,
  claims: readonly unknown[],
): Pick<BrokeredIdentity, 'id' | 'username' | 'email' | 'firstName' | 'lastName'> | undefined {
  const id = firstText(claims, account.id);
  if (id === undefined) return undefined;
  const name = firstText(claims, account.name) ?? '';
  // the last word of a full name is the family name
  const space = name.lastIndexOf(' ');
  const given = space < 0 ? name : name.slice(0, space).trim();
  const family = space < 0 ? '' : name.slice(space + 1);
  const email = firstText(claims, account.email);
  const firstName = firstText(claims, account.firstName) ?? (given || undefined);
  const lastName = firstText(claims, account.lastName) ?? (family || undefined);
  return {
    id,
    username: firstText(claims, account.username) ?? email ?? id,
    ...(email !== undefined && { email }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
  };
}
