import { inUnitOfWork } from '../core/unit-of-work.js';
import { tryPassword } from './password.js';
import type { StorageServices } from './storage.js';

/** A user who logs in. The login updates it to the state of the account in the directory. */
interface LoggingIn {
  id: string;
  enabled: boolean;
  requiredActions: unknown;
  federationLink: string | null;
  federationId: string | null;
}

const updatePassword = 'UPDATE_PASSWORD';

/**
 * Whether this is the password of a user in its storage. A user with an expired password there may log in and has to
 * change it. An account that is disabled there becomes disabled in this service.
 */
export async function isPasswordInStorage(
  services: StorageServices,
  realmId: string,
  user: LoggingIn,
  password: string,
): Promise<boolean> {
  const answer = await tryPassword(services, realmId, user, password);
  if (answer === 'expired') {
    const present = Array.isArray(user.requiredActions) ? (user.requiredActions as string[]) : [];
    if (!present.includes(updatePassword)) {
      user.requiredActions = [...present, updatePassword];
      await note(services, realmId, user.id, { requiredActions: [...present, updatePassword] });
    }
  } else if (answer === 'disabled' && user.enabled) await note(services, realmId, user.id, { enabled: false });
  return answer === 'right' || answer === 'expired';
}

const note = (
  services: StorageServices,
  realmId: string,
  id: string,
  data: { requiredActions?: string[]; enabled?: boolean },
): Promise<void> =>
  inUnitOfWork(services, async ({ tx, changed }) => {
    await tx.later.user.updateMany({ where: { id }, data: { ...data, version: { increment: 1 } } });
    await changed({ realmId, operation: 'userStorage.login', touches: [`users:${realmId}`, `user:${id}`] });
  });
