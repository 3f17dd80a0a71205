import { randomUUID } from 'node:crypto';
import { retried } from '../core/transaction.js';
import type { RealmRecord } from '../realms/record.js';
import { findRealmAndClient, findUserById } from '../tokens/parties.js';
import { takeAction } from './action-forms.js';
import { actionPage, openActions } from './actions.js';
import {
  type Attempt,
  atNow,
  type Browser,
  type LoginSite,
  loginFailed,
  type Page,
  type Reply,
  storeFailure,
} from './attempt.js';
import { complete } from './complete.js';
import { listed, openConsent, storeConsent } from './consent.js';
import { browserFlow, type FlowOutcome, followFlow } from './flow.js';
import { formPage, hint, withTyped } from './form-page.js';
import { takeForm } from './forms.js';
import { type BrowserSession, sessionOfBrowser } from './identity.js';
import { ClientRefusal, PageRefusal } from './refusals.js';
import {
  type AnswerAddress,
  answerAddress,
  authorizationRequest,
  type LoginClient,
  withLoginFields,
} from './request.js';
import { isBrowserId, isPresent, type KeptState, loadState, saveState, secretText } from './state.js';
import type { Notice } from './texts.js';

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
): Promise<Reply> {
  const clientId = parameters.get('client_id') ?? '';
  const failed = (error: string) =>
    storeFailure(site.services, realm, {
      clientId: clientId || undefined,
      ipAddress: browser.ipAddress,
      error,
      details: {
        redirect_uri: parameters.get('redirect_uri') ?? undefined,
        response_type: parameters.get('response_type') ?? undefined,
      },
    });
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
  let address: AnswerAddress;
  try {
    address = answerAddress(realm, client, parameters, browser.baseUrl);
  } catch (error) {
    if (error instanceof PageRefusal) {
      const errors = { clientDisabled: 'client_disabled', bearerOnly: 'not_allowed' } as Record<string, string>;
      await failed(errors[error.key] ?? 'invalid_redirect_uri');
    }
    throw error;
  }
  try {
    const request = authorizationRequest(client, parameters, address);
    const kept: KeptState = {
      browser: isBrowserId(browser.id) ? browser.id : secretText(),
      tab: secretText(),
      stored: undefined,
      state: { sid: randomUUID(), clientId, request, code: '', done: [] },
    };
    const attempt = await attemptOf(site, realm, client, browser, kept);
    await joinSession(attempt, await sessionOfBrowser(site.services, realm, browser.identity));
    return await goOn(attempt, undefined);
  } catch (error) {
    if (!(error instanceof ClientRefusal)) throw error;
    await failed(error.error === 'login_required' ? 'not_logged_in' : error.error);
    return refusedAnswer(address, error);
  }
}

/** Goes on with a login: takes the form of the page that was shown, or shows it again where there is none. */
export async function continueLogin(
  site: LoginSite,
  realm: RealmRecord,
  { tab, code, form }: { tab: string | null; code: string | null; form: URLSearchParams | undefined },
  browser: Browser,
): Promise<Reply> {
  const kept = await loadState(site.services, realm, browser.id, tab);
  if (!kept) throw new PageRefusal(400, browser.id === undefined ? 'cookieNotFound' : 'loginExpired');
  const { client: found } = await findRealmAndClient(site.tokens, realm.name, kept.state.clientId);
  const client = found && (await withLoginFields(site.tokens, found));
  if (!client) throw new PageRefusal(400, 'clientNotFound');
  if (!client.enabled) throw new PageRefusal(400, 'clientDisabled');
  const attempt = await attemptOf(site, realm, client, browser, kept);
  try {
    if (!form) return await goOn(attempt, undefined);
    if (!isPresent(kept, code)) return await goOn(attempt, { key: 'pageExpired' });
    return await goOn(attempt, await takePage(attempt, form), form);
  } catch (error) {
    if (!(error instanceof ClientRefusal)) throw error;
    return refusedAnswer(kept.state.request, error);
  }
}

const refusedAnswer = (to: AnswerAddress, { error, message }: ClientRefusal): Reply => ({
  kind: 'answer',
  to,
  parameters: {
    error,
    ...(message !== '' && { error_description: message }),
    ...(to.state !== undefined && { state: to.state }),
  },
});

async function attemptOf(
  site: LoginSite,
  realm: RealmRecord,
  client: LoginClient,
  browser: Browser,
  kept: KeptState,
): Promise<Attempt> {
  const { userId, session } = kept.state;
  const known = userId ?? (session?.again === false ? session.userId : undefined);
  const [flow, user] = await Promise.all([
    browserFlow(site.services.database.read, realm, client),
    known === undefined ? null : findUserById(site.tokens, realm.id, known),
  ]);
  if (known !== undefined && !user?.enabled) throw new PageRefusal(400, 'accountDisabledMessage');
  return { ...site, realm, client, browser, kept, flow, ...(user && { user }) };
}

/** Has a browser with a session log in with that, unless the client wants the user to prove anew who it is. */
async function joinSession(attempt: Attempt, session: BrowserSession | undefined): Promise<void> {
  if (!session) return;
  const { state } = attempt.kept;
  const { prompt, maxAge } = state.request;
  const again = prompt.includes('login') || (maxAge !== undefined && session.authTime + maxAge <= atNow(attempt));
  const user = await findUserById(attempt.tokens, attempt.realm.id, session.userId);
  if (!user?.enabled) return;
  state.sid = session.sid;
  state.session = { sid: session.sid, userId: session.userId, again };
  state.authTime = session.authTime;
  if (again) state.username = user.username;
  else attempt.user = user;
}

const outcomeOf = ({ flow, kept: { state }, user }: Attempt): FlowOutcome =>
  followFlow(flow, {
    done: new Set(state.done),
    bySession: state.session?.again === false,
    hasUser: user !== undefined,
    // a device that was set up in this very login has been shown to work
    hasDevice: !state.done.includes('device') && (user?.credentials.some(({ type }) => type === 'otp') ?? false),
  });

/** Takes what was typed into the page that the login is at. */
async function takePage(attempt: Attempt, form: URLSearchParams): Promise<Notice | undefined> {
  const outcome = outcomeOf(attempt);
  if (outcome.kind === 'form') return takeForm(attempt, outcome.step, outcome.execution, form);
  const { user } = attempt;
  if (outcome.kind !== 'passed' || !user) return undefined;
  const [action] = await openActions(attempt, user, outcome.needsDevice);
  if (action) return takeAction(attempt, user, action, form);
  const question = await openConsent(attempt, user);
  if (!question) return undefined;
  if (form.has('cancel') || !form.has('accept')) {
    await loginFailed(attempt, 'rejected_by_user');
    throw new ClientRefusal('access_denied');
  }
  await retried(attempt.services.database, (tx) => storeConsent(tx, attempt, user, question.ids));
  attempt.kept.state.consent = 'given';
  return undefined;
}

/** Shows the next page of a login, or ends it where none is left. */
async function goOn(attempt: Attempt, notice: Notice | undefined, typed?: URLSearchParams): Promise<Reply> {
  const outcome = outcomeOf(attempt);
  const isSilent = attempt.kept.state.request.prompt.includes('none');
  if (isSilent && outcome.kind !== 'passed') throw new ClientRefusal('login_required');
  switch (outcome.kind) {
    case 'form':
      return shown(attempt, formPage(attempt, outcome.step), notice ?? hint(attempt, outcome.step));
    case 'unsupported':
      await loginFailed(attempt, 'invalid_authentication_flow', { reason: outcome.step });
      throw new PageRefusal(400, 'unsupportedStep', outcome.step);
    case 'denied':
    case 'inapplicable':
      await loginFailed(attempt, 'access_denied');
      throw new PageRefusal(400, 'accessDenied');
    case 'passed':
      return afterFlow(attempt, outcome.needsDevice, notice, isSilent, typed);
  }
}

async function afterFlow(
  attempt: Attempt,
  needsDevice: boolean,
  notice: Notice | undefined,
  isSilent: boolean,
  typed: URLSearchParams | undefined,
): Promise<Reply> {
  const { user, client } = attempt;
  if (!user) {
    await loginFailed(attempt, 'user_not_found');
    throw new PageRefusal(400, 'accessDenied');
  }
  const [action] = await openActions(attempt, user, needsDevice);
  if (action) {
    if (isSilent) throw new ClientRefusal('interaction_required');
    return shown(attempt, withTyped(await actionPage(attempt, user, action), notice, typed), notice);
  }
  const question = await openConsent(attempt, user);
  if (!question) return complete(attempt, user);
  if (isSilent) throw new ClientRefusal('interaction_required');
  return shown(attempt, { name: 'consent', client: client.name || client.clientId, scopes: listed(question) }, notice);
}

/** Keeps the state for the page. */
async function shown(attempt: Attempt, page: Page, notice: Notice | undefined): Promise<Reply> {
  const saved = await saveState(attempt.services, attempt.realm, attempt.kept);
  if (!saved) throw new PageRefusal(400, 'loginExpired');
  return { kind: 'page', page, notice, attempt };
}
