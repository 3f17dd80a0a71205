import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { RealmRecord } from '../realms/record.js';
import { members } from '../tokens/context.js';
import type { LoginClient } from './request.js';

const flowSelect = {
  id: true,
  alias: true,
  executions: {
    orderBy: [{ priority: 'asc' }, { id: 'asc' }],
    select: { id: true, authenticator: true, subflowId: true, requirement: true },
  },
} as const satisfies Prisma.AuthenticationFlowSelect;

type Flow = Prisma.AuthenticationFlowGetPayload<{ select: typeof flowSelect }>;
type Execution = Flow['executions'][number];

/** The flow that a login follows, with all that it may lead to. */
export interface BoundFlow {
  top: Flow | undefined;
  byId: ReadonlyMap<string, Flow>;
}

/** The browser flow of the realm, or the one that the client has instead: one statement. */
export async function browserFlow(db: Db, realm: RealmRecord, client: LoginClient): Promise<BoundFlow> {
  const flows = await db.authenticationFlow.findMany({ where: { realmId: realm.id }, select: flowSelect });
  const byId = new Map(flows.map((flow) => [flow.id, flow]));
  const own = members(client.authenticationFlowBindingOverrides).browser;
  const bound = realm.settings.browserFlow ?? 'browser';
  const top = typeof own === 'string' && own !== '' ? byId.get(own) : flows.find(({ alias }) => alias === bound);
  return { top, byId };
}

/** What is known of the user on the way through a flow. */
export interface Progress {
  /** ids of the executions that were passed */
  done: ReadonlySet<string>;
  /** whether the user comes with a session that may be used */
  bySession: boolean;
  hasUser: boolean;
  hasDevice: boolean;
}

export type FormStep = 'auth-username-password-form' | 'auth-username-form' | 'auth-password-form' | 'auth-otp-form';

/** Where a login stands in its flow. */
export type FlowOutcome =
  | { kind: 'passed'; needsDevice: boolean }
  | { kind: 'form'; step: FormStep; execution: string }
  /** a step that cannot be left out and that this server does not have */
  | { kind: 'unsupported'; step: string }
  | { kind: 'denied' }
  /** nothing in it is for this user */
  | { kind: 'inapplicable' };

const forms = new Set<string>([
  'auth-username-password-form',
  'auth-username-form',
  'auth-password-form',
  'auth-otp-form',
]);
const conditions = /^conditional-/;
const deepest = 20;

/**
 * Follows a flow as far as it goes without the user: required and conditional steps one after the other, or else the
 * first alternative that succeeds. It begins at the top each time, so that a condition that was not met for want of a
 * user is asked again.
 */
export function followFlow({ top, byId }: BoundFlow, progress: Progress): FlowOutcome {
  let needsDevice = false;

  const ofStep = (execution: Execution): FlowOutcome => {
    const step = execution.authenticator ?? '';
    if (progress.done.has(execution.id) || step === 'allow-access-authenticator')
      return { kind: 'passed', needsDevice };
    if (step === 'deny-access-authenticator') return { kind: 'denied' };
    if (step === 'auth-cookie') return progress.bySession ? { kind: 'passed', needsDevice } : { kind: 'inapplicable' };
    if (step === 'auth-otp-form' && progress.hasUser && !progress.hasDevice) {
      if (execution.requirement !== 'REQUIRED') return { kind: 'inapplicable' };
      // set up at the end of the login
      needsDevice = true;
      return { kind: 'passed', needsDevice };
    }
    return forms.has(step)
      ? { kind: 'form', step: step as FormStep, execution: execution.id }
      : { kind: 'unsupported', step };
  };

  const ofExecution = (execution: Execution, depth: number): FlowOutcome => {
    if (execution.subflowId === null) return ofStep(execution);
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
    if (needed.length > 0) return { kind: 'passed', needsDevice };
    let missing: FlowOutcome | undefined;
    for (const execution of active) {
      const outcome = ofExecution(execution, depth);
      if (outcome.kind === 'passed' || outcome.kind === 'form' || outcome.kind === 'denied') return outcome;
      // another way in may do without it
      if (outcome.kind === 'unsupported' && execution.subflowId !== null) missing ??= outcome;
    }
    return missing ?? { kind: 'inapplicable' };
  };

  /** Whether a conditional sub-flow is for this user; one without a condition is for nobody. */
  const conditionOf = (execution: Execution): boolean | FlowOutcome => {
    const flow = byId.get(execution.subflowId ?? '');
    const active = flow?.executions.filter(({ requirement }) => requirement !== 'DISABLED') ?? [];
    const asked = active.filter(({ authenticator }) => conditions.test(authenticator ?? ''));
    const unknown = asked.find(({ authenticator }) => authenticator !== 'conditional-user-configured');
    if (unknown) return { kind: 'unsupported', step: unknown.authenticator ?? '' };
    const steps = active.filter((step) => !asked.includes(step) && step.subflowId === null);
    const configured = ({ authenticator }: Execution) =>
      progress.hasUser && (authenticator === 'auth-otp-form' ? progress.hasDevice : true);
    const needed = steps.filter(({ requirement }) => requirement === 'REQUIRED');
    if (asked.length === 0) return false;
    return needed.length > 0 ? needed.every(configured) : steps.some(configured);
  };

  return top ? ofFlow(top, 0) : { kind: 'unsupported', step: '' };
}
