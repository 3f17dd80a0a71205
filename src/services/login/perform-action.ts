import type { Db } from '../../database/db.js';
import { lockRows } from '../../database/locks.js';
import { textsOf } from '../core/json.js';
import { inUnitOfWork } from '../core/unit-of-work.js';
import { storeLoginEvent } from '../events/login-events.js';
import { accountMark } from '../mail/link-binding.js';
import { mailNotice } from '../mail/notice.js';
import { findUserById } from '../tokens/parties.js';
import type { TokenUser } from '../tokens/types.js';
import { keepCredentials } from '../users/keep-credentials.js';
import type { ActionName } from './action-names.js';
import { type Attempt, asUser, atNow, eventDetails } from './attempt.js';
import type { Notice } from './texts.js';

/** Changes of an action; answers what was wrong. */
export type Work = (tx: Db) => Promise<Notice | undefined>;

/** Does the work of an action and takes it off the user's list, with the event, all in one transaction. */
export async function performAction(
  attempt: Attempt,
  user: TokenUser,
  action: ActionName,
  type: string | undefined,
  work: Work,
): Promise<Notice | undefined> {
  const { services, realm, client, browser, kept } = attempt;
  const touches = [`users:${realm.id}`, `user:${user.id}`];
  const wrong = await inUnitOfWork(services, async ({ tx, changed }) => {
    await lockRows(tx, 'User', [user.id]);
    const present = await tx.user.findFirst({ where: { id: user.id }, select: { requiredActions: true } });
    const wrong = await work(tx);
    if (wrong) return wrong;
    const requiredActions = textsOf(present?.requiredActions).filter(
      (open) => open.toLowerCase() !== action.toLowerCase(),
    );
    await tx.later.user.updateMany({ where: { id: user.id }, data: { requiredActions, version: { increment: 1 } } });
    await changed({ realmId: realm.id, operation: 'user.requiredAction', touches });
    const who = { clientId: client.clientId, userId: user.id, sessionId: kept.state.sid, ipAddress: browser.ipAddress };
    const event = { ...who, details: { ...eventDetails(attempt), custom_required_action: action } };
    if (type) await storeLoginEvent(tx, services, realm, { ...event, type });
    return undefined;
  });
  if (wrong) return wrong;
  const present = await findUserById(attempt.tokens, realm, user.id);
  if (present) attempt.user = present;
  await tellUser(attempt, user, action, present ?? user);
  kept.state.performed = [...(kept.state.performed ?? []), action];
  // what the link itself has changed does not end it
  if (kept.state.mark !== undefined) kept.state.mark = await accountMark(services.database.read, user.id);
  return undefined;
}

/** Tells a user by mail what an action has changed. A new address is told to the earlier one. */
async function tellUser(
  { services, realm }: Attempt,
  user: TokenUser,
  action: ActionName,
  present: TokenUser,
): Promise<void> {
  if (action === 'UPDATE_PASSWORD') return mailNotice(services, realm, present, { kind: 'password' });
  if (action === 'UPDATE_PROFILE') {
    const isMoved = user.email !== null && user.email !== present.email;
    return isMoved ? mailNotice(services, realm, present, { kind: 'email', to: user.email ?? '' }) : undefined;
  }
  if (addingActions.has(action)) return mailNotice(services, realm, present, { kind: 'credentialAdded' });
}

/** Actions that add a device or a key. */
export const addingActions: ReadonlySet<ActionName> = new Set([
  'CONFIGURE_TOTP',
  'CONFIGURE_RECOVERY_AUTHN_CODES',
  'webauthn-register',
  'webauthn-register-passwordless',
]);

/** A credential that a user has set up. */
interface NewCredential {
  type: string;
  userLabel?: string;
  credentialData: string;
  secretData: string;
  /** whether it takes the place of the one that the user has */
  isOnly?: boolean;
}

/** Stores a credential that a user has set up in this login, which need not be asked for any more. */
export async function setUpCredential(
  attempt: Attempt,
  user: TokenUser,
  action: ActionName,
  event: string,
  { isOnly = false, credentialData, secretData, ...credential }: NewCredential,
): Promise<Notice | undefined> {
  const { realm, kept } = attempt;
  const notice = await performAction(attempt, user, action, event, async (tx) => {
    if (isOnly) await tx.credential.deleteMany({ where: { userId: user.id, type: credential.type } });
    const given = [{ id: undefined, credential, stored: { credentialData, secretData } }];
    await keepCredentials(tx, asUser(attempt, user), realm, [{ id: user.id, prepared: { temporary: false, given } }]);
    return undefined;
  });
  if (notice) return notice;
  kept.state.done.push(`device ${credential.type}`);
  kept.state.authTime = atNow(attempt);
  return undefined;
}
