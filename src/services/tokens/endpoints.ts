import { partyTokenInfo } from '../authorization/introspect.js';
import { members } from '../core/json.js';
import { Refusal } from '../core/refusal.js';
import { inUnitOfWork } from '../core/unit-of-work.js';
import { type LoginEvent, storeLoginEvent } from '../events/login-events.js';
import { concernedBy, tellOfLogout } from '../sessions/notifications.js';
import { clientTokens, type KnownToken, knownToken } from './access.js';
import { type Claims, numberOfClaim } from './claims.js';
import { authenticateClient, authenticatorOf, clientCredentials } from './client-authentication.js';
import { seconds, type TokenContext } from './context.js';
import { boundKey } from './dpop.js';
import { oauthError } from './oauth-error.js';
import { allowedOrigins } from './origins.js';
import { findRealmAndClient } from './parties.js';
import { type RefreshToken, readRefreshToken } from './refresh.js';
import { storeRevoked } from './revocation.js';
import { verifiedToken } from './signature.js';
import type { ClientAnswer, TokenRequest } from './token-request.js';
import type { TokenClient, TokenRealm } from './types.js';
import { wholeClaims } from './whole-claims.js';

/** A request of a client, after it has proved itself. */
interface ClientRequest {
  context: TokenContext;
  realm: TokenRealm;
  client: TokenClient;
  form: URLSearchParams;
  remoteAddress: string | undefined;
  baseUrl: string;
  /** the header `DPoP` (RFC 9449) */
  proof: string | undefined;
}

type Handler = (request: ClientRequest) => Promise<{ status: number; body?: Record<string, unknown> }>;

/** Answers a request that only a client may send: its errors are answers as well. */
export const ofClients =
  (handle: Handler) =>
  async (context: TokenContext, request: TokenRequest): Promise<ClientAnswer> => {
    const { form, remoteAddress, baseUrl, proof } = request;
    const credentials = clientCredentials(form, request.authorization, request.findCertificate);
    const { realm, client } = await findRealmAndClient(context, request.realmName, credentials.clientId);
    const origins = client && allowedOrigins(client, baseUrl);
    try {
      if (!realm.enabled) throw oauthError(403, 'access_denied', 'Realm not enabled');
      const proved = await authenticateClient(context, client, credentials, { realm, baseUrl });
      return {
        ...(await handle({ context, realm, client: proved, form, remoteAddress, baseUrl, proof })),
        headers: {},
        allowedOrigins: origins,
      };
    } catch (error) {
      if (!(error instanceof Refusal) || !error.details.body) throw error;
      const { status = 400, body, guessed, headers = {} } = error.details;
      return { status, body, headers, allowedOrigins: origins, guessed };
    }
  };

/** Ends a session, tells every instance and the clients that want to know, and keeps the event. */
async function endSession(
  { context, realm, client, remoteAddress, baseUrl }: ClientRequest,
  { claims: { sid, sub }, offline }: RefreshToken,
  event: Pick<LoginEvent, 'type' | 'details'>,
): Promise<void> {
  const userId = String(sub ?? '');
  const sessionId = String(sid ?? '');
  const touches = [`sessions:${realm.id}`, `user:${userId}`];
  const concerned = await inUnitOfWork(context, async ({ tx, changed }) => {
    const where = { sid: sessionId, offline, realmId: realm.id };
    const concerned = await concernedBy(tx, where);
    const { count } = await tx.userSession.deleteMany({ where });
    if (count === 0) return undefined;
    await changed({ realmId: realm.id, operation: 'session.logout', touches });
    const who = { clientId: client.clientId, userId, sessionId, ipAddress: remoteAddress };
    await storeLoginEvent(tx, context, realm, { ...event, ...who });
    return concerned;
  });
  if (concerned) await tellOfLogout({ ...context, baseUrl }, realm, concerned);
}

/** Logout by refresh token. That its session has ended already does not matter. */
export const logoutByToken = ofClients(async (request) => {
  const { context, realm, client, form } = request;
  const token = await readRefreshToken(context, realm, client, form.get('refresh_token'), seconds(context));
  await endSession(request, token, { type: 'LOGOUT', details: { client_auth_method: authenticatorOf(client) } });
  return { status: 204 };
});

/** Token introspection, RFC 7662. Only clients that can keep a secret may ask. */
export async function introspect(context: TokenContext, request: TokenRequest): Promise<ClientAnswer> {
  const refused = (status: number, description: string): ClientAnswer => ({
    status,
    body: { error: 'invalid_request', error_description: description },
    headers: {},
    allowedOrigins: undefined,
  });
  const credentials = clientCredentials(request.form, request.authorization, request.findCertificate);
  const { realm, client } = await findRealmAndClient(context, request.realmName, credentials.clientId);
  if (client?.publicClient) return refused(403, 'Client not allowed.');
  try {
    const asking = client && { ...client, bearerOnly: false };
    await authenticateClient(context, asking, credentials, { realm, baseUrl: request.baseUrl });
  } catch (error) {
    if (error instanceof Refusal) {
      return { ...refused(401, 'Authentication failed.'), guessed: error.details.guessed };
    }
    throw error;
  }
  const text = request.form.get('token');
  if (!text) return refused(400, 'Token not provided.');
  const verified = await verifiedToken(context, realm, clientTokens, text);
  const known = verified && (await knownToken(context, realm, verified));
  const active = known?.inSession === true;
  const isParty = request.form.get('token_type_hint') === 'requesting_party_token';
  if (active && isParty) {
    return { status: 200, body: partyTokenInfo(known.claims), headers: {}, allowedOrigins: undefined };
  }
  const takesToken = members(client?.attributes)['client.introspection.response.allow.jwt.claim.enabled'] === 'true';
  const body = active
    ? {
        ...(await claimsFor(context, realm, client, known)),
        ...typeOf(known.claims),
        client_id: known.client.clientId,
        username: known.user.username,
        active,
        ...(takesToken && { jwt: text }),
      }
    : { active: false };
  return { status: 200, body, headers: {}, allowedOrigins: undefined };
}

/**
 * The claims of a token that a client gets to see: those in the token, and those that a lightweight one leaves out, if the token was
 * issued to the client or the client is in its audience.
 */
async function claimsFor(
  context: TokenContext,
  realm: TokenRealm,
  client: TokenClient | undefined,
  known: KnownToken,
): Promise<Claims> {
  const whole = await wholeClaims(context, { ...known, realm }, known.claims, 'introspection.token.claim');
  const isFor = [whole.azp, whole.aud].flat().includes(client?.clientId);
  return isFor ? whole : known.claims;
}

/** The type of a token that is bound to a key (RFC 9449 section 6.2); the contract names no other. */
const typeOf = (claims: Claims): Claims => (boundKey(claims) === undefined ? {} : { token_type: 'DPoP' });

/** Token revocation, RFC 7009: a refresh token takes its session along, an access token only itself. */
export const revoke = ofClients(async (request) => {
  const { context, realm, client, form } = request;
  const text = form.get('token');
  if (!text) throw oauthError(400, 'invalid_request', 'Token not provided');
  const verified = await verifiedToken(context, realm, clientTokens, text);
  if (verified && verified.claims.azp !== client.clientId) {
    throw oauthError(400, 'invalid_request', 'Unmatching clients');
  }
  const known = verified && (await knownToken(context, realm, verified));
  // as recorded: a bad token is told of with status 200
  if (!known?.inSession) {
    return { status: 200, body: { error: 'invalid_token', error_description: 'Invalid token' } };
  }
  if (known.purpose !== 'access') {
    await endSession(
      request,
      { claims: known.claims, offline: known.purpose === 'offline' },
      { type: 'REVOKE_GRANT', details: {} },
    );
    return { status: 200 };
  }
  const change = { realmId: realm.id, operation: 'token.revoke', touches: [`client:${client.id}`] };
  await inUnitOfWork(context, async ({ tx, changed }) => {
    await storeRevoked(tx, realm.id, String(known.claims.jti), numberOfClaim(known.claims, 'exp'));
    await changed(change);
  });
  return { status: 200 };
});
