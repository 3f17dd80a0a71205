import type { Claims } from './claims.js';
import { type ClaimsContext, mapped } from './issue.js';
import { lightweightClaim } from './lightweight.js';
import { effectiveRoles } from './roles.js';
import { knownScopes } from './scopes.js';
import type { TokenClient, TokenRealm, TokenUser } from './types.js';

/** Whose access token it is. */
export interface Holder {
  realm: TokenRealm;
  client: TokenClient;
  user: TokenUser;
}

/**
 * The claims of an access token. Those that a lightweight one leaves out are found out again: what the mappers write into other
 * tokens, or tell by introspection, with the roles that the user has now.
 */
export async function wholeClaims(
  context: ClaimsContext,
  { realm, client, user }: Holder,
  claims: Claims,
  kind: 'access.token.claim' | 'introspection.token.claim' = 'access.token.claim',
): Promise<Claims> {
  const { [lightweightClaim]: isLightweight, ...own } = claims;
  if (isLightweight !== true) return claims;
  const chosen = knownScopes(client, typeof own.scope === 'string' ? own.scope : '');
  const roles = await effectiveRoles(context.database.read, user.id, realm.id, client);
  const scope = { ...chosen, scopes: chosen.scopes.filter((one) => roles.permits(one)) };
  const plan = {
    client,
    user,
    roles: roles.within(client, scope.scopes),
    scope,
    baseUrl: String(own.iss).replace(/\/realms\/[^/]*$/, ''),
    // the address that a service account came from is not remembered
    notes: user.serviceAccountClientId === client.id ? { clientId: client.clientId } : {},
  };
  return mapped(context, own, plan, kind);
}
