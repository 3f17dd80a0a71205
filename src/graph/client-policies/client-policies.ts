import { policiesOf, profilesOf } from '../../services/client-policies/documents.js';
import { globalProfiles } from '../../services/client-policies/global-profiles.js';
import * as policies from '../../services/client-policies/operations.js';
import type { ClientPolicy, ClientProfile } from '../../services/client-policies/representation.js';
import { permitFor } from '../../services/core/permit.js';
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
  description: 'What an executor enforces.',
  values: enumValues(policyExecutors),
});
const ConditionType = builder.enumType('ClientPolicyConditionType', {
  description: 'What a condition looks at.',
  values: enumValues(policyConditions),
});

const settings = 'Its settings, by name.';

const ExecutorRef = builder.objectRef<Executor>('ClientPolicyExecutor').implement({
  description: 'A demand on clients and their requests.',
  fields: (t) => ({
    type: t.field({ type: ExecutorType, description: 'Which one.', resolve: ({ executor }) => executor ?? '' }),
    configuration: t.field({
      type: 'JSON',
      description: settings,
      resolve: ({ configuration }) => configuration ?? {},
    }),
  }),
});

const ConditionRef = builder.objectRef<Condition>('ClientPolicyCondition').implement({
  description: 'When a policy applies.',
  fields: (t) => ({
    type: t.field({ type: ConditionType, description: 'Which one.', resolve: ({ condition }) => condition ?? '' }),
    configuration: t.field({
      type: 'JSON',
      description: settings,
      resolve: ({ configuration }) => configuration ?? {},
    }),
  }),
});

const ProfileRef = builder.objectRef<ClientProfile>('ClientProfile').implement({
  description: 'A list of demands on clients. It has an effect through the policies that name it.',
  fields: (t) => ({
    name: t.string({ description: 'Unique in the realm.', resolve: ({ name }) => name ?? '' }),
    description: t.string({
      nullable: true,
      description: 'What it is for.',
      resolve: ({ description }) => description ?? null,
    }),
    isGlobal: t.boolean({
      description: 'Whether every realm has it; such a profile cannot be changed.',
      resolve: (profile) => globalProfiles.includes(profile),
    }),
    executors: t.field({ type: [ExecutorRef], description: 'The demands.', resolve: (p) => p.executors ?? [] }),
  }),
});

const PolicyRef = builder.objectRef<ClientPolicy>('ClientPolicy').implement({
  description: 'Says for which clients and requests profiles apply.',
  fields: (t) => ({
    name: t.string({ description: 'Unique in the realm.', resolve: ({ name }) => name ?? '' }),
    description: t.string({
      nullable: true,
      description: 'What it is for.',
      resolve: ({ description }) => description ?? null,
    }),
    enabled: t.boolean({ description: 'Whether it is in force.', resolve: ({ enabled }) => enabled ?? false }),
    conditions: t.field({
      type: [ConditionRef],
      description: 'When it applies: where one holds at least and none says no.',
      resolve: (policy) => policy.conditions ?? [],
    }),
    profiles: t.stringList({ description: 'Names of the profiles.', resolve: (policy) => policy.profiles ?? [] }),
  }),
});

builder.prismaObjectFields(Realm, (t) => ({
  clientProfiles: t.field({
    type: [ProfileRef],
    nullable: true,
    description: 'What clients can be asked to fulfil. Takes view-realm.',
    args: { includeGlobal: t.arg.boolean({ description: 'Also those that every realm has.' }) },
    resolve: async ({ id }, { includeGlobal }, ctx) => {
      const realm = await realmById(ctx, id);
      (await permitFor(ctx, realm)).require('view:realm');
      return [...profilesOf(realm), ...(includeGlobal ? globalProfiles : [])];
    },
  }),
  clientPolicies: t.field({
    type: [PolicyRef],
    nullable: true,
    description: 'When which client profiles apply. Takes view-realm.',
    resolve: async ({ id }, _args, ctx) => {
      const realm = await realmById(ctx, id);
      (await permitFor(ctx, realm)).require('view:realm');
      return policiesOf(realm);
    },
  }),
}));

const ExecutorInput = builder.inputType('ClientPolicyExecutorInput', {
  description: 'A demand on clients and their requests.',
  fields: (t) => ({
    type: t.field({ type: ExecutorType, required: true, description: 'Which one.' }),
    configuration: t.field({ type: 'JSON', description: settings }),
  }),
});
const ConditionInput = builder.inputType('ClientPolicyConditionInput', {
  description: 'When a policy applies.',
  fields: (t) => ({
    type: t.field({ type: ConditionType, required: true, description: 'Which one.' }),
    configuration: t.field({ type: 'JSON', description: settings }),
  }),
});
const ProfileInput = builder.inputType('ClientProfileInput', {
  description: 'A list of demands on clients.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Unique in the realm.' }),
    description: t.string({ description: 'What it is for.' }),
    executors: t.field({ type: [ExecutorInput], required: true, description: 'The demands.' }),
  }),
});
const PolicyInput = builder.inputType('ClientPolicyInput', {
  description: 'Says for which clients and requests profiles apply.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Unique in the realm.' }),
    description: t.string({ description: 'What it is for.' }),
    enabled: t.boolean({ required: true, description: 'Whether it is in force.' }),
    conditions: t.field({ type: [ConditionInput], required: true, description: 'When it applies.' }),
    profiles: t.stringList({ required: true, description: 'Names of the profiles.' }),
  }),
});

mutation('clientProfilesReplace', {
  description: 'Replaces the client profiles of a realm.',
  operation: policies.setProfiles,
  input: (t) => ({
    realm: t.id({ required: true, description: 'Id of the realm.' }),
    profiles: t.field({ type: [ProfileInput], required: true, description: 'All that the realm is to have.' }),
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
  description: 'Replaces the client policies of a realm.',
  operation: policies.setPolicies,
  input: (t) => ({
    realm: t.id({ required: true, description: 'Id of the realm.' }),
    policies: t.field({ type: [PolicyInput], required: true, description: 'All that the realm is to have.' }),
  }),
  locate: (input, ctx) => realmTarget(ctx, String(input.realm), 'realm'),
  send: (input) => ({
    policies: input.policies.map((policy) => ({
      ...policy,
      conditions: policy.conditions.map(({ type, configuration }) => ({ condition: type, configuration })),
    })),
  }),
  returns: realmOfResult,
});
