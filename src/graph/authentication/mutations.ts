import { copy } from '../../services/authentication/copy.js';
import * as changes from '../../services/authentication/execution-changes.js';
import * as steps from '../../services/authentication/executions.js';
import * as flows from '../../services/authentication/flows.js';
import { flowById } from '../../services/authentication/locate.js';
import { mutation } from '../core/mutation.js';
import { nodeId, parseId } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { AuthenticationFlow, FlowExecution, FlowKind } from './flows.js';
import { executionTarget, flowTarget } from './nodes.js';
import { ExecutionRequirement } from './providers.js';

const theFlow = {
  type: AuthenticationFlow,
  model: 'authenticationFlow',
  description: 'The flow as it is now.',
  id: ({ id }: { id: string }) => id,
};
const theStep = {
  type: FlowExecution,
  model: 'authenticationExecution',
  description: 'The step as it is now.',
  id: ({ id }: { id: string }) => id,
};
const gone = (typename: string) => ({
  type: 'ID',
  description: 'Id of what is gone.',
  of: ({ id }: { id: string }) => nodeId(typename, id),
});

const about = {
  flow: 'Id of the flow.',
  step: 'Id of the step.',
  alias: 'Unique in the realm.',
  description: 'What it is for.',
  kind: 'What its steps are; BASIC unless told.',
};

mutation('authenticationFlowCreate', {
  description: 'Creates a flow without steps.',
  operation: flows.create,
  input: (t) => ({
    realm: t.id({ required: true, description: 'Id of the realm.' }),
    alias: t.string({ required: true, description: about.alias }),
    description: t.string({ description: about.description }),
    kind: t.field({ type: FlowKind, description: about.kind }),
  }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  send: ({ alias, description, kind }) => ({ alias, description, providerId: kind ?? 'basic-flow', topLevel: true }),
  returns: { flow: theFlow },
});

mutation('authenticationFlowUpdate', {
  description:
    'Renames or describes a flow, on whichever level; what uses it goes on doing so. What is left out stays.',
  operation: flows.patch,
  input: (t) => ({
    id: t.id({ required: true, description: about.flow }),
    alias: t.string({ description: about.alias }),
    description: t.string({ description: about.description }),
  }),
  locate: ({ id }, ctx) => flowTarget(ctx, id),
  send: ({ alias, description }) => ({ alias, description }),
  returns: { flow: theFlow },
});

mutation('authenticationFlowCopy', {
  description: 'Copies a flow with all below it, also the configurations of its steps. The copy can be changed freely.',
  operation: copy,
  input: (t) => ({
    id: t.id({ required: true, description: about.flow }),
    alias: t.string({ required: true, description: 'Alias of the copy; those of the flows below begin with it.' }),
  }),
  locate: ({ id }, ctx) => flowTarget(ctx, id),
  send: ({ alias }) => ({ newName: alias, ownConfigs: true }),
  fieldOf: (field) => (field === 'newName' ? 'alias' : field),
  returns: { flow: { ...theFlow, id: (made: { id: string } | undefined) => made?.id } },
});

mutation('authenticationFlowDelete', {
  description: 'Deletes a flow with all below it. Refused while it is built in or in use.',
  operation: flows.remove,
  input: (t) => ({ id: t.id({ required: true, description: about.flow }) }),
  locate: ({ id }, ctx) => flowTarget(ctx, id),
  send: () => ({}),
  values: { deletedId: gone('AuthenticationFlow') },
});

mutation('flowExecutionAdd', {
  description: 'Adds a step to a flow, after all others.',
  operation: steps.addExecution,
  input: (t) => ({
    flow: t.id({ required: true, description: about.flow }),
    provider: t.string({ required: true, description: 'What it does, by name; see authenticationProviders.' }),
    requirement: t.field({
      type: ExecutionRequirement,
      description: 'What its outcome means; DISABLED unless told, where it can be.',
    }),
  }),
  locate: ({ flow }, ctx) => flowTarget(ctx, flow, 'flow'),
  send: ({ provider, requirement }) => ({ provider, requirement }),
  returns: { execution: theStep },
});

mutation('flowExecutionAddFlow', {
  description: 'Creates a flow and adds it to another one as a step, after all others and switched off.',
  operation: steps.addSubflow,
  input: (t) => ({
    flow: t.id({ required: true, description: about.flow }),
    alias: t.string({ required: true, description: about.alias }),
    description: t.string({ description: about.description }),
    kind: t.field({ type: FlowKind, description: about.kind }),
    page: t.string({ description: 'Page of a form, by the name of its provider.' }),
  }),
  locate: ({ flow }, ctx) => flowTarget(ctx, flow, 'flow'),
  send: ({ alias, description, kind, page }) => ({ alias, description, type: kind ?? 'basic-flow', provider: page }),
  fieldOf: (field) => (field === 'provider' ? 'page' : field),
  returns: {
    execution: { ...theStep, id: ({ step }: { step: { id: string } }) => step.id },
    flow: { ...theFlow, description: 'The flow that was added.' },
  },
});

mutation('flowExecutionAttachFlow', {
  description: 'Adds a flow that is neither on the top level nor part of another one to a flow, after all other steps.',
  operation: steps.createExecution,
  input: (t) => ({
    flow: t.id({ required: true, description: about.flow }),
    subflow: t.id({ required: true, description: 'Id of the flow that it runs.' }),
    requirement: t.field({ type: ExecutionRequirement, required: true, description: 'What its outcome means.' }),
  }),
  locate: async ({ flow, subflow }, ctx) => {
    await flowTarget(ctx, subflow, 'subflow');
    return flowTarget(ctx, flow, 'flow');
  },
  send: ({ flow, subflow, requirement }) => ({
    parentFlow: parseId(flow, 'flow', 'AuthenticationFlow').id,
    flowId: parseId(subflow, 'subflow', 'AuthenticationFlow').id,
    requirement,
  }),
  fieldOf: (field) => ({ parentFlow: 'flow', flowId: 'subflow' })[field] ?? field,
  returns: { execution: theStep },
});

mutation('flowExecutionUpdate', {
  description: 'Changes what the outcome of a step means for its flow.',
  operation: changes.updateExecution,
  input: (t) => ({
    id: t.id({ required: true, description: about.step }),
    requirement: t.field({ type: ExecutionRequirement, required: true, description: 'One of its choices.' }),
  }),
  locate: async ({ id }, ctx) => {
    const { realm, execution } = await executionTarget(ctx, id);
    return { ...(await flowById(ctx, realm, execution.flowId, 'view:realm')), strictly: true };
  },
  send: ({ id, requirement }) => ({ id: parseId(id, 'id', 'FlowExecution').id, requirement }),
  returns: { execution: { ...theStep, id: ({ before }: { before: { id: string } }) => before.id } },
});

for (const [name, operation, description] of [
  ['flowExecutionRaise', changes.raiseExecution, 'Moves a step before the one that comes before it.'],
  ['flowExecutionLower', changes.lowerExecution, 'Moves a step after the one that comes after it.'],
] as const) {
  mutation(name, {
    description,
    operation,
    input: (t) => ({ id: t.id({ required: true, description: about.step }) }),
    locate: ({ id }, ctx) => executionTarget(ctx, id),
    returns: { execution: theStep },
  });
}

mutation('flowExecutionDelete', {
  description: 'Takes a step out of its flow; a flow that it runs is deleted with all below it.',
  operation: changes.removeExecution,
  input: (t) => ({ id: t.id({ required: true, description: about.step }) }),
  locate: ({ id }, ctx) => executionTarget(ctx, id),
  values: {
    deletedId: {
      ...gone('FlowExecution'),
      of: ({ execution }: { execution: { id: string } }) => nodeId('FlowExecution', execution.id),
    },
  },
});
