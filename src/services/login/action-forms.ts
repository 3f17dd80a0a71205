import type { Db } from '../../database/db.js';
import { databaseFault } from '../../database/errors.js';
import { lockRows } from '../../database/locks.js';
import { textsOf } from '../core/json.js';
import { Refusal } from '../core/refusal.js';
import { inUnitOfWork } from '../core/unit-of-work.js';
import { attributeRows } from '../core/view.js';
import { matchOneTimePassword } from '../credentials/one-time-password.js';
import { storeLoginEvent } from '../events/login-events.js';
import { accountMark } from '../mail/link-binding.js';
import type { Concerned } from '../sessions/notifications.js';
import { findUserById } from '../tokens/parties.js';
import type { TokenUser } from '../tokens/types.js';
import { placeOfPassword, storageOfUser, writePassword } from '../user-storage/password.js';
import { writeProfiles } from '../user-storage/write/write-profile.js';
import { forgetPasswords, keepCredentials } from '../users/keep-credentials.js';
import { isBreach, passwordsOf, preparePassword } from '../users/passwords.js';
import { updateUsers } from '../users/update.js';
import type { ActionName } from './action-names.js';
import { actionPage, devicePolicy } from './actions.js';
import { type Attempt, asUser, atNow, eventDetails, loginFailed } from './attempt.js';
import { breachNotice } from './breach-notice.js';
import { sendVerification } from './login-mail.js';
import { endOtherSessions, tellClients } from './other-sessions.js';
import { profileOf, profileProblem } from './profile-fields.js';
import { ClientRefusal, PageRefusal } from './refusals.js';
import type { Notice } from './texts.js';
import type { KeyType } from './webauthn/policy.js';
import { registeredKey } from './webauthn/register.js';

/** Takes the form of a required action. Answers what was wrong with it; nothing where the action is done. */
export async function takeAction(
  attempt: Attempt,
  user: TokenUser,
  action: ActionName,
  form: URLSearchParams,
): Promise<Notice | undefined> {
  switch (action) {
    case 'UPDATE_PASSWORD':
      return updatePassword(attempt, user, form);
    case 'UPDATE_PROFILE':
      return updateProfile(attempt, user, form);
    case 'CONFIGURE_TOTP':
      return configureDevice(attempt, user, form);
    case 'terms_and_conditions':
      return acceptTerms(attempt, user, form);
    case 'webauthn-register':
      return registerKey(attempt, user, action, 'webauthn', form);
    case 'webauthn-register-passwordless':
      return registerKey(attempt, user, action, 'webauthn-passwordless', form);
    case 'VERIFY_EMAIL':
      return form.has('resend') ? sendVerification(attempt, user) : undefined;
  }
}

type Work = (tx: Db) => Promise<Notice | undefined>;

/** Does the work of an action and takes it off the user's list, with the event, all in one transaction. */
async function done(
  attempt: Attempt,
  user: TokenUser,
  action: ActionName,
  type: string | undefined,
  work: Work,
): Promise<Notice | undefined> {
  const { services, realm, client, browser, kept } = attempt;
  const touches = [`users:${realm.id}`, `user:${user.id}`];
  const wrong = await inUnitOfWork(services, async ({ tx, changed }) => {
    await lockRows(tx, 'User', [user.id]);
    const present = await tx.user.findFirst({ where: { id: user.id }, select: { requiredActions: true } });
    const wrong = await work(tx);
    if (wrong) return wrong;
    const requiredActions = textsOf(present?.requiredActions).filter(
      (open) => open.toLowerCase() !== action.toLowerCase(),
    );
    await tx.later.user.updateMany({ where: { id: user.id }, data: { requiredActions, version: { increment: 1 } } });
    await changed({ realmId: realm.id, operation: 'user.requiredAction', touches });
    const who = { clientId: client.clientId, userId: user.id, sessionId: kept.state.sid, ipAddress: browser.ipAddress };
    const event = { ...who, details: { ...eventDetails(attempt), custom_required_action: action } };
    if (type) await storeLoginEvent(tx, services, realm, { ...event, type });
    return undefined;
  });
  if (wrong) return wrong;
  const present = await findUserById(attempt.tokens, realm, user.id);
  if (present) attempt.user = present;
  kept.state.performed = [...(kept.state.performed ?? []), action];
  // what the link itself has changed does not end it
  if (kept.state.mark !== undefined) kept.state.mark = await accountMark(services.database.read, user.id);
  return undefined;
}

async function updatePassword(attempt: Attempt, user: TokenUser, form: URLSearchParams): Promise<Notice | undefined> {
  const { realm } = attempt;
  const password = form.get('password-new') ?? '';
  if (password === '') return { key: 'missingPasswordMessage', field: 'password-new' };
  if (password !== form.get('password-confirm')) return { key: 'notMatchPasswordMessage', field: 'password-confirm' };
  const ending: Concerned[] = [];
  const before = async (tx: Db) => {
    const { mark } = attempt.kept.state;
    if (mark !== undefined && (await accountMark(tx, user.id)) !== mark) {
      throw new PageRefusal(400, 'expiredActionMessage');
    }
  };
  const endsOthers = form.get('logout-sessions') === 'on';
  const after = async (tx: Db) => {
    if (endsOthers) ending.splice(0, ending.length, ...(await endOtherSessions(tx, attempt, user)));
    return undefined;
  };
  const finish = async (work: Work) => {
    const notice = await done(attempt, user, 'UPDATE_PASSWORD', 'UPDATE_PASSWORD', work);
    if (!notice) await tellClients(attempt, ending);
    return notice;
  };
  await before(attempt.services.database.read);
  const ctx = asUser(attempt, user);
  const storage = await storageOfUser(attempt.services, realm.id, user);
  if (storage && placeOfPassword(storage) === 'directory') {
    await writePassword(storage, user, password);
    return finish(async (tx) => {
      await forgetPasswords(tx, [user.id]);
      return after(tx);
    });
  }
  const history = (await passwordsOf(ctx, realm, [user.id])).get(user.id) ?? [];
  const prepared = await preparePassword(realm, password, { username: user.username, email: user.email, history });
  if (isBreach(prepared)) {
    return breachNotice(prepared, 'password-new');
  }
  return finish(async (tx) => {
    await before(tx);
    await keepCredentials(tx, ctx, realm, [
      { id: user.id, prepared: { password: prepared, temporary: false, given: [] } },
    ]);
    return after(tx);
  });
}

async function updateProfile(attempt: Attempt, user: TokenUser, form: URLSearchParams): Promise<Notice | undefined> {
  const page = await actionPage(attempt, user, 'UPDATE_PROFILE');
  const asksUsername = page.name === 'updateProfile' && page.asksUsername;
  const profile = profileOf(form);
  const problem = profileProblem(profile, asksUsername);
  if (problem) return problem;
  const { username, email, firstName, lastName } = profile;
  const isNew = email.toLowerCase() !== user.email;
  const input = {
    email,
    firstName,
    lastName,
    ...(asksUsername && { username }),
    ...(isNew && { emailVerified: false }),
  };
  const taken: Notice = { key: 'usernameExistsMessage', field: 'email' };
  try {
    const ctx = asUser(attempt, user);
    const { refusals, kept } = await writeProfiles(ctx, attempt.realm, [{ id: user.id, input }], undefined);
    const refused = refusals.get(user.id);
    if (refused) return refused.kind === 'conflict' ? taken : { key: 'storageRefusedMessage' };
    return await done(attempt, user, 'UPDATE_PROFILE', 'UPDATE_PROFILE', async (tx) => {
      const change = { id: user.id, input, prepared: { temporary: false, given: [] }, kept: kept.get(user.id) };
      const [outcome] = await updateUsers(tx, ctx, attempt.realm, [change]);
      return outcome instanceof Refusal ? taken : undefined;
    });
  } catch (error) {
    // somebody else took the name in this moment
    if (databaseFault(error)?.kind === 'duplicate') return taken;
    throw error;
  }
}

async function configureDevice(attempt: Attempt, user: TokenUser, form: URLSearchParams): Promise<Notice | undefined> {
  const { services, kept } = attempt;
  const { deviceSecret } = kept.state;
  if (deviceSecret === undefined) return { key: 'pageExpired' };
  const code = (form.get('totp') ?? '').replace(/\s/g, '');
  if (code === '') return { key: 'missingTotpMessage', field: 'totp' };
  const userLabel = (form.get('userLabel') ?? '').trim();
  if (userLabel.length > 255) return { key: 'tooLongMessage', field: 'userLabel' };
  const { type: subType, algorithm, counter, digits, period, lookAround } = devicePolicy(attempt);
  const given = JSON.stringify({ subType, digits, counter, period, algorithm });
  const secretData = JSON.stringify({ value: deviceSecret });
  const match = matchOneTimePassword(code, { credentialData: given, secretData }, atNow(attempt), lookAround);
  if (!match) return { key: 'invalidTotpMessage', field: 'totp' };
  const { credentialData } = match;
  const stored = { type: 'otp', userLabel, secretData, credentialData };
  const notice = await done(attempt, user, 'CONFIGURE_TOTP', 'UPDATE_TOTP', async (tx) => {
    const given = [{ id: undefined, credential: stored, stored: { credentialData, secretData } }];
    await keepCredentials(tx, asUser(attempt, user), attempt.realm, [
      { id: user.id, prepared: { temporary: false, given } },
    ]);
    return undefined;
  });
  if (notice) return notice;
  delete kept.state.deviceSecret;
  // the code has just shown that the user has the device: the flow need not ask for another one
  kept.state.done.push('device otp');
  kept.state.authTime = Math.floor(services.now() / 1000);
  return undefined;
}

async function registerKey(
  attempt: Attempt,
  user: TokenUser,
  action: ActionName,
  type: KeyType,
  form: URLSearchParams,
): Promise<Notice | undefined> {
  const { services, kept } = attempt;
  const userLabel = (form.get('userLabel') ?? '').trim();
  if (userLabel.length > 255) return { key: 'tooLongMessage', field: 'userLabel' };
  const credentialData = await registeredKey(attempt, type, form);
  if (credentialData === undefined) {
    await loginFailed(attempt, 'invalid_registration', {}, 'CUSTOM_REQUIRED_ACTION_ERROR');
    return { key: 'webauthnRegistrationFailed' };
  }
  const notice = await done(attempt, user, action, 'CUSTOM_REQUIRED_ACTION', async (tx) => {
    const stored = { type, ...(userLabel !== '' && { userLabel }) };
    const given = [{ id: undefined, credential: stored, stored: { credentialData, secretData: '{}' } }];
    await keepCredentials(tx, asUser(attempt, user), attempt.realm, [
      { id: user.id, prepared: { temporary: false, given } },
    ]);
    return undefined;
  });
  if (notice) return notice;
  // the key has just shown that the user has it
  kept.state.done.push(`device ${type}`);
  kept.state.authTime = Math.floor(services.now() / 1000);
  return undefined;
}

async function acceptTerms(attempt: Attempt, user: TokenUser, form: URLSearchParams): Promise<Notice | undefined> {
  if (form.has('cancel')) {
    await loginFailed(attempt, 'rejected_by_user');
    throw new ClientRefusal('access_denied');
  }
  return done(attempt, user, 'terms_and_conditions', undefined, async (tx) => {
    const name = 'terms_and_conditions';
    await tx.userAttribute.deleteMany({ where: { userId: user.id, name } });
    const rows = attributeRows('userId', user.id, { [name]: [String(atNow(attempt))] });
    await tx.userAttribute.createMany({ data: rows });
    return undefined;
  });
}
