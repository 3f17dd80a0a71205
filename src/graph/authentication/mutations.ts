import { copy } from '../../services/authentication/copy.js';
import * as changes from '../../services/authentication/execution-changes.js';
import * as steps from '../../services/authentication/executions.js';
import * as flows from '../../services/authentication/flows.js';
import { flowById } from '../../services/authentication/locate.js';
import { getFlow } from '../../services/authentication/operations.js';
import { permissionFor } from '../../services/core/allow.js';
import { mutation } from '../core/mutation.js';
import { nodeId, parseId } from '../core/node.js';
import { fieldNamed } from '../core/wire-names.js';
import { realmTarget } from '../realms/mutations.js';
import { AuthenticationFlow, FlowExecution, FlowKind } from './flows.js';
import { executionTarget, flowTarget } from './nodes.js';
import { ExecutionRequirement } from './providers.js';

const theFlow = {
  type: AuthenticationFlow,
  model: 'authenticationFlow',
  description: 'The flow after the change.',
  id: ({ id }: { id: string }) => id,
};
const theStep = {
  type: FlowExecution,
  model: 'authenticationExecution',
  description: 'The execution after the change.',
  id: ({ id }: { id: string }) => id,
};
const gone = (typename: string) => ({
  type: 'ID',
  description: 'ID of the deleted object.',
  of: ({ id }: { id: string }) => nodeId(typename, id),
});

const about = {
  flow: 'ID of the flow.',
  step: 'ID of the execution.',
  alias: 'Alias of the flow, unique in the realm.',
  description: 'Description of the flow.',
  kind: 'Kind of the executions in the flow. Default `BASIC`.',
};

mutation('authenticationFlowCreate', {
  description: 'Creates a flow without executions.',
  operation: flows.create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm.' }),
    alias: t.string({ required: true, description: about.alias }),
    description: t.string({ description: about.description }),
    kind: t.field({ type: FlowKind, description: about.kind }),
  }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  send: ({ alias, description, kind }) => ({ alias, description, providerId: kind ?? 'basic-flow', topLevel: true }),
  returns: { authenticationFlow: theFlow },
});

mutation('authenticationFlowUpdate', {
  description:
    'Changes the alias or description of a flow or subflow. Bindings to the flow stay. Omitted fields keep their values.',
  operation: flows.patch,
  input: (t) => ({
    id: t.id({ required: true, description: about.flow }),
    alias: t.string({ description: about.alias }),
    description: t.string({ description: about.description }),
  }),
  locate: ({ id }, ctx) => flowTarget(ctx, id),
  send: ({ alias, description }) => ({ alias, description }),
  returns: { authenticationFlow: theFlow },
});

mutation('authenticationFlowCopy', {
  description:
    'Copies a flow with its subflows, executions, and configurations. The copy is not built in, so it can be changed.',
  operation: copy,
  input: (t) => ({
    id: t.id({ required: true, description: about.flow }),
    alias: t.string({ required: true, description: 'Alias of the copy. Aliases of copied subflows start with it.' }),
  }),
  locate: ({ id }, ctx) => flowTarget(ctx, id),
  send: ({ alias }) => ({ newName: alias, ownConfigs: true }),
  fieldOf: fieldNamed({ newName: 'alias' }),
  returns: { authenticationFlow: { ...theFlow, id: (made: { id: string } | undefined) => made?.id } },
});

mutation('authenticationFlowDelete', {
  description: 'Deletes a flow with its subflows and executions. Refused for a built-in flow and for a flow in use.',
  operation: flows.remove,
  input: (t) => ({ id: t.id({ required: true, description: about.flow }) }),
  locate: ({ id }, ctx) => flowTarget(ctx, id),
  send: () => ({}),
  values: { deletedId: gone('AuthenticationFlow') },
});

mutation('flowExecutionCreate', {
  description: 'Adds an execution at the end of a flow.',
  operation: steps.addExecution,
  input: (t) => ({
    authenticationFlow: t.id({ required: true, description: about.flow }),
    provider: t.string({
      required: true,
      description: 'ID of the authentication provider. `Realm.authenticationProviders` lists them.',
    }),
    requirement: t.field({
      type: ExecutionRequirement,
      description: 'Requirement of the execution. Default `DISABLED` if the provider allows it.',
    }),
  }),
  locate: ({ authenticationFlow }, ctx) => flowTarget(ctx, authenticationFlow, 'authenticationFlow'),
  send: ({ provider, requirement }) => ({ provider, requirement }),
  returns: { flowExecution: theStep },
});

mutation('authenticationFlowCreateSubflow', {
  description: 'Creates a subflow and adds it at the end of a flow with the requirement `DISABLED`.',
  operation: steps.addSubflow,
  input: (t) => ({
    id: t.id({ required: true, description: about.flow }),
    alias: t.string({ required: true, description: about.alias }),
    description: t.string({ description: about.description }),
    kind: t.field({ type: FlowKind, description: about.kind }),
    page: t.string({ description: 'ID of the page provider. Only for a form flow.' }),
  }),
  locate: ({ id }, ctx) => flowTarget(ctx, id),
  send: ({ alias, description, kind, page }) => ({ alias, description, type: kind ?? 'basic-flow', provider: page }),
  fieldOf: fieldNamed({ provider: 'page' }),
  returns: {
    flowExecution: { ...theStep, id: ({ step }: { step: { id: string } }) => step.id },
    subflow: { ...theFlow, description: 'The subflow that was created.' },
  },
});

mutation('authenticationFlowAttachSubflow', {
  description: 'Adds an existing subflow that no execution runs at the end of a flow.',
  operation: steps.createExecution,
  input: (t) => ({
    id: t.id({ required: true, description: about.flow }),
    subflow: t.id({ required: true, description: 'ID of the subflow.' }),
    requirement: t.field({
      type: ExecutionRequirement,
      required: true,
      description: 'Requirement of the new execution.',
    }),
  }),
  locate: async ({ id, subflow }, ctx) => {
    await flowTarget(ctx, subflow, 'subflow');
    return flowTarget(ctx, id);
  },
  send: ({ id, subflow, requirement }) => ({
    parentFlow: parseId(id, 'id', 'AuthenticationFlow').id,
    flowId: parseId(subflow, 'subflow', 'AuthenticationFlow').id,
    requirement,
  }),
  fieldOf: (field) => ({ parentFlow: 'id', flowId: 'subflow' })[field] ?? field,
  returns: { flowExecution: theStep },
});

mutation('flowExecutionUpdate', {
  description: 'Changes the requirement of an execution.',
  operation: changes.updateExecution,
  input: (t) => ({
    id: t.id({ required: true, description: about.step }),
    requirement: t.field({
      type: ExecutionRequirement,
      required: true,
      description: 'New requirement. Must be one of `requirementChoices`.',
    }),
  }),
  locate: async ({ id }, ctx) => {
    const { realm, execution } = await executionTarget(ctx, id);
    return { ...(await flowById(ctx, realm, execution.flowId, permissionFor(getFlow))), strictly: true };
  },
  send: ({ id, requirement }) => ({ id: parseId(id, 'id', 'FlowExecution').id, requirement }),
  returns: { flowExecution: { ...theStep, id: ({ before }: { before: { id: string } }) => before.id } },
});

for (const [name, operation, description] of [
  ['flowExecutionRaise', changes.raiseExecution, 'Swaps an execution with the one before it.'],
  ['flowExecutionLower', changes.lowerExecution, 'Swaps an execution with the one after it.'],
] as const) {
  mutation(name, {
    description,
    operation,
    input: (t) => ({ id: t.id({ required: true, description: about.step }) }),
    locate: ({ id }, ctx) => executionTarget(ctx, id),
    returns: { flowExecution: theStep },
  });
}

mutation('flowExecutionDelete', {
  description:
    'Removes an execution from its flow. If the execution runs a subflow, the subflow and its executions are deleted.',
  operation: changes.removeExecution,
  input: (t) => ({ id: t.id({ required: true, description: about.step }) }),
  locate: ({ id }, ctx) => executionTarget(ctx, id),
  values: {
    deletedId: {
      ...gone('FlowExecution'),
      of: ({ execution }) => nodeId('FlowExecution', execution.id),
    },
  },
});
