import { numberOf, realmOfIssuer } from './context.js';
import { notBeforeOf } from './lifetimes.js';
import { invalidGrant, oauthError } from './oauth-error.js';
import { findUserById } from './parties.js';
import { chooseScopes } from './scopes.js';
import { verifiedToken } from './signature.js';
import type { Step } from './steps.js';

/**
 * Verifies the refresh token (RFC 6749 section 6), and that its user and the notBefore policies still allow its use.
 * The client was authenticated before.
 */
export const refreshTokenVerified: Step = {
  name: 'refresh token verified',
  async run(grant) {
    const { context, realm, client, form, at } = grant;
    const text = form.get('refresh_token');
    if (!text) throw oauthError(400, 'invalid_request', 'No refresh token');
    const claims = (await verifiedToken(await context.keyring.realmKeys(realm), text))?.claims;
    const offline = claims?.typ === 'Offline';
    if (!claims || !(claims.typ === 'Refresh' || offline) || realmOfIssuer(claims.iss) !== realm.name) {
      throw invalidGrant('Invalid refresh token');
    }
    const expires = numberOf(claims, 'exp', offline ? Number.POSITIVE_INFINITY : 0);
    if (expires <= at) throw invalidGrant('Token is not active');
    if (claims.azp !== client.clientId) {
      throw invalidGrant("Invalid refresh token. Token client and authorized client don't match");
    }
    const user = typeof claims.sub === 'string' ? await findUserById(context, realm.id, claims.sub) : null;
    if (!user) throw invalidGrant('Session not active');
    if (!user.enabled) throw invalidGrant('User disabled');
    const issuedAt = numberOf(claims, 'iat', 0);
    if (issuedAt < notBeforeOf(realm, client, user)) throw invalidGrant('Stale token');
    grant.user = user;
    grant.session = {
      id: typeof claims.sid === 'string' ? claims.sid : '',
      startedAt: numberOf(claims, 'session_started', issuedAt),
      offline,
    };
    grant.scope = rememberedScope(grant.client, claims.scope, offline);
  },
};

/** The scope that the token was issued for, without what the client has lost since. */
function rememberedScope(client: Parameters<typeof chooseScopes>[0], scope: unknown, offline: boolean) {
  const names = new Set(client.scopes.map(({ clientScope }) => clientScope.name));
  const remembered = (typeof scope === 'string' ? scope : '')
    .split(' ')
    .filter((name) => name === 'openid' || names.has(name));
  return { ...chooseScopes(client, remembered.join(' ')), offline };
}
