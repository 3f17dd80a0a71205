import { type SettingField, settingField as setting } from '../parts/provider-settings.js';
import type { Text } from '../text/text.js';
import type { IdentityProviderType } from './documents.js';

/** The kinds of identity providers, as people call them. */
export const kindNames: Record<IdentityProviderType, string> = {
  OIDC: 'OpenID Connect',
  KEYCLOAK_OIDC: 'Keycloak',
  SAML: 'SAML 2.0',
  BITBUCKET: 'Bitbucket',
  FACEBOOK: 'Facebook',
  GITHUB: 'GitHub',
  GITLAB: 'GitLab',
  GOOGLE: 'Google',
  INSTAGRAM: 'Instagram',
  LINKEDIN: 'LinkedIn',
  MICROSOFT: 'Microsoft',
  OPENSHIFT_V3: 'OpenShift 3',
  OPENSHIFT_V4: 'OpenShift 4',
  PAYPAL: 'PayPal',
  STACKOVERFLOW: 'Stack Overflow',
  TWITTER: 'Twitter',
};

/** Whether the settings of a kind can be read from a document. */
export const hasDocument = (kind: IdentityProviderType): boolean =>
  kind === 'OIDC' || kind === 'KEYCLOAK_OIDC' || kind === 'SAML';

const flag = (name: string, label: Text): SettingField => setting(name, label, { kind: 'flag' });

/** What the provider knows this server by. */
export const credentials: SettingField[] = [
  setting('clientId', ['Client ID', 'Client-ID']),
  setting('clientSecret', ['Client secret', 'Client-Secret'], { kind: 'secret' }),
];

const synchronisation = setting('syncMode', ['Users are updated', 'Benutzer werden aktualisiert'], {
  kind: 'choice',
  choices: ['IMPORT', 'LEGACY', 'FORCE'],
  hint: ['IMPORT: at the first login only. FORCE: at each login.', 'IMPORT: nur beim ersten Login. FORCE: bei jedem.'],
});
const scope = setting('defaultScope', ['Scopes', 'Scopes'], {
  hint: ['Separated by spaces.', 'Durch Leerzeichen getrennt.'],
});
const baseUrl = setting('baseUrl', ['Base URL', 'Basis-URL']);

const openIdConnect: SettingField[] = [
  ...credentials,
  setting('clientAuthMethod', ['Client authentication', 'Authentifizierung des Clients'], {
    kind: 'choice',
    choices: ['client_secret_post', 'client_secret_basic', 'client_secret_jwt', 'private_key_jwt'],
  }),
  setting('issuer', ['Issuer', 'Issuer']),
  setting('authorizationUrl', ['Authorization URL', 'Autorisierungs-URL']),
  setting('tokenUrl', ['Token URL', 'Token-URL']),
  setting('userInfoUrl', ['UserInfo URL', 'UserInfo-URL']),
  setting('logoutUrl', ['Logout URL', 'Logout-URL']),
  setting('jwksUrl', ['JWKS URL', 'JWKS-URL']),
  scope,
  setting('prompt', ['Prompt', 'Prompt'], { kind: 'choice', choices: ['none', 'login', 'consent', 'select_account'] }),
  flag('validateSignature', ['Validates signatures', 'Prüft Signaturen']),
  flag('useJwksUrl', ['Keys from the JWKS URL', 'Schlüssel von der JWKS-URL']),
  flag('loginHint', ['Passes the login hint', 'Gibt den Login-Hinweis weiter']),
  flag('backchannelSupported', ['Back-channel logout', 'Back-Channel-Abmeldung']),
  flag('disableUserInfo', ['Does not ask UserInfo', 'Fragt UserInfo nicht ab']),
];

const saml: SettingField[] = [
  setting('entityId', ['Entity ID of this server', 'Entity-ID dieses Servers']),
  setting('singleSignOnServiceUrl', ['Single sign-on URL', 'Single-Sign-on-URL']),
  setting('singleLogoutServiceUrl', ['Single logout URL', 'Single-Logout-URL']),
  setting('nameIDPolicyFormat', ['NameID format', 'NameID-Format']),
  setting('principalType', ['Username from', 'Benutzername aus'], {
    kind: 'choice',
    choices: ['SUBJECT', 'ATTRIBUTE', 'FRIENDLY_ATTRIBUTE'],
  }),
  setting('principalAttribute', ['Attribute of the username', 'Attribut des Benutzernamens']),
  setting('signatureAlgorithm', ['Signature algorithm', 'Signaturalgorithmus'], {
    kind: 'choice',
    choices: ['RSA_SHA256', 'RSA_SHA512', 'RSA_SHA1', 'DSA_SHA1'],
  }),
  setting('signingCertificate', ['Certificates of the provider', 'Zertifikate des Anbieters'], { kind: 'long' }),
  flag('validateSignature', ['Validates signatures', 'Prüft Signaturen']),
  flag('postBindingAuthnRequest', ['Requests by POST', 'Anfragen per POST']),
  flag('postBindingResponse', ['Responses by POST', 'Antworten per POST']),
  flag('postBindingLogout', ['Logout by POST', 'Abmeldung per POST']),
  flag('wantAuthnRequestsSigned', ['Signs requests', 'Signiert Anfragen']),
  flag('wantAssertionsSigned', ['Wants signed assertions', 'Verlangt signierte Assertions']),
  flag('wantAssertionsEncrypted', ['Wants encrypted assertions', 'Verlangt verschlüsselte Assertions']),
  flag('forceAuthn', ['Always asks for a login', 'Verlangt immer eine Anmeldung']),
];

/** What single kinds have besides the credentials. */
const more: Partial<Record<IdentityProviderType, SettingField[]>> = {
  GOOGLE: [
    setting('hostedDomain', ['Hosted domain', 'Domain']),
    flag('offlineAccess', ['Refresh tokens', 'Refresh-Tokens']),
  ],
  OPENSHIFT_V3: [baseUrl],
  OPENSHIFT_V4: [baseUrl],
  PAYPAL: [flag('sandbox', ['Sandbox', 'Sandbox'])],
  STACKOVERFLOW: [setting('key', ['Key', 'Schlüssel'])],
};

/** The settings of a kind of identity provider. The API keeps others as they are. */
export function settingsOfKind(kind: IdentityProviderType): SettingField[] {
  if (kind === 'SAML') return [...saml, synchronisation];
  if (hasDocument(kind)) return [...openIdConnect, synchronisation];
  return [...credentials, scope, ...(more[kind] ?? []), synchronisation];
}
