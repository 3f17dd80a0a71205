import {
  type BoundFlow,
  type BrokerFlowPurpose,
  type Flow,
  type FlowPurpose,
  flowAmong,
  flowNamed,
  followFlow,
} from '../../login/flow.js';
import { missingStep } from '../../login/registration.js';
import { type Json, listOf, mapOf } from '../desired/kinds.js';

type Execution = Flow['executions'][number];

/** More steps than a login has. */
const mostSteps = 100;

const textOr = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The flows of a file as a login follows them; their aliases are their IDs. */
export function flowsOf(realm: Json): Flow[] {
  const configs = new Map(listOf(realm, 'authenticatorConfig').map((one) => [one.alias, mapOf(one, 'config')]));
  return listOf(realm, 'authenticationFlows').map((flow): Flow => {
    const alias = String(flow.alias);
    const executions = listOf(flow, 'authenticationExecutions').map((step, index): Execution => {
      const config = configs.get(step.authenticatorConfig);
      return {
        id: `${alias} ${index}`,
        authenticator: textOr(step.authenticator),
        subflowId: textOr(step.flowAlias),
        requirement: String(step.requirement),
        config: config ? { config: config as NonNullable<Execution['config']>['config'] } : null,
      };
    });
    return { id: alias, alias, executions };
  });
}

/** The first step of a registration form that cannot be taken. */
function missingOfForm({ byId }: BoundFlow, execution: string): string | undefined {
  const steps = [...byId.values()].flatMap(({ executions }) => executions);
  const form = byId.get(steps.find(({ id }) => id === execution)?.subflowId ?? '');
  const active = form?.executions.filter(({ requirement }) => requirement !== 'DISABLED') ?? [];
  return missingStep(active.map(({ authenticator }) => authenticator ?? ''));
}

const noDevices: ReadonlySet<string> = new Set();
const allDevices: ReadonlySet<string> = new Set(['otp', 'webauthn', 'webauthn-passwordless']);

/** The step at which a login of a user ends who does all that is asked for, because this server does not have it. */
function missingFor(flow: BoundFlow, devices: ReadonlySet<string>): string | undefined {
  const done = new Set<string>();
  for (let taken = 0; taken < mostSteps; taken += 1) {
    const isStarted = taken > 0;
    const progress = { done, bySession: false, hasUser: isStarted, isProven: isStarted, byMail: isStarted, devices };
    const outcome = followFlow(flow, progress);
    if (outcome.kind === 'unsupported') return outcome.step;
    if (outcome.kind !== 'form') return undefined;
    const missing = outcome.step === 'registration-page-form' ? missingOfForm(flow, outcome.execution) : undefined;
    if (missing !== undefined) return missing;
    done.add(outcome.execution);
  }
  return undefined;
}

/** The step at which logins end by the flow that an identity provider names. */
export function missingStepOfProvider(
  flows: readonly Flow[],
  alias: string,
  purpose: BrokerFlowPurpose,
): string | undefined {
  const flow = flowNamed(flows, alias, purpose);
  return flow.top && (missingFor(flow, noDevices) ?? missingFor(flow, allDevices));
}

/** The step at which logins end by the flow that a realm, or a client with these overrides, has for a purpose. */
export function missingStepOf(
  flows: readonly Flow[],
  realm: Json,
  overrides: unknown,
  purpose: FlowPurpose,
): string | undefined {
  const flow = flowAmong(flows, realm, overrides, purpose);
  return flow.top && (missingFor(flow, noDevices) ?? missingFor(flow, allDevices));
}
