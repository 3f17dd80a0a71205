import { policiesOf, profilesOf } from '../../services/client-policies/documents.js';
import { globalProfiles } from '../../services/client-policies/global-profiles.js';
import * as policies from '../../services/client-policies/operations.js';
import type { ClientPolicy, ClientProfile } from '../../services/client-policies/representation.js';
import { policyConditions, policyExecutors } from '../../services/providers/client-policies.js';
import type { ProviderType } from '../../services/providers/provider.js';
import { realmById } from '../../services/realms/locate.js';
import { ClientScopeUse } from '../client-scopes/client-scopes.js';
import { ClientKind } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { type InputBuilder, settingTypes } from '../core/setting-types.js';
import { realmOfResult, realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';
import { realmEnums } from '../realms/types.js';
import {
  conditionSettings,
  configurationOf,
  enumName,
  executorSettings,
  type StoredEntry,
  updaterContexts,
} from './settings.js';

type Executor = NonNullable<ClientProfile['executors']>[number];
type Condition = NonNullable<ClientPolicy['conditions']>[number];

const enumValues = (types: readonly ProviderType[]) =>
  Object.fromEntries(types.map(({ id, helpText }) => [enumName(id), { value: id, description: helpText }]));

const ExecutorType = builder.enumType('ClientPolicyExecutorType', {
  description: 'Type of an executor: the rule it enforces.',
  values: enumValues(policyExecutors),
});
const ConditionType = builder.enumType('ClientPolicyConditionType', {
  description: 'Type of a condition: the property of a client or request it tests.',
  values: enumValues(policyConditions),
});

const UpdaterContext = builder.enumType('ClientUpdaterContext', {
  description: 'A way in which a client is created or updated.',
  values: Object.fromEntries(
    Object.entries(updaterContexts).map(([name, [value, description]]) => [name, { value, description }]),
  ),
});
const { groupType, inputs } = settingTypes({
  SignatureAlgorithm: realmEnums.SignatureAlgorithm,
  ClientKind,
  ClientScopeUse,
  ClientUpdaterContext: UpdaterContext,
});

const ofExecutors = configurationOf(executorSettings, policyExecutors);
const ofConditions = configurationOf(conditionSettings, policyConditions);

const ExecutorSettings = groupType({
  type: 'ClientPolicyExecutorSettings',
  description: 'Settings of an executor. Each type of executors uses some of them.',
  settings: executorSettings,
});
const ConditionSettings = groupType({
  type: 'ClientPolicyConditionSettings',
  description: 'Settings of a condition. Each type of conditions uses some of them.',
  settings: conditionSettings,
});
const Entry = builder.objectRef<StoredEntry>('ClientPolicySetting').implement({
  description: 'A setting of an executor or a condition that `settings` cannot show.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the setting in the REST API.' }),
    value: t.exposeString('value', { description: 'JSON text of the value, e.g. `true`.' }),
    settingName: t.exposeString('settingName', {
      nullable: true,
      description:
        'Name of the field of `settings` for the setting, which cannot show its value. Null if `settings` has no field for it. An input that sets this field must omit the entry.',
    }),
  }),
});
const othersText = 'Settings without a field in `settings`, and values that their field cannot show, ordered by name.';

const ExecutorRef = builder.objectRef<Executor>('ClientPolicyExecutor').implement({
  description: 'A rule that clients and their requests must follow.',
  fields: (t) => ({
    type: t.field({
      type: ExecutorType,
      description: 'Type of the executor.',
      resolve: ({ executor }) => executor ?? '',
    }),
    settings: t.field({
      type: ExecutorSettings,
      description: 'Settings of the executor.',
      resolve: ({ executor = '', configuration }) => ofExecutors.settings(executor, configuration),
    }),
    config: t.field({
      type: [Entry],
      description: othersText,
      resolve: ({ executor = '', configuration }) => ofExecutors.others(executor, configuration),
    }),
  }),
});

const ConditionRef = builder.objectRef<Condition>('ClientPolicyCondition').implement({
  description: 'A condition of a client policy.',
  fields: (t) => ({
    type: t.field({
      type: ConditionType,
      description: 'Type of the condition.',
      resolve: ({ condition }) => condition ?? '',
    }),
    settings: t.field({
      type: ConditionSettings,
      description: 'Settings of the condition.',
      resolve: ({ condition = '', configuration }) => ofConditions.settings(condition, configuration),
    }),
    config: t.field({
      type: [Entry],
      description: othersText,
      resolve: ({ condition = '', configuration }) => ofConditions.others(condition, configuration),
    }),
  }),
});

const ProfileRef = builder.objectRef<ClientProfile>('ClientProfile').implement({
  description: 'A client profile: a list of executors. It takes effect only through client policies that name it.',
  fields: (t) => ({
    name: t.string({ description: 'Name of the profile, unique in the realm.', resolve: ({ name }) => name ?? '' }),
    description: t.string({
      nullable: true,
      description: 'Description of the profile.',
      resolve: ({ description }) => description ?? null,
    }),
    isGlobal: t.boolean({
      description: 'Whether the profile is built in for every realm. A global profile cannot be changed.',
      resolve: (profile) => globalProfiles.includes(profile),
    }),
    executors: t.field({
      type: [ExecutorRef],
      description: 'Executors of the profile, in order.',
      resolve: (p) => p.executors ?? [],
    }),
  }),
});

const PolicyRef = builder.objectRef<ClientPolicy>('ClientPolicy').implement({
  description: 'A client policy: applies client profiles to the clients and requests that meet its conditions.',
  fields: (t) => ({
    name: t.string({ description: 'Name of the policy, unique in the realm.', resolve: ({ name }) => name ?? '' }),
    description: t.string({
      nullable: true,
      description: 'Description of the policy.',
      resolve: ({ description }) => description ?? null,
    }),
    isEnabled: t.boolean({ description: 'Whether the policy is enabled.', resolve: ({ enabled }) => enabled ?? false }),
    conditions: t.field({
      type: [ConditionRef],
      description: 'Conditions of the policy. It applies if at least one condition is met and none is violated.',
      resolve: (policy) => policy.conditions ?? [],
    }),
    profiles: t.stringList({
      description: 'Names of the client profiles that the policy applies.',
      resolve: (policy) => policy.profiles ?? [],
    }),
  }),
});

builder.prismaObjectFields(Realm, (t) => ({
  clientProfiles: t.field({
    type: [ProfileRef],
    nullable: true,
    description: 'Client profiles of the realm.',
    requires: policies.getProfiles,
    args: {
      includeGlobal: t.arg.boolean({
        description: 'Whether to include the global profiles that every realm has. Default false.',
      }),
    },
    resolve: async ({ id }, { includeGlobal }, ctx) => {
      const realm = await realmById(ctx, id);
      return [...profilesOf(realm), ...(includeGlobal ? globalProfiles : [])];
    },
  }),
  clientPolicies: t.field({
    type: [PolicyRef],
    nullable: true,
    description: 'Client policies of the realm.',
    requires: policies.getPolicies,
    resolve: async ({ id }, _args, ctx) => {
      const realm = await realmById(ctx, id);
      return policiesOf(realm);
    },
  }),
}));

const EntryInput = builder.inputType('ClientPolicySettingInput', {
  description: 'A setting of an executor or a condition that `settings` cannot show.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the setting in the REST API.' }),
    value: t.string({ required: true, description: 'JSON text of the value, e.g. `true`.' }),
  }),
});
const configField = (t: InputBuilder) =>
  t.field({
    type: [EntryInput],
    description:
      'Settings without a field in `settings`, and values that their field cannot show, by their names in the REST API.',
  });

const ExecutorSettingsInput = builder.inputType('ClientPolicyExecutorSettingsInput', {
  description: 'Settings of an executor. Each type of executors uses some of them.',
  fields: (t) => inputs(executorSettings, t),
});
const ConditionSettingsInput = builder.inputType('ClientPolicyConditionSettingsInput', {
  description: 'Settings of a condition. Each type of conditions uses some of them.',
  fields: (t) => inputs(conditionSettings, t),
});

const ExecutorInput = builder.inputType('ClientPolicyExecutorInput', {
  description: 'A rule that clients and their requests must follow.',
  fields: (t) => ({
    type: t.field({ type: ExecutorType, required: true, description: 'Type of the executor.' }),
    settings: t.field({ type: ExecutorSettingsInput, description: 'Settings of the executor.' }),
    config: configField(t),
  }),
});
const ConditionInput = builder.inputType('ClientPolicyConditionInput', {
  description: 'A condition of a client policy.',
  fields: (t) => ({
    type: t.field({ type: ConditionType, required: true, description: 'Type of the condition.' }),
    settings: t.field({ type: ConditionSettingsInput, description: 'Settings of the condition.' }),
    config: configField(t),
  }),
});
const ProfileInput = builder.inputType('ClientProfileInput', {
  description: 'A client profile: a list of executors.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the profile, unique in the realm.' }),
    description: t.string({ description: 'Description of the profile.' }),
    executors: t.field({ type: [ExecutorInput], required: true, description: 'Executors of the profile, in order.' }),
  }),
});
const PolicyInput = builder.inputType('ClientPolicyInput', {
  description: 'A client policy: applies client profiles to the clients and requests that meet its conditions.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the policy, unique in the realm.' }),
    description: t.string({ description: 'Description of the policy.' }),
    isEnabled: t.boolean({ required: true, description: 'Whether the policy is enabled.' }),
    conditions: t.field({
      type: [ConditionInput],
      required: true,
      description: 'Conditions of the policy. It applies if at least one condition is met and none is violated.',
    }),
    profiles: t.stringList({ required: true, description: 'Names of the client profiles that the policy applies.' }),
  }),
});

mutation('clientProfilesReplace', {
  description: 'Replaces all client profiles of a realm.',
  operation: policies.setProfiles,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm.' }),
    profiles: t.field({
      type: [ProfileInput],
      required: true,
      description: 'All client profiles of the realm after the change.',
    }),
  }),
  locate: (input, ctx) => realmTarget(ctx, String(input.realm), 'realm'),
  send: ({ profiles }) => ({
    profiles: profiles.map((profile, at) => ({
      ...profile,
      executors: profile.executors.map(({ type, settings, config }, index) => ({
        executor: type,
        configuration: ofExecutors.configuration(type, settings, config, `profiles.${at}.executors.${index}`),
      })),
    })),
  }),
  returns: realmOfResult,
});

mutation('clientPoliciesReplace', {
  description: 'Replaces all client policies of a realm.',
  operation: policies.setPolicies,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm.' }),
    policies: t.field({
      type: [PolicyInput],
      required: true,
      description: 'All client policies of the realm after the change.',
    }),
  }),
  locate: (input, ctx) => realmTarget(ctx, String(input.realm), 'realm'),
  send: (input) => ({
    policies: input.policies.map(({ isEnabled, ...policy }, at) => ({
      ...policy,
      enabled: isEnabled,
      conditions: policy.conditions.map(({ type, settings, config }, index) => ({
        condition: type,
        configuration: ofConditions.configuration(type, settings, config, `policies.${at}.conditions.${index}`),
      })),
    })),
  }),
  fieldOf: (field) => field.replace(/\.enabled$/, '.isEnabled'),
  returns: realmOfResult,
});
