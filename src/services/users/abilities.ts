import { clearFailures } from '../attack-detection/operations.js';
import { abilitiesOf } from '../core/ability.js';
import type { RealmRecord } from '../core/realm.js';
import { mayImpersonate } from '../permissions/impersonation.js';
import { addAny } from '../role-mappings/writes.js';
import { end, logoutUser } from '../sessions/operations.js';
import { type Config, editModeOf, flagOf } from '../user-storage/config.js';
import { isUsable } from '../user-storage/storage-id.js';
import { revokeConsent } from './consents.js';
import { moveCredential, removeCredential, setCredentialLabel, setPassword } from './credentials.js';
import { executeActionsEmail, sendVerifyEmail } from './emails.js';
import { joinGroups } from './groups.js';
import { addIdentity } from './identities.js';
import { impersonate } from './impersonation.js';
import { removeUser, updateUser } from './operations.js';

interface Row {
  id: string;
  username: string;
  email: string | null;
  enabled: boolean;
  federationLink: string | null;
}

/** Whether the storage of a user takes no new passwords. */
function isReadOnly({ federationLink }: Row, { components }: RealmRecord): boolean {
  const storage = components.find(({ id }) => id === federationLink);
  if (!storage) return false;
  const config = storage.config as Config;
  return !flagOf(config, 'enabled', true) || editModeOf(config) === 'READ_ONLY';
}

const takesMail = {
  EMAIL_MISSING: ({ email }: Row) => !email,
  USER_DISABLED: (user: Row, realm: RealmRecord) => !isUsable(realm, user),
};

/** What can be done with a user. */
export const userAbilities = abilitiesOf<Row>()({
  reads: { username: true, email: true, enabled: true, federationLink: true },
  target: (user) => ({ user, owner: { kind: 'user', id: user.id } }),
  of: {
    update: { operation: updateUser, input: ({ federationLink }) => ({ federationLink }) },
    delete: { operation: removeUser },
    setPassword: { operation: setPassword, bars: { READ_ONLY: isReadOnly } },
    joinGroups: { operation: joinGroups },
    addRoles: { operation: addAny, kind: 'user' },
    addFederatedIdentity: { operation: addIdentity },
    revokeConsent: { operation: revokeConsent },
    impersonate: {
      operation: impersonate,
      isLetBy: (ctx, realm, { id, username }) => mayImpersonate(ctx, realm, { id, username }),
    },
    logout: { operation: logoutUser },
    sendVerifyEmail: { operation: sendVerifyEmail, bars: takesMail },
    sendActionsEmail: { operation: executeActionsEmail, bars: takesMail },
    clearLoginFailures: { operation: clearFailures, target: ({ id }) => ({ userId: id }) },
  },
});

/** What can be done with a credential of a user. */
export const credentialAbilities = abilitiesOf<{ id: string; userId: string }>()({
  reads: { userId: true },
  target: ({ userId }) => ({ user: { id: userId } }),
  of: {
    delete: { operation: removeCredential },
    setLabel: { operation: setCredentialLabel },
    move: { operation: moveCredential },
  },
});

/** What can be done with a session of a user. */
export const sessionAbilities = abilitiesOf<{ id: string; userId: string }>()({
  reads: { userId: true },
  target: (session) => ({ session }),
  of: { end: { operation: end } },
});
