import { oauthError } from '../tokens/oauth-error.js';

const json = 'urn:ietf:params:oauth:token-type:jwt';
const idToken = 'http://openid.net/specs/openid-connect-core-1_0.html#IDToken';

/**
 * Refuses claims that cannot be read (UMA 2.0 Grant section 3.3.1). No policy uses pushed claims, but a client that
 * pushes them must learn of mistakes.
 */
export function checkClaimToken(form: URLSearchParams): void {
  const format = form.get('claim_token_format') ?? idToken;
  const token = form.get('claim_token');
  if (format !== json && format !== idToken) {
    throw oauthError(400, 'invalid_request', `Claim token format [${format}] not supported`);
  }
  if (token !== null && format === json && !isObject(token)) throw oauthError(400, 'invalid_request', 'Invalid claims');
}

function isObject(token: string): boolean {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims);
  } catch {
    return false;
  }
}
