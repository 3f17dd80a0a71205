import { isSecretSetting, sealedSettings } from '../../authentication/provider-settings.js';
import type {
  AuthenticatorConfigRepresentation,
  ExecutionExportInput,
  FlowInput,
  RequiredActionInput,
} from '../../authentication/representation.js';
import { memberOfCircle } from '../../core/circles.js';
import { mask } from '../../core/mask.js';
import { conflict, invalid, type Refusal } from '../../core/refusal.js';
import type { Input } from '../../core/shape.js';
import { defaultAuthenticatorConfigs, defaultFlows, firstBrokerLoginFlow } from '../defaults/flows.js';
import { requiredActions } from '../defaults/required-actions.js';
import { flowBindings } from '../defaults/settings.js';
import type { Draft } from './draft.js';
import { bindingNames } from './settings.js';

type ConfigInput = Pick<Input<typeof AuthenticatorConfigRepresentation>, 'id' | 'alias' | 'config'>;

const requirements = new Set(['REQUIRED', 'CONDITIONAL', 'ALTERNATIVE', 'DISABLED']);

/** Adds the flows of the file, or else the built-in ones. Indispensable flows are added to the flows of the file. */
export function assembleFlows(draft: Draft): void {
  const { input } = draft;
  const given = input.authenticationFlows ?? [];
  // without flows there is no step to configure
  const configs = given.length > 0 ? (input.authenticatorConfig ?? []) : [];
  for (const [index, config] of configs.entries())
    draft.refusals.attempt(() => addConfig(draft, config, `authenticatorConfig.${index}.alias`));
  const missing = missingFlows(draft, given);
  for (const { alias, config } of defaultAuthenticatorConfigs) {
    const needed = missing.some((flow) =>
      flow.authenticationExecutions.some((step) => step.authenticatorConfig === alias),
    );
    if (needed && !draft.configByName.has(alias)) addConfig(draft, { alias, config }, 'authenticatorConfig');
  }
  const flows = [...given, ...missing];
  flows.forEach((flow, index) => {
    draft.refusals.attempt(() => addFlow(draft, flow, `authenticationFlows.${index}`));
  });
  // Steps refer to later flows, so they are added after all flows.
  flows.forEach((flow, index) => {
    for (const [place, step] of (flow.authenticationExecutions ?? []).entries())
      addStep(draft, flow, step, `authenticationFlows.${index}.authenticationExecutions.${place}`);
  });
  draft.refusals.attempt(() => requireTrees(draft, flows));
  for (const name of bindingNames) {
    const alias = input[name];
    if (alias !== undefined && !draft.flowByAlias.has(alias)) draft.refusals.add(unknownFlow(alias, name));
  }
}

/** The refusal of an unknown flow. */
export const unknownFlow = (alias: string, field: string): Refusal =>
  invalid(`Authentication flow "${alias}" not found`, field, { missing: { kind: 'authenticationFlows' } });

/** Refuses flows that contain themselves: a login by one would never end. */
function requireTrees({ rows }: Draft, flows: readonly FlowInput[]): void {
  const circular = memberOfCircle(
    rows.AuthenticationExecution.flatMap(({ flowId, subflowId }) => (subflowId ? [[flowId, subflowId] as const] : [])),
  );
  if (circular === undefined) return;
  const flow = rows.AuthenticationFlow.find(({ id }) => id === circular);
  const field = `authenticationFlows.${flows.findIndex(({ alias }) => alias === flow?.alias)}`;
  throw invalid(`Authentication flow "${flow?.alias ?? circular}" must not contain itself`, field, { code: 'CYCLE' });
}

/** The built-in flows that are added to the flows of the file. */
function missingFlows(draft: Draft, given: readonly FlowInput[]) {
  if (draft.context.isWhole) return [];
  return given.length === 0 ? defaultFlows : indispensable(draft, given);
}

/** The built-in flows that the realm's bindings and identity providers need and the file does not contain. */
function indispensable({ input }: Draft, given: readonly FlowInput[]) {
  const there = new Set(given.map((flow) => flow.alias));
  const wanted = new Set<string>([firstBrokerLoginFlow]);
  for (const name of bindingNames) if (input[name] === undefined) wanted.add(flowBindings[name]);
  const missing: (typeof defaultFlows)[number][] = [];
  // The table has each top-level flow before its subflows.
  let taken = false;
  for (const flow of defaultFlows) {
    if (flow.topLevel) taken = wanted.has(flow.alias) && !there.has(flow.alias);
    if (taken && !there.has(flow.alias)) missing.push(flow);
  }
  return missing;
}

function addConfig(draft: Draft, { id, alias, config }: ConfigInput, field: string): void {
  if (alias === undefined) throw invalid('`alias` is required for every authenticator configuration', field);
  // steps could not distinguish it from the other one, because both have the same alias and it has no ID
  if (draft.configByName.has(alias) && id === undefined)
    throw conflict(`Authenticator configuration ${alias} already exists`, field, 'NAME_TAKEN');
  const owner = { id: draft.ids.of('AuthenticatorConfig', id), realmId: draft.realmId };
  const row = { ...owner, alias, config: sealedSettings(owner, withoutMasks(config), draft.context) };
  if (!draft.configByName.has(alias)) draft.configByName.set(alias, row.id);
  if (id !== undefined) draft.configByName.set(id, row.id);
  draft.rows.AuthenticatorConfig.push(row);
}

/** A mask stands for a secret that the file does not contain. */
const withoutMasks = (config: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(config).filter(([name, value]) => value !== mask || !isSecretSetting(name)));

function addFlow(draft: Draft, flow: FlowInput, field: string): void {
  const { alias } = flow;
  if (alias === undefined || alias === '')
    throw invalid('`alias` is required for every authentication flow', `${field}.alias`);
  if (draft.flowByAlias.has(alias)) throw conflict(`Flow ${alias} already exists`, `${field}.alias`, 'NAME_TAKEN');
  const row = {
    id: draft.ids.of('AuthenticationFlow', flow.id),
    realmId: draft.realmId,
    alias,
    description: flow.description ?? null,
    providerId: flow.providerId ?? 'basic-flow',
    topLevel: flow.topLevel ?? false,
    builtIn: flow.builtIn ?? false,
    position: draft.rows.AuthenticationFlow.length + 1,
  };
  draft.flowByAlias.set(alias, row);
  draft.flowIds.add(row.id);
  draft.rows.AuthenticationFlow.push(row);
}

function addStep(draft: Draft, flow: FlowInput, step: ExecutionExportInput, field: string): void {
  const { requirement = '', flowAlias, authenticatorConfig } = step;
  if (!requirements.has(requirement)) {
    draft.refusals.add(
      invalid(
        `\`requirement\` of an execution of the flow "${flow.alias}" must be one of ${[...requirements].join(', ')}`,
        `${field}.requirement`,
      ),
    );
  }
  const subflow = flowAlias === undefined ? undefined : draft.flowByAlias.get(flowAlias);
  if (flowAlias !== undefined && !subflow) draft.refusals.add(unknownFlow(flowAlias, `${field}.flowAlias`));
  const configId = authenticatorConfig === undefined ? undefined : draft.configByName.get(authenticatorConfig);
  if (authenticatorConfig !== undefined && configId === undefined) {
    const missing = { kind: 'authenticatorConfig' } as const;
    const message = `Authenticator configuration "${authenticatorConfig}" not found`;
    draft.refusals.add(invalid(message, `${field}.authenticatorConfig`, { missing }));
  }
  draft.rows.AuthenticationExecution.push({
    id: draft.context.newId(),
    realmId: draft.realmId,
    flowId: draft.flowByAlias.get(flow.alias ?? '')?.id ?? '',
    authenticator: step.authenticator ?? null,
    subflowId: subflow?.id ?? null,
    configId: configId ?? null,
    requirement,
    priority: step.priority ?? 0,
  });
}

/** Adds the required actions of the file, or else the required actions of a new realm. */
export function assembleRequiredActions(draft: Draft): void {
  const given = draft.input.requiredActions;
  const standard = requiredActions
    .filter(({ priority }) => priority !== undefined)
    .map((action): RequiredActionInput & { alias: string } => ({ enabled: true, ...action, providerId: action.alias }));
  // files of versions before this action lack it
  const isAdded = ({ alias }: { alias: string }) =>
    alias === 'delete_account' && !given?.some((action) => action.alias === alias);
  const added = given ? standard.filter(isAdded) : standard;
  const actions = [...(given ?? []), ...(draft.context.isWhole ? [] : added)];
  const aliases = new Set<string>();
  for (const [index, action] of actions.entries()) {
    const alias = action.alias ?? action.providerId;
    const field = `requiredActions.${index}.alias`;
    if (alias === undefined || aliases.has(alias)) {
      draft.refusals.add(
        alias === undefined
          ? invalid('`alias` is required for every required action', field)
          : conflict(`Required action ${alias} already exists`, field, 'NAME_TAKEN'),
      );
      continue;
    }
    aliases.add(alias);
    draft.rows.RequiredAction.push({
      id: draft.context.newId(),
      realmId: draft.realmId,
      alias,
      name: action.name ?? null,
      providerId: action.providerId ?? alias,
      enabled: action.enabled ?? false,
      defaultAction: action.defaultAction ?? false,
      priority: action.priority ?? 0,
      config: action.config ?? {},
    });
  }
}

/** The ID of a flow that is named by its ID or alias, or undefined. */
export function flowIdOf({ flowIds, flowByAlias, ids }: Draft, name: string): string | undefined {
  const id = ids.now('AuthenticationFlow', name);
  return flowIds.has(id) ? id : flowByAlias.get(name)?.id;
}
