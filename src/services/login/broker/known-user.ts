import { databaseFault } from '../../../database/errors.js';
import { lockRows } from '../../../database/locks.js';
import { type Mapped, mappedIdentity, syncModeOf } from '../../brokering/mapping.js';
import { type BrokerProvider, mappersOf } from '../../brokering/provider.js';
import { isOn } from '../../core/realm.js';
import { Refusal } from '../../core/refusal.js';
import { inUnitOfWork } from '../../core/unit-of-work.js';
import { findUserById } from '../../tokens/parties.js';
import type { TokenUser } from '../../tokens/types.js';
import { ownAttributes } from '../../users/names.js';
import { updateUsers } from '../../users/update.js';
import { type Attempt, asUser } from '../attempt.js';
import { isNameForUsers } from '../profile-fields.js';
import { PageRefusal } from '../refusals.js';
import type { BrokeredLogin } from './brokered.js';
import { applyMapped, isRenewed, type Link, refreshLink } from './link-store.js';

/** The fields of a user that differ from the account, if the provider has the sync mode `FORCE`. */
function profileChanges({ realm }: Attempt, provider: BrokerProvider, user: TokenUser, { identity }: Mapped) {
  const { email, firstName, lastName, isEmailVerified, username } = identity;
  const isForced = syncModeOf(provider.settings) === 'FORCE';
  // an entry of a directory is changed there
  if (user.federationLink !== null || !isForced) return undefined;
  const changes = {
    ...(email !== undefined && email.toLowerCase() !== user.email && { email, emailVerified: isEmailVerified }),
    ...(firstName !== undefined && firstName !== user.firstName && { firstName }),
    ...(lastName !== undefined && lastName !== user.lastName && { lastName }),
    ...(identity.isNamed &&
      isNameForUsers(username) &&
      !isOn(realm, 'registrationEmailAsUsername') &&
      username.toLowerCase() !== user.username && { username }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

/** Attributes of a user that differ from what mappers set, without those that only the server writes. */
function attributeChanges(user: TokenUser, attributes: Mapped['attributes']): Mapped['attributes'] {
  const presentOf = (name: string) => user.attributes.filter((one) => one.name === name).map(({ value }) => value);
  const changed = Object.entries(ownAttributes(attributes)).filter(
    ([name, values]) => presentOf(name).join('\0') !== values.join('\0'),
  );
  return Object.fromEntries(changed);
}

/**
 * Brings a linked user up to date with the account at the provider, by its mappers and their sync modes, and returns the user as
 * it is then. A username or address that somebody else has stays as it was. Nothing is written if nothing is new.
 */
export async function updateKnownUser(
  attempt: Attempt,
  provider: BrokerProvider,
  user: TokenUser,
  { brokered, link }: { brokered: BrokeredLogin; link: Link },
): Promise<TokenUser> {
  const { services, realm, tokens } = attempt;
  const mappers = await mappersOf(services.database.read, provider);
  const mapped = mappedIdentity(brokered.identity, mappers, provider.settings, 'again');
  brokered.notes = mapped.notes;
  const changes = profileChanges(attempt, provider, user, mapped);
  const attributes = attributeChanges(user, mapped.attributes);
  const { granted, removed } = mapped;
  const isNew = changes || Object.keys(attributes).length + granted.length + removed.length > 0;
  if (!isNew && !isRenewed(link, mapped.identity)) return user;
  const touches = [`users:${realm.id}`, `user:${user.id}`];
  try {
    await inUnitOfWork(services, async ({ tx, changed }) => {
      await lockRows(tx, 'User', [user.id]);
      if (changes) {
        const change = { id: user.id, input: changes, prepared: { temporary: false, given: [] } };
        const [outcome] = await updateUsers(tx, asUser(attempt, user), realm, [change]);
        if (outcome instanceof Refusal)
          services.log.warn(
            { realm: realm.name, user: user.id, provider: provider.alias, reason: outcome.message },
            'the profile of a user was not updated from the identity provider',
          );
      }
      await applyMapped(tx, provider, user, { ...mapped, attributes }, false);
      await refreshLink(tx, services, user.id, mapped.identity);
      await changed({ realmId: realm.id, operation: 'user.brokerLogin', touches });
    });
  } catch (error) {
    // another request took the name in this moment: the next login updates the user
    if (databaseFault(error)?.kind !== 'duplicate') throw error;
  }
  const present = await findUserById(tokens, realm, user.id);
  if (!present) throw new PageRefusal(400, 'loginExpired');
  return present;
}
