import { numberOf, textsOf } from '../core/json.js';
import { isAlive } from '../sessions/lifetime.js';
import type { Claims } from './claims.js';
import { boundCertificate } from './client-certificate.js';
import type { TokenContext } from './context.js';
import { boundKey } from './dpop.js';
import { groupsOf } from './groups.js';
import { authTimeOf, notBeforeOf } from './lifetimes.js';
import { invalidGrant, oauthError } from './oauth-error.js';
import { withStorage } from './parties.js';
import { claimsOfNotes } from './requested-claims.js';
import { effectiveRoles } from './roles.js';
import { asksConsent, chooseScopes, type ScopeChoice } from './scopes.js';
import { verifiedToken } from './signature.js';
import type { Grant, Step } from './steps.js';
import { type SessionInUse, sessionSelect, type TokenClient, type TokenRealm } from './types.js';

/** What a refresh token stands for. */
export interface RefreshToken {
  claims: Claims;
  offline: boolean;
}

/**
 * Reads a refresh token of this realm and client that has not expired (RFC 6749 section 6). Throws what the token endpoint
 * answers to any other text.
 */
export async function readRefreshToken(
  context: Pick<TokenContext, 'keyring'>,
  realm: TokenRealm,
  client: Pick<TokenClient, 'id' | 'clientId'>,
  text: string | null,
  at: number,
): Promise<RefreshToken> {
  if (!text) throw oauthError(400, 'invalid_request', 'No refresh token', 'invalid_token');
  const verified = await verifiedToken(context, realm, ['refresh', 'offline'], text);
  if (!verified) throw invalidGrant('Invalid refresh token');
  const { claims } = verified;
  const offline = verified.purpose === 'offline';
  const expires = numberOf(claims, 'exp', offline ? Number.POSITIVE_INFINITY : 0);
  if (expires <= at) throw invalidGrant('Token is not active');
  if (numberOf(claims, 'iat', 0) < numberOf(realm.settings, 'notBefore', 0)) throw invalidGrant('Stale token');
  if (claims.azp !== client.clientId) {
    throw invalidGrant("Invalid refresh token. Token client and authorized client don't match");
  }
  // the client that it was issued to was deleted, and another one has its name
  if (verified.client !== client.id) throw invalidGrant('Invalid refresh token');
  return { claims, offline };
}

/** The session that a token names, if it goes on: one statement, with its user. */
export async function sessionOf(
  context: Pick<TokenContext, 'database'>,
  realm: TokenRealm,
  client: Pick<TokenClient, 'id'>,
  { sid, offline }: { sid: unknown; offline: boolean },
  at: number,
) {
  const session = await storedSession(context, realm, client, sid, offline);
  return session && isAlive(session, realm.settings, at) ? session : undefined;
}

const storedSession = (
  { database }: Pick<TokenContext, 'database'>,
  realm: TokenRealm,
  client: Pick<TokenClient, 'id'>,
  sid: unknown,
  offline: boolean,
) =>
  database.read.userSession.findFirst({
    where: { sid: typeof sid === 'string' ? sid : '', offline, realmId: realm.id },
    select: sessionSelect(client.id),
  });

/** What a refresh token stands for; nothing where its session is not there. */
async function sessionInUse(
  { context, realm, client }: Grant,
  { claims, offline }: RefreshToken,
  scope: ScopeChoice,
): Promise<SessionInUse | undefined> {
  const { read } = context.database;
  const userId = String(claims.sub);
  const find = async () => {
    // asked for together, as what a short statement costs is most of all its way
    const [session, roles, groups] = await Promise.all([
      storedSession(context, realm, client, claims.sid, offline),
      effectiveRoles(read, userId, realm.id, client),
      groupsOf(read, { id: userId }, client, scope),
    ]);
    return session ? { session, ...(session.user.id === userId && { roles, groups }) } : undefined;
  };
  // where each token is good for so many uses, using one too often ends the session without notice to anybody
  if (!context.sessionsInUse || realm.settings.revokeRefreshToken === true) return find();
  const key = JSON.stringify([realm.id, client.id, claims.sid, offline, userId, claims.scope]);
  return context.sessionsInUse.get(key, find);
}

/** Verifies the refresh token, and that its session, user and the notBefore policies still allow its use. */
export const refreshTokenVerified: Step = {
  name: 'refresh token verified',
  async run(grant) {
    const { context, realm, client, form, at } = grant;
    const token = await readRefreshToken(context, realm, client, form.get('refresh_token'), at);
    const { claims, offline } = token;
    const key = boundKey(claims);
    if (key !== undefined && key !== grant.boundTo?.key) throw invalidGrant('Refresh token is bound to another key');
    const certificate = boundCertificate(claims);
    if (certificate !== undefined && certificate !== grant.boundTo?.certificate)
      throw invalidGrant('Refresh token is bound to another certificate');
    Object.assign(grant.details, { refresh_token_id: claims.jti, refresh_token_type: claims.typ });
    const scope = rememberedScope(client, claims.scope, offline);
    const inUse = await sessionInUse(grant, token, scope);
    if (!inUse || !isAlive(inUse.session, realm.settings, at)) {
      throw invalidGrant(offline ? 'Offline user session not found' : 'Session not active');
    }
    if (offline && !client.scopes.some(({ clientScope }) => clientScope.name === 'offline_access')) {
      throw invalidGrant('Offline access is not allowed for this client any more');
    }
    const { session, ...held } = inUse;
    const user = withStorage(realm, session.user);
    Object.assign(grant, { user, ...held });
    if (!user.enabled) throw invalidGrant('User disabled');
    if (numberOf(claims, 'iat', 0) < notBeforeOf(realm, client, user)) throw invalidGrant('Stale token');
    const [part] = session.clients;
    // a client that was deleted and made again with its id has joined the session anew
    if (!part || part.startedAt > numberOf(claims, 'iat', 0)) {
      throw invalidGrant("Session doesn't have required client");
    }
    await requireConsent(grant, user.id, scope);
    const requested = claimsOfNotes(part.notes);
    grant.session = {
      id: String(claims.sid),
      startedAt: session.startedAt,
      joinedAt: part.startedAt,
      offline,
      rememberMe: session.rememberMe,
      endsAt: session.endsAt,
      stored: { sessionId: session.id, clientSessionId: part.id },
      ...(typeof claims.nonce === 'string' && { nonce: claims.nonce }),
      ...authTimeOf(session.notes),
      ...(typeof claims.acr === 'string' && { acr: claims.acr }),
      ...(requested && { requested }),
    };
    if (claims.resource !== undefined) grant.resources = textsOf(claims.resource);
    grant.usedToken = { id: String(claims.jti), issuedAt: numberOf(claims, 'iat', 0) };
    grant.scope = scope;
  },
};

/**
 * Throws `invalid_scope` unless the user allows the client all that it is to have; an administrator or the user may have taken
 * that back. Clients that need no consent have it always.
 */
export async function requireConsent(
  { context, client }: Grant,
  userId: string,
  { scopes }: ScopeChoice,
): Promise<void> {
  if (!client.consentRequired) return;
  const given = await context.database.read.userConsent.findFirst({
    where: { userId, clientId: client.id },
    select: { grantedScopes: true },
  });
  const granted = new Set(textsOf(given?.grantedScopes));
  if (given === null || !scopes.filter(asksConsent).every(({ id }) => granted.has(id))) {
    throw oauthError(400, 'invalid_scope', 'Client no longer has requested consent from user', 'not_allowed');
  }
}

/** The scope that the token was issued for, without what the client has lost since. */
export function rememberedScope(client: Parameters<typeof chooseScopes>[0], scope: unknown, offline: boolean) {
  const names = new Set(client.scopes.map(({ clientScope }) => clientScope.name));
  const remembered = (typeof scope === 'string' ? scope : '')
    .split(' ')
    .filter((name) => name === 'openid' || names.has(name));
  return { ...chooseScopes(client, remembered.join(' ')), offline };
}
