import { findUserById } from '../tokens/parties.js';
import { knownScopes } from '../tokens/scopes.js';
import type { TokenUser } from '../tokens/types.js';
import { openActions } from './actions.js';
import { type Attempt, atNow } from './attempt.js';
import { openConsent } from './consent.js';
import type { BrowserSession } from './identity.js';
import { levelsOfNotes } from './level-notes.js';

/** Seconds since the login after which users prove anew who they are, before a client has them change their account. */
const oldestForActions = 300;

/** Has a browser with a session log in with that, unless the client wants the user to prove anew who it is. */
export async function joinSession(attempt: Attempt, session: BrowserSession | undefined): Promise<void> {
  if (!session) return;
  const { state } = attempt.kept;
  const { prompt, maxAge = Number.POSITIVE_INFINITY, action, level } = state.request;
  // somebody who finds an open browser must not take over the account
  const oldest = Math.min(maxAge, action === undefined ? Number.POSITIVE_INFINITY : oldestForActions);
  const user = await findUserById(attempt.tokens, attempt.realm, session.userId);
  if (!user?.enabled) return;
  // without levels of its own, a flow has one for a session and one for a login
  const anew = level?.isEssential === true && level.level > 0 && attempt.flow.levels.size === 0;
  const isOld = session.authTime + oldest <= atNow(attempt);
  const again = prompt.includes('login') || anew || isOld || (await outlastsImpersonation(attempt, session, user));
  state.sid = session.sid;
  const levels = levelsOfNotes(session.notes);
  state.session = { sid: session.sid, userId: session.userId, again, ...(levels && { levels }) };
  state.authTime = session.authTime;
  state.username = user.username;
  if (!again) attempt.user = user;
}

/**
 * Whether an impersonated session is asked for what stays when it has ended: changes of the account, the login of a device,
 * offline access and consent. These take a proof of the user itself.
 */
async function outlastsImpersonation(attempt: Attempt, session: BrowserSession, user: TokenUser): Promise<boolean> {
  if (session.notes.IMPERSONATOR_ID === undefined) return false;
  const { request, device } = attempt.kept.state;
  if (device !== undefined || knownScopes(attempt.client, request.scope).offline) return true;
  if ((await openActions(attempt, user, [])).length > 0) return true;
  return (await openConsent(attempt, user)) !== undefined;
}
