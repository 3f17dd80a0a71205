import { lockOf } from '../attack-detection/login.js';
import { upToDate } from '../tokens/parties.js';
import type { TokenUser } from '../tokens/types.js';
import { type Attempt, atNow, loginFailed } from './attempt.js';
import { PageRefusal } from './refusals.js';

/** Has a login go on as a user who has just proved who it is. */
export function goOnAs(attempt: Attempt, user: TokenUser): void {
  const { state } = attempt.kept;
  attempt.user = user;
  state.userId = user.id;
  state.authTime = atNow(attempt);
}

/** A user who is to be logged in, as its directory says now. Throws a page for one who is disabled or locked. */
export async function presentUser(attempt: Attempt, known: TokenUser): Promise<TokenUser> {
  const { services, tokens, realm } = attempt;
  const lock = await lockOf(services.database.read, realm, known, services.now());
  const user = lock ? null : await upToDate(tokens, realm, known);
  if (!lock && user?.enabled) return user;
  await loginFailed({ ...attempt, user: known }, lock ?? 'user_disabled');
  throw new PageRefusal(400, 'accountDisabledMessage');
}

/** Refuses, with a page, another user than the one who has begun this login, or has the session that it renews. */
export async function requireSameUser(attempt: Attempt, user: TokenUser): Promise<void> {
  const { userId, session } = attempt.kept.state;
  const before = userId ?? session?.userId;
  if (before === undefined || before === user.id) return;
  await loginFailed({ ...attempt, user }, 'different_user_authenticated');
  throw new PageRefusal(400, 'differentUser');
}
