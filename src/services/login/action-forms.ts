import type { Db } from '../../database/db.js';
import { databaseFault } from '../../database/errors.js';
import { Refusal } from '../core/refusal.js';
import { attributeRows } from '../core/view.js';
import { matchOneTimePassword } from '../credentials/one-time-password.js';
import { accountMark } from '../mail/link-binding.js';
import type { Concerned } from '../sessions/notifications.js';
import type { TokenUser } from '../tokens/types.js';
import { placeOfPassword, storageOfUser, writePassword } from '../user-storage/password.js';
import { writeProfiles } from '../user-storage/write/write-profile.js';
import { forgetPasswords, keepCredentials } from '../users/keep-credentials.js';
import { isBreach, passwordsOf, preparePassword } from '../users/passwords.js';
import { updateUsers } from '../users/update.js';
import type { ActionName } from './action-names.js';
import { actionPage, devicePolicy } from './actions.js';
import { type Attempt, asUser, atNow, loginFailed } from './attempt.js';
import { breachNotice } from './breach-notice.js';
import { takeDeletion } from './delete-account.js';
import { sendVerification } from './login-mail.js';
import { endOtherSessions, tellClients } from './other-sessions.js';
import { performAction, setUpCredential, type Work } from './perform-action.js';
import { profileOf, profileProblem } from './profile-fields.js';
import { takeNewCodes } from './recovery-codes.js';
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
    case 'delete_account':
      return takeDeletion(attempt, user);
    case 'terms_and_conditions':
      return acceptTerms(attempt, user, form);
    case 'webauthn-register':
      return registerKey(attempt, user, action, 'webauthn', form);
    case 'webauthn-register-passwordless':
      return registerKey(attempt, user, action, 'webauthn-passwordless', form);
    case 'CONFIGURE_RECOVERY_AUTHN_CODES':
      return takeNewCodes(attempt, user, form);
    case 'VERIFY_EMAIL':
      return form.has('resend') ? sendVerification(attempt, user) : undefined;
  }
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
    const notice = await performAction(attempt, user, 'UPDATE_PASSWORD', 'UPDATE_PASSWORD', work);
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
    return await performAction(attempt, user, 'UPDATE_PROFILE', 'UPDATE_PROFILE', async (tx) => {
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
  const { kept } = attempt;
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
  const set = { type: 'otp', userLabel, credentialData, secretData };
  // the code has just shown that the user has the device
  const notice = await setUpCredential(attempt, user, 'CONFIGURE_TOTP', 'UPDATE_TOTP', set);
  if (!notice) delete kept.state.deviceSecret;
  return notice;
}

async function registerKey(
  attempt: Attempt,
  user: TokenUser,
  action: ActionName,
  type: KeyType,
  form: URLSearchParams,
): Promise<Notice | undefined> {
  const userLabel = (form.get('userLabel') ?? '').trim();
  if (userLabel.length > 255) return { key: 'tooLongMessage', field: 'userLabel' };
  const credentialData = await registeredKey(attempt, type, form);
  if (credentialData === undefined) {
    await loginFailed(attempt, 'invalid_registration', {}, 'CUSTOM_REQUIRED_ACTION_ERROR');
    return { key: 'webauthnRegistrationFailed' };
  }
  const set = { type, ...(userLabel !== '' && { userLabel }), credentialData, secretData: '{}' };
  // the key has just shown that the user has it
  return setUpCredential(attempt, user, action, 'CUSTOM_REQUIRED_ACTION', set);
}

async function acceptTerms(attempt: Attempt, user: TokenUser, form: URLSearchParams): Promise<Notice | undefined> {
  if (form.has('cancel')) {
    await loginFailed(attempt, 'rejected_by_user');
    throw new ClientRefusal('access_denied');
  }
  return performAction(attempt, user, 'terms_and_conditions', undefined, async (tx) => {
    const name = 'terms_and_conditions';
    await tx.userAttribute.deleteMany({ where: { userId: user.id, name } });
    const rows = attributeRows('userId', user.id, { [name]: [String(atNow(attempt))] });
    await tx.userAttribute.createMany({ data: rows });
    return undefined;
  });
}
