import type { Context } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { signServerToken } from '../keys/sign.js';
import { issuerOf } from '../tokens/context.js';

/** The policies of a realm for clients that come without, and with, a token: `subType` of their components. */
export type PolicySet = 'anonymous' | 'authenticated';

/**
 * The token (RFC 7592) with which a client manages its own registration. It never expires; it is valid as long as the
 * client has its `id` in `registrationToken`. The policies of the original registration apply to its requests.
 */
export const signRegistrationToken = (
  { services, baseUrl }: Pick<Context, 'services' | 'baseUrl'>,
  realm: RealmRecord,
  id: string,
  policies: PolicySet,
): Promise<string> => {
  const issuer = issuerOf(baseUrl, realm.name);
  const claims = {
    iat: Math.floor(services.now() / 1000),
    jti: id,
    iss: issuer,
    aud: issuer,
    registration_auth: policies,
  };
  return signServerToken(services, realm, { purpose: 'registrationAccess', claims });
};
