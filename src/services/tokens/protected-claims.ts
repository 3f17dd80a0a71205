import { clientClaim } from '../keys/purpose.js';
import { lightweightClaim } from './lightweight.js';

/**
 * The claims that say whose token it is, what it is for, how long it is good and what it allows. No protocol mapper sets
 * them under a name of its choice, in no token and in no answer about a user: `aud` comes from mappers for audiences,
 * `sub` from those for pairwise subjects, and `allowed-origins` from those for origins.
 */
export const protectedClaims: ReadonlySet<string> = new Set([
  // RFC 7519 and OpenID Connect Core section 2
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'auth_time',
  'nonce',
  'acr',
  'azp',
  clientClaim,
  'at_hash',
  'c_hash',
  's_hash',
  // the purpose, session and scope of a token
  'typ',
  'sid',
  'session_state',
  'scope',
  'cnf',
  'trusted-certs',
  'rqac',
  lightweightClaim,
  // permissions of a requesting party token, and the origins whose pages may use a token
  'authorization',
  'allowed-origins',
  // what introspection says besides (RFC 7662), and what tells a logout token and a notice for an adapter
  'active',
  'token_type',
  'events',
  'expiration',
]);
