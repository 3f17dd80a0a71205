import { members } from '../core/json.js';
import type { ActionName } from './action-names.js';
import { activeIn, type BoundFlow, type Execution, type Flow } from './bound-flow.js';
import {
  asksForCode,
  conditionOf,
  isCondition,
  levelsReachedBy,
  type Progress,
  sessionLevel,
  type Way,
} from './flow-conditions.js';
import { conditionalOtp, deviceSteps, type FormStep, resetSteps } from './flow-steps.js';

/** A flow that was followed to its end. */
export interface PassedFlow {
  kind: 'passed';
  /** what the user has to do before the login ends */
  demands: readonly ActionName[];
  /** the level of authentication; nothing in a flow without levels */
  level?: number;
  /** the levels that this login has reached */
  levels?: readonly number[];
}

/** A step that waits for the user. */
export interface FormOutcome {
  kind: 'form';
  step: FormStep;
  execution: string;
  config: Readonly<Record<string, unknown>>;
}

/** Where a login stands in its flow. */
export type FlowOutcome =
  | PassedFlow
  | FormOutcome
  /** the browser is sent to the identity provider with this alias */
  | { kind: 'provider'; alias: string; execution: string }
  /** a step that cannot be left out and that this server does not have */
  | { kind: 'unsupported'; step: string }
  | { kind: 'denied' }
  /** the flow ends without a proof of who the user is */
  | { kind: 'unproven' }
  /** nothing in it is for this user */
  | { kind: 'inapplicable' };

const deepest = 20;
/**
 * Most steps, conditions, and sub-flows that are looked at, each as often as it is. A file can name a sub-flow many times in each flow: without an
 * end, that takes for ever.
 */
const mostVisits = 10_000;

/** A flow that is followed, with what is known of the login and what its steps demand for the end of it. */
interface Walk extends Way {
  demands: ActionName[];
  /** how many more steps, conditions, and sub-flows may be looked at */
  left: number;
  /** by the ID of a sub-flow: whether one of its steps was taken */
  begun: Map<string, boolean>;
  /** the levels of authentication that this login has reached */
  levels: number[];
}

function passed({ demands }: Walk, ...more: ActionName[]): FlowOutcome {
  demands.push(...more);
  return { kind: 'passed', demands };
}

/**
 * Follows a flow as far as it goes without the user: required and conditional steps one after the other, or else the
 * first alternative that succeeds. It begins at the top each time, so that a condition that was not met for want of a
 * user is asked again. No flow is passed without a proof of who the user is: a caller who may change flows could log in as
 * anybody.
 */
export function followFlow(flow: BoundFlow, progress: Progress): FlowOutcome {
  const level = sessionLevel(flow, progress);
  const walk: Walk = { flow, progress, demands: [], left: mostVisits, begun: new Map(), level, levels: [] };
  const outcome: FlowOutcome = flow.top ? followExecutions(walk, flow.top, 0) : { kind: 'unsupported', step: '' };
  if (outcome.kind !== 'passed') return outcome;
  if (!progress.isProven) return { kind: 'unproven' };
  return walk.level < 0 ? outcome : { ...outcome, level: walk.level, levels: walk.levels };
}

/**
 * The outcome of the executions of a flow: of all that are required or conditional, or else of the first alternative. A flow whose conditional
 * sub-flows are all for others is for nobody either, so that the next alternative is tried: newer versions of Keycloak have such a flow, for
 * organizations, in each realm.
 */
function followExecutions(walk: Walk, flow: Flow, depth: number): FlowOutcome {
  if (!mayLookAt(walk, flow)) return tooLong(walk);
  const active = activeIn(flow).filter(({ authenticator }) => !isCondition(authenticator));
  const needed = active.filter(({ requirement }) => requirement !== 'ALTERNATIVE');
  if (needed.length === 0) return followAlternatives(walk, active, depth);
  let isApplicable = false;
  for (const execution of needed) {
    if (execution.requirement === 'CONDITIONAL') {
      if (!mayLookAt(walk, walk.flow.byId.get(execution.subflowId ?? ''))) return tooLong(walk);
      const applies = conditionOf(walk, execution);
      if (typeof applies !== 'boolean') return applies;
      if (!applies) continue;
    }
    const outcome = followExecution(walk, execution, depth);
    if (outcome.kind === 'inapplicable') return { kind: 'denied' };
    if (outcome.kind !== 'passed') return outcome;
    if (execution.requirement === 'CONDITIONAL') reachLevels(walk, execution);
    isApplicable = true;
  }
  return isApplicable ? passed(walk) : { kind: 'inapplicable' };
}

/** Whether the executions of a flow may still be looked at. */
function mayLookAt(walk: Walk, flow: Flow | undefined): boolean {
  walk.left -= flow?.executions.length ?? 0;
  return walk.left >= 0;
}

const tooLong = ({ flow: { top } }: Walk): FlowOutcome => ({ kind: 'unsupported', step: top?.alias ?? '' });

function followAlternatives(walk: Walk, alternatives: readonly Execution[], depth: number): FlowOutcome {
  let missing: FlowOutcome | undefined;
  // the way on which the user is comes before those that were passed by
  const begun = alternatives.filter((execution) => isBegun(walk, execution));
  for (const execution of [...begun, ...alternatives.filter((other) => !begun.includes(other))]) {
    const outcome = followExecution(walk, execution, depth);
    if (['passed', 'form', 'provider', 'denied'].includes(outcome.kind)) return outcome;
    // another way in may do without it
    if (outcome.kind === 'unsupported' && execution.subflowId !== null) missing ??= outcome;
  }
  return missing ?? { kind: 'inapplicable' };
}

/** Whether a step was taken, or one of a sub-flow. */
function isBegun(walk: Walk, { id, subflowId }: Execution): boolean {
  const { begun, flow, progress } = walk;
  if (progress.done.has(id)) return true;
  if (subflowId === null) return false;
  const known = begun.get(subflowId);
  if (known !== undefined) return known;
  // a flow that leads to itself has no other steps there
  begun.set(subflowId, false);
  const isOne = flow.byId.get(subflowId)?.executions.some((step) => isBegun(walk, step)) ?? false;
  begun.set(subflowId, isOne);
  return isOne;
}

/** The outcome of a step, or of a sub-flow. */
function followExecution(walk: Walk, execution: Execution, depth: number): FlowOutcome {
  const { byId, forms } = walk.flow;
  if (execution.subflowId === null || forms.has(execution.authenticator ?? '')) return stepOutcome(walk, execution);
  const flow = byId.get(execution.subflowId);
  // a form flow is no flow of a login
  if (!flow || depth > deepest || execution.authenticator) return { kind: 'unsupported', step: flow?.alias ?? '' };
  return followExecutions(walk, flow, depth + 1);
}

function stepOutcome(walk: Walk, execution: Execution): FlowOutcome {
  const {
    progress,
    flow: { forms },
  } = walk;
  const given = execution.authenticator ?? '';
  const step = given === conditionalOtp ? 'auth-otp-form' : given;
  if (progress.done.has(execution.id) || step === 'allow-access-authenticator') return passed(walk);
  if (step === 'deny-access-authenticator') return { kind: 'denied' };
  if (progress.tried?.has(execution.id)) return { kind: 'inapplicable' };
  if (given === conditionalOtp) {
    const asks = asksForCode(progress, execution);
    if (asks !== true) return asks === false ? passed(walk) : { kind: 'unsupported', step: given };
  }
  const config = members(execution.config?.config);
  if (step === 'identity-provider-redirector') {
    const alias = progress.providerHint ?? config.defaultProvider;
    const isAsked = typeof alias === 'string' && alias !== '';
    return isAsked ? { kind: 'provider', alias, execution: execution.id } : { kind: 'inapplicable' };
  }
  if (step === 'auth-cookie') {
    // a session of a lower level goes on with the steps that it lacks
    const isEnough = walk.flow.levels.size === 0 || walk.level >= (progress.demandedLevel ?? -1);
    return progress.bySession && isEnough ? passed(walk) : { kind: 'inapplicable' };
  }
  const device = deviceSteps.get(step);
  if (device && progress.hasUser && !progress.devices.has(device.type)) {
    // set up at the end of the login
    return execution.requirement === 'REQUIRED' ? passed(walk, device.action) : { kind: 'inapplicable' };
  }
  // a second factor is for somebody who has shown the first one: another way in may do without it
  if (step === 'webauthn-authenticator' && !progress.hasUser) return { kind: 'unsupported', step };
  if (forms === resetSteps) {
    if (step === 'reset-credentials-choose-user' && progress.hasUser) return passed(walk);
    if (step === 'reset-credential-email' && progress.byMail) return passed(walk);
    if (step === 'reset-password') return passed(walk, 'UPDATE_PASSWORD');
    if (step === 'reset-otp') return passed(walk, 'CONFIGURE_TOTP');
  }
  return forms.has(step)
    ? { kind: 'form', step: step as FormStep, execution: execution.id, config }
    : { kind: 'unsupported', step };
}

/** Notes the levels of a conditional sub-flow that was passed. */
function reachLevels(walk: Walk, execution: Execution): void {
  const reached = levelsReachedBy(walk, execution);
  walk.levels.push(...reached);
  walk.level = Math.max(walk.level, ...reached);
}
