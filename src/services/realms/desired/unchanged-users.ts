import { isSameJson } from '../../core/json.js';
import { type Json, listOf } from './kinds.js';

/** A realm before and after, without the users that are the same in both. */
export interface WithoutUnchanged {
  before: Json;
  after: Json;
  /** the users who were left out */
  unchanged: Json[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '');

/**
 * Leaves out the users who are the same before and after, because most files have many of them. Their rows are the same
 * too, because nothing else of a realm depends on them. Users who share an email address with another user stay, so
 * that this is refused. So do accounts that belong to a client or a directory. `areNamesKept`: whether all names in
 * both stand for the same objects.
 */
export function withoutUnchangedUsers(before: Json, after: Json, areNamesKept: boolean): WithoutUnchanged {
  const whole = { before, after, unchanged: [] };
  if (!areNamesKept || before.duplicateEmailsAllowed !== after.duplicateEmailsAllowed) return whole;
  const current = new Map(listOf(before, 'users').map((user) => [user.id, user]));
  const isSame = (user: Json): boolean => {
    if (user.federationLink !== undefined || user.serviceAccountClientId !== undefined) return false;
    const was = current.get(user.id);
    return was !== undefined && isSameJson(was, user);
  };
  const users = listOf(after, 'users');
  const same = new Set(users.filter(isSame));
  const addresses = new Set(users.flatMap((user) => (same.has(user) ? [] : [textOf(user.email)])));
  const unchanged = [...same].filter(({ email }) => email === undefined || !addresses.has(textOf(email)));
  const ids = new Set(unchanged.map(({ id }) => id));
  const rest = (realm: Json): Json => ({ ...realm, users: listOf(realm, 'users').filter(({ id }) => !ids.has(id)) });
  return ids.size === 0 ? whole : { before: rest(before), after: rest(after), unchanged };
}
