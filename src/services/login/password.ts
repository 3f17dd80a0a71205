import { placeOfCredential } from '../core/sealed-columns.js';
import { verifyNothing, verifyPassword } from '../credentials/hashing.js';
import { type HashingRealm, hashSettingsOf } from '../credentials/password-policy.js';
import type { TokenUser } from '../tokens/types.js';
import { isPasswordInStorage } from '../user-storage/login.js';
import type { StorageServices } from '../user-storage/storage.js';

const secretOf = (
  { sealer }: Pick<StorageServices, 'sealer'>,
  userId: string,
  { id, secretData }: TokenUser['credentials'][number],
): string => sealer.open(secretData, placeOfCredential({ id, userId }));

/**
 * Whether this is the password of a user: the one that is kept here or, where there is none for a user of a user storage,
 * the one there. For nobody it takes as long as for a wrong password. `caller` is the address that it comes from.
 */
export async function isPasswordOf(
  services: StorageServices,
  realm: HashingRealm,
  user: TokenUser | undefined,
  password: string,
  caller: string | undefined,
): Promise<boolean> {
  const credential = user?.credentials.find(({ type }) => type === 'password');
  if (user && user.federationLink !== null && !credential)
    return isPasswordInStorage(services, realm.id, user, password);
  const right =
    user && credential && password !== ''
      ? await verifyPassword(password, credential.credentialData, secretOf(services, user.id, credential), {
          line: realm.id,
          caller,
        })
      : await verifyNothing(password, { ...hashSettingsOf(realm), caller });
  return right === true;
}
