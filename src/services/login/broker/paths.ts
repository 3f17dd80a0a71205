import type { BrokerProvider } from '../../brokering/provider.js';
import { firstBrokerLoginFlow } from '../../realms/defaults/flows.js';
import type { Attempt } from '../attempt.js';
import { type BrokerFlowPurpose, namedFlow } from '../flow.js';

/** Has a login follow a flow of an identity provider from its beginning. */
async function follow(attempt: Attempt, path: BrokerFlowPurpose, flow: string): Promise<void> {
  const { services, realm, kept } = attempt;
  const { state } = kept;
  if (state.brokered) state.brokered.flow = flow;
  Object.assign(state, { path, done: [], tried: [] });
  attempt.flow = await namedFlow(services.database.read, realm, flow, path);
}

/** Has a login follow the provider's flow for accounts that are linked to nobody. */
export const beginFirstLogin = (attempt: Attempt, provider: BrokerProvider): Promise<void> =>
  follow(attempt, 'firstBroker', provider.firstBrokerLoginFlowAlias || firstBrokerLoginFlow);

/** Has a login follow the provider's flow for known users. Without one, no further step is needed. */
export async function beginPostLogin(attempt: Attempt, provider: BrokerProvider): Promise<void> {
  const flow = provider.postBrokerLoginFlowAlias;
  if (flow) return follow(attempt, 'postBroker', flow);
  Object.assign(attempt.kept.state, { path: 'brokered', done: [], tried: [] });
}
