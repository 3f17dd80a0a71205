import { type Flow, flowAmong, flowNamed } from '../../login/bound-flow.js';
import { endOf } from '../../login/flow-end.js';
import type { BrokerFlowPurpose, FlowPurpose } from '../../login/flow-steps.js';
import { type Json, listOf, mapOf } from '../desired/kinds.js';

type Execution = Flow['executions'][number];

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

const sentenceOf = (end: ReturnType<typeof endOf>): string | undefined => {
  if (end === undefined) return undefined;
  return end === 'noWayIn'
    ? 'ends before it asks who the user is'
    : `leads to the step "${end.step}", which does not exist`;
};

/**
 * The reason why logins fail by the flow that an identity provider names, as the rest of a sentence; undefined if they
 * succeed.
 */
export function endOfProvider(flows: readonly Flow[], alias: string, purpose: BrokerFlowPurpose): string | undefined {
  return sentenceOf(endOf(flowNamed(flows, alias, purpose), purpose === 'postBroker'));
}

/**
 * The reason why logins fail by the flow that a realm, or a client with these overrides, has for a purpose. It is the
 * rest of a sentence; undefined if logins succeed.
 */
export function endOfLogins(
  flows: readonly Flow[],
  realm: Json,
  overrides: unknown,
  purpose: FlowPurpose,
): string | undefined {
  return sentenceOf(endOf(flowAmong(flows, realm, overrides, purpose), false));
}
