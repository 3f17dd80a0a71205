import type { Db } from '../../database/db.js';
import { type Concerned, concernedBy, tellOfLogout } from '../sessions/notifications.js';
import type { TokenUser } from '../tokens/types.js';
import type { Attempt } from './attempt.js';

/** Ends all sessions of a user but the one of this login. Returns the clients that have to be told. */
export async function endOtherSessions(tx: Db, { realm, kept }: Attempt, user: TokenUser): Promise<Concerned[]> {
  const where = { realmId: realm.id, userId: user.id, sid: { not: kept.state.sid } };
  const concerned = await concernedBy(tx, { ...where, offline: false });
  await tx.userSession.deleteMany({ where });
  return concerned;
}

/** Tells clients of sessions that have ended. False, and a line in the log, if one of them could not be told. */
export async function tellClients(
  { services, realm, browser }: Pick<Attempt, 'services' | 'realm'> & { browser: Pick<Attempt['browser'], 'baseUrl'> },
  concerned: Concerned[],
): Promise<boolean> {
  if (concerned.length === 0) return true;
  const sender = { ...services, baseUrl: browser.baseUrl };
  const { failedRequests } = await tellOfLogout(sender, realm, concerned);
  if (failedRequests) services.log.warn({ realm: realm.name, failedRequests }, 'clients were not notified of a logout');
  return failedRequests === undefined;
}
