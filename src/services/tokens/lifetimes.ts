import { members, numberOf } from '../core/json.js';
import { endOf } from '../sessions/lifetime.js';
import type { RequestedClaims } from './requested-claims.js';
import type { TokenClient, TokenRealm } from './types.js';

/** A login, as tokens tell of it. */
export interface TokenSession {
  /** what tokens call it */
  id: string;
  /** seconds since 1970 */
  startedAt: number;
  /** when the client joined it, in seconds since 1970: no token of it is older, whatever the clock of this process says */
  joinedAt?: number;
  offline: boolean;
  rememberMe: boolean;
  /** seconds since 1970 at which it ends at the latest; null or undefined if only the realm says so */
  endsAt?: number | null | undefined;
  /** the rows of a session that is there already, and of the client's part in it */
  stored?: { sessionId: string; clientSessionId: string };
  /** what the client sent along to the login, OpenID Connect Core section 3.1.2.1 */
  nonce?: string;
  /** when the user last proved who it is, in seconds since 1970 */
  authTime?: number;
  /** how well the user has proved who it is (`acr`): `1` where nothing is said */
  acr?: string;
  /** the claims that the client asked for by name */
  requested?: RequestedClaims;
}

/** When the user of a session has last proved who it is, as the notes of the session tell. */
export function authTimeOf(notes: unknown): Pick<TokenSession, 'authTime'> {
  const authTime = Number(members(notes).AUTH_TIME);
  return Number.isFinite(authTime) ? { authTime } : {};
}

/** When tokens expire, in seconds since 1970; a refresh token without end has none. */
export interface Expiry {
  access: number;
  refresh: number | undefined;
}

const endless = Number.POSITIVE_INFINITY;
/** A lifespan of which 0 means that there is no limit. */
const orEndless = (lifespan: number): number => (lifespan > 0 ? lifespan : endless);

/** The expiry of tokens issued at `at` (seconds since 1970): never after the end of the session that they belong to. */
export function expiryOf(realm: TokenRealm, client: TokenClient, session: TokenSession, at: number): Expiry {
  const ofRealm = (name: string, standard: number) => numberOf(realm.settings, name, standard);
  const ofClient = (attribute: string, setting: string) => {
    const own = numberOf(client.attributes, attribute, 0);
    return own > 0 ? own : ofRealm(setting, 0);
  };
  const lifespan = numberOf(client.attributes, 'access.token.lifespan', ofRealm('accessTokenLifespan', 300));

  if (session.offline) {
    // without an end of offline sessions in the realm, only limits of clients end their tokens
    const isLimited = members(realm.settings).offlineSessionMaxLifespanEnabled === true;
    const ofSession = (name: string, standard: number) => (isLimited ? ofRealm(name, standard) : endless);
    const idle = Math.min(
      ofSession('offlineSessionIdleTimeout', 2_592_000),
      orEndless(ofClient('client.offline.session.idle.timeout', 'clientOfflineSessionIdleTimeout')),
    );
    const max = Math.min(
      ofSession('offlineSessionMaxLifespan', 5_184_000),
      orEndless(ofClient('client.offline.session.max.lifespan', 'clientOfflineSessionMaxLifespan')),
    );
    const access = at + (lifespan > 0 ? lifespan : ofRealm('ssoSessionMaxLifespan', 36_000));
    const refresh = Math.min(at + idle, session.startedAt + max);
    return { access: Math.min(access, session.startedAt + max), refresh: refresh === endless ? undefined : refresh };
  }

  const clientMax = ofClient('client.session.max.lifespan', 'clientSessionMaxLifespan');
  const clientIdle = ofClient('client.session.idle.timeout', 'clientSessionIdleTimeout');
  const max = Math.min(ofRealm('ssoSessionMaxLifespan', 36_000), orEndless(clientMax));
  const idle = Math.min(ofRealm('ssoSessionIdleTimeout', 1800), orEndless(clientIdle));
  const end = Math.min(session.startedAt + max, endOf(session));
  // a lifespan of -1 is that of the session
  return { access: lifespan > 0 ? Math.min(at + lifespan, end) : end, refresh: Math.min(at + idle, end) };
}

/** Before this time, in seconds since 1970, tokens of the realm, client and user are not valid. */
export const notBeforeOf = (realm: TokenRealm, client: { notBefore: number }, user: { notBefore: number }): number =>
  Math.max(numberOf(realm.settings, 'notBefore', 0), client.notBefore, user.notBefore);
