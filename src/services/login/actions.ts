import { randomInt } from 'node:crypto';
import { base32 } from '../core/base32.js';
import { numberOf, textsOf } from '../core/json.js';
import { isOn } from '../core/realm.js';
import { policySettings } from '../credentials/password-policy.js';
import type { TokenUser } from '../tokens/types.js';
import { policyOf } from '../users/passwords.js';
import { type ActionName, isPerformed, presentName } from './action-names.js';
import { type Attempt, atNow, loginFailed, type Page } from './attempt.js';
import { deletionPage } from './delete-account.js';
import { newCodesPage } from './recovery-codes.js';
import { PageRefusal } from './refusals.js';
import { registrationPage } from './webauthn/register.js';

/**
 * What a user has to do before the login ends, in the order of the realm: what an administrator, a link or the client
 * asked for as far as the realm has it switched on, and what the realm and the flow (`demands`) want of everybody. Throws
 * for an action that this server does not have. `byClient` is what the link or the client asked for.
 */
export async function openActions(
  attempt: Attempt,
  user: TokenUser,
  demands: readonly ActionName[],
  byClient = attempt.kept.state.asked ?? [],
): Promise<ActionName[]> {
  const { services, realm } = attempt;
  const { state } = attempt.kept;
  const isOpen = (action: string) => !state.performed?.some((done) => done === action);
  const asked = new Set([
    ...textsOf(user.requiredActions).map(presentName),
    ...byClient.map(presentName).filter(isOpen),
  ]);
  const demanded = new Set<string>(demands.filter(isOpen));
  const { expireDays } = policySettings(policyOf(realm));
  const changed = user.credentials.find(({ type }) => type === 'password')?.createdDate ?? null;
  const age = changed === null ? 0 : atNow(attempt) - Number(changed) / 1000;
  if (expireDays > 0 && age > expireDays * 86_400) demanded.add('UPDATE_PASSWORD');
  if (isOn(realm, 'verifyEmail') && !user.emailVerified) demanded.add('VERIFY_EMAIL');
  // an address that was confirmed since has nothing left to be confirmed, nor has one that there is not
  if (user.emailVerified) asked.delete('VERIFY_EMAIL');
  if (!user.email) for (const names of [asked, demanded]) names.delete('VERIFY_EMAIL');
  if (asked.size + demanded.size === 0) return [];
  const rows = await services.database.read.requiredAction.findMany({
    where: { realmId: realm.id, enabled: true },
    orderBy: [{ priority: 'asc' }, { alias: 'asc' }],
    select: { alias: true },
  });
  const enabled = rows.map(({ alias }) => presentName(alias));
  const open = enabled.filter((alias) => asked.has(alias) || demanded.has(alias));
  const rest = [...demanded].filter((alias) => !open.includes(alias));
  const all = [...open, ...rest];
  const missing = all.find((alias) => !isPerformed(alias));
  if (missing !== undefined) {
    await loginFailed(attempt, 'resolve_required_actions', { reason: missing });
    throw new PageRefusal(400, 'unsupportedAction', missing);
  }
  return all as ActionName[];
}

/** Whether the user may leave out an action: nobody but the client asks for it. */
export async function mayCancel(
  attempt: Attempt,
  user: TokenUser,
  demands: readonly ActionName[],
  action: ActionName,
): Promise<boolean> {
  const { state } = attempt.kept;
  if (state.link || state.request.action !== action) return false;
  return !(await openActions(attempt, user, demands, [])).includes(action);
}

/** The page of an action. For a new device it makes up the secret. */
export async function actionPage(attempt: Attempt, user: TokenUser, action: ActionName): Promise<Page> {
  const { realm, kept } = attempt;
  switch (action) {
    case 'UPDATE_PASSWORD':
      return { name: 'updatePassword', username: user.username };
    case 'UPDATE_PROFILE':
      return {
        name: 'updateProfile',
        asksUsername: isOn(realm, 'editUsernameAllowed') && !isOn(realm, 'registrationEmailAsUsername'),
        values: {
          username: user.username,
          email: user.email ?? '',
          firstName: user.firstName ?? '',
          lastName: user.lastName ?? '',
        },
      };
    case 'CONFIGURE_TOTP':
      kept.state.deviceSecret ??= deviceSecret();
      return devicePage(attempt, user, kept.state.deviceSecret);
    case 'webauthn-register':
      return registrationPage(attempt, user, 'webauthn');
    case 'webauthn-register-passwordless':
      return registrationPage(attempt, user, 'webauthn-passwordless');
    case 'CONFIGURE_RECOVERY_AUTHN_CODES':
      return newCodesPage(attempt);
    case 'VERIFY_EMAIL':
      return { name: 'verifyEmail', email: user.email ?? '' };
    case 'delete_account':
      return deletionPage(attempt, user);
    case 'terms_and_conditions':
      return { name: 'terms' };
  }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Twenty letters and digits, as existing databases hold secrets of devices: 119 bits. */
const deviceSecret = (): string => Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('');

/** What the realm says of one-time codes. */
export function devicePolicy({ realm: { settings } }: Pick<Attempt, 'realm'>) {
  const algorithm = typeof settings.otpPolicyAlgorithm === 'string' ? settings.otpPolicyAlgorithm : 'HmacSHA1';
  return {
    type: settings.otpPolicyType === 'hotp' ? ('hotp' as const) : ('totp' as const),
    algorithm,
    counter: numberOf(settings, 'otpPolicyInitialCounter', 0),
    digits: numberOf(settings, 'otpPolicyDigits', 6),
    period: numberOf(settings, 'otpPolicyPeriod', 30),
    lookAround: Math.min(Math.max(numberOf(settings, 'otpPolicyLookAheadWindow', 1), 0), 10),
  };
}

function devicePage(attempt: Attempt, user: TokenUser, secret: string): Page {
  const { realm } = attempt;
  const { type, algorithm, digits, period, counter } = devicePolicy(attempt);
  const shown = algorithm.replace(/^Hmac/, '');
  const issuer = realm.displayName || realm.name;
  const key = base32(Buffer.from(secret, 'utf8'));
  const query = new URLSearchParams({
    secret: key,
    digits: String(digits),
    algorithm: shown,
    issuer,
    ...(type === 'hotp' ? { counter: String(counter) } : { period: String(period) }),
  });
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(user.username)}`;
  // authenticator apps take a plus for a plus
  const uri = `otpauth://${type}/${label}?${query.toString().replaceAll('+', '%20')}`;
  return {
    name: 'configureTotp',
    secret: key,
    uri,
    algorithm: shown,
    digits,
    ...(type === 'hotp' ? { counter } : { period }),
  };
}
