import { perform } from '../../services/core/perform.js';
import { masterTarget } from '../../services/realms/operations.js';
import { serverInfo } from '../../services/server-info/operations.js';
import { ownVersion } from '../../services/server-info/own-version.js';
import { TypeRef } from '../components/components.js';
import { ProviderTypeName } from '../components/provider-types.js';
import { builder } from '../core/builder.js';

type Info = Awaited<ReturnType<(typeof serverInfo)['run']>>;

const Process = builder.objectRef<Info['systemInfo']>('ServerProcess').implement({
  description: 'The server process and its machine.',
  fields: (t) => ({
    runtime: t.exposeString('javaRuntime', { description: 'Name of the runtime, e.g. `Node.js`.' }),
    runtimeVersion: t.exposeString('javaVersion', { description: 'Version of Node.js that runs the server.' }),
    os: t.exposeString('osName', { description: 'Name of the operating system.' }),
    osVersion: t.exposeString('osVersion', { description: 'Version of the operating system.' }),
    architecture: t.exposeString('osArchitecture', { description: 'Architecture of the processor, e.g. `x64`.' }),
    locale: t.exposeString('userLocale', { description: 'BCP 47 tag of the language of the process.' }),
    timeZone: t.exposeString('userTimezone', { description: 'Time zone of the process, e.g. `Europe/Berlin`.' }),
  }),
});

const Memory = builder.objectRef<Info['memoryInfo']>('ServerMemory').implement({
  description: 'Memory of the server process.',
  fields: (t) => ({
    total: t.exposeFloat('total', { description: 'Bytes that the process has reserved for its heap.' }),
    used: t.exposeFloat('used', { description: 'Bytes of the heap that are used.' }),
    free: t.exposeFloat('free', { description: 'Bytes of the heap that are free.' }),
  }),
});

const Theme = builder.objectRef<{ type: string; name: string; locales?: readonly string[] }>('ServerTheme').implement({
  description: 'A theme that realms and clients can name.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Type of the pages, e.g. `login` or `email`.' }),
    name: t.exposeString('name', { description: 'Name of the theme.' }),
    locales: t.stringList({
      description: 'BCP 47 tags of the languages of the theme.',
      resolve: ({ locales }) => [...(locales ?? [])],
    }),
  }),
});

const PasswordRule = builder.objectRef<Info['passwordPolicies'][number]>('PasswordRule').implement({
  description: 'A rule that the password policy of a realm can have.',
  fields: (t) => ({
    name: t.exposeString('id', { description: 'Name of the rule in the policy, e.g. `length`.' }),
    displayName: t.exposeString('displayName', { description: 'Display name of the rule.' }),
    defaultValue: t.string({
      nullable: true,
      description: 'Default value of the rule. Null: the rule has no value.',
      resolve: ({ defaultValue }) => defaultValue ?? null,
    }),
    canRepeat: t.exposeBoolean('multipleSupported', {
      description: 'Whether a policy can have the rule more than once.',
    }),
  }),
});

const ServerInfo = builder.objectRef<Info>('ServerInfo').implement({
  description: 'Version, process, and features of the server.',
  fields: (t) => ({
    version: t.string({ description: 'Version of the server.', resolve: ownVersion }),
    contractVersion: t.string({
      description: 'Version of Keycloak whose REST API the server implements.',
      resolve: ({ systemInfo }) => systemInfo.version,
    }),
    uptime: t.float({
      description: 'Seconds since the server process started.',
      resolve: ({ systemInfo }) => systemInfo.uptimeMillis / 1000,
    }),
    process: t.field({
      type: Process,
      description: 'The server process and its machine.',
      resolve: ({ systemInfo }) => systemInfo,
    }),
    memory: t.field({
      type: Memory,
      description: 'Memory of the server process.',
      resolve: ({ memoryInfo }) => memoryInfo,
    }),
    themes: t.field({
      type: [Theme],
      description: 'Themes that realms and clients can name.',
      resolve: ({ themes }) =>
        Object.entries(themes).flatMap(([type, named]) => named.map((theme) => ({ type, ...theme }))),
    }),
    passwordRules: t.field({
      type: [PasswordRule],
      description: 'Rules that the password policy of a realm can have.',
      resolve: ({ passwordPolicies }) => [...passwordPolicies],
    }),
    providers: t.field({
      type: [TypeRef],
      description: 'Providers of a type, with the settings that they can have.',
      args: { type: t.arg({ type: ProviderTypeName, required: true, description: 'Type of the providers.' }) },
      complexity: { field: 1, multiplier: 20 },
      resolve: ({ componentTypes }, { type }) => [...(componentTypes[type] ?? [])],
    }),
    disabledFeatures: t.stringList({
      description: 'Features of the contract that the server does not have, e.g. `UPLOAD_SCRIPTS`.',
      resolve: ({ profileInfo }) => [...profileInfo.disabledFeatures],
    }),
  }),
});

builder.queryField('serverInfo', (t) =>
  t.field({
    type: ServerInfo,
    nullable: true,
    description: 'Version, process, and features of the server. Only for administrators of at least one realm.',
    resolve: (_root, _args, ctx) => perform(ctx, serverInfo, masterTarget),
  }),
);
