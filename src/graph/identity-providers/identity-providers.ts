import { kindOf } from '../../services/brokering/kinds.js';
import { redirectUri } from '../../services/brokering/redirect-uri.js';
import { type Context, loader } from '../../services/core/context.js';
import { listsByKey } from '../../services/core/lists-by-key.js';
import { batchLoader } from '../../services/core/pace.js';
import { perform } from '../../services/core/perform.js';
import { addressForRealm } from '../../services/core/realm.js';
import { identityProviderMapperSelect, type MapperRow } from '../../services/identity-providers/encode.js';
import { exportProvider, providerMetadata } from '../../services/identity-providers/export.js';
import { identityProviderFields } from '../../services/identity-providers/fields.js';
import { importConfig } from '../../services/identity-providers/import-config.js';
import { mapperTypesOf } from '../../services/identity-providers/mapper-types.js';
import { getMapper } from '../../services/identity-providers/mappers.js';
import { get, listProviders } from '../../services/identity-providers/operations.js';
import { providerNames } from '../../services/identity-providers/settings.js';
import { realmById } from '../../services/realms/locate.js';
import { PropertyRef } from '../components/components.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { condition, listType, whether } from '../core/list-type.js';
import { keyOfName, named, type Wanted } from '../core/names.js';
import { guardNode } from '../core/node.js';
import { readableField } from '../core/readable.js';
import { relatedField } from '../core/related.js';
import { fieldConditions, fieldOrders, typeFields } from '../core/resource-fields.js';
import { textOf } from '../core/upload.js';
import { Realm } from '../realms/realms.js';

/** `keycloak-oidc` as KEYCLOAK_OIDC. */
export const IdentityProviderType = builder.enumType('IdentityProviderType', {
  description: 'Type of an identity provider.',
  values: Object.fromEntries(
    [...providerNames].map(([id, name]) => [
      id.toUpperCase().replaceAll('-', '_'),
      { value: id, description: `Provider type of ${name}.` },
    ]),
  ),
});

const DocumentInput = builder.inputType('IdentityProviderDocumentInput', {
  description:
    'A discovery document or SAML metadata: as a string, as a file, or by its URL. Exactly one field is given.',
  isOneOf: true,
  fields: (t) => ({
    text: t.string({ description: 'The document as a string.' }),
    upload: t.field({ type: 'Upload', description: 'The file as a part of a multipart request.' }),
    url: t.string({ description: 'URL from which the server fetches the document.' }),
  }),
});

const Setting = builder.objectRef<{ name: string; value: string }>('IdentityProviderSetting').implement({
  description: 'A setting of an identity provider or identity provider mapper. Secrets are masked.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the setting, as in the REST API.' }),
    value: t.exposeString('value', { description: 'Value of the setting.' }),
  }),
});

const settingsIn = (config: unknown) =>
  Object.entries(config as Record<string, string>)
    .map(([name, value]) => ({ name, value }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));

export const IdentityProviderMapper = builder.prismaNode('IdentityProviderMapper', {
  id: { field: 'id' },
  select: identityProviderMapperSelect,
  description: 'A mapper that applies data from an identity provider to users, such as attributes or roles.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the mapper, unique in the identity provider.' }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    type: t.exposeString('identityProviderMapper', {
      description: 'Type of the mapper. `IdentityProvider.mapperTypes` lists them.',
    }),
    settings: t.field({
      type: [Setting],
      description: 'Settings of the mapper, ordered by name. Secrets are masked.',
      resolve: ({ config }) => settingsIn(config),
    }),
  }),
});

guardNode(IdentityProviderMapper, getMapper);

const MapperTypeRef = builder
  .objectRef<ReturnType<typeof mapperTypesOf>[number]>('IdentityProviderMapperType')
  .implement({
    description: 'A type of mapper that an identity provider can have.',
    fields: (t) => ({
      type: t.exposeString('id', { description: 'Type of the mappers, e.g. `oidc-user-attribute-idp-mapper`.' }),
      name: t.exposeString('name', { description: 'Display name of the mapper type.' }),
      category: t.exposeString('category', { description: 'Category of the mapper type, e.g. `Attribute Importer`.' }),
      helpText: t.exposeString('helpText', { description: 'Help text for the mapper type.' }),
      properties: t.field({
        type: [PropertyRef],
        description: 'Settings that mappers of this type can have.',
        complexity: { field: 1, multiplier: 5 },
        resolve: ({ properties }) => [...properties],
      }),
    }),
  });

/** The mappers of the providers of a request, in one statement. */
const mappersOf = (ctx: Context) =>
  loader(ctx, 'mappers of identity providers', () => {
    const find = async (wanted: readonly Wanted[]): Promise<MapperRow[][]> => {
      const rows = await ctx.db.identityProviderMapper.findMany({
        where: named(wanted, 'identityProviderAlias'),
        select: { ...identityProviderMapperSelect, realmId: true },
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
      });
      const byProvider = listsByKey(
        rows.map((row) => [keyOfName({ realmId: row.realmId, name: row.identityProviderAlias }), row]),
      );
      return wanted.map((one) => byProvider.get(keyOfName(one)) ?? []);
    };
    return batchLoader(ctx, find, { cacheKeyFn: keyOfName });
  });

export const IdentityProvider = builder.prismaNode('IdentityProvider', {
  id: { field: 'id' },
  // other fields select their columns themselves: flows select only these of their providers
  select: { id: true, realmId: true },
  description: 'An identity provider: an external server that authenticates users of the realm.',
  fields: (t) => ({
    ...typeFields(identityProviderFields, (field) => t.field(field)),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    type: t.field({
      type: IdentityProviderType,
      description: 'Type of the identity provider, e.g. `OIDC` or `SAML`.',
      select: { providerId: true },
      resolve: ({ providerId }) => providerId,
    }),
    settings: t.field({
      type: [Setting],
      description: 'Settings of the identity provider, ordered by name. Secrets are masked.',
      select: { config: true },
      resolve: ({ config }) => settingsIn(config),
    }),
    mappers: t.field({
      type: [IdentityProviderMapper],
      description: 'Mappers of the identity provider, ordered by name.',
      select: { alias: true },
      resolve: ({ realmId, alias }, _args, ctx) => mappersOf(ctx).load({ realmId, name: alias }),
    }),
    mapperTypes: t.field({
      type: [MapperTypeRef],
      description: 'Types of mappers that the identity provider can have.',
      select: { providerId: true },
      resolve: ({ providerId }) => mapperTypesOf(providerId),
    }),
    redirectUri: t.string({
      nullable: true,
      description: 'Redirect URI to be registered at the identity provider. Null for SAML.',
      requires: get,
      select: { alias: true, providerId: true },
      resolve: async ({ realmId, alias, providerId }, _args, ctx) => {
        if (!kindOf(providerId, {})) return null;
        const realm = await realmById(ctx, realmId);
        return redirectUri(addressForRealm(ctx, realm), realm.name, alias);
      },
    }),
    serviceProviderMetadata: t.string({
      nullable: true,
      description: 'SAML service provider metadata of this server for the identity provider. Null for other protocols.',
      requires: exportProvider,
      select: { alias: true, providerId: true, config: true },
      resolve: async ({ realmId, ...provider }, _args, ctx) => {
        if (provider.providerId !== 'saml') return null;
        const mappers = await mappersOf(ctx).load({ realmId, name: provider.alias });
        return providerMetadata(ctx, await realmById(ctx, realmId), provider, mappers);
      },
    }),
  }),
});

guardNode(IdentityProvider, get);

const providerList = listType({
  name: 'IdentityProvider',
  plural: 'identity providers',
  conditions: {
    ...fieldConditions(identityProviderFields),
    type: condition(IdentityProviderType, 'Matches identity providers of this type.', (providerId) => ({ providerId })),
    isEnabled: whether('Matches identity providers that are (true) or are not (false) enabled.', (enabled) => ({
      enabled,
    })),
  },
  orders: fieldOrders(identityProviderFields),
});

relatedField(Realm, 'identityProviders', {
  relation: 'identityProviders',
  listing: listProviders,
  connection: connectionType('IdentityProvider', IdentityProvider),
  description: 'Identity providers of the realm, ordered by alias.',
  list: providerList,
  order: [{ path: 'alias' }, { path: 'id' }],
});

readableField(Realm, 'identityProvider', {
  type: IdentityProvider,
  relation: 'identityProviders',
  description: 'The identity provider with this alias. Null if it does not exist.',
  args: builder.args((t) => ({ alias: t.string({ required: true, description: 'Alias of the identity provider.' }) })),
  where: ({ alias }) => ({ alias }),
});

builder.prismaObjectFields(Realm, (t) => ({
  identityProviderSettings: t.field({
    type: [Setting],
    nullable: true,
    description:
      'Reads the settings for an identity provider from its discovery document or SAML metadata. Stores nothing.',
    requires: importConfig,
    args: {
      type: t.arg({ type: IdentityProviderType, required: true, description: 'Type of the identity provider.' }),
      document: t.arg({
        type: DocumentInput,
        required: true,
        description: 'The discovery document, or the SAML metadata.',
      }),
    },
    resolve: async ({ id }, { type, document }, ctx) => {
      const realm = await realmById(ctx, id);
      const { url } = document;
      const input = {
        providerId: type,
        ...(url == null ? { document: await textOf(document, ctx) } : { fromUrl: url }),
      };
      return settingsIn(await perform(ctx, importConfig, async () => ({ realm }), input));
    },
  }),
}));
