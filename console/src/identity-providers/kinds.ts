import { type FormField, type ProviderSetting, settingsOf } from '../parts/fields.js';
import { type Outcome, read } from '../session/graphql.js';
import { type IdentityProviderType, ProviderDocument } from './documents.js';
import { texts } from './text.js';

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

/** The field of the document of a provider. */
export const documentField: FormField = {
  path: 'document',
  label: texts.document,
  hint: texts.documentHint,
  kind: 'long',
};

/** What the provider knows this server by. */
export const credentials: FormField[] = settingsOf({
  clientId: ['text', 'Client ID', 'Client-ID'],
  clientSecret: ['secret', 'Client secret', 'Client-Secret'],
});

const synchronisation = settingsOf({
  syncMode: [['IMPORT', 'LEGACY', 'FORCE'], 'Users are updated', 'Benutzer werden aktualisiert'],
});
const onLoginPage = settingsOf({
  hideOnLoginPage: ['flag', 'Hidden on the login page', 'Auf der Anmeldeseite verborgen'],
  guiOrder: ['text', 'Order on the login page', 'Reihenfolge auf der Anmeldeseite'],
});
const scope = settingsOf({
  defaultScope: ['text', 'Scopes', 'Scopes', { hint: ['Separated by spaces.', 'Durch Leerzeichen getrennt.'] }],
});
const baseUrl = settingsOf({ baseUrl: ['text', 'Base URL', 'Basis-URL'] });

const openIdConnect: FormField[] = [
  ...credentials,
  ...settingsOf({
    clientAuthMethod: [
      ['client_secret_post', 'client_secret_basic', 'client_secret_jwt', 'private_key_jwt'],
      'Client authentication',
      'Authentifizierung des Clients',
    ],
    issuer: ['text', 'Issuer', 'Issuer'],
    authorizationUrl: ['text', 'Authorization URL', 'Autorisierungs-URL'],
    tokenUrl: ['text', 'Token URL', 'Token-URL'],
    userInfoUrl: ['text', 'UserInfo URL', 'UserInfo-URL'],
    logoutUrl: ['text', 'Logout URL', 'Logout-URL'],
    jwksUrl: ['text', 'JWKS URL', 'JWKS-URL'],
  }),
  ...scope,
  ...settingsOf({
    prompt: [['none', 'login', 'consent', 'select_account'], 'Prompt', 'Prompt'],
    validateSignature: ['flag', 'Validates signatures', 'Prüft Signaturen'],
    useJwksUrl: ['flag', 'Keys from the JWKS URL', 'Schlüssel von der JWKS-URL'],
    uiLocales: ['flag', 'Passes the language', 'Gibt die Sprache weiter'],
    forwardParameters: [
      'text',
      'Forwarded parameters',
      'Weitergegebene Parameter',
      { hint: ['Separated by commas.', 'Durch Kommas getrennt.'] },
    ],
    acceptsPromptNoneForwardFromClient: ['flag', 'Accepts logins without a page', 'Nimmt Anmeldungen ohne Seite an'],
    loginHint: ['flag', 'Passes the login hint', 'Gibt den Login-Hinweis weiter'],
    backchannelSupported: ['flag', 'Back-channel logout', 'Back-Channel-Abmeldung'],
    disableUserInfo: ['flag', 'Does not ask UserInfo', 'Fragt UserInfo nicht ab'],
  }),
];

const saml: FormField[] = settingsOf({
  entityId: ['text', 'Entity ID of this server', 'Entity-ID dieses Servers'],
  singleSignOnServiceUrl: ['text', 'Single sign-on URL', 'Single-Sign-on-URL'],
  singleLogoutServiceUrl: ['text', 'Single logout URL', 'Single-Logout-URL'],
  nameIDPolicyFormat: ['text', 'NameID format', 'NameID-Format'],
  principalType: [['SUBJECT', 'ATTRIBUTE', 'FRIENDLY_ATTRIBUTE'], 'Username from', 'Benutzername aus'],
  principalAttribute: ['text', 'Attribute of the username', 'Attribut des Benutzernamens'],
  signatureAlgorithm: [
    ['RSA_SHA256', 'RSA_SHA512', 'RSA_SHA1', 'DSA_SHA1'],
    'Signature algorithm',
    'Signaturalgorithmus',
  ],
  signingCertificate: ['long', 'Certificates of the provider', 'Zertifikate des Anbieters'],
  validateSignature: ['flag', 'Validates signatures', 'Prüft Signaturen'],
  postBindingAuthnRequest: ['flag', 'Requests by POST', 'Anfragen per POST'],
  postBindingResponse: ['flag', 'Responses by POST', 'Antworten per POST'],
  postBindingLogout: ['flag', 'Logout by POST', 'Abmeldung per POST'],
  wantAuthnRequestsSigned: ['flag', 'Signs requests', 'Signiert Anfragen'],
  wantAssertionsSigned: ['flag', 'Wants signed assertions', 'Verlangt signierte Assertions'],
  wantAssertionsEncrypted: ['flag', 'Wants encrypted assertions', 'Verlangt verschlüsselte Assertions'],
  forceAuthn: ['flag', 'Always asks for a login', 'Verlangt immer eine Anmeldung'],
});

/** What single kinds have besides the credentials. */
const more: Partial<Record<IdentityProviderType, FormField[]>> = {
  GOOGLE: settingsOf({
    hostedDomain: ['text', 'Hosted domain', 'Domain'],
    offlineAccess: ['flag', 'Refresh tokens', 'Refresh-Tokens'],
  }),
  GITHUB: [...baseUrl, ...settingsOf({ apiUrl: ['text', 'API URL', 'API-URL'] })],
  OPENSHIFT_V3: baseUrl,
  OPENSHIFT_V4: baseUrl,
  PAYPAL: settingsOf({ sandbox: ['flag', 'Sandbox', 'Sandbox'] }),
  STACKOVERFLOW: settingsOf({ key: ['text', 'Key', 'Schlüssel'] }),
};

/** The settings of a kind of identity provider. The API keeps others as they are. */
export function settingsOfKind(kind: IdentityProviderType): FormField[] {
  if (kind === 'SAML') return [...saml, ...synchronisation];
  if (hasDocument(kind)) return [...openIdConnect, ...onLoginPage, ...synchronisation];
  return [...credentials, ...scope, ...(more[kind] ?? []), ...onLoginPage, ...synchronisation];
}

/** The settings in a document, which is given as a text or by its URL. Errors stand at the field `document`. */
export async function settingsIn(
  realm: string,
  type: IdentityProviderType,
  document: string,
): Promise<Outcome<ProviderSetting[]>> {
  const text = document.trim();
  const source = /^https?:\/\/\S+$/.test(text) ? { url: text } : { text };
  const { data, errors } = await read(ProviderDocument, { realm, type, document: source });
  return {
    data: data?.realm?.identityProviderSettings ?? undefined,
    errors: errors.map((error) => ({ ...error, path: ['document'] })),
  };
}
