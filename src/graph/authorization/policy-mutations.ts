import { policyById } from '../../services/authorization/locate.js';
import { createTypedPolicy, patchTypedPolicy, removePolicy } from '../../services/authorization/write-policy.js';
import type { Context } from '../../services/core/context.js';
import { mutation } from '../core/mutation.js';
import { DecisionStrategy } from './authorization.js';
import { type InputBuilder, serverOfClient, serverWith, theClient } from './located-server.js';
import { AuthorizationPolicy, PolicyLogic } from './policies.js';
import { changedSettings, newSettings, PolicySettingsInput, policyPaths } from './policy-inputs.js';
import { parsePolicyId, policyNodeId, storedTypeOf, typenameOf } from './policy-kinds.js';

const thePolicy = {
  type: AuthorizationPolicy,
  model: 'authorizationPolicy',
  typename: ({ type }: { type: string }): string => typenameOf(type),
  description: 'The policy or permission after the change.',
};

const policyFields = <R extends boolean>(t: InputBuilder, required: R) => ({
  name: t.string({ required, description: 'Name of the policy or permission, unique in the client.' }),
  description: t.string({ description: 'Description of the policy or permission.' }),
  logic: t.field({ type: PolicyLogic, description: 'Whether the result is used as it is or inverted.' }),
  decisionStrategy: t.field({
    type: DecisionStrategy,
    description: 'How the decisions of the associated policies are combined.',
  }),
});
interface PolicyFields {
  name?: string | null;
  description?: string | null;
  logic?: string | null;
  decisionStrategy?: string | null;
}
const sentPolicy = ({ name, description, logic, decisionStrategy }: PolicyFields) => ({
  name,
  description,
  logic,
  decisionStrategy,
});
const onePolicy = (t: InputBuilder) => ({
  id: t.id({ required: true, description: 'ID of the policy or permission.' }),
});
const policyAt = async (ctx: Context, globalId: string) => {
  const node = parsePolicyId(globalId, 'id');
  return policyById(ctx, await serverWith(ctx, node), node.id, storedTypeOf(node.typename));
};

mutation('authorizationPolicyCreate', {
  description: 'Creates a policy or permission.',
  operation: createTypedPolicy,
  input: (t) => ({
    ...theClient(t),
    ...policyFields(t, true),
    settings: t.field({
      type: PolicySettingsInput,
      required: true,
      description: 'Settings of the policy or permission, which also state its type.',
    }),
  }),
  locate: ({ client }, ctx) => serverOfClient(ctx, client),
  send: (input) => ({ ...sentPolicy(input), ...newSettings(input.settings) }),
  fieldsOf: policyPaths,
  returns: { authorizationPolicy: { ...thePolicy, id: ({ policy }) => policy.id } },
});
mutation('authorizationPolicyUpdate', {
  description: 'Changes a policy or permission. Omitted fields keep their values; null clears a nullable field.',
  operation: patchTypedPolicy,
  input: (t) => ({
    ...onePolicy(t),
    ...policyFields(t, false),
    settings: t.field({
      type: PolicySettingsInput,
      description: 'Changes of the settings, by the type of the policy.',
    }),
  }),
  locate: ({ id }, ctx) => policyAt(ctx, id),
  send: ({ settings, ...input }, _ctx, target) => ({
    ...sentPolicy(input),
    ...changedSettings(settings, target),
  }),
  fieldsOf: policyPaths,
  returns: { authorizationPolicy: { ...thePolicy, id: ({ id }) => id } },
});
mutation('authorizationPolicyDelete', {
  description: 'Deletes a policy or permission, and the policies that have no other associated policy.',
  operation: removePolicy,
  input: onePolicy,
  locate: ({ id }, ctx) => policyAt(ctx, id),
  values: {
    deletedId: { type: 'ID', description: 'ID of the deleted policy or permission.', of: policyNodeId },
  },
});
