import type { BrokeredIdentity } from '../../brokering/identity.js';
import type { ActionName } from '../action-names.js';

/** The name of an account in the link of a mail. The link is no proof for another account. */
export const accountKey = ({ alias, id }: Pick<BrokeredIdentity, 'alias' | 'id'>): string => `${alias}/${id}`;

/** A login that has come back from an identity provider. */
export interface BrokeredLogin {
  identity: BrokeredIdentity;
  /** alias of the flow of the provider that the login follows */
  flow: string;
  /** notes for the session, from mappers */
  notes: Record<string, string>;
  /** user of the realm who has the username or email address of a new account */
  existing?: { id: string; username: string };
  /** whether the profile must be shown, because the user wants to change it */
  mustReview?: boolean;
  /** whether a mail to the existing user was sent */
  isMailed?: boolean;
  /** what the flow for first logins demands before the login ends */
  demands?: ActionName[];
  /** whether the new user is linked already */
  isLinked?: boolean;
  /** ID of the user who has followed the link of that mail in this browser */
  proved?: string;
}
