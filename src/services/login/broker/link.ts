import { createHash, timingSafeEqual } from 'node:crypto';
import { findBrokerProvider } from '../../brokering/provider.js';
import type { ProviderAnswer } from '../../brokering/provider-address.js';
import { UpstreamFailure } from '../../brokering/provider-context.js';
import type { RealmRecord } from '../../core/realm.js';
import { inUnitOfWork } from '../../core/unit-of-work.js';
import { recordLoginEvent, storeLoginEvent } from '../../events/login-events.js';
import { mailNotice } from '../../mail/notice.js';
import { findRealmAndClient, findUserById } from '../../tokens/parties.js';
import { effectiveRoles } from '../../tokens/roles.js';
import { knownScopes } from '../../tokens/scopes.js';
import type { TokenUser } from '../../tokens/types.js';
import type { Attempt, Browser, LoginSite, Reply } from '../attempt.js';
import { sessionOfBrowser } from '../identity.js';
import { attemptOf } from '../proceed.js';
import { PageRefusal } from '../refusals.js';
import { type AnswerAddress, answerAddress, type LoginClient, withLoginFields } from '../request.js';
import { dropState, newState } from '../state.js';
import { refreshLink, storeLink } from './link-store.js';
import { receivedIdentity, sentProvider } from './receive.js';
import { providerDetails, sendToProvider } from './send.js';

/** Roles of the client `account` of which one lets a client link accounts of a user. */
const linkRoles = new Set(['manage-account', 'manage-account-links']);

/** Sends the browser back to the client, with the reason why nothing was linked as `link_error`. */
const answered = (to: AnswerAddress, link_error?: string): Reply => ({
  kind: 'answer',
  to,
  parameters: link_error === undefined ? {} : { link_error },
});

/** Why a client may not have an account of the user in this browser linked; otherwise the user. */
async function userOrError(
  { services, tokens }: LoginSite,
  realm: RealmRecord,
  client: LoginClient,
  alias: string,
  parameters: URLSearchParams,
  browser: Browser,
): Promise<{ user: TokenUser; sid: string } | string> {
  const session = await sessionOfBrowser(services, realm, browser.identity);
  if (!session) return 'not_logged_in';
  const { read } = services.database;
  const joined = await read.clientSession.count({
    where: { clientId: client.id, session: { sid: session.sid, offline: false } },
  });
  if (joined === 0) return 'not_logged_in';
  // proves that the client knows the session: another page cannot begin a link
  const proof = `${parameters.get('nonce') ?? ''}${session.sid}${client.clientId}${alias}`;
  const expected = createHash('sha256').update(proof).digest();
  const given = Buffer.from(parameters.get('hash') ?? '', 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'invalid_token';
  const user = await findUserById(tokens, realm, session.userId);
  if (!user?.enabled) return 'not_logged_in';
  const roles = await effectiveRoles(read, user.id, realm.id, client);
  const mayLink = roles
    .within(client, knownScopes(client, undefined).scopes)
    .some(({ clientId, name }) => clientId === 'account' && linkRoles.has(name));
  return mayLink ? { user, sid: session.sid } : 'not_allowed';
}

/**
 * Begins to link the user of a session to an account at an identity provider, at the request of a client that the user has
 * logged in to. The browser comes back to the client's redirect URI, after a refusal with `link_error`.
 */
export async function beginLink(
  site: LoginSite,
  realm: RealmRecord,
  alias: string,
  parameters: URLSearchParams,
  browser: Browser,
): Promise<Reply> {
  const { services, tokens } = site;
  const { client: found } = await findRealmAndClient(tokens, realm.name, parameters.get('client_id') ?? '');
  const client = found && (await withLoginFields(tokens, found));
  if (!client) throw new PageRefusal(400, 'clientNotFound');
  const to = answerAddress(realm, client, parameters, browser.baseUrl);
  const allowed = await userOrError(site, realm, client, alias, parameters, browser);
  const provider = await findBrokerProvider(services, realm.id, alias);
  const error = typeof allowed === 'string' ? allowed : provider?.enabled ? undefined : 'unknown_provider';
  if (error !== undefined || typeof allowed === 'string' || !provider) {
    const type = 'CLIENT_INITIATED_ACCOUNT_LINKING_ERROR';
    const who = { clientId: client.clientId, ipAddress: browser.ipAddress };
    await recordLoginEvent(services, realm, { type, ...who, error, details: { identity_provider: alias } });
    return answered(to, error);
  }
  const kept = newState(browser, { clientId: client.clientId, request: { ...to, prompt: [] } });
  kept.state.linking = { userId: allowed.user.id, sid: allowed.sid };
  return sendToProvider(await attemptOf(site, realm, client, browser, kept), provider);
}

/** Links the user to the account with which the browser comes back, and sends it to the client. */
export async function finishLink(attempt: Attempt, alias: string, answer: ProviderAnswer): Promise<Reply> {
  const { services, tokens, realm, client, browser, kept } = attempt;
  const { linking, request } = kept.state;
  const session = await sessionOfBrowser(services, realm, browser.identity);
  const user = linking && (await findUserById(tokens, realm, linking.userId));
  // the session may have ended, or be that of somebody else by now
  if (!user?.enabled || session?.sid !== linking?.sid) return answered(request, 'not_logged_in');
  const sentTo = await sentProvider(attempt, alias, answer);
  const who = { clientId: client.clientId, userId: user.id, ipAddress: browser.ipAddress };
  const failed = async (error: string, reason?: string): Promise<Reply> => {
    const details = providerDetails({ alias }, reason);
    await recordLoginEvent(services, realm, { type: 'FEDERATED_IDENTITY_LINK_ERROR', ...who, error, details });
    return answered(request, error);
  };
  try {
    const { provider, identity } = await receivedIdentity(attempt, sentTo, answer);
    const isLinked = await inUnitOfWork(services, async ({ tx, changed }) => {
      if (!(await dropState(tx, kept))) throw new PageRefusal(400, 'loginExpired');
      if (!(await storeLink(tx, provider, user.id, identity))) return false;
      await refreshLink(tx, services, user.id, identity);
      const touches = [`users:${realm.id}`, `user:${user.id}`];
      await changed({ realmId: realm.id, operation: 'user.addFederatedIdentity', touches });
      const details = { ...providerDetails(provider), identity_provider_identity: identity.username };
      await storeLoginEvent(tx, services, realm, { type: 'FEDERATED_IDENTITY_LINK', ...who, details });
      return true;
    });
    if (!isLinked) return await failed('identity_provider_already_linked');
    await mailNotice(services, realm, user, { kind: 'linkAdded' });
    return answered(request);
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return failed(error.error === 'access_denied' ? 'access_denied' : 'identity_provider_login_failure', error.message);
  }
}
