import { isOn } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { findUserById } from '../tokens/parties.js';
import type { TokenUser } from '../tokens/types.js';
import { isBreach, type PreparedCredentials, preparePassword } from '../users/passwords.js';
import { type Attempt, loginFailed, type Page } from './attempt.js';
import { activeIn, type BoundFlow, type Flow } from './bound-flow.js';
import { breachNotice } from './breach-notice.js';
import { goOnAs } from './login-user.js';
import { createNewcomer } from './new-user.js';
import { type Profile, profileOf, profileProblem } from './profile-fields.js';
import { PageRefusal } from './refusals.js';
import type { Notice } from './texts.js';

type RegisterPage = Extract<Page, { name: 'register' }>;

const known = new Set([
  'registration-user-creation',
  'registration-profile-action',
  'registration-password-action',
  'registration-recaptcha-action',
]);

/** The form that an execution of a registration flow shows. */
export function shownForm({ byId }: BoundFlow, execution: string): Flow | undefined {
  const steps = [...byId.values()].flatMap(({ executions }) => executions);
  return byId.get(steps.find(({ id }) => id === execution)?.subflowId ?? '');
}

const stepsIn = (form: Flow | undefined): string[] => activeIn(form).map(({ authenticator }) => authenticator ?? '');

/** The first step of a registration form that this server does not have. */
export const missingStep = (form: Flow | undefined): string | undefined =>
  stepsIn(form).find((step) => !known.has(step) || step === 'registration-recaptcha-action');

/** What the form of a registration flow asks for. Throws for one that wants what this server does not have. */
export function registrationPage({ realm, flow }: Attempt, execution: string): RegisterPage {
  const form = shownForm(flow, execution);
  const active = stepsIn(form);
  const missing = missingStep(form);
  if (missing !== undefined) throw new PageRefusal(400, 'unsupportedStep', missing);
  if (!active.includes('registration-user-creation')) {
    throw new PageRefusal(400, 'unsupportedStep', form?.alias ?? 'registration');
  }
  return {
    name: 'register',
    values: { username: '', email: '', firstName: '', lastName: '' },
    asksUsername: !isOn(realm, 'registrationEmailAsUsername'),
    asksProfile: active.includes('registration-profile-action'),
    asksPassword: active.includes('registration-password-action'),
  };
}

/** Takes the form of a new user, who is logged in by that. */
export async function takeRegistration(
  attempt: Attempt,
  execution: string,
  form: URLSearchParams,
): Promise<Notice | undefined> {
  const page = registrationPage(attempt, execution);
  const profile = profileOf(form);
  const wrong = fieldProblem(page, profile) ?? passwordProblem(page, form);
  const prepared = wrong ?? (await credentialsOf(attempt, page, profile, form));
  if ('key' in prepared) {
    await loginFailed(attempt, 'invalid_registration', detailsOf(profile));
    return prepared;
  }
  const created = await storedUser(attempt, page, profile, prepared, form);
  if ('key' in created) return created;
  const { kept } = attempt;
  goOnAs(attempt, created);
  kept.state.username = created.username;
  return undefined;
}

function fieldProblem({ asksUsername, asksProfile }: RegisterPage, profile: Profile): Notice | undefined {
  // names that nobody is asked for are not missing
  return profileProblem(asksProfile ? profile : { ...profile, firstName: '-', lastName: '-' }, asksUsername);
}

function passwordProblem({ asksPassword }: RegisterPage, form: URLSearchParams): Notice | undefined {
  if (!asksPassword) return undefined;
  const password = form.get('password') ?? '';
  if (password === '') return { key: 'missingPasswordMessage', field: 'password' };
  if (password !== form.get('password-confirm')) return { key: 'notMatchPasswordMessage', field: 'password-confirm' };
  return undefined;
}

async function credentialsOf(
  { realm }: Attempt,
  { asksPassword }: RegisterPage,
  { username, email }: Profile,
  form: URLSearchParams,
): Promise<PreparedCredentials | Notice> {
  if (!asksPassword) return { temporary: false, given: [] };
  const owner = { username: (username || email).toLowerCase(), email: email.toLowerCase() };
  const password = await preparePassword(realm, form.get('password') ?? '', owner);
  return isBreach(password) ? breachNotice(password, 'password') : { password, temporary: false, given: [] };
}

const detailsOf = ({ username, email }: Profile): Record<string, string> => ({
  register_method: 'form',
  username: username || email,
  email,
});

async function storedUser(
  attempt: Attempt,
  { asksUsername, asksProfile }: RegisterPage,
  profile: Profile,
  prepared: PreparedCredentials,
  form: URLSearchParams,
): Promise<TokenUser | Notice> {
  const { realm, browser, tokens } = attempt;
  const { username, email, firstName, lastName } = profile;
  const names = asksProfile ? { firstName, lastName } : {};
  const input = { ...(asksUsername && { username }), email, ...names, enabled: true };
  const typed = prepared.password ? (form.get('password') ?? undefined) : undefined;
  const made = await createNewcomer(attempt, { input, prepared, typed, details: detailsOf(profile) });
  if (made instanceof Refusal && made.kind !== 'conflict') {
    await loginFailed(attempt, 'invalid_registration', detailsOf(profile));
    return { key: 'storageRefusedMessage' };
  }
  if (made instanceof Refusal) {
    const field = made.details.field === 'username' ? 'username' : 'email';
    // the answer tells which names are taken
    attempt.attempts.failed({ address: browser.countedAs });
    await loginFailed(attempt, field === 'username' ? 'username_in_use' : 'email_in_use', detailsOf(profile));
    return { key: 'usernameExistsMessage', field: asksUsername ? field : 'email' };
  }
  const user = await findUserById(tokens, realm, made);
  if (!user) throw new PageRefusal(400, 'loginExpired');
  return user;
}
