import { protocolMapperFields } from '../../services/client-scopes/fields.js';
import { clientAsOwner, type ScopeOwner, scopeAsOwner } from '../../services/client-scopes/locate.js';
import type { Context } from '../../services/core/context.js';
import { found } from '../../services/core/refusal.js';
import { type MapperTarget, mapperById } from '../../services/protocol-mappers/locate.js';
import * as mappers from '../../services/protocol-mappers/operations.js';
import { ClientScope } from '../client-scopes/client-scopes.js';
import { Client } from '../clients/clients.js';
import { ClientProtocol } from '../clients/filter.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { condition, listType } from '../core/list-type.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode, nodeId } from '../core/node.js';
import { relatedField } from '../core/related.js';
import { fieldConditions, fieldOrders, typeFields } from '../core/resource-fields.js';
import {
  changedConfig,
  type MapperInputValue,
  mapperOf,
  mappersOf,
  NewProtocolMapper,
  newMapperInputs,
  ProtocolMapperSettingInput,
} from './inputs.js';
import {
  knownType,
  MapperSettings,
  MapperSettingsInput,
  mapperPath,
  otherEntries,
  ProtocolMapperType,
  readSettings,
} from './setting-values.js';

const Setting = builder.objectRef<{ name: string; value: string }>('ProtocolMapperSetting').implement({
  description: 'A setting of a protocol mapper.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the setting, e.g. `claim.name`.' }),
    value: t.exposeString('value', { description: 'Value of the setting.' }),
  }),
});

export const ProtocolMapper = builder.prismaNode('ProtocolMapper', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description:
    'A protocol mapper: adds claims or attributes to the tokens or assertions of a client, or of clients with a client scope.',
  fields: (t) => ({
    ...typeFields(protocolMapperFields, (field) => t.field(field)),
    protocol: t.field({
      type: ClientProtocol,
      nullable: true,
      description: 'Protocol of the mapper. Null for a protocol other than OpenID Connect and SAML.',
      select: { protocol: true },
      resolve: ({ protocol }) => (protocol === 'openid-connect' || protocol === 'saml' ? protocol : null),
    }),
    type: t.field({
      type: ProtocolMapperType,
      nullable: true,
      description: 'Type of the mapper. Null for a type that the schema does not support.',
      select: { protocolMapper: true },
      resolve: ({ protocolMapper }) => knownType(protocolMapper),
    }),
    settings: t.field({
      type: MapperSettings,
      description: 'Settings of the mapper.',
      select: { config: true },
      resolve: ({ config }) => readSettings(config as Record<string, string>),
    }),
    config: t.field({
      type: [Setting],
      description: 'Settings that `settings` does not have, ordered by name.',
      select: { config: true },
      resolve: ({ config }) =>
        otherEntries(config as Record<string, string>)
          .map(([name, value]) => ({ name, value }))
          .sort((one, other) => (one.name < other.name ? -1 : 1)),
    }),
    client: t.relation('client', {
      nullable: true,
      description: 'The client that the mapper belongs to. Null if it belongs to a client scope.',
    }),
    clientScope: t.relation('clientScope', {
      nullable: true,
      description: 'The client scope that the mapper belongs to. Null if it belongs to a client.',
    }),
  }),
});

guardNode(ProtocolMapper, mappers.get, {
  reads: { clientId: true },
  about: ({ clientId }) => (typeof clientId === 'string' ? { kind: 'client', id: clientId } : undefined),
});

const MapperConnection = connectionType('ProtocolMapper', ProtocolMapper);

const mapperList = listType({
  name: 'ProtocolMapper',
  plural: 'protocol mappers',
  conditions: {
    ...fieldConditions(protocolMapperFields),
    protocol: condition(ClientProtocol, 'Matches mappers of this protocol.', (protocol) => ({ protocol })),
  },
  orders: {
    ...fieldOrders(protocolMapperFields),
    PROTOCOL: { path: 'protocol', isNullable: true, description: 'Order by protocol.' },
  },
});

for (const [type, what] of [
  [Client, 'without those of its client scopes'],
  [ClientScope, 'which apply to tokens of clients with this scope'],
] as const) {
  relatedField(type, 'protocolMappers', {
    relation: 'protocolMappers',
    listing: mappers.listMappers,
    connection: MapperConnection,
    description: `Protocol mappers, ${what}, ordered by name.`,
    list: mapperList,
  });
}

/** The client or client scope with this ID, as the owner of mappers and roles. */
export async function ownerTarget(ctx: Context, id: string, field = 'owner'): Promise<ScopeOwner> {
  const found = await locatedNode(ctx, id, field, 'Client', 'ClientScope');
  return (found.typename === 'Client' ? clientAsOwner : scopeAsOwner)(ctx, found.realm, found.id);
}

/** The protocol mapper with this ID, wherever the caller may see it. */
async function mapperTarget(ctx: Context, globalId: string): Promise<MapperTarget> {
  const { id, realm } = await locatedNode(ctx, globalId, 'id', 'ProtocolMapper');
  const mapper = await ctx.db.protocolMapper.findUnique({ where: { id }, select: { container: true, clientId: true } });
  const owner = found(mapper, 'ProtocolMapper not found');
  const target = await (owner.clientId === null ? scopeAsOwner : clientAsOwner)(ctx, realm, owner.container);
  return mapperById(ctx, target, id);
}

const theMapper = {
  protocolMapper: {
    type: ProtocolMapper,
    model: 'protocolMapper',
    description: 'The protocol mapper after the change.',
    id: ({ id }: { id: string }) => id,
  },
};
const owner = 'ID of the client or client scope.';

/** The path of a field of one of several mappers, which the contract sends as a bare list. */
function pathInList(field: string): string {
  const [, index, own] = /^(\d+)(?:\.(.+))?$/.exec(field) ?? [];
  if (index === undefined) return field;
  return own === undefined ? `protocolMappers.${index}` : `protocolMappers.${index}.${mapperPath(own)}`;
}

mutation('protocolMapperCreate', {
  description: 'Creates a protocol mapper in a client or client scope.',
  operation: mappers.create,
  input: (t) => ({ owner: t.id({ required: true, description: owner }), ...newMapperInputs(t) }),
  locate: (input, ctx) => ownerTarget(ctx, input.owner),
  send: (input) => mapperOf(input as MapperInputValue),
  fieldOf: mapperPath,
  returns: theMapper,
});

mutation('protocolMappersCreate', {
  description: 'Creates protocol mappers in a client or client scope: all of them or none.',
  operation: mappers.createMany,
  input: (t) => ({
    owner: t.id({ required: true, description: owner }),
    protocolMappers: t.field({ type: [NewProtocolMapper], required: true, description: 'Protocol mappers to create.' }),
  }),
  locate: (input, ctx) => ownerTarget(ctx, input.owner),
  send: ({ protocolMappers }) => mappersOf(protocolMappers as MapperInputValue[]),
  fieldOf: pathInList,
  returns: {
    protocolMappers: {
      type: ProtocolMapper,
      model: 'protocolMapper',
      description: 'The created mappers, in the order of the input.',
      ids: (rows) => rows.map(({ id }) => id),
    },
  },
});

mutation('protocolMapperUpdate', {
  description: 'Changes the type or the settings of a protocol mapper. Its name and protocol cannot change.',
  operation: mappers.patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the protocol mapper.' }),
    type: t.field({ type: ProtocolMapperType, description: 'New type of the mapper.' }),
    settings: t.field({
      type: MapperSettingsInput,
      description: 'Changes of the settings. Omitted ones keep their values; null removes one.',
    }),
    config: t.field({
      type: [ProtocolMapperSettingInput],
      description: 'Settings that `settings` does not have. They replace all present ones of that kind.',
    }),
  }),
  locate: ({ id }, ctx) => mapperTarget(ctx, id),
  send: ({ type, settings, config }, _ctx, { mapper }) => ({
    protocolMapper: type,
    config: changedConfig(mapper.config as Record<string, string>, {
      type: type ?? mapper.protocolMapper,
      settings,
      config,
    }),
  }),
  fieldOf: mapperPath,
  returns: theMapper,
});

mutation('protocolMapperDelete', {
  description: 'Deletes a protocol mapper.',
  operation: mappers.remove,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the protocol mapper.' }) }),
  locate: ({ id }, ctx) => mapperTarget(ctx, id),
  values: {
    deletedId: {
      type: 'ID',
      description: 'ID of the deleted protocol mapper.',
      of: ({ id }) => nodeId('ProtocolMapper', id),
    },
  },
});
