import { policiesOf, profilesOf } from '../../services/client-policies/documents.js';
import { globalProfiles } from '../../services/client-policies/global-profiles.js';
import * as policies from '../../services/client-policies/operations.js';
import type { ClientPolicy, ClientProfile } from '../../services/client-policies/representation.js';
import { policyConditions, policyExecutors } from '../../services/providers/client-policies.js';
import type { ProviderType } from '../../services/providers/provider.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { realmOfResult, realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';

type Executor = NonNullable<ClientProfile['executors']>[number];
type Condition = NonNullable<ClientPolicy['conditions']>[number];

/** Ids of the contract as enum values, e.g. `pkce-enforcer` as PKCE_ENFORCER. */
const enumValues = (types: readonly ProviderType[]) =>
  Object.fromEntries(
    types.map(({ id, helpText }) => [id.toUpperCase().replaceAll('-', '_'), { value: id, description: helpText }]),
  );

const ExecutorType = builder.enumType('ClientPolicyExecutorType', {
  description: 'Type of an executor: the rule it enforces.',
  values: enumValues(policyExecutors),
});
const ConditionType = builder.enumType('ClientPolicyConditionType', {
  description: 'Type of a condition: the property of a client or request it tests.',
  values: enumValues(policyConditions),
});

const settings = 'Settings of this type, by name.';

const ExecutorRef = builder.objectRef<Executor>('ClientPolicyExecutor').implement({
  description: 'A rule that clients and their requests must follow.',
  fields: (t) => ({
    type: t.field({
      type: ExecutorType,
      description: 'Type of the executor.',
      resolve: ({ executor }) => executor ?? '',
    }),
    configuration: t.field({
      type: 'JSON',
      description: settings,
      resolve: ({ configuration }) => configuration ?? {},
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
    configuration: t.field({
      type: 'JSON',
      description: settings,
      resolve: ({ configuration }) => configuration ?? {},
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

const ExecutorInput = builder.inputType('ClientPolicyExecutorInput', {
  description: 'A rule that clients and their requests must follow.',
  fields: (t) => ({
    type: t.field({ type: ExecutorType, required: true, description: 'Type of the executor.' }),
    configuration: t.field({ type: 'JSON', description: settings }),
  }),
});
const ConditionInput = builder.inputType('ClientPolicyConditionInput', {
  description: 'A condition of a client policy.',
  fields: (t) => ({
    type: t.field({ type: ConditionType, required: true, description: 'Type of the condition.' }),
    configuration: t.field({ type: 'JSON', description: settings }),
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
    profiles: profiles.map((profile) => ({
      ...profile,
      executors: profile.executors.map(({ type, configuration }) => ({ executor: type, configuration })),
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
    policies: input.policies.map(({ isEnabled, ...policy }) => ({
      ...policy,
      enabled: isEnabled,
      conditions: policy.conditions.map(({ type, configuration }) => ({ condition: type, configuration })),
    })),
  }),
  fieldOf: (field) => field.replace(/\.enabled$/, '.isEnabled'),
  returns: realmOfResult,
});
