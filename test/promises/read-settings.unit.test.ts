import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingPaths } from '../../src/graph/clients/settings.js';
import { settingsWithoutEffect } from '../../src/services/core/settings-without-effect.js';
import { settingFields } from '../../src/services/realms/representation.js';
import { features } from '../../src/services/server-info/features.js';

// Every setting that is offered, or that realm files of Keycloak have, is read somewhere, or is listed as one without effect.

/** Sources that declare, store, and encode settings. That a name occurs there does not mean that anything comes of it. */
const declares =
  /^(graph\/|generated\/|cli\/|services\/(providers|realms\/(defaults|assemble|desired|files|assessment))\/|services\/[^/]+\/(representation|nested-representations|encode|columns|row|store|merge)\.ts|services\/core\/settings-without-effect\.ts|services\/authentication\/provider-settings\.ts|services\/identity-providers\/mapper-types\.ts|services\/client-registration\/(metadata|from-metadata|to-metadata)\.ts|services\/client-policies\/global-profiles\.ts|services\/realms\/update\.ts)/;

const code = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !declares.test(path))
  .map((path) => readFileSync(join('src', path), 'utf8'))
  .join('\n');

/** Names that the code composes, with what it composes them of. */
const composed: readonly [RegExp, source: string][] = [
  [/^webAuthnPolicy/, 'services/login/webauthn/policy.ts'],
  [/^saml_(assertion_consumer|single_logout)_/, 'services/saml/settings.ts'],
  [/^user\.attribute\.(country|formatted|locality|postal_code|region|street)$/, 'services/tokens/mappers.ts'],
  [/^(group|role)\.(name\.ldap\.attribute|object\.classes)$/, 'services/user-storage/mapped-entries.ts'],
  [/^actionTokenGeneratedByUserLifespan\./, 'services/login/login-mail.ts'],
  [/^x509-cert-auth\./, 'services/login/certificate/identity.ts'],
  [/^are\.attribute\.values\.regex$/, 'services/brokering/mapping.ts'],
];

/** Names that are no settings, or belong to steps and mappers that a realm cannot use: a flow with such a step is not bound. */
const others: Readonly<Record<string, string>> = {
  otpSupportedApplications: 'is only answered',
  secretVersion: 'is read when a realm file is applied',
  defaultRole: 'is read by imports',
  organizationsEnabled: 'is ignored and named: it is newer than the contract',
  'client.secret.creation.time': 'is a note of Keycloak',
  realm_client: 'is a mark of exports of Keycloak 26',
  'saml.artifact.binding.identifier': 'is computed by the server',
  'site.key': 'of the step registration-recaptcha-action, which flows of registration refuse',
  useRecaptchaNet: 'of the step registration-recaptcha-action, which flows of registration refuse',
  'error-message': 'of validators, which no user profile can name',
  bruteForceStrategy: 'is ignored and named: it is newer than the contract',
  maxTemporaryLockouts: 'is ignored and named: it is newer than the contract',
  otpPolicyCodeReusable: 'is ignored and named: it is newer than the contract',
  webAuthnPolicyExtraOrigins: 'is ignored and named: it is newer than the contract',
  webAuthnPolicyPasswordlessExtraOrigins: 'is ignored and named: it is newer than the contract',
  hideOnLogin: 'is ignored and named: it is newer than the contract',
};
/** Of lists of revoked certificates: a step that asks for them accepts no certificate. */
const ofUnusableSteps = /^x509-cert-auth\.(crl-relative-path|ocsp-responder-(uri|certificate))$/;

const idle = new Set(settingsWithoutEffect.map(({ name }) => name));
const kerberos = features().componentTypes['org.keycloak.storage.UserStorageProvider']?.find(
  ({ id }) => id === 'kerberos',
);
const ofIdleProviders = new Set(kerberos?.properties.map(({ name }) => name));

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const isRead = (name: string): boolean =>
  new RegExp(`(?<![\\w.-])${escaped(name)}(?![\\w-])|\\.${escaped(name)}\\b`).test(code);
const isComposed = (name: string): boolean => composed.some(([pattern]) => pattern.test(name));

const unread = (names: Iterable<string>): string[] =>
  [...new Set(names)]
    .filter((name) => !isRead(name) && !isComposed(name) && !idle.has(name) && !(name in others))
    .filter((name) => !ofUnusableSteps.test(name) && !ofIdleProviders.has(name))
    .sort();

describe('every setting has an effect or is listed', () => {
  it('of providers, mappers, and steps in the server information', () => {
    const { componentTypes, protocolMapperTypes } = features();
    const types = [...Object.values(componentTypes), ...Object.values(protocolMapperTypes)].flat();
    const names = types.flatMap(({ properties }) => properties.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(250);
    expect(unread(names)).toEqual([]);
  });

  it('of clients in GraphQL', () => {
    expect(unread(settingPaths.map(([, { attribute, field = '' }]) => attribute ?? field))).toEqual([]);
  });

  it('of realms', () => {
    expect(unread(Object.keys(settingFields))).toEqual([]);
  });

  it.each(['15.0.2', '26.0.8'])('of the objects in a file of Keycloak %s', (version) => {
    const file = JSON.parse(readFileSync(`test/realms/exports/keycloak-${version}.json`, 'utf8'));
    const names = [...settingsIn(file)];
    expect(names.length).toBeGreaterThan(100);
    expect(unread(names)).toEqual([]);
  });

  it('that consoles of Keycloak write', () => {
    expect(unread(written)).toEqual([]);
  });

  it('and the list has no setting that is read', () => {
    const read = settingsWithoutEffect.filter(({ name, map }) => map === 'attributes' && isRead(name));
    expect(read.map(({ name }) => name)).toEqual([]);
  });

  it('and names that are said to be composed are composed where it says', () => {
    for (const [, source] of composed) expect(readFileSync(join('src', source), 'utf8')).toMatch(/`[^`]*\$\{/);
  });
});

/** Further names that administration consoles of Keycloak 15 to 26 write into maps of attributes and settings. */
const written =
  `acr.loa.map default.acr.values minimum.acr.value id.token.as.detached.signature client.secret.creation.time client.secret.expiration.time
  access.token.lifespan backchannel.logout.url use.jwks.string token.endpoint.auth.signing.alg x509.subjectdn saml.encryption.algorithm
  token.response.type.bearer.lower-case client.introspection.response.allow.jwt.claim.enabled
  include.in.openid.provider.metadata is.dynamic.scope dynamic.scope.regexp gui.order
  actionTokenGeneratedByUserLifespan.verify-email shortVerificationUri parRequestUriLifespan cibaInterval userProfileEnabled
  hideOnLoginPage guiOrder loginHint uiLocales backchannelSupported disableUserInfo allowedClockSkew acceptsPromptNoneForwardFromClient
  validateSignature useJwksUrl publicKeySignatureVerifier publicKeySignatureVerifierKeyId pkceEnabled pkceMethod clientAuthMethod
  clientAssertionSigningAlg defaultScope prompt display forwardParameters disableNonce issuer logoutUrl jwksUrl userInfoUrl hostedDomain
  userIp offlineAccess sandbox baseUrl key passMaxAge fetchedFields filteredByClaim claimFilterName claimFilterValue
  sendIdTokenOnLogout sendClientIdOnLogout isAccessTokenJWT caseSensitiveOriginalUsername jwtX509HeadersEnabled
  host port from fromDisplayName replyTo replyToDisplayName envelopeFrom ssl starttls auth user password
  referral usePasswordModifyExtendedOp changedSyncPeriod fullSyncPeriod batchSizeForSync cachePolicy lastSync connectionTrace krbPrincipalAttribute
  enableLdapPasswordPolicy relativeCreateDn`.split(/\s+/);

/** The names of the settings of a realm and its objects: fields of the realm, attributes, and settings of providers. */
function* settingsIn(file: Record<string, unknown>): Generator<string> {
  yield* Object.keys(file);
  const open: unknown[] = Object.entries(file).flatMap(([name, part]) =>
    ['users', 'roles', 'groups', 'localizationTexts'].includes(name) ? [] : [part],
  );
  yield* Object.keys(file.attributes ?? {});
  for (let part = open.pop(); part !== undefined || open.length > 0; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, value] of Object.entries(part)) {
      if (['attributes', 'config', 'configuration'].includes(name)) yield* Object.keys(value ?? {});
      else open.push(value);
    }
  }
}
