import { read } from '../core/operation.js';
import { invalid } from '../core/refusal.js';
import { documentText, representation, text } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { type Element, parseXml } from '../core/xml.js';
import { describedProviders, settingsOfProvider } from './saml-metadata.js';
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
    if (providerId === 'saml') return settingsOfMetadata(await parseXml(found, 'file', realm.id), ctx.services.now());
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

/** The settings in the metadata of an identity provider; none in those of others. Throws `invalid` if it describes several. */
function settingsOfMetadata(document: Element, now: number): Config {
  const [provider, ...others] = describedProviders(document);
  if (others.length > 0)
    throw invalid(
      `The metadata describes ${others.length + 1} identity providers. Send the EntityDescriptor of one of them`,
      'file',
    );
  return provider ? settingsOfProvider(provider, now) : {};
}
