import type { Prisma } from '../../generated/sqlite/client.js';
import { listsByKey } from '../core/lists-by-key.js';
import { mask } from '../core/mask.js';
import { view } from '../core/view.js';
import { samlEcpFlow } from '../realms/defaults/flows.js';
import { type KnownRequiredAction, requiredActions } from '../realms/defaults/required-actions.js';
import { isSecretSetting } from './provider-settings.js';
import { flowRequirementChoices, providerById } from './providers.js';
import {
  AuthenticationExecutionRepresentation,
  AuthenticationFlowRepresentation,
  AuthenticatorConfigRepresentation,
  RequiredActionProviderRepresentation,
} from './representation.js';
import { inOrder } from './tree.js';

/** The columns of a flow, with its steps and the aliases of their subflows. */
export const flowSelect = {
  id: true,
  alias: true,
  description: true,
  providerId: true,
  topLevel: true,
  builtIn: true,
  version: true,
  executions: {
    select: {
      id: true,
      authenticator: true,
      requirement: true,
      priority: true,
      config: { select: { id: true, alias: true } },
      subflow: { select: { alias: true } },
    },
  },
} as const satisfies Prisma.AuthenticationFlowSelect;

/** The columns of the flattened tree of a flow: all steps of the realm at once. */
export const executionSelect = {
  id: true,
  flowId: true,
  authenticator: true,
  requirement: true,
  priority: true,
  config: { select: { id: true, alias: true } },
  subflow: { select: { id: true, alias: true, description: true, providerId: true } },
} as const satisfies Prisma.AuthenticationExecutionSelect;

/** The columns of a single step, with its flow. */
export const stepSelect = {
  id: true,
  flowId: true,
  authenticator: true,
  subflowId: true,
  configId: true,
  requirement: true,
  priority: true,
  flow: { select: { id: true, alias: true, builtIn: true } },
} as const satisfies Prisma.AuthenticationExecutionSelect;

export const authenticatorConfigSelect = {
  id: true,
  alias: true,
  config: true,
  version: true,
} as const satisfies Prisma.AuthenticatorConfigSelect;

export const requiredActionSelect = {
  id: true,
  alias: true,
  name: true,
  providerId: true,
  enabled: true,
  defaultAction: true,
  priority: true,
  config: true,
  version: true,
} as const satisfies Prisma.RequiredActionSelect;

export type FlowRow = Prisma.AuthenticationFlowGetPayload<{ select: typeof flowSelect }>;
type ExecutionRow = Prisma.AuthenticationExecutionGetPayload<{ select: typeof executionSelect }>;
export type StepRow = Prisma.AuthenticationExecutionGetPayload<{ select: typeof stepSelect }>;
export type ConfigRow = Prisma.AuthenticatorConfigGetPayload<{ select: typeof authenticatorConfigSelect }>;
export type RequiredActionRow = Prisma.RequiredActionGetPayload<{ select: typeof requiredActionSelect }>;

/** AuthenticationFlowRepresentation without its steps: the answer to writes. */
export const encodeBareFlow = (flow: Omit<FlowRow, 'executions' | 'version'>) => ({
  id: flow.id,
  alias: flow.alias,
  ...(flow.description !== null && { description: flow.description }),
  providerId: flow.providerId,
  topLevel: flow.topLevel,
  builtIn: flow.builtIn,
});

/** How a step of a flow names its configuration. */
export type ConfigName = (config: { id: string; alias: string }) => string;

/**
 * AuthenticationFlowRepresentation with its steps in their order. Steps name configurations by their aliases, unless
 * `nameOf` returns another name.
 */
export const encodeFlow = (flow: Omit<FlowRow, 'version'>, nameOf: ConfigName = ({ alias }) => alias) => ({
  ...encodeBareFlow(flow),
  authenticationExecutions: inOrder(flow.executions).map((step) => ({
    ...(step.authenticator !== null && { authenticator: step.authenticator }),
    ...(step.config && { authenticatorConfig: nameOf(step.config) }),
    authenticatorFlow: step.subflow !== null,
    autheticatorFlow: step.subflow !== null,
    ...(step.subflow && { flowAlias: step.subflow.alias }),
    priority: step.priority,
    requirement: step.requirement,
    userSetupAllowed: false,
  })),
});

/** The filter of the listed flows: top-level flows, except for the one for SAML clients without a browser. */
export const listedFlows = (realmId: string): Prisma.AuthenticationFlowWhereInput => ({
  realmId,
  topLevel: true,
  alias: { not: samlEcpFlow },
});

/**
 * The tree below a flow as a list of AuthenticationExecutionInfoRepresentation. Each step is followed by the steps of
 * its subflow, one level deeper. Takes the steps of the whole realm.
 */
export function encodeExecutions(flowId: string, steps: readonly ExecutionRow[]) {
  const stepsOf = listsByKey(steps.map((step) => [step.flowId, step]));
  const lines: ReturnType<typeof encodeExecutionInfo>[] = [];
  const open = new Set<string>();
  const visit = (id: string, level: number) => {
    // Flows may contain themselves.
    if (open.has(id)) return;
    open.add(id);
    inOrder(stepsOf.get(id) ?? []).forEach((step, index) => {
      lines.push(encodeExecutionInfo(step, level, index));
      if (step.subflow) visit(step.subflow.id, level + 1);
    });
    open.delete(id);
  };
  visit(flowId, 0);
  return lines;
}

function encodeExecutionInfo(step: ExecutionRow, level: number, index: number) {
  const { id, requirement, authenticator, subflow, config } = step;
  if (subflow) {
    return {
      id,
      requirement,
      displayName: subflow.alias,
      ...(subflow.description !== null && { description: subflow.description }),
      requirementChoices: flowRequirementChoices(subflow.providerId),
      configurable: false,
      authenticationFlow: true,
      ...(authenticator !== null && { providerId: authenticator }),
      flowId: subflow.id,
      level,
      index,
    };
  }
  const provider = providerById(authenticator ?? '');
  return {
    id,
    requirement,
    displayName: provider?.displayName ?? authenticator ?? '',
    ...(config && { alias: config.alias, authenticationConfig: config.id }),
    requirementChoices: provider?.requirementChoices ?? [],
    configurable: provider?.configurable ?? false,
    ...(authenticator !== null && { providerId: authenticator }),
    level,
    index,
  };
}

/** AuthenticationExecutionRepresentation: a step with the flags that its requirement implies. */
export const encodeExecution = (step: Omit<StepRow, 'flow'>) => ({
  id: step.id,
  ...(step.authenticator !== null && { authenticator: step.authenticator }),
  ...(step.configId !== null && { authenticatorConfig: step.configId }),
  authenticatorFlow: step.subflowId !== null,
  ...(step.subflowId !== null && { flowId: step.subflowId }),
  parentFlow: step.flowId,
  priority: step.priority,
  requirement: step.requirement,
  alternative: step.requirement === 'ALTERNATIVE',
  conditional: step.requirement === 'CONDITIONAL',
  disabled: step.requirement === 'DISABLED',
  enabled: step.requirement !== 'DISABLED',
  required: step.requirement === 'REQUIRED',
});

/** RequiredActionProviderRepresentation. Lists are in the order of priority. */
export const encodeRequiredAction = (row: Omit<RequiredActionRow, 'id' | 'version'>) => ({
  alias: row.alias,
  ...(row.name !== null && { name: row.name }),
  providerId: row.providerId,
  enabled: row.enabled,
  defaultAction: row.defaultAction,
  priority: row.priority,
  config: row.config as Record<string, string>,
});

/** The required actions of the server that a realm has not registered. */
export function unregisteredActions(
  registered: readonly { providerId: string }[],
  known: readonly KnownRequiredAction[] = requiredActions,
) {
  const there = new Set(registered.map(({ providerId }) => providerId));
  return known.filter(({ alias }) => !there.has(alias)).map(({ alias, name }) => ({ name, providerId: alias }));
}

/** AuthenticatorConfigRepresentation, with masks in place of secrets. */
export const encodeAuthenticatorConfig = ({ id, alias, config }: Omit<ConfigRow, 'version'>) => ({
  id,
  alias,
  config: Object.fromEntries(
    Object.entries(config as Record<string, string>).map(([name, value]) => [
      name,
      isSecretSetting(name) ? mask : value,
    ]),
  ),
});

export const flowView = view<FlowRow>(AuthenticationFlowRepresentation, flowSelect, (flow) => encodeFlow(flow));
export const executionView = view<StepRow>(AuthenticationExecutionRepresentation, stepSelect, encodeExecution);
export const requiredActionView = view<RequiredActionRow>(
  RequiredActionProviderRepresentation,
  requiredActionSelect,
  encodeRequiredAction,
);
export const authenticatorConfigView = view<ConfigRow>(
  AuthenticatorConfigRepresentation,
  authenticatorConfigSelect,
  encodeAuthenticatorConfig,
);
