import type { Prisma } from '../../generated/sqlite/client.js';
import { list, read, write } from '../core/operation.js';
import { representation, text } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { encodeExecutions, encodeRequiredAction, executionSelect, listedFlows } from './encode.js';
import type { RequiredActionTarget } from './locate.js';
import { RequiredActionProviderRepresentation } from './representation.js';

/** A flow by its name. */
export const FlowAlias = representation('FlowAlias', { alias: text });

export const listFlows = list({
  name: 'flow.list',
  summary: 'The authentication flows of a realm that are not part of others.',
  allow: 'view:flows',
  model: 'AuthenticationFlow',
  where: ({ realm }: Target) => listedFlows(realm.id),
  orderBy: [{ alias: 'asc' }],
});

export const executions = read({
  name: 'flow.executions',
  summary: 'All steps below a flow, each followed by those of the flow that it runs; nothing for an unknown flow.',
  input: FlowAlias,
  allow: 'view:flows',
  run: async (ctx, { realm }: Target, { alias = '' }) => {
    const flow = await ctx.db.authenticationFlow.findUnique({
      where: { realmId_alias: { realmId: realm.id, alias } },
      select: { id: true },
    });
    if (!flow) return undefined;
    const steps = await ctx.db.authenticationExecution.findMany({
      where: { realmId: realm.id },
      select: executionSelect,
    });
    return encodeExecutions(flow.id, steps);
  },
});

export const listRequiredActions = list({
  name: 'requiredAction.list',
  summary: 'What users may be told to do at login, in the order in which they are told.',
  allow: 'view:required-actions',
  model: 'RequiredAction',
  where: ({ realm }: Target): Prisma.RequiredActionWhereInput => ({ realmId: realm.id }),
  orderBy: [{ priority: 'asc' }, { alias: 'asc' }],
});

export const getRequiredAction = read({
  name: 'requiredAction.get',
  summary: 'One required action.',
  allow: 'view:required-actions',
  run: async (_ctx, { action }: RequiredActionTarget) => action,
});

export const updateRequiredAction = write({
  name: 'requiredAction.update',
  summary: 'Replaces the settings of a required action; its provider stays.',
  input: RequiredActionProviderRepresentation,
  allow: 'manage:realm',
  run: async (tx, { action }: RequiredActionTarget, input) => {
    const changed = {
      alias: input.alias ?? action.alias,
      name: input.name ?? null,
      enabled: input.enabled ?? false,
      defaultAction: input.defaultAction ?? false,
      priority: input.priority ?? 0,
      config: input.config ?? {},
    };
    await tx.requiredAction.updateMany({ where: { id: action.id }, data: changed });
    return { ...action, ...changed };
  },
  conflict: ({ alias }) => `There is a required action ${alias} already`,
  event: (action, { action: before }) => ({
    operationType: 'UPDATE',
    resourceType: 'REQUIRED_ACTION',
    resourcePath: `authentication/required-actions/${before.alias}`,
    representation: encodeRequiredAction(action),
    before: encodeRequiredAction(before),
  }),
  touches: (_action, { realm }) => [`required-actions:${realm.id}`],
});
