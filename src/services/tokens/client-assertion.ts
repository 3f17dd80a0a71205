import { createHash } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose';
import { z } from 'zod';
import { limit } from '../../config/limits.js';
import { acceptedSecrets } from '../clients/secrets.js';
import { members } from '../core/json.js';
import { storableTime } from '../core/storable-time.js';
import { inTransaction } from '../core/unit-of-work.js';
import { withoutPrefix } from '../core/without-prefix.js';
import { asymmetricAlgorithms } from '../keys/jws.js';
import { byAnySecret, keysOfClient } from './client-keys.js';
import { isClientToken } from './client-token.js';
import { issuerOf, seconds, type TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';
import type { TokenClient, TokenRealm } from './types.js';

/** Value of `client_assertion_type`, RFC 7523 section 2.2. */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const mostLength = limit(
  'Logins and tokens',
  'Assertion by which a client authenticates',
  20_000,
  'characters',
  '`invalid_client`',
);
/** How far clocks may differ, in seconds. */
const skew = 10;

/** The claims of an assertion that count here. Null is no claim. */
const Claims = z.object({
  iss: z.string().nullish(),
  sub: z.string().nullish(),
  aud: z.union([z.string(), z.array(z.string())]).nullish(),
  jti: z.string().nullish(),
  exp: z.number().nullish(),
  nbf: z.number().nullish(),
  iat: z.number().nullish(),
});
type Claims = z.infer<typeof Claims>;

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
    const { sub }: { sub?: unknown } = decodeJwt(text);
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
}

/** Where a request was sent: assertions are for one realm. */
export interface Place {
  realm: Pick<TokenRealm, 'id' | 'name' | 'clientAuthenticators'>;
  /** scheme, host and base path, without a slash at the end */
  baseUrl: string;
}

const bySecret = ({ clientAuthenticatorType }: TokenClient): boolean => clientAuthenticatorType === 'client-secret-jwt';

/** The refusals of a client's assertion, in the words of the reference. */
const refusals = (client: TokenClient) => {
  const means = bySecret(client) ? 'client secret signed JWT' : 'signed JWT';
  const error = bySecret(client) ? 'unauthorized_client' : 'invalid_client';
  return (reason: string) =>
    oauthError(400, error, `Client authentication with ${means} failed: ${reason}`, 'invalid_client_credentials');
};
type Failed = ReturnType<typeof refusals>;

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
    throw oauthError(400, 'invalid_client', 'Invalid client credentials');
  }
  if (text === null) throw missing('client_assertion');
  const failed = refusals(client);
  if (text.length > mostLength) throw failed('Token too long');
  const claims = await verifiedClaims(context, client, text, failed);
  if (claims.sub !== client.clientId || claims.iss !== client.clientId) {
    throw oauthError(400, 'invalid_client', 'Invalid client credentials', 'invalid_client_credentials');
  }
  const issuer = issuerOf(place.baseUrl, place.realm.name);
  const endpoints = ['token', 'token/introspect', 'revoke', 'ext/par/request', 'ext/ciba/auth'];
  const accepted = [issuer, ...endpoints.map((path) => `${issuer}/protocol/openid-connect/${path}`)].map(withoutPrefix);
  if (![claims.aud ?? []].flat().some((audience) => accepted.includes(withoutPrefix(audience)))) {
    throw failed("Token audience doesn't match domain");
  }
  await spendToken(context, { realmId: place.realm.id, client, failed, purpose: 'client assertion' }, claims);
}

async function verifiedClaims(
  context: TokenContext,
  client: TokenClient,
  text: string,
  failed: Failed,
): Promise<Claims> {
  const demanded = members(client.attributes)['token.endpoint.auth.signing.alg'];
  const family = bySecret(client) ? symmetric : [...asymmetricAlgorithms];
  const algorithms = family.filter((alg) => !demanded || demanded === alg);
  const alg = algorithmOf(text);
  if (alg !== undefined && family.includes(alg) && !algorithms.includes(alg))
    throw failed('Invalid signature algorithm');
  try {
    if (!isClientToken(decodeProtectedHeader(text), 'client-authentication+jwt')) throw failed('Invalid token type');
    const { payload } = bySecret(client)
      ? await byAnySecret(secretsOf(context, client, failed), (key) => compactVerify(text, key, { algorithms }))
      : await compactVerify(text, keysOf(context, client, failed), { algorithms });
    return Claims.parse(JSON.parse(new TextDecoder().decode(payload)));
  } catch (error) {
    if (error instanceof Error && error.name === 'Refusal') throw error;
    if (!bySecret(client)) throw failed('Signature on JWT token failed validation');
    // the reference has two texts for this, which differ by a space
    throw failed(`Signature on JWT token by client secret ${alg === 'none' ? '' : ' '}failed validation`);
  }
}

function algorithmOf(text: string): string | undefined {
  try {
    return decodeProtectedHeader(text).alg;
  } catch {
    return undefined;
  }
}

/** The secrets that a client may sign its assertions with. */
function secretsOf({ sealer, now }: TokenContext, client: TokenClient, failed: Failed): string[] {
  const secrets = acceptedSecrets(client, sealer, now());
  if (secrets.length === 0) throw failed('The client has no secret');
  return secrets;
}

/** The published keys of a client. */
function keysOf({ publishedKeys }: TokenContext, client: TokenClient, failed: Failed) {
  const keys = keysOfClient(client, publishedKeys);
  if (!keys) throw failed('Unable to load public key');
  return keys;
}

interface Spending {
  realmId: string;
  client: TokenClient;
  failed: Failed;
  purpose: 'client assertion' | 'backchannel request';
}

/**
 * Has a token that a client has signed count no more. Without an expiration it is good for some seconds from when it was issued. Throws
 * the failure for one that is not active, or has been used.
 */
export async function spendToken(
  context: TokenContext,
  { realmId, client, failed, purpose }: Spending,
  { jti, exp, iat, nbf }: Claims,
): Promise<void> {
  const now = seconds(context);
  const until = exp ?? iat ?? 0;
  if (until + skew < now || (nbf ?? 0) > now + skew) throw failed('Token is not active');
  if (!jti) throw failed('Missing ID on the token');
  const id = `${purpose}:${createHash('sha256').update(`${client.id} ${jti}`).digest('base64url')}`;
  const row = { id, realmId, purpose, expiresAt: storableTime(until + skew + 1) };
  const stored = await inTransaction(context.database, (tx) => tx.insertNew('OneTimeToken', [row]));
  if (stored === 0) throw failed('Token reuse detected');
}
