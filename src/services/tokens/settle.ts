import type { Refusal } from '../core/refusal.js';
import { retried } from '../core/transaction.js';
import { keepsEvents, type LoginEvent, storeLoginEvent } from '../events/login-events.js';
import { type NewSession, storeSession } from '../sessions/store.js';
import type { TokenContext } from './context.js';
import type { TokenRealm } from './parties.js';
import { rotate } from './rotation.js';
import type { Grant } from './steps.js';

/**
 * Stores what became of a request for tokens: its session, the use of its refresh token and its event, in one
 * transaction; nothing where there is nothing to be stored. Throws where the refresh token may not be used again.
 */
export async function settle(grant: Grant, type: string, refusal: Refusal | undefined): Promise<void> {
  const { context, realm } = grant;
  const stored = grant.session?.stored;
  if (stored && !refusal) context.touches.touch(stored.sessionId, stored.clientSessionId, grant.at);
  const event = eventOf(grant, type, refusal);
  const sessions = stored || !grant.refreshable ? [] : newSessions(grant);
  const rotates = stored !== undefined && refusal === undefined && realm.settings.revokeRefreshToken === true;
  if (sessions.length === 0 && !rotates && !keepsEvents(realm, event.type)) return;
  const overused = await retried(context.database, async (tx) => {
    const late = rotates ? await rotate(tx, grant) : undefined;
    for (const session of sessions) await storeSession(tx, context.newId, session);
    await storeLoginEvent(
      tx,
      context.newId,
      realm,
      late ? eventOf(grant, type, late as Refusal) : event,
      context.now(),
    );
    return late;
  });
  if (overused) throw overused;
}

/** A login is a session; one that is to be offline has a session of each kind, as in the reference server. */
function newSessions(grant: Grant): NewSession[] {
  const { realm, client, user, session, at, remoteAddress = '' } = grant;
  if (!user || !session) return [];
  const rotates = realm.settings.revokeRefreshToken === true;
  const common = {
    sid: session.id,
    realmId: realm.id,
    userId: user.id,
    clientId: client.id,
    ipAddress: remoteAddress,
    rememberMe: session.rememberMe,
    startedAt: session.startedAt,
    at,
    refreshToken: rotates ? grant.refreshTokenId : undefined,
  };
  const login = { ...common, offline: false };
  return session.offline && grant.answer ? [login, { ...common, offline: true }] : [login];
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
export async function settleUnknownClient(context: TokenContext, realm: TokenRealm, event: LoginEvent): Promise<void> {
  if (!keepsEvents(realm, event.type)) return;
  await retried(context.database, (tx) => storeLoginEvent(tx, context.newId, realm, event, context.now()));
}
