import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { members } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import type { ActionName } from './action-names.js';

const flowSelect = {
  id: true,
  alias: true,
  executions: {
    orderBy: [{ priority: 'asc' }, { id: 'asc' }],
    select: {
      id: true,
      authenticator: true,
      subflowId: true,
      requirement: true,
      config: { select: { config: true } },
    },
  },
} as const satisfies Prisma.AuthenticationFlowSelect;

type Flow = Prisma.AuthenticationFlowGetPayload<{ select: typeof flowSelect }>;
type Execution = Flow['executions'][number];

/** The flow that a login follows, with all that it may lead to. */
export interface BoundFlow {
  top: Flow | undefined;
  byId: ReadonlyMap<string, Flow>;
  /** the steps that take what somebody typed or sent */
  forms: ReadonlySet<string>;
  /** whether a step asks for the roles of the user */
  asksRoles: boolean;
}

/** What a flow is followed for. */
export type FlowPurpose = 'browser' | 'reset' | 'registration' | 'direct';

const bindings = {
  browser: { setting: 'browserFlow', standard: 'browser', override: 'browser' },
  direct: { setting: 'directGrantFlow', standard: 'direct grant', override: 'direct_grant' },
  reset: { setting: 'resetCredentialsFlow', standard: 'reset credentials', override: undefined },
  registration: { setting: 'registrationFlow', standard: 'registration', override: undefined },
} as const;

/** The flow that the realm has for a purpose, or the one that the client has instead: one statement. */
export async function boundFlow(
  db: Db,
  realm: Pick<RealmRecord, 'id' | 'settings'>,
  overrides: unknown,
  purpose: FlowPurpose,
): Promise<BoundFlow> {
  const flows = await db.authenticationFlow.findMany({ where: { realmId: realm.id }, select: flowSelect });
  const byId = new Map(flows.map((flow) => [flow.id, flow]));
  const { setting, standard, override } = bindings[purpose];
  const own = override && members(overrides)[override];
  const bound = realm.settings[setting] ?? standard;
  const top = typeof own === 'string' && own !== '' ? byId.get(own) : flows.find(({ alias }) => alias === bound);
  const steps = flows.flatMap(({ executions }) => executions);
  const asksRoles = steps.some(({ authenticator }) => authenticator === 'conditional-user-role');
  return { top, byId, forms: forms[purpose], asksRoles };
}

/** What is known of the user on the way through a flow. */
export interface Progress {
  /** ids of the executions that were passed */
  done: ReadonlySet<string>;
  /** whether the user comes with a session that may be used */
  bySession: boolean;
  hasUser: boolean;
  /** whether a password, a session, the link of a mail or the registration has shown who the user is */
  isProven: boolean;
  hasDevice: boolean;
  /** whether the user has followed the link of a mail, and so has the address */
  byMail?: boolean;
  /** names of the user's roles, those of clients with the clientId and a dot before them */
  roles?: ReadonlySet<string>;
}

const browserForms = [
  'auth-username-password-form',
  'auth-username-form',
  'auth-password-form',
  'auth-otp-form',
] as const;
const resetForms = ['reset-credentials-choose-user', 'reset-credential-email'] as const;
const directForms = [
  'direct-grant-validate-username',
  'direct-grant-validate-password',
  'direct-grant-validate-otp',
] as const;

/** A step that takes what the user typed. */
export type FormStep =
  | (typeof browserForms)[number]
  | (typeof resetForms)[number]
  | (typeof directForms)[number]
  | 'registration-page-form';

const resetSteps: ReadonlySet<string> = new Set([...resetForms, 'auth-otp-form']);
const forms: Readonly<Record<FlowPurpose, ReadonlySet<string>>> = {
  browser: new Set(browserForms),
  reset: resetSteps,
  registration: new Set(['registration-page-form']),
  direct: new Set(directForms),
};

/** Where a login stands in its flow. */
export type FlowOutcome =
  /** `demands` is what the user has to do before the login ends */
  | { kind: 'passed'; demands: readonly ActionName[] }
  | { kind: 'form'; step: FormStep; execution: string }
  /** a step that cannot be left out and that this server does not have */
  | { kind: 'unsupported'; step: string }
  | { kind: 'denied' }
  /** the flow ends without a proof of who the user is */
  | { kind: 'unproven' }
  /** nothing in it is for this user */
  | { kind: 'inapplicable' };

/** Steps that are for users with a device. */
const deviceSteps = new Set<string>(['auth-otp-form', 'direct-grant-validate-otp', 'reset-otp']);
const conditions = /^conditional-/;
const knownConditions = new Set(['conditional-user-configured', 'conditional-user-role']);
const deepest = 20;

/**
 * Follows a flow as far as it goes without the user: required and conditional steps one after the other, or else the
 * first alternative that succeeds. It begins at the top each time, so that a condition that was not met for want of a
 * user is asked again. No flow is passed without a proof of who the user is: whoever may change flows would log in as
 * anybody.
 */
export function followFlow({ top, byId, forms }: BoundFlow, progress: Progress): FlowOutcome {
  const demands: ActionName[] = [];
  const passed = (...more: ActionName[]): FlowOutcome => {
    demands.push(...more);
    return { kind: 'passed', demands };
  };

  const ofStep = (execution: Execution): FlowOutcome => {
    const step = execution.authenticator ?? '';
    if (progress.done.has(execution.id) || step === 'allow-access-authenticator') return passed();
    if (step === 'deny-access-authenticator') return { kind: 'denied' };
    if (step === 'auth-cookie') return progress.bySession ? passed() : { kind: 'inapplicable' };
    if (deviceSteps.has(step) && progress.hasUser && !progress.hasDevice) {
      // set up at the end of the login
      return execution.requirement === 'REQUIRED' ? passed('CONFIGURE_TOTP') : { kind: 'inapplicable' };
    }
    if (forms === resetSteps) {
      if (step === 'reset-credentials-choose-user' && progress.hasUser) return passed();
      if (step === 'reset-credential-email' && progress.byMail) return passed();
      if (step === 'reset-password') return passed('UPDATE_PASSWORD');
      if (step === 'reset-otp') return passed('CONFIGURE_TOTP');
    }
    return forms.has(step)
      ? { kind: 'form', step: step as FormStep, execution: execution.id }
      : { kind: 'unsupported', step };
  };

  const ofExecution = (execution: Execution, depth: number): FlowOutcome => {
    if (execution.subflowId === null || forms.has(execution.authenticator ?? '')) return ofStep(execution);
    const flow = byId.get(execution.subflowId);
    // a form flow is no flow of a login
    if (!flow || depth > deepest || execution.authenticator) return { kind: 'unsupported', step: flow?.alias ?? '' };
    return ofFlow(flow, depth + 1);
  };

  const ofFlow = (flow: Flow, depth: number): FlowOutcome => {
    const active = flow.executions.filter(
      ({ requirement, authenticator }) => requirement !== 'DISABLED' && !conditions.test(authenticator ?? ''),
    );
    const needed = active.filter(({ requirement }) => requirement !== 'ALTERNATIVE');
    for (const execution of needed) {
      if (execution.requirement === 'CONDITIONAL') {
        const applies = conditionOf(execution);
        if (typeof applies !== 'boolean') return applies;
        if (!applies) continue;
      }
      const outcome = ofExecution(execution, depth);
      if (outcome.kind === 'inapplicable') return { kind: 'denied' };
      if (outcome.kind !== 'passed') return outcome;
    }
    if (needed.length > 0) return passed();
    let missing: FlowOutcome | undefined;
    for (const execution of active) {
      const outcome = ofExecution(execution, depth);
      if (outcome.kind === 'passed' || outcome.kind === 'form' || outcome.kind === 'denied') return outcome;
      // another way in may do without it
      if (outcome.kind === 'unsupported' && execution.subflowId !== null) missing ??= outcome;
    }
    return missing ?? { kind: 'inapplicable' };
  };

  const hasRole = ({ config }: Execution): boolean => {
    const { condUserRole, negate } = members(config?.config);
    if (!progress.hasUser || typeof condUserRole !== 'string') return false;
    return (progress.roles?.has(condUserRole) ?? false) !== (negate === 'true');
  };

  /** Whether a conditional sub-flow is for this user; one without a condition is for nobody. */
  const conditionOf = (execution: Execution): boolean | FlowOutcome => {
    const flow = byId.get(execution.subflowId ?? '');
    const active = flow?.executions.filter(({ requirement }) => requirement !== 'DISABLED') ?? [];
    const asked = active.filter(({ authenticator }) => conditions.test(authenticator ?? ''));
    const unknown = asked.find(({ authenticator }) => !knownConditions.has(authenticator ?? ''));
    if (unknown) return { kind: 'unsupported', step: unknown.authenticator ?? '' };
    const ofRole = asked.filter(({ authenticator }) => authenticator === 'conditional-user-role');
    if (!ofRole.every(hasRole)) return false;
    if (asked.length > 0 && asked.length === ofRole.length) return true;
    const steps = active.filter((step) => !asked.includes(step) && step.subflowId === null);
    const configured = ({ authenticator }: Execution) =>
      progress.hasUser && (deviceSteps.has(authenticator ?? '') ? progress.hasDevice : true);
    const needed = steps.filter(({ requirement }) => requirement === 'REQUIRED');
    if (asked.length === 0) return false;
    return needed.length > 0 ? needed.every(configured) : steps.some(configured);
  };

  const outcome: FlowOutcome = top ? ofFlow(top, 0) : { kind: 'unsupported', step: '' };
  return outcome.kind === 'passed' && !progress.isProven ? { kind: 'unproven' } : outcome;
}
