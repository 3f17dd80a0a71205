import type { Services } from '../core/context.js';
import { members, numberOf } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import { signServerToken } from '../keys/sign.js';
import { isAlive, lifetimesOf } from '../sessions/lifetime.js';
import { issuerOf } from '../tokens/context.js';
import { verifiedToken } from '../tokens/signature.js';
import { isUsable } from '../user-storage/storage-id.js';
import { secretText } from './state.js';

/** The session that a browser has. */
export interface BrowserSession {
  sid: string;
  userId: string;
  username: string;
  rememberMe: boolean;
  /** seconds since 1970: when the user last proved who it is */
  authTime: number;
  notes: Record<string, unknown>;
  /** what forms of this browser carry, so that no other site can send them */
  checker: string;
}

/** What tells a browser of its session. */
export interface Identity {
  /** value of the cookie that nothing but the server reads */
  token: string;
  /** value of the cookie that the status page compares */
  status: string;
  /** seconds; nothing for a cookie that ends with the browser */
  maxAge: number | undefined;
}

/** Signs the identity of a session for the browser's cookie, with a key that only the realm has. */
export async function signIdentity(
  { keyring, now, newId }: Services,
  realm: RealmRecord,
  baseUrl: string,
  { sid, userId, rememberMe }: Pick<BrowserSession, 'sid' | 'userId' | 'rememberMe'>,
): Promise<Identity> {
  const at = Math.floor(now() / 1000);
  const { max = 36_000 } = lifetimesOf(realm.settings, { offline: false, rememberMe });
  const claims = { exp: at + max, iat: at, jti: newId(), iss: issuerOf(baseUrl, realm.name), sub: userId };
  const session = { session_state: sid, sid, state_checker: secretText() };
  const token = await signServerToken({ keyring }, realm, { purpose: 'identity', claims: { ...claims, ...session } });
  return { token, status: `${realm.name}/${userId}/${sid}`, maxAge: rememberMe ? max : undefined };
}

/** The session that the cookie names, if it goes on in the database and its user may still log in. */
export async function sessionOfBrowser(
  { keyring, database, now }: Services,
  realm: RealmRecord,
  cookie: string | undefined,
): Promise<BrowserSession | undefined> {
  if (!cookie) return undefined;
  const claims = (await verifiedToken({ keyring }, realm, ['identity'], cookie))?.claims;
  const at = Math.floor(now() / 1000);
  if (!claims || numberOf(claims, 'exp', 0) <= at) return undefined;
  const sid = String(claims.sid ?? '');
  const session = await database.read.userSession.findFirst({
    where: { sid, offline: false, realmId: realm.id, userId: String(claims.sub ?? '') },
    select: {
      startedAt: true,
      lastAccess: true,
      endsAt: true,
      offline: true,
      rememberMe: true,
      notes: true,
      userId: true,
      user: { select: { enabled: true, federationLink: true, username: true } },
    },
  });
  if (!session || !isUsable(realm, session.user) || !isAlive(session, realm.settings, at)) return undefined;
  const { userId, rememberMe, startedAt } = session;
  const notes = members(session.notes);
  return {
    sid,
    userId,
    username: session.user.username,
    rememberMe,
    notes,
    authTime: numberOf(notes, 'AUTH_TIME', startedAt),
    checker: String(claims.state_checker ?? ''),
  };
}
