import { randomUUID } from 'node:crypto';
import type { BrokerProvider } from '../brokering/provider.js';
import type { RealmRecord } from '../core/realm.js';
import { inTransaction } from '../core/unit-of-work.js';
import { findUserById, findUserByLogin } from '../tokens/parties.js';
import { heldRoles } from '../tokens/store.js';
import { takeAction } from './action-forms.js';
import { actionPage, mayCancel, openActions } from './actions.js';
import {
  type Attempt,
  atNow,
  type Browser,
  type LoginSite,
  loginFailed,
  type Page,
  type PageReply,
  type Reply,
} from './attempt.js';
import { type BoundFlow, boundFlow, flowAmong, namedFlow } from './bound-flow.js';
import { endFirstLogin, providerOf, settleBrokerStep } from './broker/first-login.js';
import { mayAskSilently, sendToProvider, usableProvider } from './broker/send.js';
import { settleCertificate } from './certificate/step.js';
import { complete } from './complete.js';
import { documentsOf, openConsent, storeConsent } from './consent.js';
import { endOfAccount } from './delete-account.js';
import { type FlowOutcome, followFlow, type PassedFlow } from './flow.js';
import type { Progress } from './flow-conditions.js';
import { byCertificate, type FormStep, isBrokerStep } from './flow-steps.js';
import { formPage, hint, withTyped } from './form-page.js';
import { takeForm } from './forms.js';
import { agesOf } from './level-notes.js';
import { endOfLink, linkPage } from './link-end.js';
import { mailLink, requireLinks, sendVerification } from './login-mail.js';
import { pageLifespan } from './page-lifespan.js';
import { ClientRefusal, levelNotReached, PageRefusal } from './refusals.js';
import type { LoginClient } from './request.js';
import { roleNames } from './role-names.js';
import { forgetUser, isBrokered, type KeptState, type LoginState, passBy, saveState } from './state.js';
import type { Notice } from './texts.js';
import { devicesIn, lacksDevice, wantedLevel } from './wanted-level.js';

/** A login with what is read for it. */
export async function attemptOf(
  site: LoginSite,
  realm: RealmRecord,
  client: LoginClient,
  browser: Browser,
  kept: KeptState,
): Promise<Attempt> {
  const { userId, session } = kept.state;
  // another client may have got the name of one that was deleted in the meantime
  if (kept.stored !== undefined && kept.state.client !== client.id) throw new PageRefusal(400, 'clientNotFound');
  kept.state.client = client.id;
  const known = userId ?? (session?.again === false ? session.userId : undefined);
  const [flow, user] = await Promise.all([
    flowOf(site, realm, client, kept.state),
    known === undefined ? null : findUserById(site.tokens, realm, known),
  ]);
  if (known !== undefined && !user?.enabled) throw new PageRefusal(400, 'accountDisabledMessage');
  return { ...site, realm, client, browser, kept, flow, ...(user && { user }) };
}

/** The flow that a login follows at present. */
function flowOf(
  { services }: LoginSite,
  realm: RealmRecord,
  { authenticationFlowBindingOverrides: overrides }: LoginClient,
  { path, brokered }: LoginState,
): Promise<BoundFlow> {
  const db = services.database.read;
  if (path === 'firstBroker' || path === 'postBroker') return namedFlow(db, realm, brokered?.flow ?? '', path);
  return boundFlow(db, realm, overrides, path === 'brokered' || path === undefined ? 'browser' : path);
}

/** Has a login follow another flow from its beginning. */
export function turnTo(attempt: Attempt, path: 'reset' | 'registration' | undefined): void {
  const { realm, client, kept } = attempt;
  const { state } = kept;
  if (path === undefined) delete state.path;
  else state.path = path;
  state.done = [];
  forgetUser(state);
  // who signs up is somebody else than the user of the session that the browser has
  if (path === 'registration' && state.session) {
    delete state.session;
    state.sid = randomUUID();
  }
  if (state.session?.again !== false) delete attempt.user;
  const { authenticationFlowBindingOverrides: overrides } = client;
  attempt.flow = flowAmong([...attempt.flow.byId.values()], realm.settings, overrides, path ?? 'browser');
}

const finished: PassedFlow = { kind: 'passed', demands: [] };

async function outcomeOf(attempt: Attempt): Promise<FlowOutcome> {
  const { flow, kept } = attempt;
  const { state } = kept;
  if (state.path === 'brokered') return { kind: 'passed', demands: state.brokered?.demands ?? [] };
  if (state.link && state.path !== 'reset') return finished;
  const outcome = followFlow(flow, await progressOf(attempt));
  if (outcome.kind !== 'passed' || state.path !== 'postBroker') return outcome;
  return { ...outcome, demands: [...(state.brokered?.demands ?? []), ...outcome.demands] };
}

/** What is known of a login on its way: at most one statement. */
async function progressOf(attempt: Attempt): Promise<Progress> {
  const { flow, kept, user, services } = attempt;
  const { state } = kept;
  // who asks for a new password has shown nothing yet, and who signs up is nobody yet
  const isKnown = user !== undefined && (state.path === undefined || state.byMail === true || isBrokered(state));
  const needsRoles = flow.asksRoles && isKnown;
  const held = needsRoles ? await heldRoles(services.database.read, user.id) : undefined;
  return {
    done: new Set(state.done),
    tried: new Set(state.tried),
    used: new Set(state.used),
    providerHint: state.request.providerHint,
    bySession: state.session?.again === false && state.path === undefined,
    attribute: (name) => user?.attributes.find((one) => one.name === name)?.value,
    demandedLevel: wantedLevel(attempt),
    levelAges: agesOf(state.session?.levels, atNow(attempt)),
    hasUser: isKnown,
    isProven: user !== undefined,
    devices: devicesIn(attempt),
    byMail: state.byMail === true,
    ...(held && {
      roles: roleNames(held),
    }),
  };
}

/** Steps from which a user can turn to another alternative of the flow. */
const withOthers: ReadonlySet<FormStep> = new Set([
  'auth-otp-form',
  'auth-recovery-authn-code-form',
  'webauthn-authenticator',
  'webauthn-authenticator-passwordless',
]);

/** The alternatives that count as tried where a user takes another one than that of a form: all so far, or else only this one. */
async function otherWay(
  attempt: Attempt,
  { step, execution }: Extract<FlowOutcome, { kind: 'form' }>,
): Promise<string[] | undefined> {
  if (!withOthers.has(step)) return undefined;
  const progress = await progressOf(attempt);
  return [[...(attempt.kept.state.tried ?? []), execution], [execution]].find((tried) => {
    const { kind } = followFlow(attempt.flow, { ...progress, tried: new Set(tried) });
    return kind === 'form' || kind === 'provider';
  });
}

/** Takes what was typed into the page that the login is at. Answers what was wrong with it. */
export async function takePage(attempt: Attempt, form: URLSearchParams): Promise<Notice | undefined> {
  const outcome = await outcomeOf(attempt);
  if (outcome.kind === 'form') {
    const tried = form.has('other') && (await otherWay(attempt, outcome));
    if (!tried) return takeForm(attempt, outcome, form);
    attempt.kept.state.tried = tried;
    return undefined;
  }
  if (outcome.kind === 'provider') return undefined;
  const { user, kept } = attempt;
  if (outcome.kind !== 'passed' || !user) return undefined;
  const [action] = await openActions(attempt, user, outcome.demands);
  if (action) {
    const leavesOut = form.has('cancel-aia') && (await mayCancel(attempt, user, outcome.demands, action));
    if (!leavesOut) return takeAction(attempt, user, action, form);
    kept.state.actionStatus = 'cancelled';
    kept.state.performed = [...(kept.state.performed ?? []), action];
    return undefined;
  }
  const question = await openConsent(attempt, user);
  if (!question || kept.state.link) return undefined;
  if (form.has('cancel') || !form.has('accept')) {
    await loginFailed(attempt, 'rejected_by_user');
    throw new ClientRefusal('access_denied');
  }
  await inTransaction(attempt.services.database, (tx) => storeConsent(tx, attempt, user, question.ids));
  kept.state.consent = 'given';
  return undefined;
}

type Settled =
  | Exclude<FlowOutcome, { kind: 'provider' }>
  | (Extract<FlowOutcome, { kind: 'provider' }> & { provider: BrokerProvider });

/** More steps than a flow has that are taken without the user. */
const mostSettled = 100;

/** Where a login stands after all steps that need no page were taken. */
async function settledOutcome(attempt: Attempt): Promise<Settled> {
  const { state } = attempt.kept;
  for (let taken = 0; taken < mostSettled; taken += 1) {
    const outcome = await outcomeOf(attempt);
    if (outcome.kind === 'provider') {
      const provider = await usableProvider(attempt, outcome.alias);
      if (provider) return { ...outcome, provider };
      passBy(state, outcome.execution);
    } else if (outcome.kind === 'form' && (isBrokerStep(outcome.step) || outcome.step === byCertificate)) {
      const settled =
        outcome.step === byCertificate
          ? await settleCertificate(attempt, outcome.config)
          : await settleBrokerStep(attempt, outcome.step, outcome.config);
      if (settled === 'page') return outcome;
      if (settled === 'passed') state.done.push(outcome.execution);
      else passBy(state, outcome.execution);
    } else return outcome;
  }
  throw new PageRefusal(400, 'accessDenied');
}

/** Shows the next page of a login, or ends it where none is left. */
export async function goOn(attempt: Attempt, notice: Notice | undefined, typed?: URLSearchParams): Promise<Reply> {
  const { state } = attempt.kept;
  if (attempt.isDeleted) return endOfAccount(attempt);
  if (state.link?.confirmed === false) return shown(attempt, linkPage(state.link.token), notice);
  const outcome = await settledOutcome(attempt);
  const isSilent = state.request.prompt.includes('none');
  if (outcome.kind === 'provider') {
    if (isSilent && !mayAskSilently(outcome.provider)) throw new ClientRefusal('login_required');
    return sendToProvider(attempt, outcome.provider);
  }
  if (isSilent && outcome.kind !== 'passed') throw new ClientRefusal('login_required');
  switch (outcome.kind) {
    case 'form': {
      if (outcome.step === 'reset-credential-email') return resetMail(attempt);
      const mayPassBy = (await otherWay(attempt, outcome)) !== undefined;
      const page = await formPage(attempt, outcome, mayPassBy);
      return shown(attempt, withTyped(page, notice, typed), notice ?? hint(attempt, outcome.step));
    }
    case 'unsupported':
      await loginFailed(attempt, 'invalid_authentication_flow', { reason: outcome.step });
      throw new PageRefusal(400, 'unsupportedStep', outcome.step);
    case 'unproven':
      await loginFailed(attempt, 'user_not_found');
      throw new PageRefusal(400, 'accessDenied');
    case 'denied':
    case 'inapplicable':
      if (state.path === 'firstBroker' && state.brokered?.existing) {
        await loginFailed(attempt, 'federated_identity_account_exists');
        throw new PageRefusal(400, 'federatedIdentityExistsMessage');
      }
      await loginFailed(attempt, 'access_denied');
      throw new PageRefusal(400, 'accessDenied');
    case 'passed':
      return afterFlow(attempt, outcome, notice, isSilent, typed);
  }
}

async function afterFlow(
  attempt: Attempt,
  outcome: PassedFlow,
  notice: Notice | undefined,
  isSilent: boolean,
  typed: URLSearchParams | undefined,
): Promise<Reply> {
  const { user, client, kept } = attempt;
  const { demands } = outcome;
  if (!user) {
    await loginFailed(attempt, 'user_not_found');
    throw new PageRefusal(400, 'accessDenied');
  }
  if (kept.state.path === 'firstBroker') {
    await endFirstLogin(attempt, user, demands);
    return goOn(attempt, undefined);
  }
  if (kept.state.link?.token.type === 'verify-email') return endOfLink(attempt);
  const [action] = await openActions(attempt, user, demands);
  if (action) {
    if (isSilent) throw new ClientRefusal('interaction_required');
    if (action === kept.state.request.action && lacksDevice(attempt)) throw levelNotReached();
    // the mail goes out with the page that tells of it
    const isUnsent = action === 'VERIFY_EMAIL' && kept.state.mailedTo !== user.email && !notice;
    const said = isUnsent ? await sendVerification(attempt, user) : notice;
    const page = withTyped(await actionPage(attempt, user, action), said, typed);
    return { ...(await shown(attempt, page, said)), mayCancel: await mayCancel(attempt, user, demands, action) };
  }
  if (kept.state.link) return endOfLink(attempt);
  const question = await openConsent(attempt, user);
  if (kept.state.brokered) await providerOf(attempt);
  if (!question) return complete(attempt, user, outcome);
  if (isSilent) throw new ClientRefusal('consent_required');
  const page = { client: client.name || client.clientId, scopes: question.texts, ...documentsOf(client) };
  return shown(attempt, { name: 'consent', ...page }, notice);
}

/**
 * Sends the named user the link for a new password, and shows the login again. The answer is the same, and
 * takes the same time, for those who are unknown or have no address: the mail goes out behind it.
 */
async function resetMail(attempt: Attempt): Promise<Reply> {
  const { services, tokens, realm, kept } = attempt;
  requireLinks(attempt);
  const user = await findUserByLogin(tokens, realm, kept.state.username ?? '');
  const missing = !user
    ? 'user_not_found'
    : !user.enabled
      ? 'user_disabled'
      : !user.email
        ? 'invalid_email'
        : undefined;
  if (missing) await loginFailed(user ? { ...attempt, user } : attempt, missing);
  else if (user) {
    void mailLink({ ...attempt }, user, 'reset-credentials').catch((error: unknown) =>
      services.log.error({ realm: realm.name, error }, 'an email to reset a password was not sent'),
    );
  }
  turnTo(attempt, undefined);
  return goOn(attempt, { key: 'emailSentMessage', isHint: true });
}

/** Keeps the state for the page. */
async function shown(attempt: Attempt, page: Page, notice: Notice | undefined): Promise<PageReply> {
  const { services, realm, kept } = attempt;
  const saved = await saveState(services, realm, kept, pageLifespan(realm, page));
  if (!saved) throw new PageRefusal(400, 'loginExpired');
  return { kind: 'page', page, notice, attempt };
}
