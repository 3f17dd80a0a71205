import { createHash, timingSafeEqual } from 'node:crypto';
import { acceptedSecrets } from '../clients/secrets.js';
import { ownMember } from '../core/json.js';
import { type ClientAssertion, clientIdOfAssertion, type Place, verifyAssertion } from './client-assertion.js';
import { type FindCertificate, verifyCertificate } from './client-certificate.js';
import type { TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';
import type { TokenClient } from './types.js';

/** Parameters by which a client proves itself. They are no part of what it asks for. */
export const credentialParameters: readonly string[] = ['client_secret', 'client_assertion', 'client_assertion_type'];

/** What a request says of the client that sends it. */
export interface ClientCredentials {
  clientId: string | undefined;
  secrets: string[];
  assertion: ClientAssertion;
  findCertificate: FindCertificate | undefined;
  /** nothing but the assertion names the client */
  byAssertion: boolean;
}

/**
 * The client's id with its secret, from HTTP Basic authentication or the form (RFC 6749 section 2.3.1), or with an
 * assertion (RFC 7521 section 4.2); the form wins.
 * The RFC wants the Basic parts form-encoded, and many clients do not do it: both readings of the secret count.
 */
export function clientCredentials(
  form: URLSearchParams,
  authorization: string | null | undefined,
  findCertificate?: FindCertificate,
): ClientCredentials {
  const basic = /^basic +([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization ?? '')?.[1];
  const text = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const secret = form.get('client_secret') ?? undefined;
  const ofHeader = colon < 0 ? [] : [text.slice(colon + 1)];
  const ofBasic = colon < 0 ? undefined : formDecoded(text.slice(0, colon));
  const assertion = { type: form.get('client_assertion_type'), text: form.get('client_assertion') };
  const named = form.get('client_id') ?? undefined;
  const asserted = clientIdOfAssertion(assertion.text);
  return {
    clientId: named ?? asserted ?? ofBasic,
    assertion,
    findCertificate,
    byAssertion: named === undefined && asserted !== undefined,
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

/** How clients that keep a secret or a key prove themselves, by `clientAuthenticatorType`. */
const proofs: Readonly<Record<string, Proof>> = {
  'client-secret': (context, client, { secrets }) => verifySecret(context, client, secrets),
  'client-jwt': (context, client, { assertion }, place) => verifyAssertion(context, client, assertion, place),
  'client-secret-jwt': (context, client, { assertion }, place) => verifyAssertion(context, client, assertion, place),
  'client-x509': ({ now }, client, { findCertificate }) => verifyCertificate(client, findCertificate?.(), now()),
};
type Proof = (
  context: TokenContext,
  client: TokenClient,
  credentials: ClientCredentials,
  place: Place,
) => void | Promise<void>;

/** How a client proves itself; public ones do not. */
export const authenticatorOf = ({ clientAuthenticatorType }: TokenClient): string =>
  clientAuthenticatorType ?? 'client-secret';

/**
 * The client if it is who it says; refuses with the answers that the recordings have. Public clients need no proof, and
 * a client that is set to prove itself in one way does not get in by another, nor by one that the flow of the realm does not have.
 */
export async function authenticateClient(
  context: TokenContext,
  client: TokenClient | undefined,
  credentials: ClientCredentials,
  place: Place,
): Promise<TokenClient> {
  if (!client) {
    throw oauthError(400, 'invalid_client', 'Invalid client credentials', 'invalid_client_credentials', 'client');
  }
  if (!client.enabled) throw oauthError(400, 'unauthorized_client', 'Invalid client credentials');
  if (client.publicClient) return client;
  const proof = ownMember(proofs, authenticatorOf(client));
  if (credentials.byAssertion && authenticatorOf(client) === 'client-secret') {
    throw oauthError(400, 'invalid_client', 'Missing client_id parameter');
  }
  const accepted = place.realm.clientAuthenticators;
  if (!proof || accepted?.has(authenticatorOf(client)) === false)
    throw oauthError(400, 'invalid_client', 'Invalid client credentials');
  await proof(context, client, credentials, place);
  if (client.bearerOnly) throw oauthError(400, 'invalid_client', 'Bearer-only not allowed');
  return client;
}

function verifySecret({ sealer, now }: TokenContext, client: TokenClient, secrets: readonly string[]): void {
  if (secrets.length === 0)
    throw oauthError(401, 'unauthorized_client', 'Client secret not provided in request', 'invalid_client_credentials');
  const accepted = acceptedSecrets(client, sealer, now());
  if (!secrets.some((secret) => accepted.some((one) => equal(secret, one)))) {
    throw oauthError(401, 'unauthorized_client', 'Invalid client secret', 'invalid_client_credentials', 'client');
  }
}

// Over digests, so that neither the content nor the length shows in the time.
const equal = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
