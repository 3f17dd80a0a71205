import { textsOf } from '../core/json.js';
import { knownAccessToken } from './access.js';
import type { TokenContext } from './context.js';
import { userInfoClaims } from './issue.js';
import { findRealmAndClient } from './parties.js';
import { rememberedScope } from './refresh.js';
import { effectiveRoles } from './roles.js';

interface UserInfoAnswer {
  status: number;
  headers?: Record<string, string>;
  body: Record<string, unknown>;
  /** the origins that may read the answer: those that the token names */
  allowedOrigins?: string[];
}

/** The claims about the user of an access token, OpenID Connect Core section 5.3. */
export async function userInfo(
  context: TokenContext,
  realmName: string,
  token: string | undefined,
  baseUrl: string,
): Promise<UserInfoAnswer> {
  const { realm } = await findRealmAndClient(context, realmName, undefined);
  const refused = (error: string, description: string): UserInfoAnswer => ({
    status: 401,
    // RFC 6750 section 3
    headers: {
      'www-authenticate': `Bearer realm="${realm.name}", error="${error}", error_description="${description}"`,
    },
    body: { error, error_description: description },
  });
  if (!token) return { status: 400, body: { error: 'invalid_request', error_description: 'Token not provided' } };
  const known = await knownAccessToken(context, realm, token);
  if (!known) return refused('invalid_token', 'Token verification failed');
  const { claims, client, user } = known;
  if (!known.inSession) {
    return refused('invalid_request', "User session not found or doesn't have client attached on it");
  }
  const scope = rememberedScope(client, claims.scope, false);
  const roles = await effectiveRoles(context.database.read, user.id, realm.id, client);
  const body = await userInfoClaims(context, {
    realm,
    client,
    user,
    roles: roles.within(client, scope.scopes),
    scope,
    baseUrl,
    notes: {},
    session: known.requested ? { requested: known.requested } : {},
  });
  return { status: 200, body, allowedOrigins: textsOf(claims['allowed-origins']) };
}
