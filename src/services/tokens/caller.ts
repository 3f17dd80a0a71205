import type { Caller } from '../core/caller.js';
import { members, textsOf } from '../core/json.js';
import type { Bearer } from './verify.js';

// mappers may write anything into a token
const rolesIn = (claim: unknown): string[] => textsOf(members(claim).roles);

/** The caller that the bearer of an access token is. */
export function callerOf({ userId, realmId, realmName, clientId, claims }: Bearer): Caller {
  return {
    userId,
    realmId,
    realmName,
    clientId,
    realmRoles: rolesIn(claims.realm_access),
    allowedOrigins: textsOf(claims['allowed-origins']),
    sessionId: typeof claims.sid === 'string' ? claims.sid : undefined,
    tokenRoles: Object.fromEntries(
      Object.entries(members(claims.resource_access)).map(([client, access]) => [client, rolesIn(access)]),
    ),
  };
}
