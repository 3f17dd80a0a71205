import type { Context } from '../../services/core/context.js';
import { notFound } from '../../services/core/refusal.js';
import { identityProviderFields } from '../../services/identity-providers/fields.js';
import { type IdentityProviderTarget, providerByAlias } from '../../services/identity-providers/locate.js';
import * as mappers from '../../services/identity-providers/mappers.js';
import { create, patch, remove } from '../../services/identity-providers/write.js';
import { aliasesOfFlows } from '../authentication/nodes.js';
import { builder } from '../core/builder.js';
import { nameFields } from '../core/change-names.js';
import { settingMap } from '../core/filters.js';
import { mutation } from '../core/mutation.js';
import { deletedIdOf, locatedNode } from '../core/node.js';
import { contractInput, creationInputs, inputNames, updateInputs } from '../core/resource-fields.js';
import { fieldNamed } from '../core/wire-names.js';
import { realmTarget } from '../realms/mutations.js';
import { IdentityProvider, IdentityProviderMapper, IdentityProviderType } from './identity-providers.js';

const SettingInput = builder.inputType('IdentityProviderSettingInput', {
  description: 'A setting of an identity provider or identity provider mapper.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the setting, as in the REST API.' }),
    value: t.string({ required: true, description: 'Value of the setting. The mask keeps the stored secret.' }),
  }),
});

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const fields = (t: InputBuilder) => ({
  firstLoginFlow: t.id({ description: 'ID of the flow for the first login of a user with this identity provider.' }),
  postLoginFlow: t.id({ description: 'ID of the flow that runs after each login with this identity provider.' }),
  settings: t.field({
    type: [SettingInput],
    description: 'All settings of the identity provider. They replace the present ones.',
  }),
});

interface Given {
  firstLoginFlow?: string | null;
  postLoginFlow?: string | null;
  settings?: readonly { name: string; value: string }[] | null;
}

const fieldOf = fieldNamed({
  ...inputNames(identityProviderFields),
  firstBrokerLoginFlowAlias: 'firstLoginFlow',
  postBrokerLoginFlowAlias: 'postLoginFlow',
  config: 'settings',
  providerId: 'type',
});

nameFields('IdentityProvider', fieldOf);

/** The input as IdentityProviderRepresentation. */
async function representationOf(ctx: Context, realmId: string, given: Given) {
  const { firstLoginFlow, postLoginFlow, settings } = given;
  return {
    ...contractInput(identityProviderFields, given),
    ...(await aliasesOfFlows(ctx, realmId, [
      ['firstBrokerLoginFlowAlias', 'firstLoginFlow', firstLoginFlow],
      ['postBrokerLoginFlowAlias', 'postLoginFlow', postLoginFlow],
    ])),
    config: settingMap(settings),
  };
}

/** The identity provider with this ID, wherever the caller may see it. */
export async function providerTarget(ctx: Context, globalId: string, field: string): Promise<IdentityProviderTarget> {
  const { id, realm } = await locatedNode(ctx, globalId, field, 'IdentityProvider');
  const row = await ctx.db.identityProvider.findUnique({ where: { id }, select: { alias: true } });
  if (!row) throw notFound('Identity provider not found', field);
  return providerByAlias(ctx, realm, row.alias);
}

async function mapperTarget(ctx: Context, globalId: string): Promise<mappers.ProviderMapperTarget> {
  const { id, realm } = await locatedNode(ctx, globalId, 'id', 'IdentityProviderMapper');
  const row = await ctx.db.identityProviderMapper.findUnique({
    where: { id },
    select: { identityProviderAlias: true },
  });
  if (!row) throw notFound('Mapper not found', 'id');
  return mappers.providerMapperById(ctx, await providerByAlias(ctx, realm, row.identityProviderAlias), id);
}

const theProvider = {
  identityProvider: {
    type: IdentityProvider,
    model: 'identityProvider',
    description: 'The identity provider after the change.',
    id: ({ id }: { id: string }) => id,
  },
};
const theMapper = {
  identityProviderMapper: {
    type: IdentityProviderMapper,
    model: 'identityProviderMapper',
    description: 'The mapper after the change.',
    id: ({ id }: { id: string }) => id,
  },
};

mutation('identityProviderCreate', {
  description: 'Creates an identity provider in a realm.',
  operation: create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm.' }),
    ...creationInputs(t, identityProviderFields),
    type: t.field({
      type: IdentityProviderType,
      required: true,
      description: 'Type of the identity provider, e.g. `OIDC` or `SAML`.',
    }),
    ...fields(t),
  }),
  locate: (input, ctx) => realmTarget(ctx, String(input.realm), 'realm'),
  send: async (
    { realm: _realm, idempotencyKey: _key, type, ...input }: Given & Record<string, unknown>,
    ctx,
    { realm },
  ) => ({
    ...(await representationOf(ctx, realm.id, input)),
    providerId: type,
  }),
  fieldOf,
  returns: theProvider,
});

mutation('identityProviderUpdate', {
  description: 'Changes an identity provider. Omitted fields keep their values; null clears a nullable field.',
  operation: patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the identity provider.' }),
    ...updateInputs(t, identityProviderFields),
    ...fields(t),
  }),
  locate: (input, ctx) => providerTarget(ctx, String(input.id), 'id'),
  send: (
    { id: _id, expectedVersion: _version, idempotencyKey: _key, ...input }: Given & Record<string, unknown>,
    ctx,
    { realm },
  ) => representationOf(ctx, realm.id, input),
  fieldOf,
  returns: theProvider,
});

mutation('identityProviderDelete', {
  description: 'Deletes an identity provider with its mappers and the links of users to it.',
  operation: remove,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the identity provider.' }) }),
  locate: (input, ctx) => providerTarget(ctx, String(input.id), 'id'),
  values: deletedIdOf('IdentityProvider', 'identity provider'),
});

const mapperFields = <R extends boolean>(t: InputBuilder, required: R) => ({
  type: t.string({ required, description: 'Type of the mapper. `IdentityProvider.mapperTypes` lists them.' }),
  settings: t.field({
    type: [SettingInput],
    description: 'All settings of the mapper. They replace the present ones.',
  }),
});

mutation('identityProviderMapperCreate', {
  description: 'Creates a mapper for an identity provider.',
  operation: mappers.createMapper,
  input: (t) => ({
    identityProvider: t.id({ required: true, description: 'ID of the identity provider.' }),
    name: t.string({ required: true, description: 'Name of the mapper, unique in the identity provider.' }),
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
    'Changes a mapper of an identity provider. Omitted fields keep their values; null clears a nullable field.',
  operation: mappers.patchMapper,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the mapper.' }), ...mapperFields(t, false) }),
  locate: (input, ctx) => mapperTarget(ctx, String(input.id)),
  send: ({ type, settings }) => ({ identityProviderMapper: type, config: settingMap(settings) }),
  fieldOf: (field) => (field === 'identityProviderMapper' ? 'type' : fieldOf(field)),
  returns: theMapper,
});

mutation('identityProviderMapperDelete', {
  description: 'Deletes a mapper of an identity provider.',
  operation: mappers.removeMapper,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the mapper.' }) }),
  locate: (input, ctx) => mapperTarget(ctx, String(input.id)),
  values: deletedIdOf('IdentityProviderMapper', 'mapper'),
});
