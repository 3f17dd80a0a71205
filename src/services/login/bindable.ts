import type { Db } from '../../database/db.js';
import { invalid } from '../core/refusal.js';
import { bindings, type Flow, flowFrom, flowsOfRealm } from './bound-flow.js';
import { endOf } from './flow-end.js';
import type { BrokerFlowPurpose, FlowPurpose } from './flow-steps.js';

/** A flow that is to be used for a purpose. */
export interface Binding {
  purpose: FlowPurpose | BrokerFlowPurpose;
  /** the field that names it */
  field: string;
  /** ID or alias */
  flow: string;
}

/**
 * Refuses flows that lead to a step which this server does not have: logins would end there. One statement, and none where nothing is bound. Flows
 * without steps can be bound, since tools add the steps later.
 */
export async function requireBindable(db: Db, realmId: string, wanted: readonly Binding[]): Promise<void> {
  if (wanted.length === 0) return;
  const flows = await flowsOfRealm(db, realmId);
  const byName = new Map<string, Flow>([
    ...flows.map((flow) => [flow.alias, flow] as const),
    ...flows.map((flow) => [flow.id, flow] as const),
  ]);
  const looked = new Set<string>();
  for (const { purpose, field, flow: name } of wanted) {
    const top = byName.get(name);
    const key = `${purpose} ${top?.id}`;
    if (!top || looked.has(key)) continue;
    looked.add(key);
    const end = endOf(flowFrom(flows, top, purpose), purpose === 'postBroker');
    if (end === undefined || end === 'noWayIn') continue;
    throw invalid(
      `Authentication flow "${top.alias}" leads to the step "${end.step}", which is not available for these logins`,
      field,
    );
  }
}

/** Refuses a flow for the authentication of clients, if it is new and there is one of that name for something else. */
export async function requireClientFlow(
  db: Db,
  realmId: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { clientAuthenticationFlow: alias } = after;
  if (typeof alias !== 'string' || alias === before.clientAuthenticationFlow) return;
  const flow = await db.authenticationFlow.findFirst({ where: { realmId, alias }, select: { providerId: true } });
  if (flow && flow.providerId !== 'client-flow')
    throw invalid(
      `Authentication flow "${alias}" must be of the type client-flow, got ${flow.providerId}`,
      'clientAuthenticationFlow',
    );
}

const purposes = Object.keys(bindings) as FlowPurpose[];

/** The flows that new settings of a realm bind otherwise than those before. */
export const realmBindings = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Binding[] =>
  purposes.flatMap((purpose) => {
    const { setting: field } = bindings[purpose];
    const flow = after[field];
    return typeof flow === 'string' && flow !== before[field] ? [{ purpose, field, flow }] : [];
  });

/** The flows that a client binds otherwise than before, by their uses. */
export const clientBindings = (
  before: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>> = {},
): Binding[] =>
  purposes.flatMap((purpose) => {
    const { override } = bindings[purpose];
    const flow = override && given[override];
    const field = `authenticationFlowBindingOverrides.${override}`;
    return flow && flow !== before[override] ? [{ purpose, field, flow }] : [];
  });
