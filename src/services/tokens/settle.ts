import type { Db } from '../../database/db.js';
import { countFailedLogin, countsAsFailure, forgiveFailures } from '../attack-detection/login.js';
import { isProtected } from '../attack-detection/rule.js';
import type { Refusal } from '../core/refusal.js';
import { inUnitOfWork, type UnitOfWork } from '../core/unit-of-work.js';
import { type LoginEvent, recordLoginEvent, storeLoginEvent } from '../events/login-events.js';
import { type NewSession, storeSession } from '../sessions/store.js';
import { usedCredentialsNote } from '../sessions/used-credentials.js';
import type { TokenContext } from './context.js';
import { invalidCredentials } from './oauth-error.js';
import { rotate } from './rotation.js';
import type { Grant } from './steps.js';
import type { TokenRealm } from './types.js';

/**
 * Stores what became of a request for tokens: its session, the use of its refresh token, what it means for the failed
 * logins of the user and its event, in one transaction; nothing where there is nothing to be stored. Throws where the
 * refresh token may not be used again, or the user may not log in any more because of others' attempts in the meantime.
 */
export async function settle(grant: Grant, type: string, refusal: Refusal | undefined): Promise<void> {
  const { context, realm } = grant;
  const stored = grant.session?.stored;
  if (stored && !refusal) context.touches.touch(stored.sessionId, stored.clientSessionId, grant.at);
  const sessions = stored || !grant.refreshable ? [] : newSessions(grant);
  const rotates = stored !== undefined && refusal === undefined && realm.settings.revokeRefreshToken === true;
  const guarded = type === 'LOGIN' && grant.user !== undefined && isProtected(realm);
  if (sessions.length === 0 && !rotates && !guarded)
    return recordLoginEvent(context, realm, eventOf(grant, type, refusal));
  const late = await inUnitOfWork(context, async (unit) => {
    const { tx } = unit;
    const late =
      (rotates ? await rotate(tx, grant) : undefined) ?? (await lockedMeanwhile(tx, grant, guarded, refusal));
    const outcome = late ?? refusal;
    if (guarded) await countFailureOf(unit, grant, outcome);
    if (!late) for (const session of sessions) await storeSession(tx, context.newId, session);
    await storeLoginEvent(tx, context, realm, eventOf(grant, type, outcome));
    return late;
  });
  if (late) throw late;
}

async function lockedMeanwhile(
  tx: Db,
  { context, realm, user }: Grant,
  guarded: boolean,
  refusal: Refusal | undefined,
): Promise<Refusal | undefined> {
  if (!guarded || !user || refusal) return undefined;
  const lock = await forgiveFailures(tx, realm, user, context.now());
  return lock && invalidCredentials(lock);
}

/** Counts a login that failed. Where that disables the user, every instance is told. */
async function countFailureOf(
  unit: UnitOfWork,
  { context, realm, user, remoteAddress }: Grant,
  refusal: Refusal | undefined,
): Promise<void> {
  if (!user || !countsAsFailure(refusal?.details.event)) return;
  const { id: realmId, settings } = realm;
  const failed = { realmId, settings, userId: user.id, ipAddress: remoteAddress, now: context.now() };
  await countFailedLogin(unit, failed);
}

/** A login is a session; one that is to be offline has a session of each kind, as in the reference server. */
function newSessions(grant: Grant): NewSession[] {
  const { realm, client, user, session, at, remoteAddress = '' } = grant;
  if (!user || !session) return [];
  const rotates = realm.settings.revokeRefreshToken === true;
  const { shown, authTime } = grant;
  const notes = {
    ...(shown && { [usedCredentialsNote]: shown.join(' ') }),
    ...(authTime !== undefined && { AUTH_TIME: String(authTime) }),
  };
  const common = {
    notes,
    sid: session.id,
    realmId: realm.id,
    userId: user.id,
    clientId: client.id,
    ipAddress: remoteAddress,
    rememberMe: session.rememberMe,
    startedAt: session.startedAt,
    at,
    refreshToken: rotates ? grant.refreshTokenId : undefined,
    clientNotes: adapterNotes(grant.form),
  };
  const login = { ...common, offline: false };
  return session.offline && grant.answer ? [login, { ...common, offline: true }] : [login];
}

/** What an adapter tells of its own session, so that it can be told when the login ends. */
function adapterNotes(form: URLSearchParams): Record<string, string> {
  const names = ['client_session_state', 'client_session_host'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = form.get(name);
      return value && value.length <= 255 ? [[name, value]] : [];
    }),
  );
}

function eventOf(grant: Grant, type: string, refusal: Refusal | undefined): LoginEvent {
  const { client, user, session, remoteAddress, details } = grant;
  return {
    type: refusal ? `${type}_ERROR` : type,
    clientId: client.clientId,
    userId: user?.id,
    sessionId: refusal ? undefined : session?.id,
    ipAddress: remoteAddress,
    error: refusal?.details.event,
    details,
  };
}

/** Stores the event of a request whose client has not proved itself. */
export const settleUnknownClient = (context: TokenContext, realm: TokenRealm, event: LoginEvent): Promise<void> =>
  recordLoginEvent(context, realm, event);
