import { members } from '../core/json.js';
import type { ActionName } from './action-names.js';
import type { BoundFlow, Execution, Flow } from './bound-flow.js';
import { byCredential, deviceSteps, type FormStep, organizationSteps, resetSteps } from './flow-steps.js';

/** What is known of the user on the way through a flow. */
export interface Progress {
  /** ids of the executions that were passed */
  done: ReadonlySet<string>;
  /** whether the user comes with a session that may be used */
  bySession: boolean;
  hasUser: boolean;
  /** whether a password, a session, the link of a mail or the registration has shown who the user is */
  isProven: boolean;
  /** types of the user's credentials besides passwords: `otp`, `webauthn`, and `webauthn-passwordless` */
  devices: ReadonlySet<string>;
  /** whether the user has followed the link of a mail, and so has the address */
  byMail?: boolean;
  /** ids of the alternatives that were tried and do not apply */
  tried?: ReadonlySet<string>;
  /** types of the credentials that the user has logged in with */
  used?: ReadonlySet<string>;
  /** alias of the identity provider that the client asks for */
  providerHint?: string | undefined;
  /** names of the user's roles, those of clients with the clientId and a dot before them */
  roles?: ReadonlySet<string>;
}

/** Where a login stands in its flow. */
export type FlowOutcome =
  /** `demands` is what the user has to do before the login ends */
  | { kind: 'passed'; demands: readonly ActionName[] }
  | { kind: 'form'; step: FormStep; execution: string; config: Readonly<Record<string, unknown>> }
  /** the browser is sent to the identity provider with this alias */
  | { kind: 'provider'; alias: string; execution: string }
  /** a step that cannot be left out and that this server does not have */
  | { kind: 'unsupported'; step: string }
  | { kind: 'denied' }
  /** the flow ends without a proof of who the user is */
  | { kind: 'unproven' }
  /** nothing in it is for this user */
  | { kind: 'inapplicable' };

const conditions = /^conditional-/;
const knownConditions = new Set(['conditional-user-configured', 'conditional-user-role', byCredential]);
const deepest = 20;
/** Most steps and sub-flows that are looked at. A file can name a sub-flow many times in each flow: without an end, that takes for ever. */
const mostVisits = 10_000;

/** A flow that is followed, with what is known of the login and what its steps demand for the end of it. */
interface Walk {
  flow: BoundFlow;
  progress: Progress;
  demands: ActionName[];
  /** how many more steps and sub-flows may be looked at */
  left: number;
  /** by the ID of a sub-flow: whether one of its steps was taken */
  begun: Map<string, boolean>;
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
  const walk: Walk = { flow, progress, demands: [], left: mostVisits, begun: new Map() };
  const outcome: FlowOutcome = flow.top ? followExecutions(walk, flow.top, 0) : { kind: 'unsupported', step: '' };
  return outcome.kind === 'passed' && !progress.isProven ? { kind: 'unproven' } : outcome;
}

/**
 * The outcome of the executions of a flow: of all that are required or conditional, or else of the first alternative. A flow whose conditional
 * sub-flows are all for others is for nobody either, so that the next alternative is tried: newer versions of Keycloak have such a flow, for
 * organizations, in each realm.
 */
function followExecutions(walk: Walk, flow: Flow, depth: number): FlowOutcome {
  const active = flow.executions.filter(
    ({ requirement, authenticator }) => requirement !== 'DISABLED' && !conditions.test(authenticator ?? ''),
  );
  const needed = active.filter(({ requirement }) => requirement !== 'ALTERNATIVE');
  if (needed.length === 0) return followAlternatives(walk, active, depth);
  let isApplicable = false;
  for (const execution of needed) {
    if (execution.requirement === 'CONDITIONAL') {
      const applies = conditionOf(walk, execution);
      if (typeof applies !== 'boolean') return applies;
      if (!applies) continue;
    }
    const outcome = followExecution(walk, execution, depth);
    if (outcome.kind === 'inapplicable') return { kind: 'denied' };
    if (outcome.kind !== 'passed') return outcome;
    isApplicable = true;
  }
  return isApplicable ? passed(walk) : { kind: 'inapplicable' };
}

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
  const { byId, forms, top } = walk.flow;
  walk.left -= 1;
  if (walk.left < 0) return { kind: 'unsupported', step: top?.alias ?? '' };
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
  const step = execution.authenticator ?? '';
  if (progress.done.has(execution.id) || step === 'allow-access-authenticator') return passed(walk);
  if (step === 'deny-access-authenticator') return { kind: 'denied' };
  if (progress.tried?.has(execution.id)) return { kind: 'inapplicable' };
  const config = members(execution.config?.config);
  if (step === 'identity-provider-redirector') {
    const alias = progress.providerHint ?? config.defaultProvider;
    const isAsked = typeof alias === 'string' && alias !== '';
    return isAsked ? { kind: 'provider', alias, execution: execution.id } : { kind: 'inapplicable' };
  }
  if (step === 'auth-cookie') return progress.bySession ? passed(walk) : { kind: 'inapplicable' };
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

function hasRole(progress: Progress, { config }: Execution): boolean {
  const { condUserRole, negate } = members(config?.config);
  if (!progress.hasUser || typeof condUserRole !== 'string') return false;
  return (progress.roles?.has(condUserRole) ?? false) !== (negate === 'true');
}

/** Whether the user has logged in with one of some credentials (`included`), or with none of them. Their types are separated by `##`. */
function isMetByCredentials({ used }: Progress, { config }: Execution): boolean {
  const { credentials = '', included } = members(config?.config);
  const isUsed = String(credentials)
    .split('##')
    .some((type) => used?.has(type));
  return isUsed === (included === 'true');
}

/** Whether a conditional sub-flow is for this user; one without a condition is for nobody. */
function conditionOf({ flow: { byId }, progress }: Walk, execution: Execution): boolean | FlowOutcome {
  const flow = byId.get(execution.subflowId ?? '');
  const active = flow?.executions.filter(({ requirement }) => requirement !== 'DISABLED') ?? [];
  const asked = active.filter(({ authenticator }) => conditions.test(authenticator ?? ''));
  const unknown = asked.find(({ authenticator }) => !knownConditions.has(authenticator ?? ''));
  if (unknown) return { kind: 'unsupported', step: unknown.authenticator ?? '' };
  const ofRole = asked.filter(({ authenticator }) => authenticator === 'conditional-user-role');
  if (!ofRole.every((condition) => hasRole(progress, condition))) return false;
  const ofCredential = asked.filter(({ authenticator }) => authenticator === byCredential);
  if (!ofCredential.every((condition) => isMetByCredentials(progress, condition))) return false;
  if (asked.length > 0 && asked.length === ofRole.length + ofCredential.length) return true;
  const steps = active.filter((step) => !asked.includes(step) && step.subflowId === null);
  const configured = ({ authenticator }: Execution) => {
    const step = authenticator ?? '';
    const device = deviceSteps.get(step);
    const isForUser = device === undefined || progress.devices.has(device.type);
    return progress.hasUser && !organizationSteps.has(step) && isForUser;
  };
  const needed = steps.filter(({ requirement }) => requirement === 'REQUIRED');
  if (asked.length === 0) return false;
  return needed.length > 0 ? needed.every(configured) : steps.some(configured);
}
