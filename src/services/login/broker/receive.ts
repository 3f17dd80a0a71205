import { limit } from '../../../config/limits.js';
import type { SentRequest } from '../../brokering/authorization-request.js';
import { requireClaim } from '../../brokering/claim-filter.js';
import type { BrokeredIdentity } from '../../brokering/identity.js';
import { type Mapped, mappedIdentity } from '../../brokering/mapping.js';
import { type BrokerProvider, findBrokerProvider, mappersOf } from '../../brokering/provider.js';
import type { ProviderAnswer } from '../../brokering/provider-address.js';
import { UpstreamFailure } from '../../brokering/provider-context.js';
import { identityFrom, stateOf } from '../../brokering/provider-login.js';
import type { Services } from '../../core/context.js';
import { inTransaction } from '../../core/unit-of-work.js';
import { findUserById } from '../../tokens/parties.js';
import { type Attempt, loginFailed } from '../attempt.js';
import { goOnAs, presentUser, requireSameUser } from '../login-user.js';
import { ClientRefusal, PageRefusal } from '../refusals.js';
import { useMessage } from '../saml/used-message.js';
import { forgetUser, passBy } from '../state.js';
import type { Notice } from '../texts.js';
import { updateKnownUser } from './known-user.js';
import { linksTo } from './link-store.js';
import { beginFirstLogin, beginPostLogin } from './paths.js';
import { mayAskSilently, providerDetails, upstreamOf } from './send.js';

/** Errors of a provider that a client which has asked without a page is told of (OpenID Connect Core section 3.1.2.6). */
const silentErrors = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]);

const mostOfId = limit(
  'Logins and tokens',
  'ID of an account at an identity provider',
  255,
  'characters',
  'the login is refused',
);

/**
 * The account at an identity provider that an answer is about, as the mappers of the provider have it. The answer must belong to
 * the login of this browser, and counts once. Throws `UpstreamFailure` if the provider has refused or its answer is not accepted.
 */
export async function receivedIdentity(
  attempt: Attempt,
  { provider, sent }: SentTo,
  answer: ProviderAnswer,
): Promise<Received> {
  const { services, kept } = attempt;
  delete kept.state.sent;
  const received = await identityFrom(upstreamOf(attempt), provider, sent, answer);
  requireClaim(provider, received);
  // a provider of OAuth redeems its code once; what a response of SAML answers is noted here
  if (sent.messageId !== undefined && !(await isFirstAnswer(services, provider, sent.messageId)))
    throw new UpstreamFailure('the request was answered before');
  const mappers = await mappersOf(services.database.read, provider);
  const mapped = mappedIdentity(received, mappers, provider.settings, 'new');
  if (mapped.identity.id.length > mostOfId) throw new UpstreamFailure('the ID of the account is too long');
  // a mapper may say which part of the account is its ID
  return { provider, ...mapped, received: { ...received, id: mapped.identity.id } };
}

const isFirstAnswer = (services: Services, provider: BrokerProvider, messageId: string): Promise<boolean> =>
  inTransaction(services.database, (tx) => useMessage(tx, services, provider, messageId));

interface Received extends Pick<Mapped, 'identity' | 'notes'> {
  provider: BrokerProvider;
  /** account as the provider has it */
  received: BrokeredIdentity;
}

/** A provider that a browser was sent to, and the request that it was sent with. */
interface SentTo {
  provider: BrokerProvider;
  sent: SentRequest;
}

/** The provider that the browser was sent to with this login. */
export async function sentProvider(
  { services, realm, kept }: Attempt,
  alias: string,
  answer: ProviderAnswer,
): Promise<SentTo> {
  const { sent } = kept.state;
  if (sent === undefined || sent.alias !== alias || sent.state !== stateOf(answer))
    throw new PageRefusal(400, 'loginExpired');
  const provider = await findBrokerProvider(services, realm.id, alias);
  if (!provider?.enabled) throw new PageRefusal(400, 'identityProviderNotFound');
  return { provider, sent };
}

/**
 * Takes the answer of an identity provider: the login goes on as the user who is linked to the account, or else by the
 * provider's flow for first logins. After a refusal it goes on at the login page, with the notice that is returned.
 */
export async function receiveFromProvider(
  attempt: Attempt,
  alias: string,
  answer: ProviderAnswer,
): Promise<Notice | undefined> {
  const sentTo = await sentProvider(attempt, alias, answer);
  try {
    return await loggedInAt(attempt, await receivedIdentity(attempt, sentTo, answer));
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return refusedBy(attempt, sentTo.provider, error);
  }
}

/**
 * Returns the notice for the login page. Throws the answer to a client that has asked without a page. The provider's own words are only in
 * the log and the event.
 */
async function refusedBy(
  attempt: Attempt,
  provider: BrokerProvider,
  failure: UpstreamFailure,
): Promise<Notice | undefined> {
  const { services, realm, kept } = attempt;
  const { state } = kept;
  const isCancelled = failure.error === 'access_denied';
  const details = providerDetails(provider, [failure.error, failure.message].filter(Boolean).join(': '));
  await loginFailed(attempt, isCancelled ? 'rejected_by_user' : 'identity_provider_login_failure', details);
  services.log.info({ realm: realm.name, ...details }, 'a login with an identity provider failed');
  if (state.request.prompt.includes('none')) {
    const isTold = failure.error !== undefined && silentErrors.has(failure.error) && mayAskSilently(provider);
    throw new ClientRefusal(isTold && failure.error ? failure.error : 'login_required');
  }
  // it would be sent there again
  const redirectors = [...attempt.flow.byId.values()].flatMap(({ executions }) =>
    executions.filter(({ authenticator }) => authenticator === 'identity-provider-redirector').map(({ id }) => id),
  );
  passBy(state, ...redirectors);
  const key = isCancelled ? 'identityProviderCancelled' : 'identityProviderLoginFailure';
  return { key, parameters: [provider.label] };
}

async function loggedInAt(attempt: Attempt, login: Received): Promise<Notice | undefined> {
  const { services, realm, tokens, kept } = attempt;
  const { state } = kept;
  const { provider, identity, notes, received } = login;
  const [link, other] = await linksTo(services.database.read, realm.id, identity);
  if (other) throw new UpstreamFailure('the account is linked with several users');
  const linked = link ? await findUserById(tokens, realm, link.userId) : null;
  forgetUser(state);
  delete attempt.user;
  state.brokered = { identity: linked ? received : identity, flow: '', notes };
  if (!linked || !link) {
    if (provider.linkOnly) throw new UpstreamFailure('the provider is only for links');
    if (state.session) throw new PageRefusal(400, 'differentUser');
    beginFirstLogin(attempt, provider);
    return undefined;
  }
  const present = await presentUser(attempt, linked);
  await requireSameUser(attempt, linked);
  const user = await updateKnownUser(attempt, provider, present, { brokered: state.brokered, link });
  goOnAs(attempt, user);
  beginPostLogin(attempt, provider);
  return undefined;
}
