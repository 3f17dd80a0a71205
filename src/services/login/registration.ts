import { databaseFault } from '../../database/errors.js';
import { isOn } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { inUnitOfWork } from '../core/unit-of-work.js';
import { storeLoginEvent } from '../events/login-events.js';
import { findUserById } from '../tokens/parties.js';
import type { TokenUser } from '../tokens/types.js';
import { createUsers } from '../users/create.js';
import { isBreach, type PreparedCredentials, preparePassword } from '../users/passwords.js';
import { registerUsers, releaseUsers } from '../users/register.js';
import { type Attempt, asUser, atNow, eventDetails, loginFailed, type Page } from './attempt.js';
import { breachNotice } from './breach-notice.js';
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

/** The first of these steps of a registration form that this server does not have. */
export const missingStep = (steps: readonly string[]): string | undefined =>
  steps.find((step) => !known.has(step) || step === 'registration-recaptcha-action');

/** What the form of a registration flow asks for. Throws for one that wants what this server does not have. */
export function registrationPage({ realm, flow }: Attempt, execution: string): RegisterPage {
  const steps = [...flow.byId.values()].flatMap(({ executions }) => executions);
  const form = flow.byId.get(steps.find(({ id }) => id === execution)?.subflowId ?? '');
  const active = (form?.executions ?? [])
    .filter(({ requirement }) => requirement !== 'DISABLED')
    .map(({ authenticator }) => authenticator ?? '');
  const missing = missingStep(active);
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
  attempt.user = created;
  kept.state.userId = created.id;
  kept.state.username = created.username;
  kept.state.authTime = atNow(attempt);
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
  const { services, realm, client, browser, tokens } = attempt;
  const { username, email, firstName, lastName } = profile;
  const names = asksProfile ? { firstName, lastName } : {};
  const input = { ...(asksUsername && { username }), email, ...names, enabled: true };
  const ctx = asUser(attempt, { id: services.newId(), username: username || email });
  const taken = (error: unknown) =>
    error instanceof Refusal && error.details.field === 'username' ? 'username' : 'email';
  const typed = form.get('password') ?? undefined;
  const users = await registerUsers(ctx, realm, [{ input, prepared }], undefined, () =>
    prepared.password ? typed : undefined,
  );
  const made = await inUnitOfWork(services, async ({ tx, changed }) => {
    const [outcome] = await createUsers(tx, ctx, realm, users);
    if (outcome === undefined || outcome instanceof Refusal) return outcome;
    const touches = [`users:${realm.id}`, `user:${outcome.id}`];
    await changed({ realmId: realm.id, operation: 'user.register', touches });
    const who = { clientId: client.clientId, userId: outcome.id, ipAddress: browser.ipAddress };
    const details = { ...eventDetails(attempt), ...detailsOf(profile) };
    await storeLoginEvent(tx, services, realm, { type: 'REGISTER', ...who, details });
    return { id: outcome.id };
  }).catch((error: unknown) => {
    // somebody else took the name in this moment
    if (databaseFault(error)?.kind === 'duplicate') return new Refusal('conflict', 'User exists with same username');
    throw error;
  });
  await releaseUsers(users);
  if (made instanceof Refusal && made.kind !== 'conflict') {
    await loginFailed(attempt, 'invalid_registration', detailsOf(profile));
    return { key: 'storageRefusedMessage' };
  }
  if (made === undefined || made instanceof Refusal) {
    const field = taken(made);
    // the answer tells which names are taken
    attempt.attempts.failed({ address: browser.countedAs });
    await loginFailed(attempt, field === 'username' ? 'username_in_use' : 'email_in_use', detailsOf(profile));
    return { key: 'usernameExistsMessage', field: asksUsername ? field : 'email' };
  }
  const user = await findUserById(tokens, realm, made.id);
  if (!user) throw new PageRefusal(400, 'loginExpired');
  return user;
}
