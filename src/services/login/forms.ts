import { limit } from '../../config/limits.js';
import { countFailedLogin, countsAsFailure, lockOf } from '../attack-detection/login.js';
import { isProtected } from '../attack-detection/rule.js';
import { isOn } from '../core/realm.js';
import { inUnitOfWork } from '../core/unit-of-work.js';
import { spendOneTimePassword } from '../credentials/spend-one-time-password.js';
import { findUserByLogin, upToDate } from '../tokens/parties.js';
import type { TokenUser } from '../tokens/types.js';
import { type Attempt, atNow, attemptFailed, loginFailed, requireFewFailures } from './attempt.js';
import { takeBrokerForm } from './broker/first-login-form.js';
import { takeCertificate } from './certificate/step.js';
import type { FormOutcome } from './flow.js';
import { byCertificate, byPasskey, type FormStep, isBrokerStep, recoveryCodes } from './flow-steps.js';
import { offersPasskey } from './form-page.js';
import { goOnAs, requireSameUser } from './login-user.js';
import { isPasswordOf } from './password.js';
import { spendCode } from './recovery-codes.js';
import { PageRefusal } from './refusals.js';
import { takeRegistration } from './registration.js';
import type { Notice } from './texts.js';
import { takeKey } from './webauthn/authenticate.js';

const mostLength = limit(
  'Logins and tokens',
  'User name in the form for a lost password',
  255,
  'characters',
  'the form is shown again',
);

/** Types of the credentials that steps verify. */
const usedCredentials: ReadonlyMap<FormStep, string> = new Map<FormStep, string>([
  ['auth-username-password-form', 'password'],
  ['auth-password-form', 'password'],
  ['idp-username-password-form', 'password'],
  ['auth-otp-form', 'otp'],
  ['auth-recovery-authn-code-form', recoveryCodes],
  ['webauthn-authenticator', 'webauthn'],
  ['webauthn-authenticator-passwordless', 'webauthn-passwordless'],
]);

/** Takes what the user typed into a form of the flow. Answers what was wrong with it; nothing where it was right. */
export async function takeForm(
  attempt: Attempt,
  { step, execution, config }: FormOutcome,
  form: URLSearchParams,
): Promise<Notice | undefined> {
  const { state } = attempt.kept;
  if (step === byCertificate) {
    if ((await takeCertificate(attempt, execution, config, form)) === 'passed') state.done.push(execution);
    return undefined;
  }
  if (isBrokerStep(step) && step !== 'idp-username-password-form') {
    const taken = await takeBrokerForm(attempt, step, execution, form);
    if (taken !== 'passed') return taken;
    state.done.push(execution);
    return undefined;
  }
  const { passkeyStep } = attempt.flow;
  if (passkeyStep !== undefined && form.get('credential') && offersPasskey(attempt, step)) {
    // the key says who the user is, whatever was typed before
    delete state.username;
    return taken(attempt, byPasskey, passkeyStep, form);
  }
  return taken(attempt, step, execution, form);
}

async function taken(
  attempt: Attempt,
  step: FormStep,
  execution: string,
  form: URLSearchParams,
): Promise<Notice | undefined> {
  const { state } = attempt.kept;
  const notice = await takeStep(attempt, step, execution, form);
  if (notice) return notice;
  state.done.push(execution);
  const used = usedCredentials.get(step);
  if (used !== undefined) state.used = [...(state.used ?? []), used];
  return undefined;
}

function takeStep(
  attempt: Attempt,
  step: FormStep,
  execution: string,
  form: URLSearchParams,
): Notice | undefined | Promise<Notice | undefined> {
  switch (step) {
    case 'auth-otp-form':
      return takeOneTimeCode(attempt, form);
    case 'auth-recovery-authn-code-form':
      return takeRecoveryCode(attempt, form);
    case 'auth-username-form':
    case 'reset-credentials-choose-user':
      return takeName(attempt, form);
    case 'webauthn-authenticator':
      return takeKey(attempt, 'webauthn', form);
    case 'webauthn-authenticator-passwordless':
      return takeKey(attempt, 'webauthn-passwordless', form);
    case 'idp-username-password-form':
      return takePasswordToLink(attempt, form);
    case 'registration-page-form':
      return takeRegistration(attempt, execution, form);
    default:
      return takePassword(attempt, step === 'auth-username-password-form', form);
  }
}

function takeName({ kept: { state } }: Attempt, form: URLSearchParams): Notice | undefined {
  const name = (form.get('username') ?? '').trim();
  if (name === '' || name.length > mostLength) return { key: 'missingUsernameMessage', field: 'username' };
  state.username = name;
  return undefined;
}

/** The answer is the same for unknown users and wrong passwords, and takes alike. */
async function takePassword(attempt: Attempt, withName: boolean, form: URLSearchParams): Promise<Notice | undefined> {
  const { services, tokens, realm, kept } = attempt;
  const { state } = kept;
  if (withName) {
    const missing = takeName(attempt, form);
    if (missing) return missing;
    state.rememberMe = isOn(realm, 'rememberMe') && form.get('rememberMe') === 'on';
  }
  requireFewFailures(attempt, 'user', state.username ?? '');
  const password = form.get('password') ?? '';
  const found = await findUserByLogin(tokens, realm, state.username ?? '');
  const lock = found && (await lockOf(services.database.read, realm, found, services.now()));
  const isTold = !lock && found?.isSwitchedOff === true;
  const right =
    isTold || (await isPasswordOf(services, realm, lock ? undefined : found, password, attempt.browser.ipAddress));
  const user = right && found && !isTold ? await upToDate(tokens, realm, found) : found;
  const wrong: Notice = { key: withName ? 'invalidUserMessage' : 'invalidPasswordMessage', field: 'password' };
  const known: Attempt = user ? { ...attempt, user } : attempt;
  if (!user || !right) {
    attemptFailed(attempt, 'user', state.username ?? '');
    await refused(known, lock ?? (user ? 'invalid_user_credentials' : 'user_not_found'));
    return wrong;
  }
  if (!user.enabled) {
    await refused(known, 'user_disabled');
    return { key: 'accountDisabledMessage' };
  }
  await requireSameUser(attempt, user);
  goOnAs(attempt, user);
  return undefined;
}

/** Takes the password of the user who is to be linked: another local account cannot be linked in its place. */
async function takePasswordToLink(attempt: Attempt, form: URLSearchParams): Promise<Notice | undefined> {
  const { state } = attempt.kept;
  const { existing } = state.brokered ?? {};
  if (!existing) throw new PageRefusal(400, 'loginExpired');
  state.username = existing.username;
  const notice = await takePassword(attempt, false, form);
  if (!notice && state.userId !== existing.id) throw new PageRefusal(400, 'differentUser');
  return notice;
}

function takeOneTimeCode(attempt: Attempt, form: URLSearchParams): Promise<Notice | undefined> {
  const { services, realm } = attempt;
  const code = (form.get('otp') ?? form.get('totp') ?? '').replace(/\s/g, '');
  return takeCode(attempt, code, {
    missing: { key: 'missingTotpMessage', field: 'otp' },
    wrong: { key: 'invalidTotpMessage', field: 'otp' },
    spend: (user) => spendOneTimePassword(services, realm, user, code, atNow(attempt)),
  });
}

function takeRecoveryCode(attempt: Attempt, form: URLSearchParams): Promise<Notice | undefined> {
  const code = form.get('recoveryCodeInput') ?? '';
  const wrong = { key: 'recoveryCodeInvalid', field: 'recoveryCodeInput' } as const;
  return takeCode(attempt, code, { missing: wrong, wrong, spend: (user) => spendCode(attempt, user, code) });
}

/** A kind of codes that a user has. */
interface Codes {
  missing: Notice;
  wrong: Notice;
  /** Whether the code was right, and is used up by that. */
  spend(user: TokenUser): Promise<boolean>;
}

async function takeCode(attempt: Attempt, code: string, { missing, wrong, spend }: Codes): Promise<Notice | undefined> {
  const { services, realm, user, kept } = attempt;
  if (code === '') return missing;
  if (!user) throw new PageRefusal(400, 'loginExpired');
  requireFewFailures(attempt, 'code', user.username);
  const lock = await lockOf(services.database.read, realm, user, services.now());
  const right = !lock && (await spend(user));
  if (right) {
    kept.state.authTime = atNow(attempt);
    return undefined;
  }
  attemptFailed(attempt, 'code', user.username);
  await refused(attempt, lock ?? 'invalid_user_credentials');
  return wrong;
}

/** Counts a failure of a known user, and keeps the event. */
async function refused(attempt: Attempt, error: string): Promise<void> {
  const { services, realm, user, browser } = attempt;
  if (user && isProtected(realm) && countsAsFailure(error)) {
    const { id: realmId, settings } = realm;
    const failed = { realmId, settings, userId: user.id, ipAddress: browser.ipAddress, now: services.now() };
    await inUnitOfWork(services, (unit) => countFailedLogin(unit, failed));
  }
  await loginFailed(attempt, error);
}
