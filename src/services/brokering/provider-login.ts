import { authorizationAddress, type SentRequest, type UpstreamWishes } from './authorization-request.js';
import type { BrokeredIdentity } from './identity.js';
import type { BrokerProvider } from './provider.js';
import type { ProviderAddress, ProviderAnswer } from './provider-address.js';
import type { Upstream } from './provider-context.js';
import { redirectUri } from './redirect-uri.js';
import { assertedIdentity } from './saml/asserted.js';
import { authnRequest } from './saml/authn-request.js';
import { redeemedIdentity } from './upstream.js';

/** Where the browser is sent for a login at a provider. Throws `UpstreamFailure`. */
export async function requestTo(
  upstream: Upstream,
  provider: BrokerProvider,
  sent: SentRequest,
  wishes: UpstreamWishes,
): Promise<ProviderAddress> {
  if (provider.kind.isSaml) return authnRequest(upstream, provider, sent, wishes);
  const back = redirectUri(upstream.baseUrl, upstream.realm.name, provider.alias);
  return { address: await authorizationAddress(provider, sent, back, wishes) };
}

/** The account that the answer of a provider names. The answer must belong to the request. Throws `UpstreamFailure`. */
export async function identityFrom(
  upstream: Upstream,
  provider: BrokerProvider,
  sent: SentRequest,
  answer: ProviderAnswer,
): Promise<BrokeredIdentity> {
  const identity = provider.kind.isSaml
    ? await assertedIdentity(upstream, provider, sent, answer)
    : await redeemedIdentity(upstream, provider, sent, answer.parameters);
  // version 15 does not have the setting, and keeps the case
  return { ...identity, losesCase: provider.settings.caseSensitiveOriginalUsername === 'false' };
}

/** The state of an answer, which names the login that it belongs to. */
export const stateOf = ({ parameters }: ProviderAnswer): string | null =>
  parameters.get('state') ?? parameters.get('RelayState');
