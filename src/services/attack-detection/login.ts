import type { Db } from '../../database/db.js';
import type { UnitOfWork } from '../core/unit-of-work.js';
import { isLocked, isProtected } from './rule.js';
import { countFailure, disabledReason, type FailedLogin, holdFailures, resetFailures } from './store.js';

interface Realm {
  id: string;
  settings: Readonly<Record<string, unknown>>;
}

interface User {
  id: string;
  enabled: boolean;
  attributes: readonly { name: string; value: string }[];
}

/** The error in login events for a login that is refused because of earlier failures. */
export type LockError = 'user_temporarily_disabled' | 'user_disabled';

/** The errors of login events that count as a failed login of the user. */
const counted = new Set(['invalid_user_credentials', 'user_disabled', 'user_temporarily_disabled']);

/** Whether a login of a known user that was refused with this error counts as a failure. */
export const countsAsFailure = (error: string | undefined): boolean => error !== undefined && counted.has(error);

const isDisabledForGood = ({ enabled, attributes }: User): boolean =>
  !enabled && attributes.some(({ name, value }) => name === disabledReason.name && value === disabledReason.value);

/**
 * The reason why the user cannot log in at `now` (milliseconds since 1970) because of earlier failures, even with the
 * right password. Undefined if login is possible. The caller must answer as for a wrong password.
 */
export async function lockOf(db: Db, realm: Realm, user: User, now: number): Promise<LockError | undefined> {
  if (!isProtected(realm)) return undefined;
  if (isDisabledForGood(user)) return 'user_disabled';
  return (await isUserLocked(db, realm, user.id, now)) ? 'user_temporarily_disabled' : undefined;
}

/** Whether failures keep the user out for some time at `now`, in milliseconds since 1970. */
export async function isUserLocked(db: Db, realm: Realm, userId: string, now: number): Promise<boolean> {
  if (!isProtected(realm)) return false;
  const found = await db.loginFailure.findUnique({ where: { userId }, select: { notBefore: true } });
  return found !== null && isLocked(found, now);
}

/** Counts a failed login. If that disables the user, all instances are notified. */
export async function countFailedLogin({ tx, changed }: UnitOfWork, failed: FailedLogin): Promise<void> {
  if (!(await countFailure(tx, failed))) return;
  const { realmId, userId } = failed;
  const touches = [`users:${realmId}`, `user:${userId}`];
  await changed({ realmId, operation: 'attackDetection.lockOut', touches });
}

/**
 * Clears the failures before a successful login. It refuses if failures counted while the password was verified lock
 * the user: parallel guesses gain nothing.
 */
export async function forgiveFailures(tx: Db, realm: Realm, user: User, now: number): Promise<LockError | undefined> {
  if (!isProtected(realm)) return undefined;
  const failures = await holdFailures(tx, user.id);
  if (!failures || failures.failures + failures.notBefore === 0) return undefined;
  if (isLocked(failures, now)) return 'user_temporarily_disabled';
  const stored = await tx.user.findUnique({ where: { id: user.id }, select: { enabled: true } });
  if (!stored?.enabled) return 'user_disabled';
  await resetFailures(tx, [user.id]);
  return undefined;
}
