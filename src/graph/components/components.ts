import { type ComponentTarget, componentById } from '../../services/components/locate.js';
import { shownConfig } from '../../services/components/providers.js';
import { create, patch, remove } from '../../services/components/write.js';
import type { Context } from '../../services/core/context.js';
import { componentTypes } from '../../services/providers/component-types.js';
import type { ProviderType } from '../../services/providers/provider.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode, permitById } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';

const Setting = builder.objectRef<{ name: string; values: string[] }>('ComponentSetting').implement({
  description: 'A setting of a component. Secrets are masked.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    values: t.exposeStringList('values', { description: 'Its values.' }),
  }),
});

const Component = builder.prismaNode('Component', {
  id: { field: 'id' },
  select: { id: true, realmId: true, providerType: true, providerId: true },
  description: 'A provider that a realm has set up: of keys, of users, a registration policy and others.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'Name for people.' }),
    providerType: t.exposeString('providerType', {
      description: 'What kind of provider it is, one of componentTypes.',
    }),
    providerId: t.exposeString('providerId', { description: 'Which of that kind.' }),
    subType: t.exposeString('subType', { nullable: true, description: 'A further distinction, where there is one.' }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
    settings: t.field({
      type: [Setting],
      description: 'Its settings, by name; secrets are masked.',
      select: { config: true },
      resolve: ({ providerType, providerId, config }) =>
        Object.entries(shownConfig(providerType, providerId, config))
          .map(([name, values]) => ({ name, values }))
          .sort((one, other) => (one.name < other.name ? -1 : 1)),
    }),
  }),
});

guardNode('Component', 'Component', 'view:realm');

const ComponentConnection = connectionType('Component', Component);

const ofRealm = related<{ providerType?: string | null; parent?: string | null }>({
  parent: 'realm',
  relation: 'components',
  where: ({ providerType, parent }) => ({
    ...(providerType != null && { providerType }),
    ...(parent != null && { parentId: parent }),
  }),
  order: [{ path: 'name' }, { path: 'id' }],
  permission: 'view:realm',
});

const PropertyRef = builder.objectRef<ProviderType['properties'][number]>('ProviderProperty').implement({
  description: 'A setting that a kind of provider has.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    label: t.exposeString('label', { description: 'Its name for people.' }),
    helpText: t.exposeString('helpText', { description: 'What it does.' }),
    type: t.exposeString('type', { description: 'What kind of value it has, e.g. String, boolean or List.' }),
    defaultValue: t.string({
      nullable: true,
      description: 'What it is where it is not set.',
      resolve: ({ defaultValue }) => (defaultValue === undefined ? null : String(defaultValue)),
    }),
    options: t.stringList({
      description: 'What it can be, where that is limited.',
      resolve: ({ options }) => [...(options ?? [])],
    }),
    isSecret: t.exposeBoolean('secret', { description: 'Whether answers mask it.' }),
  }),
});

/** A kind of provider with its settings. */
export const TypeRef = builder.objectRef<ProviderType>('ComponentType').implement({
  description: 'A kind of provider that a component can be.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'What components call it: providerId.' }),
    helpText: t.exposeString('helpText', { description: 'What it does.' }),
    properties: t.field({ type: [PropertyRef], description: 'Its settings.', resolve: (type) => [...type.properties] }),
  }),
});

builder.prismaObjectFields(Realm, (t) => ({
  components: t.field({
    type: ComponentConnection,
    nullable: true,
    description: 'The providers that the realm has set up, by name. Takes view-realm.',
    args: {
      ...pageArgs,
      providerType: t.arg.string({ description: 'Only of this kind.' }),
      parent: t.arg.string({
        description: 'Only those below the realm or component with this id, as the contract has it.',
      }),
    },
    ...(ofRealm as object),
  } as never),
  componentTypes: t.field({
    type: [TypeRef],
    nullable: true,
    description: 'The providers of a kind that can be set up. Takes view-realm.',
    args: { providerType: t.arg.string({ required: true, description: 'Which kind.' }) },
    resolve: async ({ id }, { providerType }, ctx) => {
      (await permitById(ctx, id)).require('view:realm');
      return [...(componentTypes()[providerType] ?? [])];
    },
  }),
}));

const SettingInput = builder.inputType('ComponentSettingInput', {
  description: 'A setting of a component.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name.' }),
    values: t.stringList({
      required: true,
      description: 'Its values; none take it away, a mask leaves a secret as it is.',
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
    description: 'The component as it is now.',
    id: ({ id }: { id: string }) => id,
  },
};
const fieldOf = (field: string) => (field === 'config' ? 'settings' : field);

mutation('componentCreate', {
  description: 'Sets up a provider in a realm.',
  operation: create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'Id of the realm.' }),
    name: t.string({ description: 'Name for people.' }),
    providerType: t.string({ required: true, description: 'What kind of provider it is.' }),
    providerId: t.string({ required: true, description: 'Which of that kind.' }),
    subType: t.string({ description: 'A further distinction, where there is one.' }),
    parent: t.string({
      description: 'Id of the component that it is below, as the contract has it; the realm unless told.',
    }),
    settings: t.field({ type: [SettingInput], description: 'Its settings.' }),
  }),
  locate: (input, ctx) => realmTarget(ctx, String(input.realm), 'realm'),
  send: ({ name, providerType, providerId, subType, parent, settings }) => ({
    name,
    providerType,
    providerId,
    subType,
    parentId: parent,
    config: configOf(settings),
  }),
  fieldOf,
  returns: theComponent,
});

mutation('componentUpdate', {
  description: 'Changes a component. Fields that are left out stay; null clears a field that can be empty.',
  operation: patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'Id of the component.' }),
    name: t.string({ description: 'Name for people.' }),
    settings: t.field({ type: [SettingInput], description: 'The settings that change; others stay.' }),
  }),
  locate: (input, ctx) => target(ctx, String(input.id)),
  send: ({ name, settings }) => ({ name, config: configOf(settings) }),
  fieldOf,
  returns: theComponent,
});

mutation('componentDelete', {
  description: 'Deletes a component with those below it.',
  operation: remove,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the component.' }) }),
  locate: (input, ctx) => target(ctx, String(input.id)),
});
