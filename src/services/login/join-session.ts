import { findUserById } from '../tokens/parties.js';
import { type Attempt, atNow } from './attempt.js';
import type { BrowserSession } from './identity.js';

/** Has a browser with a session log in with that, unless the client wants the user to prove anew who it is. */
export async function joinSession(attempt: Attempt, session: BrowserSession | undefined): Promise<void> {
  if (!session) return;
  const { state } = attempt.kept;
  const { prompt, maxAge } = state.request;
  const again = prompt.includes('login') || (maxAge !== undefined && session.authTime + maxAge <= atNow(attempt));
  const user = await findUserById(attempt.tokens, attempt.realm.id, session.userId);
  if (!user?.enabled) return;
  state.sid = session.sid;
  state.session = { sid: session.sid, userId: session.userId, again };
  state.authTime = session.authTime;
  if (again) state.username = user.username;
  else attempt.user = user;
}
