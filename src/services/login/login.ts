import { tabOfState } from '../brokering/authorization-request.js';
import type { ProviderAnswer } from '../brokering/provider-address.js';
import { stateOf } from '../brokering/provider-login.js';
import { ownMember } from '../core/json.js';
import { isOn, type RealmRecord } from '../core/realm.js';
import { authorizationByPolicies } from '../tokens/client-policies.js';
import { findRealmAndClient } from '../tokens/parties.js';
import { type Attempt, type Browser, type LoginSite, loginFailed, type Reply, recordFailure } from './attempt.js';
import { finishLink } from './broker/link.js';
import { receiveFromProvider } from './broker/receive.js';
import { sendToProvider, usableProvider } from './broker/send.js';
import { type Answering, answerParameters } from './client-answer.js';
import { denyDevice } from './device-login.js';
import { sessionOfBrowser } from './identity.js';
import { joinSession } from './join-session.js';
import { confirmLink } from './links.js';
import { attemptOf, goOn, takePage, turnTo } from './proceed.js';
import { ClientRefusal, levelNotReached, PageRefusal, unmetLevel } from './refusals.js';
import {
  type AnswerAddress,
  answerAddress,
  authorizationRequest,
  type LoginClient,
  withLoginFields,
} from './request.js';
import { withRequestObject } from './request-object.js';
import { refuse } from './saml/respond.js';
import { isPresent, loadState, newState } from './state.js';

/** The realm of a login. Throws a page where there is none, or where it is switched off. */
export async function openRealm({ services }: LoginSite, name: string): Promise<RealmRecord> {
  const realm = await services.realms.byName(services.database.read, name);
  if (!realm) throw new PageRefusal(404, 'realmNotFound');
  if (!realm.enabled) throw new PageRefusal(400, 'realmDisabled');
  return realm;
}

/**
 * Begins a login for a client (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2). What is wrong with the client
 * or its address is told on a page, and everything else to the client.
 */
export async function beginLogin(
  site: LoginSite,
  realm: RealmRecord,
  parameters: URLSearchParams,
  browser: Browser,
  turn?: Exclude<Turn, 'restart'>,
): Promise<Reply> {
  const clientId = parameters.get('client_id') ?? '';
  const failed = (error: string) =>
    recordFailure(site.services, realm, browser, {
      clientId: clientId || undefined,
      error,
      details: {
        redirect_uri: parameters.get('redirect_uri') ?? undefined,
        response_type: parameters.get('response_type') ?? undefined,
      },
    });
  const client = await clientOf(site, realm, clientId, failed);
  // an object that is not good is told to its own address if the client has signed it, otherwise to the one beside it
  const guess = { attempts: site.attempts, realm, browser };
  const given = await withRequestObject(site, { realm, baseUrl: browser.baseUrl, guess }, client, parameters).catch(
    (error: unknown) => {
      if (error instanceof ClientRefusal) return error;
      throw error;
    },
  );
  const asked = given instanceof ClientRefusal ? (given.signed ?? parameters) : given.parameters;
  const address = await addressOf(realm, client, asked, browser, failed);
  try {
    if (given instanceof ClientRefusal) throw given;
    const { objection, demand } = await authorizationByPolicies(site.tokens, realm, client, {
      sent: parameters,
      asked,
      object: given.object,
      isPushed: given.isPushed === true,
    });
    if (objection) throw new ClientRefusal(objection.error, objection.text);
    const request = { ...authorizationRequest(realm, client, asked, address), ...demand };
    const kept = newState(browser, { clientId, request });
    const attempt = await attemptOf(site, realm, client, browser, kept);
    requireLevel(attempt);
    askFor(attempt);
    await joinSession(attempt, await sessionOfBrowser(site.services, realm, browser.identity));
    if (turn && kept.state.session?.again !== false) {
      await checkTurn(site, realm, turn, browser, clientId);
      turnTo(attempt, turn);
    }
    return await goOn(attempt, undefined);
  } catch (error) {
    if (!(error instanceof ClientRefusal)) throw error;
    await failed(error.error === 'login_required' ? 'not_logged_in' : error.error);
    return refusedAnswer({ ...site, realm, client, browser }, address, error);
  }
}

/** Stores that a login could not begin. */
type Failed = (error: string) => Promise<void>;

/** The client that wants a login. Throws `PageRefusal`. */
async function clientOf(site: LoginSite, realm: RealmRecord, clientId: string, failed: Failed): Promise<LoginClient> {
  if (clientId === '') {
    await failed('invalid_request');
    throw new PageRefusal(400, 'missingParameter', 'client_id');
  }
  const { client: found } = await findRealmAndClient(site.tokens, realm.name, clientId);
  const client = found && (await withLoginFields(site.tokens, found));
  if (!client) {
    await failed('client_not_found');
    throw new PageRefusal(400, 'clientNotFound');
  }
  if (client.protocol === 'saml') {
    await failed('invalid_client');
    throw new PageRefusal(400, 'wrongProtocol');
  }
  return client;
}

const addressErrors: Partial<Record<string, string>> = { clientDisabled: 'client_disabled', bearerOnly: 'not_allowed' };

/** Where the client is answered. Throws `PageRefusal` for an address that it has not registered. */
async function addressOf(
  realm: RealmRecord,
  client: LoginClient,
  asked: URLSearchParams,
  { baseUrl }: Browser,
  failed: Failed,
): Promise<AnswerAddress> {
  try {
    return answerAddress(realm, client, asked, baseUrl);
  } catch (error) {
    if (error instanceof PageRefusal) await failed(ownMember(addressErrors, error.key) ?? 'invalid_redirect_uri');
    throw error;
  }
}

/** Goes on with a login: takes the form of the page that was shown, or shows it again where there is none. */
export async function continueLogin(
  site: LoginSite,
  realm: RealmRecord,
  { tab, code, form }: { tab: string | null; code: string | null; form: URLSearchParams | undefined },
  browser: Browser,
): Promise<Reply> {
  const attempt = await loadLogin(site, realm, tab, browser);
  const { kept } = attempt;
  const { path, clientId } = kept.state;
  // it may have been switched off since the page was shown
  if (path === 'reset' || path === 'registration') await checkTurn(site, realm, path, browser, clientId);
  return toldToClient(attempt, async () => {
    if (!form) return goOn(attempt, undefined);
    if (!isPresent(kept, code)) return goOn(attempt, { key: 'pageExpired' });
    if (kept.state.link?.confirmed === false) return confirmLink(attempt);
    return goOn(attempt, await takePage(attempt, form), form);
  });
}

/** Tells the client of a login that it was refused, and a device that waits for it. */
async function toldToClient(attempt: Attempt, goesOn: () => Promise<Reply>): Promise<Reply> {
  const { request } = attempt.kept.state;
  try {
    return await goesOn();
  } catch (error) {
    if (!(error instanceof ClientRefusal)) throw error;
    if (error.error === unmetLevel) await loginFailed(attempt, error.error);
    await denyDevice(attempt);
    // there is no client to be told
    if (request.redirectUri === '') throw new PageRefusal(400, 'accessDenied');
    if (request.saml) return { kind: 'answer', ...(await refuse({ ...attempt, request }, error)) };
    return refusedAnswer(attempt, request, error);
  }
}

/** Where a user may turn on the way through a login. */
export type Turn = 'reset' | 'registration' | 'restart';

/** Has a user who is asked to log in choose a new password or sign up instead, or begin again. */
export async function turnLogin(
  site: LoginSite,
  realm: RealmRecord,
  tab: string | null,
  turn: Turn,
  browser: Browser,
): Promise<Reply> {
  const attempt = await loadLogin(site, realm, tab, browser);
  const { state } = attempt.kept;
  if (isBound(attempt)) return goOn(attempt, undefined);
  await checkTurn(site, realm, turn, browser, state.clientId);
  turnTo(attempt, turn === 'restart' ? undefined : turn);
  if (turn === 'restart') delete state.username;
  return goOn(attempt, undefined);
}

/** Sends a user who is asked to log in to an identity provider instead. */
export async function turnToProvider(
  site: LoginSite,
  realm: RealmRecord,
  tab: string | null,
  alias: string,
  browser: Browser,
): Promise<Reply> {
  const attempt = await loadLogin(site, realm, tab, browser);
  if (isBound(attempt)) return goOn(attempt, undefined);
  turnTo(attempt, undefined);
  const provider = await usableProvider(attempt, alias);
  if (!provider) throw new PageRefusal(400, 'identityProviderNotFound');
  return sendToProvider(attempt, provider);
}

/** Goes on with a login that comes back from an identity provider. */
export async function returnFromProvider(
  site: LoginSite,
  realm: RealmRecord,
  alias: string,
  answer: ProviderAnswer,
  browser: Browser,
): Promise<Reply> {
  const attempt = await loadAttempt(site, realm, tabOfState(stateOf(answer)), browser);
  if (attempt.kept.state.linking) return finishLink(attempt, alias, answer);
  return toldToClient(attempt, async () => goOn(attempt, await receiveFromProvider(attempt, alias, answer)));
}

/** Refuses a turn that the realm does not have. */
async function checkTurn(
  { services }: LoginSite,
  realm: RealmRecord,
  turn: Turn,
  browser: Browser,
  clientId: string,
): Promise<void> {
  if (turn === 'reset' && !isOn(realm, 'resetPasswordAllowed')) {
    await recordFailure(services, realm, browser, { clientId, type: 'RESET_PASSWORD_ERROR', error: 'not_allowed' });
    throw new PageRefusal(400, 'resetCredentialNotAllowedMessage');
  }
  if (turn === 'registration' && !isOn(realm, 'registrationAllowed')) {
    await recordFailure(services, realm, browser, { clientId, type: 'REGISTER_ERROR', error: 'registration_disabled' });
    throw new PageRefusal(400, 'registrationNotAllowedMessage');
  }
}

/** Whether a login has no other way to go: what the link of a mail has begun ends with it, and a session needs no proof. */
const isBound = ({ kept: { state } }: Attempt): boolean => state.link !== undefined || state.session?.again === false;

/** A login that a browser has under way. A link to an account at an identity provider is none. */
async function loadLogin(...asked: Parameters<typeof loadAttempt>): Promise<Attempt> {
  const attempt = await loadAttempt(...asked);
  if (attempt.kept.state.linking) throw new PageRefusal(400, 'loginExpired');
  return attempt;
}

async function loadAttempt(
  site: LoginSite,
  realm: RealmRecord,
  tab: string | null,
  browser: Browser,
): Promise<Attempt> {
  const kept = await loadState(site.services, realm, browser.id, tab);
  if (!kept) throw new PageRefusal(400, browser.id === undefined ? 'cookieNotFound' : 'loginExpired');
  const { client: found } = await findRealmAndClient(site.tokens, realm.name, kept.state.clientId);
  const client = found && (await withLoginFields(site.tokens, found));
  if (!client) throw new PageRefusal(400, 'clientNotFound');
  if (!client.enabled) throw new PageRefusal(400, 'clientDisabled');
  return attemptOf(site, realm, client, browser, kept);
}

async function refusedAnswer(
  answering: Answering,
  to: AnswerAddress,
  { error, message }: ClientRefusal,
): Promise<Reply> {
  const parameters = {
    error,
    ...(message !== '' && { error_description: message }),
    ...(to.state !== undefined && { state: to.state }),
  };
  return { kind: 'answer', to, parameters: await answerParameters(answering, to, parameters, { isLoggedIn: false }) };
}

/** Refuses a level of authentication that the flow does not lead to. */
function requireLevel({ flow: { levels }, kept: { state } }: Attempt): void {
  const { level } = state.request;
  const highest = levels.size > 0 ? Math.max(...levels.keys()) : 1;
  if (level?.isEssential && level.level > highest) throw levelNotReached();
}

/** Actions that a client may have a user perform by `kc_action`. */
const byClient = [
  'CONFIGURE_TOTP',
  'CONFIGURE_RECOVERY_AUTHN_CODES',
  'UPDATE_PASSWORD',
  'UPDATE_PROFILE',
  'delete_account',
  'webauthn-register',
  'webauthn-register-passwordless',
];

/** Adds what the client wants the user to do; what cannot be asked for is told at the end. */
function askFor({ kept: { state } }: Attempt): void {
  const { action } = state.request;
  if (action === undefined) return;
  if (byClient.includes(action)) state.asked = [action];
  else state.actionStatus = 'error';
}
