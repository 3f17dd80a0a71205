import { randomUUID } from 'node:crypto';
import type { Db } from '../../database/db.js';
import { type Context, loader } from '../core/context.js';
import { read } from '../core/operation.js';
import type { RealmKey } from '../core/ports.js';
import type { RealmRecord } from '../core/realm.js';
import { addressForRealm } from '../core/realm.js';
import { notFound } from '../core/refusal.js';
import { type Element, writeXml } from '../core/xml.js';
import { signsSaml } from '../keys/metadata.js';
import { currentKeys } from '../keys/operations.js';
import { algorithmNamed } from '../saml/algorithms.js';
import { signElement } from '../saml/sign.js';
import { issuerOf, type TokenContext } from '../tokens/context.js';
import { realmDoesNotExist } from '../tokens/parties.js';
import type { IdentityProviderTarget } from './locate.js';

type Config = Readonly<Record<string, string>>;

const bindings = 'urn:oasis:names:tc:SAML:2.0:bindings:';

interface MapperRow {
  identityProviderMapper: string;
  config: unknown;
}

const mappersOf = (db: Db, realmId: string, identityProviderAlias: string): Promise<MapperRow[]> =>
  db.identityProviderMapper.findMany({
    where: { realmId, identityProviderAlias },
    select: { identityProviderMapper: true, config: true },
    orderBy: [{ name: 'asc' }],
  });

/** What the identity provider has to know of this server, where its protocol has a document for that. */
export const exportProvider = read({
  name: 'identityProvider.export',
  summary: 'Returns the SAML service provider metadata of this server. Empty for providers of other protocols.',
  allow: 'view:identity-providers',
  run: async (ctx, { realm, provider }: IdentityProviderTarget): Promise<string | undefined> => {
    if (provider.providerId !== 'saml') return undefined;
    const mappers = await mappersOf(ctx.db, realm.id, provider.alias);
    return providerMetadata(ctx, realm, provider, mappers, 'recorded');
  },
});

/** The metadata for an identity provider of SAML, with its mappers in the order of their names. */
export const providerMetadata = async (
  ctx: Context,
  realm: RealmRecord,
  provider: { alias: string; config: unknown },
  mappers: readonly MapperRow[],
  form: Form = 'valid',
): Promise<string> => {
  // the providers of a list have the keys of their realm in common
  const keys = await loader(ctx, `keys of realm ${realm.id}`, () => currentKeys(ctx, realm));
  return metadata(issuerOf(addressForRealm(ctx, realm), realm.name), provider, keys, mappers, form);
};

/** The same metadata for anybody, by the alias of the provider. 404 for providers of other protocols. */
export async function publicProviderMetadata(
  { database: { read: db }, keyring }: TokenContext,
  realmName: string,
  alias: string,
  baseUrl: string,
): Promise<string> {
  const realm = await db.realm.findFirst({ where: { name: realmName }, select: { id: true, name: true } });
  if (!realm) throw realmDoesNotExist();
  const provider = await db.identityProvider.findFirst({
    where: { realmId: realm.id, alias, providerId: 'saml' },
    select: { alias: true, config: true },
  });
  if (!provider) throw notFound('HTTP 404 Not Found');
  const mappers = await mappersOf(db, realm.id, alias);
  return metadata(issuerOf(baseUrl, realm.name), provider, await keyring.realmKeys(realm), mappers, 'valid');
}

function metadata(
  issuer: string,
  { alias, config }: { alias: string; config: unknown },
  keys: readonly RealmKey[],
  mappers: readonly MapperRow[],
  form: Form,
): Promise<string> {
  return descriptor(config as Config, form, {
    issuer,
    endpoint: `${issuer}/broker/${encodeURIComponent(alias)}/endpoint`,
    keys: keys.filter(signsSaml),
    attributes: mappers
      .filter(({ identityProviderMapper }) => identityProviderMapper === 'saml-user-attribute-idp-mapper')
      .map((mapper) => mapper.config as Config),
  });
}

/**
 * `recorded`: as the contract has it, with an empty list of attributes, which is not valid and which some refuse, and one binding for all.
 * `valid`: as schemas have it, with the bindings of the settings.
 */
type Form = 'recorded' | 'valid';

interface ServiceProvider {
  issuer: string;
  endpoint: string;
  keys: readonly RealmKey[];
  attributes: readonly Config[];
}

const key = (use: 'signing' | 'encryption', { kid, certificate }: RealmKey): Element => ({
  '@use': use,
  'ds:KeyInfo': {
    'ds:KeyName': kid,
    'ds:X509Data': { 'ds:X509Certificate': certificate ?? '' },
  },
});

/** Metadata of a service provider, SAML 2.0 Metadata section 2.4.4, signed if the provider has the setting `signSpMetadata`. */
async function descriptor(
  config: Config,
  form: Form,
  { issuer, endpoint, keys, attributes }: ServiceProvider,
): Promise<string> {
  const is = (name: string) => config[name] === 'true';
  const bindingOf = (setting: string) =>
    `${bindings}${is(form === 'recorded' ? 'postBindingAuthnRequest' : setting) ? 'HTTP-POST' : 'HTTP-Redirect'}`;
  const signing = is('wantAuthnRequestsSigned') ? keys.map((own) => key('signing', own)) : [];
  const active = keys.filter(({ status }) => status === 'ACTIVE').slice(0, 1);
  const encrypting = is('wantAssertionsEncrypted') ? active.map((own) => key('encryption', own)) : [];
  const requested = attributes
    .filter((mapper) => mapper['attribute.name'] || mapper['attribute.friendly.name'])
    .map((mapper) => ({
      '@Name': mapper['attribute.name'] ?? '',
      ...(mapper['attribute.friendly.name'] && { '@FriendlyName': mapper['attribute.friendly.name'] }),
      '@NameFormat': mapper['attribute.name.format'] ?? 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
    }));
  const id = `ID_${randomUUID()}`;
  const xml = await writeXml(
    {
      'md:EntityDescriptor': {
        '@xmlns': 'urn:oasis:names:tc:SAML:2.0:metadata',
        '@xmlns:md': 'urn:oasis:names:tc:SAML:2.0:metadata',
        '@xmlns:saml': 'urn:oasis:names:tc:SAML:2.0:assertion',
        '@xmlns:ds': 'http://www.w3.org/2000/09/xmldsig#',
        '@entityID': config.entityId || issuer,
        '@ID': id,
        'md:SPSSODescriptor': {
          '@protocolSupportEnumeration': 'urn:oasis:names:tc:SAML:2.0:protocol',
          '@AuthnRequestsSigned': String(is('wantAuthnRequestsSigned')),
          '@WantAssertionsSigned': String(is('wantAssertionsSigned')),
          ...(signing.length + encrypting.length > 0 && { 'md:KeyDescriptor': [...signing, ...encrypting] }),
          'md:SingleLogoutService': { '@Binding': bindingOf('postBindingLogout'), '@Location': endpoint },
          ...((config.nameIDPolicyFormat || form === 'recorded') && {
            'md:NameIDFormat': config.nameIDPolicyFormat ?? '',
          }),
          'md:AssertionConsumerService': {
            '@Binding': bindingOf('postBindingResponse'),
            '@Location': endpoint,
            '@isDefault': 'true',
            '@index': '1',
          },
          ...((requested.length > 0 || form === 'recorded') && {
            'md:AttributeConsumingService': {
              '@isDefault': 'true',
              '@index': config.attributeConsumingServiceIndex || '1',
              ...((config.attributeConsumingServiceName || form === 'valid') && {
                'md:ServiceName': { '@xml:lang': 'en', '#': config.attributeConsumingServiceName || issuer },
              }),
              ...(requested.length > 0 && { 'md:RequestedAttribute': requested }),
            },
          }),
        },
      },
    },
    { pretty: false },
  );
  const [{ privateKey, certificate, kid } = {}] = active;
  if (!is('signSpMetadata') || !privateKey || kid === undefined) return xml;
  const by = algorithmNamed(config.signatureAlgorithm);
  return signElement(
    xml,
    id,
    { key: privateKey, certificate, kid, keyName: kid, by, canonicalization: undefined },
    'metadata',
  );
}
