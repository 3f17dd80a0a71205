import type { Db } from '../../database/db.js';
import { invalid, type Refusal } from '../core/refusal.js';
import type { Account } from './account.js';

/** The way to log in that is going to be removed from a user. */
interface Without {
  credentialId?: string;
  identityProvider?: string;
}

/** The refusal to remove the last way to log in. */
const lastWay = (): Refusal =>
  invalid('The last way to log in must stay: the user could no longer log in', undefined, {
    code: 'IN_USE',
    body: { errorMessage: 'federatedIdentityRemovingLastProviderMessage' },
  });

/** Refuses to remove a way to log in from a user, whose row is locked, if no other way would be left. */
export async function requireOtherWay(tx: Db, { realm, user }: Account, without: Without): Promise<void> {
  // the password is in a directory
  if (user.federationLink !== null) return;
  const [credentials, identities] = await Promise.all([
    tx.credential.count({
      where: {
        userId: user.id,
        type: { in: ['password', 'webauthn-passwordless'] },
        ...(without.credentialId !== undefined && { id: { not: without.credentialId } }),
      },
    }),
    tx.federatedIdentity.findMany({
      where: {
        userId: user.id,
        ...(without.identityProvider !== undefined && { identityProvider: { not: without.identityProvider } }),
      },
      select: { identityProvider: true },
    }),
  ]);
  if (credentials > 0) return;
  const aliases = identities.map(({ identityProvider }) => identityProvider);
  const usable = await tx.identityProvider.count({
    where: { realmId: realm.id, enabled: true, alias: { in: aliases } },
  });
  if (usable === 0) throw lastWay();
}
