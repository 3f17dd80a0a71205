import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { retried } from '../core/transaction.js';
import { keysOfClient } from './client-keys.js';
import { isClientToken } from './client-token.js';
import { issuerOf, members, seconds, type TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';
import type { TokenClient } from './parties.js';

/** Value of `client_assertion_type`, RFC 7523 section 2.2. */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const mostLength = 20_000;
/** How far clocks may differ, and the longest that an assertion may be good for, in seconds. */
const skew = 10;
const longest = 3600;

const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];
const symmetric = ['HS256', 'HS384', 'HS512'];

/** A signed statement of a client about itself, as a request brings it. */
export interface ClientAssertion {
  type: string | null;
  text: string | null;
}

/** Who an assertion says that it is from; nothing is verified yet. */
export function clientIdOfAssertion(text: string | null): string | undefined {
  if (text === null || text.length > mostLength) return undefined;
  try {
    return decodeJwt(text).sub;
  } catch {
    return undefined;
  }
}

/** Where a request was sent: assertions are for one realm. */
export interface Place {
  realm: { id: string; name: string };
  /** scheme, host and base path, without a slash at the end */
  baseUrl: string;
}

const failed = (reason: string) =>
  oauthError(
    400,
    'unauthorized_client',
    `Client authentication with signed JWT failed: ${reason}`,
    'invalid_client_credentials',
  );

/**
 * Verifies that a client has signed a statement about itself with its key (private_key_jwt) or its secret
 * (client_secret_jwt): RFC 7523 section 3. Each counts once, on every instance. Throws the answer of the reference.
 */
export async function verifyAssertion(
  context: TokenContext,
  client: TokenClient,
  { type, text }: ClientAssertion,
  place: Place,
): Promise<void> {
  const missing = (name: string) =>
    oauthError(400, 'invalid_client', `Parameter ${name} is missing`, 'invalid_client_credentials');
  if (type === null) throw missing('client_assertion_type');
  if (type !== assertionType) {
    throw oauthError(400, 'invalid_client', 'Parameter client_assertion_type has unknown value');
  }
  if (text === null) throw missing('client_assertion');
  if (text.length > mostLength) throw failed('Token too long');
  const claims = await verifiedClaims(context, client, text);
  if (claims.sub !== client.clientId || claims.iss !== client.clientId) throw failed('Issuer mismatch');
  const issuer = issuerOf(place.baseUrl, place.realm.name);
  const endpoints = ['token', 'token/introspect', 'revoke', 'ext/par/request', 'ext/ciba/auth'];
  const accepted = [issuer, ...endpoints.map((path) => `${issuer}/protocol/openid-connect/${path}`)];
  if (![claims.aud].flat().some((audience) => audience !== undefined && accepted.includes(audience))) {
    throw failed("Token audience doesn't match domain");
  }
  await spend(context, place.realm.id, client, claims);
}

async function verifiedClaims(context: TokenContext, client: TokenClient, text: string): Promise<JWTPayload> {
  const bySecret = client.clientAuthenticatorType === 'client-secret-jwt';
  const demanded = members(client.attributes)['token.endpoint.auth.signing.alg'];
  const algorithms = (bySecret ? symmetric : asymmetric).filter((alg) => !demanded || demanded === alg);
  const options = { algorithms, currentDate: new Date(context.now()), clockTolerance: skew };
  try {
    const header = decodeProtectedHeader(text);
    const { alg = '' } = header;
    if (!isClientToken(header, 'client-authentication+jwt')) throw failed('Invalid token type');
    if (!algorithms.includes(alg)) throw failed('Invalid signature algorithm');
    if (!bySecret) {
      const keys = keysOfClient(client, context.publishedKeys);
      if (!keys) throw failed('Unable to load public key');
      return (await jwtVerify(text, keys, options)).payload;
    }
    const secret = client.secret === null ? '' : context.sealer.open(client.secret);
    if (secret === '') throw failed('The client has no secret');
    return (await jwtVerify(text, new TextEncoder().encode(secret), options)).payload;
  } catch (error) {
    if (error instanceof Error && error.name === 'Refusal') throw error;
    throw failed('Signature on JWT token failed validation');
  }
}

/** Has an assertion count no more. Without an expiration it is good for a minute from when it was issued. */
async function spend(context: TokenContext, realmId: string, client: TokenClient, { jti, exp, iat }: JWTPayload) {
  const now = seconds(context);
  const until = exp ?? (iat ?? 0) + 60;
  if (until + skew < now) throw failed('Token was issued too long ago');
  if (until > now + longest) throw failed('Token expires too late');
  if (!jti) throw failed('Missing ID on the token');
  const id = `assertion:${createHash('sha256').update(`${client.id} ${jti}`).digest('base64url')}`;
  const row = { id, realmId, purpose: 'client assertion', expiresAt: until + skew + 1 };
  const stored = await retried(context.database, (tx) => tx.insertNew('OneTimeToken', [row]));
  if (stored === 0) throw failed('Token reuse detected');
}
