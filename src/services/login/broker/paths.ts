import type { BrokerProvider } from '../../brokering/provider.js';
import { firstBrokerLoginFlow } from '../../realms/defaults/flows.js';
import type { Attempt } from '../attempt.js';
import { flowNamed } from '../bound-flow.js';
import type { BrokerFlowPurpose } from '../flow-steps.js';

/** Has a login follow a flow of an identity provider from its beginning. */
function follow(attempt: Attempt, path: BrokerFlowPurpose, flow: string): void {
  const { state } = attempt.kept;
  if (state.brokered) state.brokered.flow = flow;
  Object.assign(state, { path, done: [], tried: [] });
  attempt.flow = flowNamed([...attempt.flow.byId.values()], flow, path);
}

/** Has a login follow the provider's flow for accounts that are linked to nobody. */
export const beginFirstLogin = (attempt: Attempt, provider: BrokerProvider): void =>
  follow(attempt, 'firstBroker', provider.firstBrokerLoginFlowAlias || firstBrokerLoginFlow);

/** Has a login follow the provider's flow for known users. Without one, no further step is needed. */
export function beginPostLogin(attempt: Attempt, provider: BrokerProvider): void {
  const flow = provider.postBrokerLoginFlowAlias;
  if (flow) follow(attempt, 'postBroker', flow);
  else Object.assign(attempt.kept.state, { path: 'brokered', done: [], tried: [] });
}
