import type { Context } from '../../services/core/context.js';
import { notFound } from '../../services/core/refusal.js';
import { type IdentityProviderTarget, providerByAlias } from '../../services/identity-providers/locate.js';
import * as mappers from '../../services/identity-providers/mappers.js';
import { create, patch, remove } from '../../services/identity-providers/write.js';
import { builder } from '../core/builder.js';
import { settingMap } from '../core/filters.js';
import { mutation } from '../core/mutation.js';
import { locatedNode } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { IdentityProvider, IdentityProviderMapper, IdentityProviderType } from './identity-providers.js';

const SettingInput = builder.inputType('IdentityProviderSettingInput', {
  description: 'A setting of an identity provider or its mapper.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name, as in the contract.' }),
    value: t.string({ required: true, description: 'Its value; a mask leaves a secret as it is.' }),
  }),
});

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const fields = (t: InputBuilder) => ({
  displayName: t.string({ description: 'Name for people.' }),
  enabled: t.boolean({ description: 'Whether users can come from there; true unless told.' }),
  storeToken: t.boolean({ description: 'Whether its tokens are kept.' }),
  trustEmail: t.boolean({ description: 'Whether its e-mail addresses count as verified.' }),
  linkOnly: t.boolean({ description: 'Whether only accounts can be linked, and nobody logs in.' }),
  addReadTokenRole: t.boolean({ description: 'Whether new users may read the tokens that are kept.' }),
  authenticateByDefault: t.boolean({ description: 'Whether it is tried ahead of the login page.' }),
  firstLoginFlow: t.string({ description: 'Alias of the flow for users who come for the first time.' }),
  postLoginFlow: t.string({ description: 'Alias of the flow after each login there.' }),
  settings: t.field({ type: [SettingInput], description: 'Its settings: all of them.' }),
});

interface Given {
  addReadTokenRole?: boolean | null;
  firstLoginFlow?: string | null;
  postLoginFlow?: string | null;
  settings?: readonly { name: string; value: string }[] | null;
}

const wireNames: Record<string, string> = {
  addReadTokenRoleOnCreate: 'addReadTokenRole',
  firstBrokerLoginFlowAlias: 'firstLoginFlow',
  postBrokerLoginFlowAlias: 'postLoginFlow',
  config: 'settings',
  providerId: 'type',
};
const fieldOf = (field: string) => wireNames[field] ?? field;

/** The input as IdentityProviderRepresentation. */
function representationOf({ addReadTokenRole, firstLoginFlow, postLoginFlow, settings, ...plain }: Given) {
  return {
    ...plain,
    addReadTokenRoleOnCreate: addReadTokenRole,
    firstBrokerLoginFlowAlias: firstLoginFlow,
    postBrokerLoginFlowAlias: postLoginFlow,
    config: settingMap(settings),
  };
}

/** The identity provider with this id, wherever the caller may see it. */
export async function providerTarget(ctx: Context, globalId: string, field: string): Promise<IdentityProviderTarget> {
  const { id, realm } = await locatedNode(ctx, globalId, field, 'IdentityProvider');
  const row = await ctx.db.identityProvider.findUnique({ where: { id }, select: { alias: true } });
  if (!row) throw notFound('There is no such identity provider', field);
  return providerByAlias(ctx, realm, row.alias);
}

async function mapperTarget(ctx: Context, globalId: string): Promise<mappers.ProviderMapperTarget> {
  const { id, realm } = await locatedNode(ctx, globalId, 'id', 'IdentityProviderMapper');
  const row = await ctx.db.identityProviderMapper.findUnique({
    where: { id },
    select: { identityProviderAlias: true },
  });
  if (!row) throw notFound('There is no such mapper', 'id');
  return mappers.providerMapperById(ctx, await providerByAlias(ctx, realm, row.identityProviderAlias), id);
}

const theProvider = {
  identityProvider: {
    type: IdentityProvider,
    model: 'identityProvider',
    description: 'The identity provider as it is now.',
    id: ({ id }: { id: string }) => id,
  },
};
const theMapper = {
  mapper: {
    type: IdentityProviderMapper,
    model: 'identityProviderMapper',
    description: 'The mapper as it is now.',
    id: ({ id }: { id: string }) => id,
  },
};

mutation('identityProviderCreate', {
  description: 'Adds an identity provider to a realm.',
  operation: create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'Id of the realm.' }),
    alias: t.string({ required: true, description: 'Unique in the realm; part of addresses.' }),
    type: t.field({ type: IdentityProviderType, required: true, description: 'Its kind.' }),
    ...fields(t),
  }),
  locate: (input, ctx) => realmTarget(ctx, String(input.realm), 'realm'),
  send: ({ realm: _realm, idempotencyKey: _key, type, ...input }: Given & Record<string, unknown>) => ({
    ...representationOf(input),
    providerId: type,
  }),
  fieldOf,
  returns: theProvider,
});

mutation('identityProviderUpdate', {
  description: 'Changes an identity provider. Fields that are left out stay; null clears a field that can be empty.',
  operation: patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'Id of the identity provider.' }),
    alias: t.string({ description: 'A new alias; links of users follow it.' }),
    ...fields(t),
  }),
  locate: (input, ctx) => providerTarget(ctx, String(input.id), 'id'),
  send: ({ id: _id, expectedVersion: _version, idempotencyKey: _key, ...input }: Given & Record<string, unknown>) =>
    representationOf(input),
  fieldOf,
  returns: theProvider,
});

mutation('identityProviderDelete', {
  description: 'Deletes an identity provider with its mappers and the links of users to it.',
  operation: remove,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the identity provider.' }) }),
  locate: (input, ctx) => providerTarget(ctx, String(input.id), 'id'),
  values: {
    deletedAlias: { type: 'String', description: 'Alias of what was deleted.', of: ({ alias }) => alias },
  },
});

const mapperFields = <R extends boolean>(t: InputBuilder, required: R) => ({
  type: t.string({ required, description: 'Its kind, one of mapperTypes of the provider.' }),
  settings: t.field({ type: [SettingInput], description: 'Its settings: all of them.' }),
});

mutation('identityProviderMapperCreate', {
  description: 'Adds a mapper to an identity provider.',
  operation: mappers.createMapper,
  input: (t) => ({
    identityProvider: t.id({ required: true, description: 'Id of the identity provider.' }),
    name: t.string({ required: true, description: 'Unique among the mappers of the provider.' }),
    ...mapperFields(t, true),
  }),
  locate: (input, ctx) => providerTarget(ctx, String(input.identityProvider), 'identityProvider'),
  send: ({ name, type, settings }, _ctx, { provider }) => ({
    name,
    identityProviderAlias: provider.alias,
    identityProviderMapper: type,
    config: settingMap(settings),
  }),
  fieldOf: (field) => (field === 'identityProviderMapper' ? 'type' : fieldOf(field)),
  returns: theMapper,
});

mutation('identityProviderMapperUpdate', {
  description:
    'Changes a mapper of an identity provider. Fields that are left out stay; null clears a field that can be empty.',
  operation: mappers.patchMapper,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the mapper.' }), ...mapperFields(t, false) }),
  locate: (input, ctx) => mapperTarget(ctx, String(input.id)),
  send: ({ type, settings }) => ({ identityProviderMapper: type, config: settingMap(settings) }),
  fieldOf: (field) => (field === 'identityProviderMapper' ? 'type' : fieldOf(field)),
  returns: theMapper,
});

mutation('identityProviderMapperDelete', {
  description: 'Deletes a mapper of an identity provider.',
  operation: mappers.removeMapper,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the mapper.' }) }),
  locate: (input, ctx) => mapperTarget(ctx, String(input.id)),
  values: { deletedName: { type: 'String', description: 'Name of what was deleted.', of: ({ name }) => name } },
});
