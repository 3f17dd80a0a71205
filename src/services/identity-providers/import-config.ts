import { read } from '../core/operation.js';
import { invalid } from '../core/refusal.js';
import { documentText, representation, text } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { attributeOf, childrenOf, type Element, parseXml, textOfChild } from '../core/xml.js';
import { knownProvider } from './settings.js';

/** What an identity provider says of itself: as a text, or where to get it. */
const ProviderDocument = representation('ProviderDocument', {
  providerId: text,
  document: documentText,
  fromUrl: text,
});

type Config = Record<string, string>;

const bad = (field: string) => invalid('HTTP 400 Bad Request', field, { body: { error: 'HTTP 400 Bad Request' } });

export const importConfig = read({
  name: 'identityProvider.importConfig',
  summary: 'Reads the settings for an identity provider from its discovery document or SAML metadata. Stores nothing.',
  input: ProviderDocument,
  allow: 'manage:identity-providers',
  run: async (ctx, { realm }: Target, { providerId, document, fromUrl }): Promise<Config> => {
    if (!providerId) throw bad('providerId');
    if (document === undefined && !fromUrl) throw bad(document === undefined ? 'fromUrl' : 'file');
    knownProvider(providerId);
    const found = document ?? (await fetched(ctx.services.fetchPublic, fromUrl ?? ''));
    if (providerId === 'saml') return settingsOfMetadata(await parseXml(found, 'file', realm.id));
    return providerId === 'oidc' || providerId === 'keycloak-oidc' ? settingsOfDiscovery(found) : {};
  },
});

async function fetched(get: (url: string) => Promise<Response>, url: string): Promise<string> {
  if (!URL.canParse(url)) throw invalid('`fromUrl` must be a URL', 'fromUrl');
  try {
    const answer = await get(url);
    if (answer.ok) return await answer.text();
  } catch {
    // what went wrong would tell of the network that this server is in
  }
  throw invalid('The document could not be fetched', 'fromUrl');
}

const settingNames = {
  issuer: 'issuer',
  authorization_endpoint: 'authorizationUrl',
  token_endpoint: 'tokenUrl',
  userinfo_endpoint: 'userInfoUrl',
  end_session_endpoint: 'logoutUrl',
  jwks_uri: 'jwksUrl',
} as const;

/** The settings in a discovery document (OpenID Connect Discovery section 3). Throws `invalid`. */
function settingsOfDiscovery(document: string): Config {
  let found: Record<string, unknown> = {};
  try {
    found = JSON.parse(document);
  } catch {
    throw invalid('The document must be an OpenID Connect discovery document', 'file');
  }
  if (typeof found !== 'object' || found === null)
    throw invalid('The document must be an OpenID Connect discovery document', 'file');
  const config: Config = {};
  for (const [name, setting] of Object.entries(settingNames)) {
    const value = found[name];
    if (typeof value === 'string') config[setting] = value;
  }
  return config.jwksUrl === undefined ? config : { ...config, validateSignature: 'true', useJwksUrl: 'true' };
}

const bindings = 'urn:oasis:names:tc:SAML:2.0:bindings:';

/** The settings in the metadata of an identity provider (SAML 2.0 Metadata section 2.4.3); none in those of others. */
export function settingsOfMetadata(document: Element): Config {
  const [several = {}] = childrenOf(document, 'EntitiesDescriptor');
  const [entity = {}] = [...childrenOf(document, 'EntityDescriptor'), ...childrenOf(several, 'EntityDescriptor')];
  const [provider] = childrenOf(entity, 'IDPSSODescriptor');
  if (!provider) return {};
  const services = (name: string, binding: string) =>
    childrenOf(provider, name)
      .filter((service) => attributeOf(service, 'Binding') === `${bindings}${binding}`)
      .map((service) => attributeOf(service, 'Location') ?? '');
  const [post] = services('SingleSignOnService', 'HTTP-POST');
  const [redirect] = services('SingleSignOnService', 'HTTP-Redirect');
  const isPost = String(post !== undefined);
  const [logout] = services('SingleLogoutService', post === undefined ? 'HTTP-Redirect' : 'HTTP-POST');
  const isSigned = String(attributeOf(provider, 'WantAuthnRequestsSigned') === 'true');
  const signing = certificates(provider, 'signing').join(',');
  const [encryption] = certificates(provider, 'encryption');
  const nameIdFormat = textOfChild(provider, 'NameIDFormat');
  const config: Record<string, string | undefined> = {
    singleSignOnServiceUrl: post ?? redirect,
    singleLogoutServiceUrl: logout,
    wantAuthnRequestsSigned: isSigned,
    validateSignature: isSigned,
    addExtensionsElementWithKeyInfo: 'false',
    postBindingResponse: isPost,
    postBindingAuthnRequest: isPost,
    postBindingLogout: isPost,
    loginHint: 'false',
    nameIDPolicyFormat: nameIdFormat,
    signingCertificate: signing || undefined,
    encryptionPublicKey: encryption,
    enabledFromMetadata: 'true',
  };
  return Object.fromEntries(
    Object.entries(config).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The certificates for a use, as base64; a key without a use is for both. */
function certificates(provider: Element, use: string): string[] {
  return childrenOf(provider, 'KeyDescriptor')
    .filter((key) => [undefined, use].includes(attributeOf(key, 'use')))
    .flatMap((key) => childrenOf(key, 'KeyInfo'))
    .flatMap((info) => childrenOf(info, 'X509Data'))
    .map((data) => textOfChild(data, 'X509Certificate')?.replace(/\s/g, ''))
    .filter((text): text is string => text !== undefined);
}
