import { lockOf } from '../../attack-detection/login.js';
import { mappedIdentity } from '../../brokering/mapping.js';
import { type BrokerProvider, findBrokerProvider, mappersOf } from '../../brokering/provider.js';
import { isOn } from '../../core/realm.js';
import { Refusal } from '../../core/refusal.js';
import { inUnitOfWork } from '../../core/unit-of-work.js';
import { storeLoginEvent } from '../../events/login-events.js';
import { isOneAddress } from '../../mail/address.js';
import { findUserById, findUserByLogin } from '../../tokens/parties.js';
import { heldRoles } from '../../tokens/store.js';
import type { TokenUser } from '../../tokens/types.js';
import { ownAttributes } from '../../users/names.js';
import { storedUsername } from '../../users/usernames.js';
import type { ActionName } from '../action-names.js';
import { type Attempt, eventDetails, loginFailed } from '../attempt.js';
import type { BrokerStep } from '../flow-steps.js';
import { mailLink } from '../login-mail.js';
import { goOnAs } from '../login-user.js';
import { createNewcomer } from '../new-user.js';
import { isNameForUsers, profileProblem } from '../profile-fields.js';
import { PageRefusal } from '../refusals.js';
import type { BrokeredLogin } from './brokered.js';
import { asksUsername, brokeredOf, profileFrom } from './brokered-profile.js';
import { linkUser } from './link-store.js';
import { beginPostLogin } from './paths.js';
import { providerDetails } from './send.js';

type Config = Readonly<Record<string, unknown>>;

/** The result of a step before a page is shown: it is passed, does not apply so that an alternative follows, or needs its page. */
type Settled = 'passed' | 'inapplicable' | 'page';

/** The provider of a login that came back from it. Throws a page where it was disabled since then. */
export async function providerOf(attempt: Attempt): Promise<BrokerProvider> {
  const { alias } = brokeredOf(attempt).identity;
  const provider = await findBrokerProvider(attempt.services, attempt.realm.id, alias);
  if (!provider?.enabled) throw new PageRefusal(400, 'identityProviderNotFound');
  return provider;
}

/** Takes a step of a first login as far as it goes without the user. */
export async function settleBrokerStep(attempt: Attempt, step: BrokerStep, config: Config): Promise<Settled> {
  const brokered = brokeredOf(attempt);
  switch (step) {
    case 'idp-review-profile':
      return needsReview(attempt, config) ? 'page' : 'passed';
    case 'idp-create-user-if-unique': {
      brokered.existing = await existingUser(attempt);
      return brokered.existing ? 'inapplicable' : createdUser(attempt, config);
    }
    case 'idp-detect-existing-broker-user':
      brokered.existing ??= await existingUser(attempt);
      if (brokered.existing) return 'passed';
      await loginFailed(attempt, 'user_not_found');
      throw new PageRefusal(400, 'accessDenied');
    case 'idp-auto-link':
      return brokered.existing ? autoLinked(attempt, brokered.existing) : 'inapplicable';
    case 'idp-confirm-link':
      return brokered.existing ? 'page' : 'inapplicable';
    case 'idp-email-verification':
      return settleMail(attempt);
    case 'idp-username-password-form':
      return brokered.existing ? 'page' : 'inapplicable';
  }
}

/** Whether the profile is shown: `on`, `off`, or if something of it is missing. A changed profile is always shown. */
function needsReview(attempt: Attempt, config: Config): boolean {
  const brokered = brokeredOf(attempt);
  if (brokered.mustReview) return true;
  switch (config['update.profile.on.first.login']) {
    case 'on':
      return true;
    case 'off':
      return false;
    default:
      return profileProblem(profileFrom(attempt), asksUsername(attempt)) !== undefined;
  }
}

/** The user of the realm, or of one of its directories, who has the address or the username of a new account. */
async function existingUser(attempt: Attempt): Promise<BrokeredLogin['existing']> {
  const { services, tokens, realm } = attempt;
  const { username, email } = profileFrom(attempt);
  if (email !== '' && !isOn(realm, 'duplicateEmailsAllowed')) {
    const holder = await services.database.read.user.findFirst({
      where: { realmId: realm.id, email: email.toLowerCase() },
      select: { id: true, username: true },
    });
    if (holder) return holder;
  }
  const name = asksUsername(attempt) ? username : email;
  const user = await findUserByLogin(tokens, realm, name);
  return user && { id: user.id, username: user.username };
}

async function createdUser(attempt: Attempt, config: Config): Promise<Settled> {
  const { services, realm, tokens, kept } = attempt;
  const { state } = kept;
  const brokered = brokeredOf(attempt);
  const provider = await providerOf(attempt);
  const { identity } = brokered;
  const { username, email, firstName, lastName } = profileFrom(attempt);
  const hasAddress = isOneAddress(email);
  const isTooLong = [username, firstName, lastName].some((text) => text.length > 255);
  if (isTooLong || !isNameForUsers(username) || (!asksUsername(attempt) && !hasAddress)) {
    throw new PageRefusal(400, 'identityProviderLoginFailure', provider.label);
  }
  const mapped = mappedIdentity(identity, await mappersOf(services.database.read, provider), provider.settings, 'new');
  const needsPassword = config['require.password.update.after.registration'] === 'true';
  const input = {
    ...(asksUsername(attempt) && { username }),
    ...(hasAddress && { email, emailVerified: identity.isEmailVerified }),
    ...(firstName !== '' && { firstName }),
    ...(lastName !== '' && { lastName }),
    enabled: true,
    attributes: ownAttributes(mapped.attributes),
    ...(needsPassword && { requiredActions: ['UPDATE_PASSWORD'] }),
  };
  const details = { ...providerDetails(provider), register_method: 'broker', username, ...(hasAddress && { email }) };
  const made = await createNewcomer(
    attempt,
    { input, prepared: { temporary: false, given: [] }, details },
    async ({ tx }, user) => {
      // the attributes are those of the new user already
      const link = { mapped: { ...mapped, identity, attributes: {} }, isNew: true };
      if (!(await linkUser(tx, services, provider, user, link))) throw new PageRefusal(400, 'loginExpired');
    },
  );
  if (made instanceof Refusal) {
    await loginFailed(attempt, 'invalid_registration', details);
    throw new PageRefusal(400, made.kind === 'conflict' ? 'loginExpired' : 'storageRefusedMessage');
  }
  const user = await findUserById(tokens, realm, made);
  if (!user) throw new PageRefusal(400, 'loginExpired');
  goOnAs(attempt, user);
  state.username = user.username;
  brokered.isLinked = true;
  return 'passed';
}

/**
 * Whether the provider vouches for the address or username by which an existing user was found. A username with an `@` is no better
 * than the address, because users of many providers choose theirs.
 */
function isVouchedFor(attempt: Attempt, user: TokenUser): boolean {
  const { username, email, isEmailVerified, isTyped } = brokeredOf(attempt).identity;
  const address = email?.toLowerCase();
  // whoever has entered the address at the user's account may not own it
  const isOwnAddress = user.emailVerified || user.federationLink !== null;
  if (isEmailVerified && isOwnAddress && address === user.email) return true;
  const isOwnName = [storedUsername(username), username.trim().toLowerCase()].includes(user.username);
  return asksUsername(attempt) && !isTyped && isOwnName && !username.includes('@');
}

/**
 * Links the existing user without asking, as the realm's flow says. A name that the provider does not vouch for is no
 * reason to do so, and no account with administration roles is taken over by its name.
 */
async function autoLinked(attempt: Attempt, existing: NonNullable<BrokeredLogin['existing']>): Promise<Settled> {
  const { services, tokens, realm } = attempt;
  const user = await findUserById(tokens, realm, existing.id);
  const roles = await heldRoles(services.database.read, existing.id);
  const administers = await services.database.read.administrationRole.count({
    where: { roleId: { in: roles.map(({ id }) => id) } },
  });
  if (!user || administers > 0 || !isVouchedFor(attempt, user)) {
    await loginFailed(attempt, administers > 0 ? 'not_allowed' : 'email_not_verified');
    throw new PageRefusal(400, 'linkNotAllowed');
  }
  await isExistingUser(attempt, user);
  return 'passed';
}

/** Has the login go on as the existing user, who has proved to be the owner of the account. */
async function isExistingUser(attempt: Attempt, user: TokenUser): Promise<void> {
  const { services, realm, kept } = attempt;
  const lock = await lockOf(services.database.read, realm, user, services.now());
  if (lock || !user.enabled) {
    await loginFailed({ ...attempt, user }, lock ?? 'user_disabled');
    throw new PageRefusal(400, 'accountDisabledMessage');
  }
  goOnAs(attempt, user);
  kept.state.username = user.username;
}

async function settleMail(attempt: Attempt): Promise<Settled> {
  const { tokens, realm } = attempt;
  const brokered = brokeredOf(attempt);
  const { existing, proved } = brokered;
  if (!existing) return 'inapplicable';
  const user = await findUserById(tokens, realm, existing.id);
  if (!user) throw new PageRefusal(400, 'loginExpired');
  if (proved === existing.id) {
    await isExistingUser(attempt, user);
    return 'passed';
  }
  if (brokered.isMailed) return 'page';
  // another way to prove it follows where no mail can be sent
  if (!user.email || !(await mailLink(attempt, user, 'idp-verify-account-via-email'))) return 'inapplicable';
  brokered.isMailed = true;
  return 'page';
}

/** Ends a first login: the user is linked to the account, with the event. */
export async function endFirstLogin(attempt: Attempt, user: TokenUser, demands: readonly ActionName[]): Promise<void> {
  const { services, realm, client, browser } = attempt;
  const brokered = brokeredOf(attempt);
  const provider = await providerOf(attempt);
  const { identity } = brokered;
  const touches = [`users:${realm.id}`, `user:${user.id}`];
  const isLinked = await inUnitOfWork(services, async ({ tx, changed }) => {
    if (!brokered.isLinked) {
      const mapped = mappedIdentity(identity, await mappersOf(tx, provider), provider.settings, 'new');
      const link = { mapped: { ...mapped, identity, attributes: ownAttributes(mapped.attributes) }, isNew: false };
      if (!(await linkUser(tx, services, provider, user, link))) return false;
      await changed({ realmId: realm.id, operation: 'user.addFederatedIdentity', touches });
    }
    const who = { clientId: client.clientId, userId: user.id, ipAddress: browser.ipAddress };
    const details = { ...eventDetails(attempt), ...providerDetails(provider) };
    await storeLoginEvent(tx, services, realm, { type: 'IDENTITY_PROVIDER_FIRST_LOGIN', ...who, details });
    return true;
  });
  if (!isLinked) {
    await loginFailed(attempt, 'federated_identity_account_exists');
    throw new PageRefusal(400, 'alreadyLinked', provider.label);
  }
  attempt.user = (await findUserById(attempt.tokens, realm, user.id)) ?? user;
  brokered.demands = [...demands];
  beginPostLogin(attempt, provider);
}
