import { findUserById } from '../tokens/parties.js';
import { type Attempt, atNow } from './attempt.js';
import type { BrowserSession } from './identity.js';

/** Seconds since the login after which users prove anew who they are, before a client has them change their account. */
const oldestForActions = 300;

/** Has a browser with a session log in with that, unless the client wants the user to prove anew who it is. */
export async function joinSession(attempt: Attempt, session: BrowserSession | undefined): Promise<void> {
  if (!session) return;
  const { state } = attempt.kept;
  const { prompt, maxAge = Number.POSITIVE_INFINITY, action, anew = false } = state.request;
  // whoever finds a browser open is not to take the account over by it
  const oldest = Math.min(maxAge, action === undefined ? Number.POSITIVE_INFINITY : oldestForActions);
  const again = prompt.includes('login') || anew || session.authTime + oldest <= atNow(attempt);
  const user = await findUserById(attempt.tokens, attempt.realm.id, session.userId);
  if (!user?.enabled) return;
  state.sid = session.sid;
  state.session = { sid: session.sid, userId: session.userId, again };
  state.authTime = session.authTime;
  if (again) state.username = user.username;
  else attempt.user = user;
}
