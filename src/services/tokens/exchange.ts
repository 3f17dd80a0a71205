import { among, listed } from '../../database/lists.js';
import { roleKey, rolesInClaims } from '../authorization/evaluation/identity.js';
import { isAdminTool } from '../core/held-rights.js';
import { members, numberOf, textsOf } from '../core/json.js';
import { inTransaction } from '../core/unit-of-work.js';
import { mayExchange } from '../permissions/token-exchange.js';
import { storeSession } from '../sessions/store.js';
import { type KnownToken, knownAccessToken } from './access.js';
import { lacksBinding } from './binding.js';
import { issueTokens } from './issue.js';
import { authTimeOf } from './lifetimes.js';
import { oauthError } from './oauth-error.js';
import { findRealmAndClient, upToDate } from './parties.js';
import { requireConsent, sessionOf } from './refresh.js';
import { resourcesFor } from './resources.js';
import { effectiveRoles } from './roles.js';
import { chooseScopes, scopeNames } from './scopes.js';
import { found, type Grant, type Step } from './steps.js';
import type { TokenClient, TokenRole } from './types.js';

/** The grant of RFC 8693. */
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
const refreshTokenType = 'urn:ietf:params:oauth:token-type:refresh_token';

const invalidRequest = (description: string) => oauthError(400, 'invalid_request', description);
const ended = () => oauthError(400, 'invalid_token', 'The session of the subject_token has ended, or is offline');
const denied = (description: string) => oauthError(403, 'access_denied', description);

/** Parameters of exchanges with other issuers, for other users, and for other parties, which do not exist here. */
const unsupported = ['subject_issuer', 'requested_issuer', 'requested_subject', 'actor_token', 'actor_token_type'];

/**
 * Whether a client exchanges tokens for its own ones, limited to the audience that it names, without permissions of other clients: the
 * standard token exchange of Keycloak 26. A public client cannot, as anybody can pretend to be it.
 */
const isStandard = ({ publicClient, attributes }: TokenClient): boolean =>
  !publicClient && members(attributes)['standard.token.exchange.enabled'] === 'true';

/** The clients other than itself that a client with the standard token exchange names; undefined if it names none. */
function audienceOf({ client, form }: Pick<Grant, 'client' | 'form'>): string[] | undefined {
  const others = [...new Set(form.getAll('audience'))].filter((name) => name !== '' && name !== client.clientId);
  return isStandard(client) && others.length > 0 ? others : undefined;
}

/** The kind of token that is asked for (RFC 8693 section 2.1). Throws for those that are not issued. */
function requestedType({ form, client }: Pick<Grant, 'form' | 'client'>): string {
  for (const name of unsupported) {
    if (form.get(name)) throw invalidRequest(`Parameter not supported: ${name}`);
  }
  const subjectType = form.get('subject_token_type') ?? accessTokenType;
  if (subjectType !== accessTokenType) throw invalidRequest('Unsupported subject_token_type');
  const type = form.get('requested_token_type') || accessTokenType;
  if (type !== accessTokenType && type !== refreshTokenType) throw invalidRequest('Unsupported requested_token_type');
  const givesRefresh = members(client.attributes)['standard.token.exchange.enableRefreshRequestedTokenType'];
  if (type === refreshTokenType && isStandard(client) && givesRefresh !== 'SAME_SESSION')
    throw invalidRequest('Client gets no refresh tokens by an exchange');
  return type;
}

/** The token that is exchanged. Throws unless its session goes on; one that is bound to a key is not exchanged. */
async function subjectOf({ context, realm, form }: Grant): Promise<KnownToken> {
  const text = form.get('subject_token');
  if (!text) throw invalidRequest('Missing parameter: subject_token');
  const known = await knownAccessToken(context, realm, text);
  if (!known?.inSession) throw oauthError(400, 'invalid_token', 'Invalid subject_token');
  return known;
}

/** The client that the new token is for: the one that `audience` names, or else, and by the standard token exchange, the one that asks. */
async function targetOf({ context, realm, client, form, boundTo }: Grant): Promise<TokenClient> {
  const audience = form.get('audience') || client.clientId;
  if (isStandard(client) || audience === client.clientId) return client;
  if (form.getAll('audience').length > 1) throw invalidRequest('duplicated parameter');
  const { client: target } = await findRealmAndClient(context, realm.name, audience);
  const refused = (description: string) => oauthError(400, 'invalid_client', description);
  if (!target) throw refused('Audience not found');
  if (!target.enabled) throw refused('Client disabled');
  if ((target.protocol ?? 'openid-connect') !== 'openid-connect') throw refused('Client is not of OpenID Connect');
  if (target.consentRequired) throw refused('Client requires user consent');
  if (lacksBinding(target, boundTo ?? {}))
    throw refused('Client requires tokens that are bound to a key or certificate');
  return target;
}

/**
 * Refuses clients that may not exchange the token. For a token of its own a client needs no permission, if it holds the
 * subject token or is in its audience; for that of another client the fine-grained permission of that client. A public
 * client, which anybody can pretend to be, exchanges only tokens that it holds.
 */
async function requireAllowed({ context, realm, client }: Grant, { claims }: KnownToken, target: TokenClient) {
  const isHolder = claims.azp === client.clientId;
  if (client.publicClient && !isHolder) throw denied('Client is not the holder of the token');
  // their tokens stand for all that the user may do, whatever roles they name
  if (isAdminTool(target.clientId) && !isAdminTool(String(claims.azp))) throw denied('Client not allowed to exchange');
  if (target.id === client.id) {
    if (isHolder || textsOf([claims.aud].flat()).includes(client.clientId)) return;
    throw denied('Client is not within the token audience');
  }
  if (await mayExchange(context.database.read, realm.id, client, target, context.now())) return;
  throw denied('Client not allowed to exchange');
}

/** Verifies the subject token, and that the client may exchange it for one of the client that it names. */
const exchangeAllowed = async (grant: Grant): Promise<{ subject: KnownToken; target: TokenClient; type: string }> => {
  const { client } = grant;
  const type = requestedType(grant);
  if (client.bearerOnly) throw denied('Client not allowed to exchange');
  const subject = await subjectOf(grant);
  grant.user = subject.user;
  const target = await targetOf(grant);
  const audience = audienceOf(grant)?.join(' ') ?? target.clientId;
  Object.assign(grant.details, { audience, requested_token_type: type });
  await requireAllowed(grant, subject, target);
  return { subject, target, type };
};

/**
 * The roles in the new token: those that its client may see, and of those that administer only the ones in the subject token.
 * An exchange must not make an administrator of the bearer of a token that was meant for something else.
 */
async function rolesFor(grant: Grant, roles: readonly TokenRole[], { claims }: KnownToken): Promise<TokenRole[]> {
  const named = rolesInClaims(claims);
  const beyond = roles.filter(({ clientId, name }) => !named.has(roleKey(clientId, name)));
  if (beyond.length === 0) return [...roles];
  const { read } = grant.context.database;
  const ids = listed(
    read,
    beyond.map(({ id }) => id),
  );
  const rows = await read.administrationRole.findMany({
    where: { roleId: { in: among(ids) } },
    select: { roleId: true },
  });
  const administer = new Set(rows.map(({ roleId }) => roleId));
  return roles.filter((role) => !administer.has(role.id) || !beyond.includes(role));
}

/**
 * The latest that the new token may expire, in seconds since 1970. Whoever has seen a token of a public client can exchange it, so
 * that gives nothing that lasts longer or reaches further. Throws what the client is told if it asks for that.
 */
function endFor({ client, form }: Grant, { claims }: KnownToken, type: string): number {
  if (!client.publicClient) return Number.POSITIVE_INFINITY;
  if (type === refreshTokenType) throw invalidRequest('Public clients get no refresh tokens by an exchange');
  const held = new Set(scopeNames(typeof claims.scope === 'string' ? claims.scope : ''));
  if (!scopeNames(form.get('scope') ?? '').every((name) => held.has(name))) {
    throw oauthError(400, 'invalid_scope', 'The subject_token has a narrower scope');
  }
  return numberOf(claims, 'exp', 0);
}

/** Exchanges a token of a session for one of another client, or another one of the same client (RFC 8693). */
export const tokenExchanged: Step = {
  name: 'token exchanged',
  async run(grant) {
    const { context, realm, client, form, at, baseUrl } = grant;
    const { subject, target, type } = await exchangeAllowed(grant);
    const notAfter = endFor(grant, subject, type);
    const sid = typeof subject.claims.sid === 'string' ? subject.claims.sid : undefined;
    const session = sid && (await sessionOf(context, realm, target, { sid, offline: false }, at));
    if (!sid || !session) throw ended();
    const user = await upToDate(context, realm, subject.user);
    if (!user) throw oauthError(400, 'invalid_token', 'User not found');
    const chosen = chooseScopes(target, form.get('scope') ?? undefined);
    // an offline session would outlive the one that the user has opened
    if (chosen.offline) throw oauthError(400, 'invalid_scope', 'Offline tokens cannot be had by an exchange');
    const roles = await effectiveRoles(context.database.read, user.id, realm.id, target);
    const scope = { ...chosen, scopes: chosen.scopes.filter((one) => roles.permits(one)) };
    // no other client that asks its users gets here
    if (target.id === client.id) await requireConsent(grant, user.id, scope);
    const [part] = session.clients;
    const all = roles.within(target, scope.scopes);
    const kept = await rolesFor(grant, all, subject);
    const hasAll = kept.length === all.length;
    const { answer, accessTokenId, refreshTokenId } = await issueTokens(context, {
      realm,
      client: target,
      user,
      roles: kept,
      // the roles that are left out could not be told from the others later
      lightweight: hasAll ? grant.lightweight : false,
      scope,
      session: {
        id: sid,
        startedAt: session.startedAt,
        offline: false,
        rememberMe: session.rememberMe,
        endsAt: session.endsAt,
        ...authTimeOf(session.notes),
        ...(typeof subject.claims.acr === 'string' && { acr: subject.claims.acr }),
      },
      at: Math.max(at, part?.startedAt ?? at),
      baseUrl,
      boundTo: grant.boundTo,
      resources: resourcesFor(form, undefined, audienceOf(grant)),
      // a public client does not authenticate, so anybody with a copy of its token can exchange it
      within: client.publicClient && target.id === client.id ? subject.claims : undefined,
      refreshable: true,
      notAfter,
      notes: {},
    });
    const { refresh_token: refreshToken, refresh_expires_in: _, ...rest } = answer;
    // the client has a refresh token of the session already, and each of its tokens is good so many times
    const isTaken = realm.settings.revokeRefreshToken === true && part !== undefined;
    // a refresh would bring back the roles that are left out
    const isRefreshed = type === refreshTokenType && refreshToken !== undefined && !isTaken && hasAll;
    if (!part) await join(grant, target, sid, isRefreshed ? refreshTokenId : undefined);
    grant.answer = { ...(isRefreshed ? answer : rest), issued_token_type: isRefreshed ? type : accessTokenType };
    const { startedAt, rememberMe, endsAt } = session;
    grant.session = { id: sid, startedAt, offline: false, rememberMe, endsAt };
    Object.assign(grant.details, { token_id: accessTokenId, scope: answer.scope });
    // nothing is left to be stored but the event
    grant.refreshable = false;
  },
};

/** Has the client of the new token take part in the session. Throws where that has ended meanwhile. */
async function join(grant: Grant, { id: clientId }: TokenClient, sid: string, refreshToken: string | undefined) {
  const { context, realm, user, at, remoteAddress: ipAddress = '' } = grant;
  const { id: userId } = found(user);
  await inTransaction(context.database, async (tx) => {
    const where = { sid, realmId: realm.id, userId, offline: false };
    const session = await tx.userSession.findFirst({ where, select: { startedAt: true } });
    if (!session) throw ended();
    const part = { ...where, clientId, ipAddress, startedAt: session.startedAt, at, refreshToken };
    await storeSession(tx, context.newId, part);
  });
}
