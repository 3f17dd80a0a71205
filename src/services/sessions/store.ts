import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';

/** A login, or that one more client takes part in it. */
export interface NewSession {
  /** what tokens call it */
  sid: string;
  realmId: string;
  userId: string;
  /** id of the client's row */
  clientId: string;
  ipAddress: string;
  offline: boolean;
  rememberMe?: boolean;
  /** seconds since 1970 */
  startedAt: number;
  /** seconds since 1970 */
  at: number;
  redirectUri?: string | undefined;
  /** id of the refresh token that goes out with it */
  refreshToken?: string | undefined;
  notes?: Prisma.InputJsonObject;
  /** what the client tells of its own session, e.g. where that is */
  clientNotes?: Prisma.InputJsonObject;
}

/** A login without any client yet. */
export type NewLogin = Omit<NewSession, 'clientId' | 'redirectUri' | 'refreshToken' | 'clientNotes'>;

/** An online session is stored under the id that tokens have; an offline one has another, as both may be there at once. */
const rowId = (sid: string, offline: boolean): string => (offline ? `offline ${sid}` : sid);

/** Stores a login in which no client takes part yet; one that is there already stays as it is. */
export async function storeLogin(tx: Db, session: NewLogin): Promise<void> {
  const { sid, realmId, userId, ipAddress, offline, startedAt, at, notes = {} } = session;
  const id = rowId(sid, offline);
  const rememberMe = session.rememberMe ?? false;
  const row = { id, sid, realmId, userId, offline, ipAddress, rememberMe, startedAt, lastAccess: at, notes };
  await tx.later.insertNew('UserSession', [row]);
}

/** Stores a login with its first client, or a client that joins one that is there. */
export async function storeSession(tx: Db, newId: () => string, session: NewSession): Promise<void> {
  const { sid, realmId, clientId, offline, at, clientNotes: notes = {} } = session;
  const link = { sessionId: rowId(sid, offline), clientId, realmId, offline, startedAt: at, lastAccess: at, notes };
  const own = { redirectUri: session.redirectUri ?? null, refreshToken: session.refreshToken ?? null, refreshUses: 0 };
  await storeLogin(tx, session);
  await tx.later.insertNew('ClientSession', [{ id: newId(), ...link, ...own }]);
}
