import { type FormField, type ProviderSetting, settingsOf } from '../parts/fields.js';
import { type Outcome, read } from '../session/graphql.js';
import { type IdentityProviderType, ProviderDocument } from './documents.js';
import { texts } from './texts.js';

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
  // the settings in it are sent
  explainedBy: false,
};

/** What the provider knows this server by. */
export const credentials: FormField[] = settingsOf(texts, {
  clientId: ['text'],
  clientSecret: ['secret'],
});

const synchronisation = settingsOf(texts, {
  syncMode: [['IMPORT', 'LEGACY', 'FORCE']],
});
const onLoginPage = settingsOf(texts, {
  hideOnLoginPage: ['flag'],
  guiOrder: ['text'],
});
const scope = settingsOf(texts, {
  defaultScope: ['text', { hint: texts.defaultScopeHint }],
});
const baseUrl = settingsOf(texts, { baseUrl: ['text'] });

const openIdConnect: FormField[] = [
  ...credentials,
  ...settingsOf(texts, {
    clientAuthMethod: [['client_secret_post', 'client_secret_basic', 'client_secret_jwt', 'private_key_jwt']],
    issuer: ['text'],
    authorizationUrl: ['text'],
    tokenUrl: ['text'],
    userInfoUrl: ['text'],
    logoutUrl: ['text'],
    jwksUrl: ['text'],
  }),
  ...scope,
  ...settingsOf(texts, {
    prompt: [['none', 'login', 'consent', 'select_account']],
    validateSignature: ['flag'],
    useJwksUrl: ['flag'],
    uiLocales: ['flag'],
    forwardParameters: ['text', { hint: texts.forwardParametersHint }],
    acceptsPromptNoneForwardFromClient: ['flag'],
    loginHint: ['flag'],
    backchannelSupported: ['flag'],
    disableUserInfo: ['flag'],
  }),
];

const saml: FormField[] = settingsOf(texts, {
  idpEntityId: ['text'],
  entityId: ['text', { hint: texts.entityIdHint }],
  singleSignOnServiceUrl: ['text'],
  singleLogoutServiceUrl: ['text'],
  nameIDPolicyFormat: ['text'],
  signatureAlgorithm: [['RSA_SHA256', 'RSA_SHA512', 'RSA_SHA256_MGF1', 'RSA_SHA512_MGF1', 'RSA_SHA1']],
  principalType: [['SUBJECT', 'ATTRIBUTE', 'FRIENDLY_ATTRIBUTE']],
  principalAttribute: ['text'],
  signingCertificate: ['long', { hint: texts.signingCertificateHint }],
  metadataDescriptorUrl: ['text'],
  allowedClockSkew: ['text'],
  useMetadataDescriptorUrl: ['flag'],
  postBindingAuthnRequest: ['flag'],
  postBindingResponse: ['flag'],
  postBindingLogout: ['flag'],
  wantAuthnRequestsSigned: ['flag'],
  wantAssertionsSigned: ['flag'],
  wantAssertionsEncrypted: ['flag'],
  forceAuthn: ['flag'],
  loginHint: ['flag'],
  backchannelSupported: ['flag'],
});

/** What single kinds have besides the credentials. */
const more: Partial<Record<IdentityProviderType, FormField[]>> = {
  GOOGLE: settingsOf(texts, {
    hostedDomain: ['text'],
    offlineAccess: ['flag'],
  }),
  GITHUB: [...baseUrl, ...settingsOf(texts, { apiUrl: ['text'] })],
  OPENSHIFT_V3: baseUrl,
  OPENSHIFT_V4: baseUrl,
  PAYPAL: settingsOf(texts, { sandbox: ['flag'] }),
  STACKOVERFLOW: settingsOf(texts, { key: ['text'] }),
};

/** The settings of a kind of identity provider. The API keeps others as they are. */
export function settingsOfKind(kind: IdentityProviderType): FormField[] {
  if (kind === 'SAML') return [...saml, ...onLoginPage, ...synchronisation];
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
