import { read, write } from '../core/operation.js';
import { notFound } from '../core/refusal.js';
import { encodeExecution, type StepRow } from './encode.js';
import { choiceOf, grow, illegal, lockFlow, requirementOf } from './executions.js';
import { deleteFlows, inLine, touchedFlows } from './flows.js';
import type { ExecutionTarget, FlowTarget } from './locate.js';
import { flowRequirementChoices, providerById, type Requirement, requirements } from './providers.js';
import { AuthenticationExecutionInfoRepresentation } from './representation.js';
import { flowTree, moveRow, onlyBelow } from './tree.js';

const lockOwner = ({ execution }: ExecutionTarget) => ({ model: 'AuthenticationFlow', id: execution.flowId }) as const;

export const getExecution = read({
  name: 'execution.get',
  summary: 'Returns an execution of a flow.',
  allow: 'view:realm',
  run: async (_ctx, { execution }: ExecutionTarget) => execution,
});

/** A flow whose steps are changed; `strictly`: a requirement must be one that the step supports. */
export interface RequirementTarget extends FlowTarget {
  strictly?: boolean;
}

/** The requirements that a step supports; any, for a provider that this server does not have. */
const choicesOf = (authenticator: string | null, subflow: { providerId: string } | null): readonly Requirement[] =>
  subflow
    ? flowRequirementChoices(subflow.providerId)
    : (providerById(authenticator ?? '')?.requirementChoices ?? requirements);

export const updateExecution = write({
  name: 'execution.update',
  summary: 'Changes the requirement of an execution in any flow of the realm. Other fields are ignored.',
  input: AuthenticationExecutionInfoRepresentation,
  allow: 'manage:realm',
  queue: inLine,
  lock: lockFlow,
  run: async (tx, { realm, flow, strictly }: RequirementTarget, { id, requirement: sent }) => {
    const before = id
      ? await tx.authenticationExecution.findFirst({
          where: { id, realmId: realm.id },
          select: {
            id: true,
            flowId: true,
            requirement: true,
            authenticator: true,
            subflow: { select: { providerId: true } },
          },
        })
      : null;
    if (!before) throw notFound('Illegal execution', 'id');
    const requirement = strictly
      ? choiceOf(sent, { requirementChoices: choicesOf(before.authenticator, before.subflow) })
      : requirementOf(sent);
    if (requirement === before.requirement) return { flow, before, changed: undefined };
    await tx.later.authenticationExecution.updateMany({ where: { id: before.id }, data: { requirement } });
    await grow(tx, before.flowId);
    return { flow, before, changed: requirement };
  },
  event: ({ before, changed }, { flow }) =>
    changed && {
      operationType: 'UPDATE',
      resourceType: 'AUTH_EXECUTION',
      resourcePath: `authentication/flows/${flow.alias}/executions`,
      resourceId: flow.id,
      // the path can name another flow
      partOf: [before.flowId],
      representation: { id: before.id, requirement: changed },
      before: { id: before.id, requirement: before.requirement },
    },
  touches: ({ before }, target) => touchedFlows(before.flowId)(target),
});

export const removeExecution = write({
  name: 'execution.delete',
  summary:
    'Removes an execution from a flow. If the execution runs a subflow, the subflow and its executions are deleted.',
  allow: 'manage:realm',
  queue: inLine,
  lock: lockOwner,
  run: async (tx, { realm, execution }: ExecutionTarget) => {
    if (execution.flow.builtIn) throw illegal('remove execution from');
    const tree = await flowTree(tx, realm.id);
    // a flow that another step runs, too, stays
    const runs = [...tree.values()].flatMap(({ executions }) => executions.map(({ subflowId }) => subflowId));
    const { subflowId } = execution;
    const own =
      subflowId !== null && runs.filter((id) => id === subflowId).length === 1 && !tree.get(subflowId)?.topLevel;
    const gone = own ? onlyBelow(tree, subflowId) : [];
    if (gone.length > 0) await deleteFlows(tx, realm.id, gone);
    await tx.later.authenticationExecution.deleteMany({ where: { id: execution.id } });
    await grow(tx, execution.flowId);
    return { execution, gone: gone.map(({ id }) => id) };
  },
  refuses: ['BUILT_IN'],
  event: ({ execution, gone }) => ({
    operationType: 'DELETE',
    resourceType: 'AUTH_EXECUTION',
    resourcePath: `authentication/executions/${execution.id}`,
    partOf: [execution.flowId],
    removes: gone,
    before: encodeExecution(execution),
  }),
  touches: ({ execution, gone }, target) => touchedFlows(execution.flowId, ...gone)(target),
});

const moving = (way: 'raise' | 'lower', by: -1 | 1, summary: string) =>
  write({
    name: `execution.${way}`,
    summary,
    allow: 'manage:realm',
    queue: inLine,
    lock: lockOwner,
    run: async (tx, { execution }: ExecutionTarget): Promise<StepRow> => {
      if (execution.flow.builtIn) throw illegal('modify execution in');
      const steps = await tx.authenticationExecution.findMany({
        where: { flowId: execution.flowId },
        select: { id: true, priority: true },
      });
      const priority = await moveRow(tx, 'AuthenticationExecution', steps, execution.id, by);
      await grow(tx, execution.flowId);
      return { ...execution, priority };
    },
    event: (step) => ({
      operationType: 'UPDATE',
      resourceType: 'AUTH_EXECUTION',
      resourcePath: `authentication/executions/${step.id}/${way}-priority`,
      partOf: [step.flowId],
      representation: encodeExecution(step),
    }),
    touches: (step, target) => touchedFlows(step.flowId)(target),
  });

export const raiseExecution = moving('raise', -1, 'Swaps an execution with the one before it.');
export const lowerExecution = moving('lower', 1, 'Swaps an execution with the one after it.');
