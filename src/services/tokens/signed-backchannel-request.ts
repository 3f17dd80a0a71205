import { z } from 'zod';
import { members } from '../core/json.js';
import { asymmetricAlgorithms } from '../keys/jws.js';
import { spendToken } from './client-assertion.js';
import { credentialParameters } from './client-authentication.js';
import { settingText } from './client-keys.js';
import { claimsOfClient, NoClientToken } from './client-token.js';
import { issuerOf, type TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';
import type { TokenClient, TokenRealm } from './types.js';

/** Seconds for which a signed request may be valid. */
const mostLifetime = 3600;

/** The claims that a signed request needs besides its parameters (OpenID Connect CIBA Core section 7.1.1). */
const SignedRequest = z.looseObject({
  exp: z.number(),
  iat: z.number(),
  nbf: z.number(),
  jti: z.string().min(1).max(255),
});
const ownClaims = new Set(['iss', 'aud', 'exp', 'iat', 'nbf', 'jti', 'sub']);
/** Parameters beside a signed request: it, and those by which the client authenticates. */
const besides: readonly string[] = ['request', 'client_id', ...credentialParameters];

const failed = (description: string) => oauthError(400, 'invalid_request', description);

interface Sent {
  realm: TokenRealm;
  client: TokenClient;
  form: URLSearchParams;
  baseUrl: string;
}

/**
 * The parameters of a request for backchannel authentication: those of the form, or those that the client has signed
 * (`request`, OpenID Connect CIBA Core section 7.1.1). A client with `ciba.backchannel.auth.request.signing.alg` has to sign. A signed
 * request counts once. Throws `invalid_request`.
 */
export async function backchannelParameters(context: TokenContext, sent: Sent): Promise<URLSearchParams> {
  const { realm, client, form, baseUrl } = sent;
  const demanded = settingText(members(client.attributes)['ciba.backchannel.auth.request.signing.alg']);
  const text = form.get('request');
  if (text === null) {
    if (demanded === undefined || demanded === 'any') return form;
    throw failed('Missing parameter: request');
  }
  const beside = [...form.keys()].find((name) => !besides.includes(name));
  if (beside !== undefined) throw failed(`Parameter must be in the signed request: ${beside}`);
  const algorithms = asymmetricAlgorithms.filter((alg) => !demanded || demanded === 'any' || demanded === alg);
  const claims = await signedClaims(context, client, text, { issuer: issuerOf(baseUrl, realm.name), algorithms });
  if (claims.exp - claims.nbf > mostLifetime) throw failed('The signed request is valid for too long');
  await spendToken(context, { realmId: realm.id, client, failed, purpose: 'backchannel request' }, claims);
  const parameters = new URLSearchParams({ request: text });
  for (const [name, value] of Object.entries(claims)) {
    if (ownClaims.has(name) || value === null || value === undefined) continue;
    // the only parameter that can stand there several times (RFC 8707 section 2)
    for (const one of name === 'resource' ? [value].flat() : [value]) parameters.append(name, String(one));
  }
  return parameters;
}

async function signedClaims(
  context: TokenContext,
  client: TokenClient,
  text: string,
  { issuer, algorithms }: { issuer: string; algorithms: string[] },
): Promise<z.infer<typeof SignedRequest>> {
  const demanded = { type: 'oauth-authz-req+jwt', algorithms, issuer: client.clientId, audience: issuer };
  try {
    return SignedRequest.parse(await claimsOfClient(context, client, text, demanded));
  } catch (error) {
    throw failed(error instanceof NoClientToken ? error.message : 'The signed request cannot be verified');
  }
}
