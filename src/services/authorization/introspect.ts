import { members } from '../core/json.js';
import type { Claims } from '../tokens/claims.js';

/** The introspection result of a requesting party token, UMA 2.0 Federated Authorization section 5.1.1. */
export function partyTokenInfo(claims: Claims): Record<string, unknown> {
  const { acr, aud, exp, iat, jti, typ, authorization } = claims;
  const permissions = members(authorization).permissions;
  return {
    ...(acr !== undefined && { acr }),
    ...(aud !== undefined && { aud }),
    exp,
    iat,
    jti,
    nbf: 0,
    typ,
    active: true,
    ...(Array.isArray(permissions) && {
      permissions: permissions.map(members).map((one) => ({
        ...one,
        resource_id: one.rsid,
        ...(one.scopes !== undefined && { resource_scopes: one.scopes }),
      })),
    }),
  };
}
