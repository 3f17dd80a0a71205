import { newRequest } from '../../brokering/authorization-request.js';
import { type BrokerProvider, findBrokerProvider } from '../../brokering/provider.js';
import type { ProviderAddress } from '../../brokering/provider-address.js';
import { type Upstream, UpstreamFailure } from '../../brokering/provider-context.js';
import { requestTo } from '../../brokering/provider-login.js';
import { recordLoginEvent } from '../../events/login-events.js';
import { type Attempt, eventDetails, loginFailed, type Reply } from '../attempt.js';
import { PageRefusal } from '../refusals.js';
import { saveState } from '../state.js';

/** The parts of a login that requests to identity providers use. */
export const upstreamOf = ({
  services,
  tokens,
  realm,
  browser,
}: Pick<Attempt, 'services' | 'tokens' | 'realm' | 'browser'>): Upstream => ({
  fetchPublic: services.fetchPublic,
  keyring: services.keyring,
  publishedKeys: tokens.publishedKeys,
  publishedMetadata: tokens.publishedMetadata,
  realm,
  baseUrl: browser.baseUrl,
  now: services.now,
});

/** The identity provider with this alias, if users can log in with it. One that is only for links is left out. */
export async function usableProvider({ services, realm }: Attempt, alias: string): Promise<BrokerProvider | undefined> {
  const provider = await findBrokerProvider(services, realm.id, alias);
  return provider?.enabled && !provider.linkOnly ? provider : undefined;
}

/** Whether a client may have the provider asked without showing a page (`prompt=none`). */
export const mayAskSilently = ({ settings }: BrokerProvider): boolean =>
  settings.acceptsPromptNoneForwardFromClient === 'true';

/** Sends the browser to an identity provider, where the user logs in. */
export async function sendToProvider(attempt: Attempt, provider: BrokerProvider): Promise<Reply> {
  const { services, realm, client, browser, kept } = attempt;
  const { request, username } = kept.state;
  const sent = newRequest(provider, { tab: kept.tab, prompt: request.prompt, now: services.now() });
  const prompt = request.prompt.join(' ');
  const loginHint = username ?? request.loginHint;
  let to: ProviderAddress;
  try {
    to = await requestTo(upstreamOf(attempt), provider, sent, {
      ...(prompt !== '' && { prompt }),
      ...(loginHint !== undefined && { loginHint }),
      ...(request.locales !== undefined && { locales: request.locales }),
      ...(request.acrValues !== undefined && { acrValues: request.acrValues }),
      ...(request.maxAge !== undefined && { maxAge: request.maxAge }),
      others: request.others ?? {},
    });
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    await loginFailed(attempt, 'identity_provider_login_failure', providerDetails(provider, error.message));
    throw new PageRefusal(400, 'identityProviderUnusable', provider.label);
  }
  kept.state.sent = { ...sent, alias: provider.alias };
  if (!(await saveState(services, realm, kept))) throw new PageRefusal(400, 'loginExpired');
  const who = { clientId: client.clientId, ipAddress: browser.ipAddress };
  const details = { ...eventDetails(attempt), ...providerDetails(provider) };
  await recordLoginEvent(services, realm, { type: 'IDENTITY_PROVIDER_LOGIN', ...who, details });
  return { kind: 'provider', to, browser: kept.browser };
}

/** Details of an event about an identity provider. */
export const providerDetails = ({ alias }: Pick<BrokerProvider, 'alias'>, reason?: string): Record<string, string> => ({
  identity_provider: alias,
  ...(reason !== undefined && { reason }),
});
