import { createHash, timingSafeEqual } from 'node:crypto';
import type { TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';
import type { TokenClient } from './parties.js';

/** What a request says of the client that sends it. */
export interface ClientCredentials {
  clientId: string | undefined;
  secrets: string[];
}

/**
 * The client's id and secret, from HTTP Basic authentication or the form (RFC 6749 section 2.3.1); the form wins.
 * The RFC wants the Basic parts form-encoded, and many clients do not do it: both readings of the secret count.
 */
export function clientCredentials(form: URLSearchParams, authorization: string | null | undefined): ClientCredentials {
  const basic = /^basic +([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization ?? '')?.[1];
  const text = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const secret = form.get('client_secret') ?? undefined;
  const ofHeader = colon < 0 ? [] : [text.slice(colon + 1)];
  return {
    clientId: form.get('client_id') ?? (colon < 0 ? undefined : formDecoded(text.slice(0, colon))),
    secrets: secret !== undefined ? [secret] : [...new Set(ofHeader.flatMap((value) => [value, formDecoded(value)]))],
  };
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The client if it is who it says; refuses with the answers that the recordings have. Public clients need no secret. */
export function authenticateClient(
  { sealer }: TokenContext,
  client: TokenClient | undefined,
  { secrets }: ClientCredentials,
): TokenClient {
  if (!client) throw oauthError(400, 'invalid_client', 'Invalid client credentials', 'invalid_client_credentials');
  if (!client.enabled) throw oauthError(400, 'unauthorized_client', 'Invalid client credentials');
  if (client.publicClient) return client;
  // a client that is set to prove itself by a signed assertion must not get in with a secret
  if ((client.clientAuthenticatorType ?? 'client-secret') !== 'client-secret') {
    throw oauthError(400, 'invalid_client', 'Invalid client credentials');
  }
  if (secrets.length === 0)
    throw oauthError(401, 'unauthorized_client', 'Client secret not provided in request', 'invalid_client_credentials');
  const expected = client.secret === null ? '' : sealer.open(client.secret);
  if (expected === '' || !secrets.some((secret) => equal(secret, expected))) {
    throw oauthError(401, 'unauthorized_client', 'Invalid client secret', 'invalid_client_credentials');
  }
  if (client.bearerOnly) throw oauthError(400, 'invalid_client', 'Bearer-only not allowed');
  return client;
}

// Over digests, so that neither the content nor the length shows in the time.
const equal = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
