import { isOneAddress } from '../mail/address.js';
import { serviceAccountName } from '../realms/defaults/clients.js';
import { storedUsername, usernameFault } from '../users/usernames.js';
import type { Notice } from './texts.js';

/** What users say of themselves in a form. */
export interface Profile {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
}

/** The profile of a form, without spaces around what was typed. */
export function profileOf(form: URLSearchParams): Profile {
  const value = (name: string) => (form.get(name) ?? '').trim();
  return {
    username: value('username'),
    email: value('email'),
    firstName: value('firstName'),
    lastName: value('lastName'),
  };
}

/** Whether somebody who signs up may have a name. Names of service accounts are those of clients that there may be one day. */
export function isNameForUsers(username: string): boolean {
  const name = storedUsername(username);
  return usernameFault(name) === undefined && !name.startsWith(serviceAccountName(''));
}

/** What is wrong with a profile; nothing where it does. */
export function profileProblem(
  { username, email, firstName, lastName }: Profile,
  asksUsername: boolean,
): Notice | undefined {
  if (asksUsername && username === '') return { key: 'missingUsernameMessage', field: 'username' };
  if (email === '') return { key: 'missingEmailMessage', field: 'email' };
  if (asksUsername && !isNameForUsers(username)) return { key: 'invalidUsernameMessage', field: 'username' };
  if (!isOneAddress(email)) return { key: 'invalidEmailMessage', field: 'email' };
  if (firstName === '') return { key: 'missingFirstNameMessage', field: 'firstName' };
  if (lastName === '') return { key: 'missingLastNameMessage', field: 'lastName' };
  const isTooLong = [username, email, firstName, lastName].some((text) => text.length > 255);
  return isTooLong ? { key: 'tooLongMessage', field: 'email' } : undefined;
}
