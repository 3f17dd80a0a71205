import type { Db } from '../../database/db.js';
import { write } from '../core/operation.js';
import { conflict, invalid, notFound } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { encodeExecution, type StepRow } from './encode.js';
import { inLine, short, touchedFlows } from './flows.js';
import type { FlowTarget } from './locate.js';
import {
  type AuthenticatorProvider,
  firstRequirement,
  isRequirement,
  providersFor,
  type Requirement,
} from './providers.js';
import { AuthenticationExecutionRepresentation, NewExecution, NewSubflow } from './representation.js';
import { flowTree, lastPriority, requireRoom, type TreeFlow } from './tree.js';

/** Steps have the version of their flow. */
export const lockFlow = ({ flow }: FlowTarget) => ({ model: 'AuthenticationFlow', id: flow.id }) as const;

/** A change of its steps is one of the flow. */
export const grow = (tx: Db, flowId: string) =>
  tx.later.authenticationFlow.updateMany({ where: { id: flowId }, data: { version: { increment: 1 } } });

/** A requirement, without a check against the step's provider. */
export function requirementOf(text: string | undefined): Requirement {
  if (!isRequirement(text)) {
    throw invalid('`requirement` must be REQUIRED, ALTERNATIVE, CONDITIONAL, or DISABLED', 'requirement');
  }
  return text;
}

/** A requirement that a step with these choices may have. */
export function choiceOf(
  text: string | undefined,
  { requirementChoices }: Pick<AuthenticatorProvider, 'requirementChoices'>,
) {
  const requirement = requirementOf(text);
  if (!requirementChoices.includes(requirement)) {
    throw invalid(`\`requirement\` must be ${requirementChoices.join(' or ')}`, 'requirement');
  }
  return requirement;
}

/** The refusal of a change of a built-in flow. */
export const illegal = (verb: string) =>
  invalid(`It is illegal to ${verb} a built in flow`, undefined, { member: 'error', code: 'BUILT_IN' });

interface NewStep {
  authenticator?: string | null;
  subflowId?: string;
  configId?: string;
  requirement: Requirement;
}

/** Adds a step after all others of a flow. */
async function addStep(tx: Db, realmId: string, flow: TreeFlow, id: string, step: NewStep): Promise<StepRow> {
  const row = {
    id,
    flowId: flow.id,
    authenticator: step.authenticator ?? null,
    subflowId: step.subflowId ?? null,
    configId: step.configId ?? null,
    requirement: step.requirement,
    priority: lastPriority(flow.executions),
  };
  await tx.authenticationExecution.createMany({ data: { ...row, realmId } });
  await grow(tx, flow.id);
  return { ...row, flow: { id: flow.id, alias: flow.alias, builtIn: flow.builtIn } };
}

/** The flow behind the lock, with all other flows. */
async function treeWith(tx: Db, { realm, flow }: FlowTarget) {
  const tree = await flowTree(tx, realm.id);
  const parent = tree.get(flow.id);
  if (!parent) throw notFound('The object was deleted in the meantime');
  return { tree, parent };
}

const created = (step: StepRow, resourcePath: string) => ({
  operationType: 'CREATE' as const,
  resourceType: 'AUTH_EXECUTION',
  resourcePath,
  resourceId: step.flow.id,
  representation: encodeExecution(step),
});

export const addExecution = write({
  name: 'execution.add',
  summary: 'Adds an execution at the end of a flow, with the requirement `DISABLED` if its provider allows it.',
  input: NewExecution,
  allow: 'manage:realm',
  queue: inLine,
  lock: lockFlow,
  run: async (tx, target: FlowTarget, { provider: id, requirement }, { ctx }) => {
    const { tree, parent } = await treeWith(tx, target);
    if (parent.builtIn) throw illegal('add execution to');
    const provider = providersFor(parent.providerId).find((one) => one.id === id);
    if (!provider) {
      throw invalid(`No authentication provider found for id: ${id ?? null}`, 'provider', { member: 'error' });
    }
    requireRoom(tree, parent.id);
    return addStep(tx, target.realm.id, parent, ctx.services.newId(), {
      authenticator: provider.id,
      requirement: requirement === undefined ? firstRequirement(provider) : choiceOf(requirement, provider),
    });
  },
  refuses: ['BUILT_IN', 'LIMIT_REACHED'],
  event: (step, { flow }) => created(step, `authentication/flows/${flow.alias}/executions/execution`),
  touches: (step, target) => touchedFlows(step.flowId)(target),
});

export const addSubflow = write({
  name: 'execution.addFlow',
  summary: 'Creates a subflow and adds it at the end of a flow with the requirement `DISABLED`.',
  input: NewSubflow,
  allow: 'manage:realm',
  queue: inLine,
  lock: lockFlow,
  run: async (tx, target: FlowTarget, { alias, type, provider, description }, { ctx }) => {
    const { tree, parent } = await treeWith(tx, target);
    if (!alias) throw invalid('`alias` of the flow is required', 'alias');
    short(alias, 'alias');
    const flow = {
      id: ctx.services.newId(),
      alias,
      description: description ?? null,
      providerId: type ?? 'basic-flow',
      topLevel: false,
      builtIn: false,
    };
    requireRoom(new Map(tree).set(flow.id, { ...flow, executions: [] }), parent.id, flow.id);
    await tx.authenticationFlow.createMany({ data: { ...flow, realmId: target.realm.id } });
    const step = await addStep(tx, target.realm.id, parent, ctx.services.newId(), {
      // only forms have an additional provider
      authenticator: flow.providerId === 'form-flow' ? (provider ?? null) : null,
      subflowId: flow.id,
      requirement: 'DISABLED',
    });
    return { id: flow.id, step };
  },
  refuses: ['NAME_TAKEN', 'NAME_INVALID', 'LIMIT_REACHED'],
  conflict: () => conflict('New flow alias name already exists', 'alias', 'NAME_TAKEN'),
  event: ({ step }, { flow }) => ({
    ...created(step, `authentication/flows/${flow.alias}/executions/flow`),
    resourceType: 'AUTH_EXECUTION_FLOW',
  }),
  touches: ({ id, step }, target) => touchedFlows(step.flowId, id)(target),
});

export const createExecution = write({
  name: 'execution.create',
  summary: 'Adds an execution with its requirement at the end of a flow. It can run a flow that no execution runs yet.',
  input: AuthenticationExecutionRepresentation,
  allow: 'manage:realm',
  queue: inLine,
  run: async (tx, { realm }: Target, input, { ctx }) => {
    if (!input.parentFlow) throw invalid('parent flow not set on new execution', 'parentFlow', { member: 'error' });
    const tree = await flowTree(tx, realm.id);
    const parent = tree.get(input.parentFlow);
    if (!parent) throw invalid('execution parent flow does not exist', 'parentFlow', { member: 'error' });
    if (parent.builtIn) throw illegal('add execution to');
    const requirement = requirementOf(input.requirement);
    const { authenticator, flowId, authenticatorConfig: configId } = input;
    if (!authenticator && !flowId) throw invalid('`authenticator` or `flowId` is required', 'authenticator');
    if (flowId && !tree.has(flowId)) throw invalid('Flow not found', 'flowId');
    if (configId && !(await tx.authenticatorConfig.count({ where: { id: configId, realmId: realm.id } }))) {
      throw invalid('Authenticator configuration not found', 'authenticatorConfig');
    }
    requireRoom(tree, parent.id, flowId || undefined);
    return addStep(tx, realm.id, parent, ctx.services.newId(), {
      authenticator: authenticator || null,
      ...(flowId && { subflowId: flowId }),
      ...(configId && { configId }),
      requirement,
    });
  },
  refuses: ['BUILT_IN', 'CYCLE', 'IN_USE', 'LIMIT_REACHED'],
  event: (step) => created(step, `authentication/executions/${step.id}`),
  touches: (step, target) => touchedFlows(step.flowId)(target),
});
