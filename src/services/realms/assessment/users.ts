import { isObject, textsOf } from '../../core/json.js';
import { readHash } from '../../credentials/stored-hash.js';
import { isPerformed } from '../../login/action-names.js';
import { type Json, listOf } from '../desired/kinds.js';

/** Counts of users' features that do not work on this server, by description. */
export type UserCounts = Map<string, number>;

/** Credentials that users can log in with here. */
const used: ReadonlySet<unknown> = new Set([
  'password',
  'password-history',
  'otp',
  'totp',
  'hotp',
  'webauthn',
  'webauthn-passwordless',
  'recovery-authn-codes',
]);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '{}');

function algorithmOf({ credentialData, algorithm }: Json): string {
  try {
    const data: unknown = JSON.parse(textOf(credentialData));
    return String((isObject(data) && data.algorithm) || algorithm);
  } catch {
    return String(algorithm);
  }
}

/** Whether it is a hash that no password is right for. Credentials of other forms are read when they are imported. */
const isDead = ({ type, credentialData, secretData }: Json): boolean =>
  type === 'password' && secretData !== undefined && !readHash(textOf(credentialData), textOf(secretData));

/** Counts the features of a user that do not work on this server. */
export function countUser(counts: UserCounts, user: Json): void {
  const found = new Set<string>();
  for (const credential of listOf(user, 'credentials')) {
    if (isDead(credential))
      found.add(`A password of "${algorithmOf(credential)}" cannot be verified: a new one is needed.`);
    else if (!used.has(credential.type)) found.add(`Nobody can log in with a credential "${String(credential.type)}".`);
  }
  for (const action of textsOf(user.requiredActions))
    if (!isPerformed(action)) found.add(`The required action "${action}" cannot be performed: the login is refused.`);
  for (const what of found) counts.set(what, (counts.get(what) ?? 0) + 1);
}
