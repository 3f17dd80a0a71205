import { isOn } from '../../core/realm.js';
import type { Attempt } from '../attempt.js';
import { PageRefusal } from '../refusals.js';
import type { BrokeredLogin } from './brokered.js';

/** The account with which a login has come back from an identity provider. Throws a page if there is none. */
export function brokeredOf({ kept: { state } }: Attempt): BrokeredLogin {
  if (!state.brokered) throw new PageRefusal(400, 'loginExpired');
  return state.brokered;
}

/** Whether users have a username besides their email address. */
export const asksUsername = ({ realm }: Attempt): boolean => !isOn(realm, 'registrationEmailAsUsername');

/** The profile of the account. Empty texts for what is missing. */
export function profileFrom(attempt: Attempt) {
  const { username, email = '', firstName = '', lastName = '' } = brokeredOf(attempt).identity;
  return { username, email, firstName, lastName };
}
