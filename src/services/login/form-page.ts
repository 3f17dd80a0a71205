import { offeredProviders } from '../brokering/provider.js';
import { isOn } from '../core/realm.js';
import type { Attempt, Page } from './attempt.js';
import { brokerHint, brokerPage } from './broker/first-login-form.js';
import { certificatePage } from './certificate/step.js';
import type { FormOutcome } from './flow.js';
import { byCertificate, type FormStep, isBrokerStep } from './flow-steps.js';
import { codePage } from './recovery-codes.js';
import { registrationPage } from './registration.js';
import { isBrokered } from './state.js';
import type { Notice } from './texts.js';
import { keyOptions, keyPage } from './webauthn/authenticate.js';

/** What was typed stays in a form that comes again. */
export function withTyped(page: Page, notice: Notice | undefined, typed: URLSearchParams | undefined): Page {
  if ((page.name !== 'updateProfile' && page.name !== 'register') || !notice || !typed) return page;
  const values = Object.fromEntries(
    Object.keys(page.values).map((name) => [name, typed.get(name) ?? page.values[name] ?? '']),
  );
  return { ...page, values };
}

/** The page of a form of the flow. `mayPassBy` if the user can take another step of the flow in its place. */
export async function formPage(
  attempt: Attempt,
  { step, execution, config }: FormOutcome,
  mayPassBy: boolean,
): Promise<Page> {
  const { services, realm, kept } = attempt;
  const { state } = kept;
  if (isBrokerStep(step)) return brokerPage(attempt, step);
  if (step === byCertificate) return certificatePage(attempt, config);
  if (step === 'webauthn-authenticator') return keyPage(attempt, 'webauthn', mayPassBy);
  if (step === 'webauthn-authenticator-passwordless') return keyPage(attempt, 'webauthn-passwordless', mayPassBy);
  if (step === 'auth-otp-form') return { name: 'otp', mayPassBy };
  if (step === 'auth-recovery-authn-code-form') return codePage(attempt, mayPassBy);
  if (step === 'reset-credentials-choose-user') return { name: 'resetPassword', username: state.username ?? '' };
  if (step === 'registration-page-form') return registrationPage(attempt, execution);
  const asksName = step !== 'auth-password-form';
  const remembers = isOn(realm, 'rememberMe') && step === 'auth-username-password-form';
  // a user who has to prove the account again may do so with a provider, too
  const hasProviders = step !== 'auth-password-form' && !isBrokered(state);
  return {
    name: 'login',
    asksName,
    asksPassword: step !== 'auth-username-form',
    username: state.username ?? state.request.loginHint ?? '',
    rememberMe: remembers ? (state.rememberMe ?? false) : undefined,
    mayReset: isOn(realm, 'resetPasswordAllowed'),
    // somebody who is logged in is no new user
    mayRegister: isOn(realm, 'registrationAllowed') && asksName && !state.session,
    ...(offersPasskey(attempt, step) && { passkey: keyOptions(attempt, 'webauthn-passwordless') }),
    providers: hasProviders ? await offeredProviders(services.database.read, realm.id) : [],
  };
}

/** Whether the form of a step takes a passkey in place of a name. */
export const offersPasskey = ({ flow, user, kept: { state } }: Attempt, step: FormStep): boolean =>
  flow.passkeyStep !== undefined &&
  user === undefined &&
  state.path === undefined &&
  // a passkey reaches none of the levels of the forms
  !state.request.level?.isEssential &&
  (step === 'auth-username-password-form' || step === 'auth-username-form');

/** What a form tells before anything is typed into it. */
export const hint = (attempt: Attempt, step: FormStep): Notice | undefined => {
  if (isBrokerStep(step)) return brokerHint(attempt, step);
  const isAgain = attempt.kept.state.session?.again && step !== 'auth-otp-form';
  return isAgain ? { key: 'reauthenticate', isHint: true } : undefined;
};
