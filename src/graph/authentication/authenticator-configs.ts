import { createConfig, patchConfig, removeConfig } from '../../services/authentication/configs.js';
import { isSecretSetting } from '../../services/authentication/provider-settings.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { settingMap } from '../core/filters.js';
import { mutation } from '../core/mutation.js';
import { guardNode, nodeId } from '../core/node.js';
import { Realm } from '../realms/realms.js';
import { configTarget, executionTarget } from './nodes.js';

const Setting = builder.objectRef<{ name: string; value: string }>('AuthenticatorSetting').implement({
  description: 'A setting in a configuration of an authenticator.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, as the provider describes it.' }),
    value: t.string({
      nullable: true,
      description: 'Its value; null for a secret, which nobody gets to see.',
      resolve: ({ name, value }) => (isSecretSetting(name) ? null : value),
    }),
  }),
});

export const AuthenticatorConfig = builder.prismaNode('AuthenticatorConfig', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description: 'The configuration of one or more steps.',
  fields: (t) => ({
    alias: t.exposeString('alias', { description: 'Its name for people.' }),
    settings: t.field({
      type: [Setting],
      description: 'What it says, by name.',
      select: { config: true },
      resolve: ({ config }) =>
        Object.entries(config as Record<string, string>)
          .map(([name, value]) => ({ name, value }))
          .sort((one, other) => (one.name < other.name ? -1 : 1)),
    }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
    realm: t.relation('realm', { description: 'The realm that it is in.' }),
  }),
});

guardNode('AuthenticatorConfig', 'AuthenticatorConfig', 'view:realm');

const ConfigConnection = connectionType('AuthenticatorConfig', AuthenticatorConfig);
const configs = related({
  parent: 'realm',
  relation: 'authenticatorConfs',
  order: [{ path: 'alias' }, { path: 'id' }],
  permission: 'view:realm',
});

builder.prismaObjectFields(Realm, (t) => ({
  authenticatorConfigs: t.field({
    type: ConfigConnection,
    nullable: true,
    description: 'The configurations of steps, also those that no step has any more, by alias. Takes view-realm.',
    args: pageArgs,
    ...(configs as object),
  } as never),
}));

const theConfig = {
  config: {
    type: AuthenticatorConfig,
    model: 'authenticatorConfig',
    description: 'The configuration as it is now.',
    id: ({ id }: { id: string }) => id,
  },
};

const SettingInput = builder.inputType('AuthenticatorSettingInput', {
  description: 'A setting of an authenticator.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name, as the provider describes it.' }),
    value: t.string({ required: true, description: 'Its value.' }),
  }),
});

mutation('authenticatorConfigCreate', {
  description: 'Gives a step a configuration, in place of the one that it has.',
  operation: createConfig,
  input: (t) => ({
    execution: t.id({ required: true, description: 'Id of the step.' }),
    alias: t.string({ required: true, description: 'Its name for people.' }),
    settings: t.field({ type: [SettingInput], required: true, description: 'What it says.' }),
  }),
  locate: ({ execution }, ctx) => executionTarget(ctx, execution, 'execution'),
  send: ({ alias, settings }) => ({ alias, config: settingMap(settings) }),
  fieldOf: (field) => field.replace(/^config\b/, 'settings'),
  returns: theConfig,
});

mutation('authenticatorConfigUpdate', {
  description: 'Renames a configuration or replaces its settings. What is left out stays.',
  operation: patchConfig,
  input: (t) => ({
    id: t.id({ required: true, description: 'Id of the configuration.' }),
    alias: t.string({ description: 'Its name for people.' }),
    settings: t.field({ type: [SettingInput], description: 'Replaces all settings.' }),
  }),
  locate: ({ id }, ctx) => configTarget(ctx, id),
  send: ({ alias, settings }) => ({ alias, config: settingMap(settings) }),
  fieldOf: (field) => field.replace(/^config\b/, 'settings'),
  returns: theConfig,
});

mutation('authenticatorConfigDelete', {
  description: 'Deletes a configuration; the steps that have it are left without.',
  operation: removeConfig,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the configuration.' }) }),
  locate: ({ id }, ctx) => configTarget(ctx, id),
  values: {
    deletedId: {
      type: 'ID',
      description: 'Id of the configuration that is gone.',
      of: ({ id }) => nodeId('AuthenticatorConfig', id),
    },
  },
});
