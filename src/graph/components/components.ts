import { type ComponentTarget, componentById } from '../../services/components/locate.js';
import { get, listComponents, subTypes } from '../../services/components/operations.js';
import { shownConfig } from '../../services/components/providers.js';
import { create, patch, remove } from '../../services/components/write.js';
import type { Context } from '../../services/core/context.js';
import { ownMember } from '../../services/core/json.js';
import { describeEffect } from '../../services/core/settings-without-effect.js';
import { componentTypes } from '../../services/providers/component-types.js';
import type { ProviderType } from '../../services/providers/provider.js';
import { builder } from '../core/builder.js';
import { nameFields } from '../core/change-names.js';
import { connectionType } from '../core/connection.js';
import { condition, linkedTo, listType, named, onOptionalText } from '../core/list-type.js';
import { mutation } from '../core/mutation.js';
import { deletedIdOf, guardNode, locatedNode, parseId } from '../core/node.js';
import { optionalText } from '../core/optional-text.js';
import { relatedField } from '../core/related.js';
import { fieldNamed } from '../core/wire-names.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';
import { knownProviderType, ProviderTypeName } from './provider-types.js';

const Setting = builder.objectRef<{ name: string; values: string[] }>('ComponentSetting').implement({
  description: 'A setting of a component. Secrets are masked.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the setting.' }),
    values: t.exposeStringList('values', { description: 'Values of the setting. A secret is masked.' }),
  }),
});

/** The types of a component's parent. */
const parents = ['Realm', 'Component', 'UserStorage'];

export const Component = builder.prismaNode('Component', {
  id: { field: 'id' },
  select: { id: true, realmId: true, providerType: true, providerId: true },
  description: 'A configured provider of a realm, such as a key provider, user storage, or client registration policy.',
  fields: (t) => ({
    name: t.string(optionalText('name', 'Name of the component.')),
    providerType: t.field({
      type: ProviderTypeName,
      nullable: true,
      description: 'Type of the provider. Null for a type that this server does not support.',
      resolve: ({ providerType }) => knownProviderType(providerType),
    }),
    providerId: t.exposeString('providerId', {
      description: 'ID of the provider, e.g. `rsa-generated`. `Realm.componentTypes` lists them.',
    }),
    subType: t.exposeString('subType', {
      nullable: true,
      description: 'Subtype of the component, e.g. `anonymous` for a client registration policy. Null: none.',
    }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    settings: t.field({
      type: [Setting],
      description: 'Settings of the component, ordered by name. Secrets are masked.',
      select: { config: true },
      resolve: ({ providerType, providerId, config }) =>
        Object.entries(shownConfig(providerType, providerId, config))
          .map(([name, values]) => ({ name, values }))
          .sort((one, other) => (one.name < other.name ? -1 : 1)),
    }),
  }),
});

guardNode(Component, get);

/** A setting of a provider. */
export const PropertyRef = builder.objectRef<ProviderType['properties'][number]>('ProviderProperty').implement({
  description: 'A setting that a provider can have.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the setting.' }),
    label: t.exposeString('label', { description: 'Display name of the setting.' }),
    helpText: t.exposeString('helpText', { description: 'Help text for the setting.' }),
    type: t.exposeString('type', { description: 'Type of the value, e.g. `String`, `boolean`, or `List`.' }),
    defaultValue: t.string({
      nullable: true,
      description: 'Default value of the setting. Null: no default.',
      resolve: ({ defaultValue }) => (defaultValue === undefined ? null : String(defaultValue)),
    }),
    options: t.stringList({
      description: 'Allowed values. Empty: any value.',
      resolve: ({ options }) => [...(options ?? [])],
    }),
    isSecret: t.exposeBoolean('secret', { description: 'Whether the value is a secret, which answers mask.' }),
  }),
});

/** A kind of provider with its settings. */
export const TypeRef = builder.objectRef<ProviderType>('ComponentType').implement({
  description: 'A provider from which components can be created.',
  fields: (t) => ({
    providerId: t.exposeString('id', { description: 'ID of the provider, as components have it.' }),
    helpText: t.exposeString('helpText', { description: 'Help text for the provider.' }),
    properties: t.field({
      type: [PropertyRef],
      description: 'Settings that components of this provider can have.',
      resolve: ({ id: providerId, properties }) =>
        properties.map(({ helpText, ...property }) => ({
          ...property,
          helpText: describeEffect(
            { of: 'ComponentRepresentation', map: 'config', providerId },
            property.name,
            helpText,
          ),
        })),
    }),
  }),
});

relatedField(Realm, 'components', {
  relation: 'components',
  listing: listComponents,
  connection: connectionType('Component', Component),
  description: 'Components of the realm, ordered by name.',
  list: listType({
    name: 'Component',
    plural: 'components',
    conditions: {
      name: onOptionalText('name', 'Condition on the name.'),
      providerType: condition(ProviderTypeName, 'Matches components of this provider type.', (providerType) => ({
        providerType,
      })),
      providerId: named('Matches components of the provider with this ID.', (providerId) => ({ providerId })),
      parent: linkedTo(
        parents,
        'Matches components below the realm, component, or user storage with this ID.',
        (parentId) => ({
          parentId,
        }),
      ),
    },
    orders: {
      NAME: { path: 'name', isNullable: true, description: 'Order by name.' },
      PROVIDER_TYPE: { path: 'providerType', description: 'Order by provider type.' },
    },
  }),
});

builder.prismaObjectFields(Realm, (t) => ({
  componentTypes: t.field({
    type: [TypeRef],
    nullable: true,
    description: 'Component providers of the given provider type.',
    requires: subTypes,
    args: {
      providerType: t.arg({ type: ProviderTypeName, required: true, description: 'Type of the providers.' }),
    },
    resolve: (_realm, { providerType }) => [...(ownMember(componentTypes(), providerType) ?? [])],
  }),
}));

const SettingInput = builder.inputType('ComponentSettingInput', {
  description: 'A setting of a component.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the setting.' }),
    values: t.stringList({
      required: true,
      description: 'Values of the setting. An empty list removes the setting; the mask keeps the stored secret.',
    }),
  }),
});

const configOf = (settings: readonly { name: string; values: readonly string[] }[] | null | undefined) =>
  settings && Object.fromEntries(settings.map(({ name, values }) => [name, values]));

async function target(ctx: Context, globalId: string): Promise<ComponentTarget> {
  const { id, realm } = await locatedNode(ctx, globalId, 'id', 'Component');
  return componentById(ctx, realm, id);
}

const theComponent = {
  component: {
    type: Component,
    model: 'component',
    description: 'The component after the change.',
    id: ({ id }: { id: string }) => id,
  },
};
const fieldOf = fieldNamed({ config: 'settings', parentId: 'parent' });

nameFields('Component', fieldOf);

mutation('componentCreate', {
  description: 'Creates a component in a realm.',
  operation: create,
  // a component without an ID cannot have children
  never: ['CYCLE'],
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm.' }),
    name: t.string({ description: 'Name of the component.' }),
    providerType: t.field({
      type: ProviderTypeName,
      required: true,
      description: 'Type of the provider, which states its settings.',
    }),
    providerId: t.string({ required: true, description: 'ID of the provider, e.g. `rsa-generated`.' }),
    subType: t.string({ description: 'Subtype of the component, e.g. `anonymous` for a client registration policy.' }),
    parent: t.id({ description: 'ID of the parent component or user storage. Default: the realm.' }),
    settings: t.field({ type: [SettingInput], description: 'Settings of the component.' }),
  }),
  locate: (input, ctx) => realmTarget(ctx, String(input.realm), 'realm'),
  send: ({ name, providerType, providerId, subType, parent, settings }) => ({
    name,
    providerType,
    providerId,
    subType,
    parentId: parent == null ? parent : parseId(parent, 'parent', ...parents).id,
    config: configOf(settings),
  }),
  fieldOf,
  returns: theComponent,
});

mutation('componentUpdate', {
  description: 'Changes a component. Omitted fields keep their values; null clears a nullable field.',
  operation: patch,
  // the parent does not change
  never: ['CYCLE'],
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the component.' }),
    name: t.string({ description: 'New name of the component.' }),
    settings: t.field({
      type: [SettingInput],
      description: 'Settings to change. Settings not listed keep their values.',
    }),
  }),
  locate: (input, ctx) => target(ctx, String(input.id)),
  send: ({ name, settings }) => ({ name, config: configOf(settings) }),
  fieldOf,
  returns: theComponent,
});

mutation('componentDelete', {
  description: 'Deletes a component and the components below it.',
  operation: remove,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the component.' }) }),
  locate: (input, ctx) => target(ctx, String(input.id)),
  values: deletedIdOf('Component', 'component'),
});
