import { createConfig, getConfig, patchConfig, removeConfig } from '../../services/authentication/configs.js';
import { isSecretSetting } from '../../services/authentication/provider-settings.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { settingMap } from '../core/filters.js';
import { listType, onText } from '../core/list-type.js';
import { mutation } from '../core/mutation.js';
import { guardNode, nodeId } from '../core/node.js';
import { relatedField } from '../core/related.js';
import { Realm } from '../realms/realms.js';
import { configTarget, executionTarget } from './nodes.js';

const Setting = builder.objectRef<{ name: string; value: string }>('AuthenticatorSetting').implement({
  description: 'A setting in the configuration of an authenticator.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Name of the setting, as listed in `AuthenticationProvider.settings`.',
    }),
    value: t.string({
      nullable: true,
      description: 'Value of the setting. Null for a secret, which is never returned.',
      resolve: ({ name, value }) => (isSecretSetting(name) ? null : value),
    }),
  }),
});

export const AuthenticatorConfig = builder.prismaNode('AuthenticatorConfig', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description: 'The configuration of one or more executions of an authentication flow.',
  fields: (t) => ({
    alias: t.exposeString('alias', { description: 'Display name of the configuration.' }),
    settings: t.field({
      type: [Setting],
      description: 'Settings of the configuration, ordered by name.',
      select: { config: true },
      resolve: ({ config }) =>
        Object.entries(config as Record<string, string>)
          .map(([name, value]) => ({ name, value }))
          .sort((one, other) => (one.name < other.name ? -1 : 1)),
    }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    realm: t.relation('realm', { description: 'The realm it belongs to.' }),
  }),
});

guardNode(AuthenticatorConfig, getConfig);

relatedField(Realm, 'authenticatorConfigs', {
  relation: 'authenticatorConfs',
  requires: getConfig,
  connection: connectionType('AuthenticatorConfig', AuthenticatorConfig),
  description:
    'Authenticator configurations of the realm, ordered by alias. Includes configurations that no execution uses.',
  list: listType({
    name: 'AuthenticatorConfig',
    plural: 'authenticator configurations',
    conditions: { alias: onText('alias', 'Condition on the alias.') },
    orders: { ALIAS: { path: 'alias', description: 'Order by alias.' } },
  }),
  order: [{ path: 'alias' }, { path: 'id' }],
});

const theConfig = {
  authenticatorConfig: {
    type: AuthenticatorConfig,
    model: 'authenticatorConfig',
    description: 'The configuration after the change.',
    id: ({ id }: { id: string }) => id,
  },
};

const SettingInput = builder.inputType('AuthenticatorSettingInput', {
  description: 'A setting in the configuration of an authenticator.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'Name of the setting, as listed in `AuthenticationProvider.settings`.',
    }),
    value: t.string({ required: true, description: 'Value of the setting.' }),
  }),
});

mutation('authenticatorConfigCreate', {
  description: 'Creates a configuration for an execution and replaces the one it had.',
  operation: createConfig,
  input: (t) => ({
    flowExecution: t.id({ required: true, description: 'ID of the execution.' }),
    alias: t.string({ required: true, description: 'Display name of the configuration.' }),
    settings: t.field({ type: [SettingInput], required: true, description: 'Settings of the new configuration.' }),
  }),
  locate: ({ flowExecution }, ctx) => executionTarget(ctx, flowExecution, 'flowExecution'),
  send: ({ alias, settings }) => ({ alias, config: settingMap(settings) }),
  fieldOf: (field) => field.replace(/^config\b/, 'settings'),
  returns: theConfig,
});

mutation('authenticatorConfigUpdate', {
  description: 'Renames a configuration or replaces its settings. Omitted fields keep their values.',
  operation: patchConfig,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the configuration.' }),
    alias: t.string({ description: 'Display name of the configuration.' }),
    settings: t.field({ type: [SettingInput], description: 'Settings that replace all present ones.' }),
  }),
  locate: ({ id }, ctx) => configTarget(ctx, id),
  send: ({ alias, settings }) => ({ alias, config: settingMap(settings) }),
  fieldOf: (field) => field.replace(/^config\b/, 'settings'),
  returns: theConfig,
});

mutation('authenticatorConfigDelete', {
  description: 'Deletes a configuration. Executions that used it have no configuration afterwards.',
  operation: removeConfig,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the configuration.' }) }),
  locate: ({ id }, ctx) => configTarget(ctx, id),
  values: {
    deletedId: {
      type: 'ID',
      description: 'ID of the deleted configuration.',
      of: ({ id }) => nodeId('AuthenticatorConfig', id),
    },
  },
});
