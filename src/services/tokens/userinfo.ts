import { members, textsOf } from '../core/json.js';
import { Refusal } from '../core/refusal.js';
import { isSignatureAlgorithm } from '../keys/jws.js';
import { knownAccessToken } from './access.js';
import type { Possession } from './binding.js';
import type { Claims } from './claims.js';
import { encryptedFor, isEncrypted } from './client-encryption.js';
import { signForClient } from './client-signature.js';
import { issuerOf, type TokenContext } from './context.js';
import { proofAlgorithms } from './dpop.js';
import { userInfoClaims } from './issue.js';
import { findRealmAndClient } from './parties.js';
import { rememberedScope } from './refresh.js';
import { effectiveRoles } from './roles.js';
import type { TokenClient, TokenRealm } from './types.js';

interface UserInfoAnswer {
  status: number;
  headers?: Record<string, string>;
  /** a text is a token */
  body: Claims | string;
  /** the origins that may read the answer: those that the token names */
  allowedOrigins?: string[];
}

/** The claims about the user of an access token, OpenID Connect Core section 5.3. */
export async function userInfo(
  context: TokenContext,
  realmName: string,
  presented: Possession & { token: string | undefined },
  baseUrl: string,
): Promise<UserInfoAnswer> {
  const { token, proof } = presented;
  const { realm } = await findRealmAndClient(context, realmName, undefined);
  const refused = (error: string, description: string): UserInfoAnswer => ({
    status: 401,
    // RFC 6750 section 3
    headers: {
      'www-authenticate': `${proof ? 'DPoP' : 'Bearer'} realm="${realm.name}", error="${error}", error_description="${description}"${proof ? `, algs="${proofAlgorithms.join(' ')}"` : ''}`,
    },
    body: { error, error_description: description },
  });
  if (!token) return { status: 400, body: { error: 'invalid_request', error_description: 'Token not provided' } };
  const known = await knownAccessToken(context, realm, token, presented);
  if (!known) return refused('invalid_token', 'Token verification failed');
  const { claims, client, user } = known;
  if (!known.inSession) {
    return refused('invalid_request', "User session not found or doesn't have client attached on it");
  }
  const scope = rememberedScope(client, claims.scope, false);
  const roles = await effectiveRoles(context.database.read, user.id, realm.id, client);
  const told = await userInfoClaims(context, {
    realm,
    client,
    user,
    roles: roles.within(client, scope.scopes),
    scope,
    baseUrl,
    notes: {},
    session: known.requested ? { requested: known.requested } : {},
  });
  const allowedOrigins = textsOf(claims['allowed-origins']);
  try {
    return { status: 200, body: await asWanted(context, realm, client, told, baseUrl), allowedOrigins };
  } catch (error) {
    if (!(error instanceof Refusal) || !error.details.body) throw error;
    return { status: 400, body: { ...error.details.body }, allowedOrigins };
  }
}

/** The claims as the client wants them: as JSON, or as a token that is signed, encrypted, or both (OpenID Connect Core section 5.3.2). */
async function asWanted(
  context: TokenContext,
  realm: TokenRealm,
  client: TokenClient,
  told: Claims,
  baseUrl: string,
): Promise<Claims | string> {
  const algorithm = String(members(client.attributes)['user.info.response.signature.alg'] ?? '');
  const what = 'user.info.encrypted.response';
  const encrypts = isEncrypted(client, what);
  if (!isSignatureAlgorithm(algorithm)) {
    return encrypts ? encryptedFor(context, client, what, JSON.stringify(told)) : told;
  }
  const claims = { ...told, iss: issuerOf(baseUrl, realm.name), aud: client.clientId };
  const token = { purpose: 'userInfo', algorithm, claims } as const;
  const signed = await signForClient(context, realm, client, token, { mayGenerate: true });
  return encrypts ? encryptedFor(context, client, what, signed, 'JWT') : signed;
}
