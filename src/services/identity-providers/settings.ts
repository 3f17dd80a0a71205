import type { RealmRecord } from '../core/realm.js';
import { invalid } from '../core/refusal.js';

/** The kinds of identity providers by their ids, with the names that people know them by. */
export const providerNames: ReadonlyMap<string, string> = new Map([
  ['oidc', 'OpenID Connect v1.0'],
  ['keycloak-oidc', 'Keycloak OpenID Connect'],
  ['saml', 'SAML v2.0'],
  ['bitbucket', 'BitBucket'],
  ['facebook', 'Facebook'],
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['google', 'Google'],
  ['instagram', 'Instagram'],
  ['linkedin', 'LinkedIn'],
  ['microsoft', 'Microsoft'],
  ['openshift-v3', 'Openshift v3'],
  ['openshift-v4', 'Openshift v4'],
  ['paypal', 'PayPal'],
  ['stackoverflow', 'StackOverflow'],
  ['twitter', 'Twitter'],
]);

/** The kind of an identity provider; refused unless this server knows it. */
export function knownProvider(providerId: string | undefined): string {
  if (providerId === undefined || !providerNames.has(providerId)) {
    throw invalid(`Invalid identity provider id [${providerId ?? 'null'}]`, 'providerId');
  }
  return providerId;
}

const reserved = /[:/?#[\]@!$&'()*+,;=%\\]/;

/** The alias, which is part of addresses. */
export function usableAlias(alias: string | undefined): string {
  if (alias === undefined || alias === '') throw invalid('`alias` of the identity provider is required', 'alias');
  const found = reserved.exec(alias);
  if (found) throw invalid(`Character '${found[0]}' not allowed.`, 'alias', { member: 'error', code: 'NAME_INVALID' });
  return alias;
}

/** Settings that are addresses, with the names that refusals call them by. */
const addresses = new Map([
  ['authorizationUrl', 'authorization_url'],
  ['tokenUrl', 'token_url'],
  ['userInfoUrl', 'userinfo_url'],
  ['jwksUrl', 'jwks_url'],
  ['logoutUrl', 'logout_url'],
  ['singleSignOnServiceUrl', 'singleSignOnServiceUrl'],
  ['singleLogoutServiceUrl', 'singleLogoutServiceUrl'],
]);

/** The configuration with `hideOnLogin`, a field of versions after 15, under the name that version 15 has for it. */
export function withHiding(
  { hideOnLoginPage, ...config }: Record<string, string>,
  hideOnLogin: boolean | undefined,
): Record<string, string> {
  const hidden = hideOnLogin === undefined ? hideOnLoginPage : hideOnLogin ? 'true' : undefined;
  return { ...config, ...(hidden !== undefined && { hideOnLoginPage: hidden }) };
}

const localHost =
  /^(?:localhost|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|\[::1\])$/;

/** Refuses addresses that lead nowhere, or that the realm's demand for TLS forbids. */
export function checkAddresses(realm: RealmRecord, config: Record<string, string>): void {
  for (const [name, label] of addresses) {
    const value = config[name];
    if (!value) continue;
    const field = `config.${name}`;
    const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && URL.canParse(value);
    if (!whole) throw invalid(`The url [${label}] is malformed`, field);
    const url = new URL(value);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw invalid(`Invalid protocol/scheme for url [${label}]`, field);
    }
    const demand = String(realm.settings.sslRequired ?? 'external').toLowerCase();
    const secure = demand === 'none' || (demand === 'external' && localHost.test(url.hostname));
    if (url.protocol === 'http:' && !secure) throw invalid(`The url [${label}] requires secure connections`, field);
  }
}
