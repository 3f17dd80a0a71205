import { storedUsername } from '../../users/usernames.js';
import type { Attempt, Page } from '../attempt.js';
import type { BrokerStep } from '../flow-steps.js';
import { profileOf, profileProblem } from '../profile-fields.js';
import { passBy } from '../state.js';
import type { Notice } from '../texts.js';
import { asksUsername, brokeredOf, profileFrom } from './brokered-profile.js';

/** The page of a step of a first login. */
export function brokerPage(attempt: Attempt, step: BrokerStep): Page {
  const { identity, existing } = brokeredOf(attempt);
  const username = existing?.username ?? '';
  switch (step) {
    case 'idp-confirm-link':
      return { name: 'linkConfirm', provider: identity.label, account: username };
    case 'idp-email-verification':
      return { name: 'linkMail', provider: identity.label, username };
    case 'idp-username-password-form':
      return { name: 'login', asksName: false, asksPassword: true, username, rememberMe: undefined };
    default:
      return { name: 'updateProfile', values: profileFrom(attempt), asksUsername: asksUsername(attempt) };
  }
}

/** The hint on the page of a step, if it has one. */
export function brokerHint(attempt: Attempt, step: BrokerStep): Notice | undefined {
  const { identity, existing } = brokeredOf(attempt);
  if (step !== 'idp-username-password-form') return undefined;
  return { key: 'linkByPassword', parameters: [existing?.username ?? '', identity.label], isHint: true };
}

/** Takes the form of a step of a first login. `passed` if the step is done. */
export async function takeBrokerForm(
  attempt: Attempt,
  step: BrokerStep,
  execution: string,
  form: URLSearchParams,
): Promise<Notice | 'passed' | undefined> {
  const { state } = attempt.kept;
  const brokered = brokeredOf(attempt);
  switch (step) {
    case 'idp-review-profile':
      return takeProfile(attempt, form);
    case 'idp-confirm-link':
      if (!form.has('updateProfile')) return 'passed';
      brokered.mustReview = true;
      delete brokered.existing;
      // a flow may have asked for the proof before
      delete state.userId;
      delete attempt.user;
      state.done = [];
      state.tried = [];
      return undefined;
    case 'idp-email-verification':
      if (form.has('other')) passBy(state, execution);
      if (form.has('resend')) brokered.isMailed = false;
      return undefined;
    default:
      return undefined;
  }
}

function takeProfile(attempt: Attempt, form: URLSearchParams): Notice | 'passed' {
  const brokered = brokeredOf(attempt);
  const { identity } = brokered;
  const profile = profileOf(form);
  const problem = profileProblem(profile, asksUsername(attempt));
  if (problem) return problem;
  const isSame = profile.email.toLowerCase() === identity.email?.toLowerCase();
  const isNewName = asksUsername(attempt) && storedUsername(profile.username) !== storedUsername(identity.username);
  brokered.identity = {
    ...identity,
    ...profile,
    ...(!asksUsername(attempt) && { username: profile.email }),
    ...(isNewName && { isTyped: true }),
    // nobody vouches for an address that was typed
    isEmailVerified: identity.isEmailVerified && isSame,
  };
  delete brokered.mustReview;
  return 'passed';
}
