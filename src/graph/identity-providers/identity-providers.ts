import DataLoader from 'dataloader';
import { type Context, loader } from '../../services/core/context.js';
import { perform } from '../../services/core/perform.js';
import { identityProviderMapperSelect, type MapperRow } from '../../services/identity-providers/encode.js';
import { exportProvider } from '../../services/identity-providers/export.js';
import { importConfig } from '../../services/identity-providers/import-config.js';
import { providerByAlias } from '../../services/identity-providers/locate.js';
import { mapperTypesOf } from '../../services/identity-providers/mapper-types.js';
import { providerNames } from '../../services/identity-providers/settings.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { combined, StringFilter, textWhere } from '../core/filters.js';
import { guardNode, permitById } from '../core/node.js';
import { documentOf } from '../core/upload.js';
import { Realm } from '../realms/realms.js';

/** `keycloak-oidc` as KEYCLOAK_OIDC. */
export const IdentityProviderType = builder.enumType('IdentityProviderType', {
  description: 'The kind of an identity provider.',
  values: Object.fromEntries(
    [...providerNames].map(([id, name]) => [
      id.toUpperCase().replaceAll('-', '_'),
      { value: id, description: `${name}.` },
    ]),
  ),
});

const Setting = builder.objectRef<{ name: string; value: string }>('IdentityProviderSetting').implement({
  description: 'A setting of an identity provider or its mapper. Secrets are masked.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, as in the contract.' }),
    value: t.exposeString('value', { description: 'Its value.' }),
  }),
});

const settingsIn = (config: unknown) =>
  Object.entries(config as Record<string, string>)
    .map(([name, value]) => ({ name, value }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));

export const IdentityProviderMapper = builder.prismaNode('IdentityProviderMapper', {
  id: { field: 'id' },
  select: identityProviderMapperSelect,
  description: 'What becomes of something that an identity provider tells about users.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique among the mappers of the provider.' }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
    type: t.exposeString('identityProviderMapper', { description: 'Its kind, one of mapperTypes of the provider.' }),
    settings: t.field({ type: [Setting], description: 'Its settings.', resolve: ({ config }) => settingsIn(config) }),
  }),
});

guardNode('IdentityProviderMapper', 'IdentityProviderMapper', 'view:identity-providers');

const MapperTypeRef = builder
  .objectRef<ReturnType<typeof mapperTypesOf>[number]>('IdentityProviderMapperType')
  .implement({
    description: 'A kind of mapper that an identity provider can have.',
    fields: (t) => ({
      id: t.exposeString('id', { description: 'What mappers call it.' }),
      name: t.exposeString('name', { description: 'Its name for people.' }),
      category: t.exposeString('category', { description: 'What it belongs to.' }),
      helpText: t.exposeString('helpText', { description: 'What it does.' }),
      properties: t.field({ type: 'JSON', description: 'Its settings.', resolve: ({ properties }) => properties }),
    }),
  });

/** The mappers of the providers of a request, in one statement for each realm. */
const mappersOf = (ctx: Context, realmId: string) =>
  loader(ctx, `mappers of identity providers ${realmId}`, () => {
    return new DataLoader(async (aliases: readonly string[]): Promise<MapperRow[][]> => {
      const rows = await ctx.db.identityProviderMapper.findMany({
        where: { realmId, identityProviderAlias: { in: [...aliases] } },
        select: identityProviderMapperSelect,
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
      });
      return aliases.map((alias) => rows.filter(({ identityProviderAlias }) => identityProviderAlias === alias));
    });
  });

export const IdentityProvider = builder.prismaNode('IdentityProvider', {
  id: { field: 'id' },
  // what other fields need they select themselves: flows know no more of their providers
  select: { id: true, realmId: true },
  description: 'Where users of a realm can come from: another server that says who they are.',
  fields: (t) => ({
    alias: t.exposeString('alias', { description: 'Unique in the realm; part of addresses.' }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
    displayName: t.exposeString('displayName', { nullable: true, description: 'Name for people.' }),
    type: t.field({
      type: IdentityProviderType,
      description: 'Its kind.',
      select: { providerId: true },
      resolve: ({ providerId }) => providerId,
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether users can come from there.' }),
    storeToken: t.exposeBoolean('storeToken', { description: 'Whether its tokens are kept.' }),
    trustEmail: t.exposeBoolean('trustEmail', { description: 'Whether its e-mail addresses count as verified.' }),
    linkOnly: t.exposeBoolean('linkOnly', { description: 'Whether only accounts can be linked, and nobody logs in.' }),
    addReadTokenRole: t.exposeBoolean('addReadTokenRoleOnCreate', {
      description: 'Whether new users may read the tokens that are kept.',
    }),
    authenticateByDefault: t.exposeBoolean('authenticateByDefault', {
      description: 'Whether it is tried ahead of the login page.',
    }),
    firstLoginFlow: t.exposeString('firstBrokerLoginFlowAlias', {
      nullable: true,
      description: 'Alias of the flow for users who come for the first time.',
    }),
    postLoginFlow: t.exposeString('postBrokerLoginFlowAlias', {
      nullable: true,
      description: 'Alias of the flow after each login there.',
    }),
    settings: t.field({
      type: [Setting],
      description: 'Its settings, by name; secrets are masked.',
      select: { config: true },
      resolve: ({ config }) => settingsIn(config),
    }),
    mappers: t.field({
      type: [IdentityProviderMapper],
      description: 'What becomes of what it tells, by name.',
      select: { alias: true },
      resolve: ({ realmId, alias }, _args, ctx) => mappersOf(ctx, realmId).load(alias),
    }),
    mapperTypes: t.field({
      type: [MapperTypeRef],
      description: 'The kinds of mappers that it can have.',
      select: { providerId: true },
      resolve: ({ providerId }) => mapperTypesOf(providerId),
    }),
    serviceProviderMetadata: t.string({
      nullable: true,
      description: 'SAML metadata of this server for the provider; null where its protocol has none.',
      select: { alias: true },
      resolve: async ({ realmId, alias }, _args, ctx) => {
        const realm = await realmById(ctx, realmId);
        return (await perform(ctx, exportProvider, (at) => providerByAlias(at, realm, alias))) ?? null;
      },
    }),
  }),
});

guardNode('IdentityProvider', 'IdentityProvider', 'view:identity-providers');

const IdentityProviderConnection = connectionType('IdentityProvider', IdentityProvider);

interface ProviderFilterValue {
  and?: ProviderFilterValue[] | null;
  or?: ProviderFilterValue[] | null;
  not?: ProviderFilterValue | null;
  alias?: Parameters<typeof textWhere>[0] | null;
  type?: string | null;
  enabled?: boolean | null;
}

const ProviderFilter = builder.inputRef<ProviderFilterValue>('IdentityProviderFilter').implement({
  description: 'Which identity providers; all tests that are given have to hold.',
  fields: (t) => ({
    and: t.field({ type: [ProviderFilter], description: 'All of these.' }),
    or: t.field({ type: [ProviderFilter], description: 'One of these.' }),
    not: t.field({ type: ProviderFilter, description: 'Not this.' }),
    alias: t.field({ type: StringFilter, description: 'Test of the alias.' }),
    type: t.field({ type: IdentityProviderType, description: 'Only of this kind.' }),
    enabled: t.boolean({ description: 'Whether it is enabled.' }),
  }),
});

const providerWhere = (filter: ProviderFilterValue): object => ({
  ...combined(filter, providerWhere),
  ...(filter.alias && { alias: textWhere(filter.alias) }),
  ...(filter.type != null && { providerId: filter.type }),
  ...(filter.enabled != null && { enabled: filter.enabled }),
});

const ofRealm = related<{ filter?: ProviderFilterValue | null }>({
  parent: 'realm',
  relation: 'identityProviders',
  where: ({ filter }) => (filter ? (providerWhere(filter) as Record<string, unknown>) : {}),
  order: [{ path: 'alias' }, { path: 'id' }],
  permission: 'view:identity-providers',
});

builder.prismaObjectFields(Realm, (t) => ({
  identityProviders: t.field({
    type: IdentityProviderConnection,
    nullable: true,
    description: 'Where users of the realm can come from, by alias. Takes view-identity-providers.',
    args: { ...pageArgs, filter: t.arg({ type: ProviderFilter, description: 'Which of them.' }) },
    ...(ofRealm as object),
  } as never),
  identityProvider: t.prismaField({
    type: IdentityProvider,
    nullable: true,
    description: 'The identity provider of this alias. Null without view-identity-providers.',
    args: { alias: t.arg.string({ required: true, description: 'Its alias.' }) },
    resolve: async (query, { id }, { alias }, ctx) => {
      const permit = await permitById(ctx, id);
      if (!permit.can('view:identity-providers')) return null;
      return ctx.db.identityProvider.findUnique({ ...query, where: { realmId_alias: { realmId: id, alias } } });
    },
  }),
  identityProviderSettings: t.field({
    type: [Setting],
    nullable: true,
    description:
      'The settings for an identity provider out of its discovery document or SAML metadata; nothing is kept. Takes manage-identity-providers.',
    args: {
      type: t.arg({ type: IdentityProviderType, required: true, description: 'The kind of provider.' }),
      document: t.arg.string({ description: 'The document.' }),
      upload: t.arg({ type: 'Upload', description: 'Or a file with it.' }),
      url: t.arg.string({ description: 'Or the address to get it from.' }),
    },
    resolve: async ({ id }, { type, url, ...args }, ctx) => {
      (await permitById(ctx, id)).require('manage:identity-providers');
      const isGiven = args.document != null || args.upload != null;
      if (!isGiven && url == null) return [];
      const realm = await realmById(ctx, id);
      const document = isGiven ? await documentOf(args, ctx) : undefined;
      const input = { providerId: type, document, fromUrl: url };
      return settingsIn(await perform(ctx, importConfig, async () => ({ realm }), input));
    },
  }),
}));
