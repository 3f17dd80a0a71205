import { type BoundFlow, type Flow, flowAmong, flowNamed } from '../../login/bound-flow.js';
import { followFlow } from '../../login/flow.js';
import type { BrokerFlowPurpose, FlowPurpose } from '../../login/flow-steps.js';
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
const allDevices: ReadonlySet<string> = new Set(['otp', 'webauthn', 'webauthn-passwordless', 'recovery-authn-codes']);

const leadsTo = (step: string): string => `leads to the step "${step}", which does not exist`;

/**
 * Why a login ends of a user who does all that is asked for, as the rest of a sentence: this server does not have a step, or there is no way in.
 * `isKnown` if the flow begins with a known user.
 */
function missingFor(flow: BoundFlow, devices: ReadonlySet<string>, isKnown: boolean): string | undefined {
  const done = new Set<string>();
  for (let taken = 0; taken < mostSteps; taken += 1) {
    const isStarted = isKnown || taken > 0;
    const progress = { done, bySession: false, hasUser: isStarted, isProven: isStarted, byMail: isStarted, devices };
    const outcome = followFlow(flow, progress);
    if (outcome.kind === 'unsupported') return leadsTo(outcome.step);
    if (outcome.kind === 'provider') return undefined;
    if (!isStarted && outcome.kind !== 'form') return 'ends before it asks who the user is';
    if (outcome.kind !== 'form') return undefined;
    const missing = outcome.step === 'registration-page-form' ? missingOfForm(flow, outcome.execution) : undefined;
    if (missing !== undefined) return leadsTo(missing);
    done.add(outcome.execution);
  }
  return undefined;
}

const endOf = (flow: BoundFlow, isKnown: boolean): string | undefined =>
  flow.top && (missingFor(flow, noDevices, isKnown) ?? missingFor(flow, allDevices, isKnown));

/** Why logins end by the flow that an identity provider names, as the rest of a sentence; undefined if they do not. */
export function endOfProvider(flows: readonly Flow[], alias: string, purpose: BrokerFlowPurpose): string | undefined {
  return endOf(flowNamed(flows, alias, purpose), purpose === 'postBroker');
}

/** Why logins end by the flow that a realm, or a client with these overrides, has for a purpose, as the rest of a sentence; undefined if they do not. */
export function endOfLogins(
  flows: readonly Flow[],
  realm: Json,
  overrides: unknown,
  purpose: FlowPurpose,
): string | undefined {
  return endOf(flowAmong(flows, realm, overrides, purpose), false);
}
