import { read, write } from '../core/operation.js';
import { conflict, invalid, notFound } from '../core/refusal.js';
import type { UserTarget } from './locate.js';
import { lockUser, touchedUser } from './operations.js';
import { FederatedIdentityRepresentation } from './representation.js';
import { countUp } from './store.js';
import { encodeIdentities } from './views.js';

/** A user and the alias of an identity provider, which need not be there. */
export interface LinkTarget extends UserTarget {
  provider: string;
}

export const listIdentities = read({
  name: 'user.federatedIdentities',
  summary: 'Returns the links of a user to identity providers. Links to unknown identity providers are left out.',
  allow: 'view:users',
  run: async (_ctx, { user, realm }: UserTarget) => encodeIdentities(user, realm),
});

const path = ({ path: user, provider }: LinkTarget) => `${user}/federated-identity/${provider}`;

export const addIdentity = write({
  name: 'user.addFederatedIdentity',
  summary: 'Links a user to an account at an identity provider.',
  input: FederatedIdentityRepresentation,
  allow: 'manage:users',
  actsOn: ({ user }: LinkTarget) => [user.id],
  lock: lockUser,
  run: async (tx, { user, provider }: LinkTarget, { userId, userName }): Promise<{ id: string }> => {
    if (!userId) throw invalid('`userId` of the federated identity is required', 'userId');
    const link = { userId: user.id, identityProvider: provider };
    const row = { ...link, externalUserId: userId, externalUsername: userName ?? null };
    if ((await tx.insertNew('FederatedIdentity', [row])) === 0) {
      throw conflict('User is already linked with provider', 'identityProvider', 'IDENTITY_TAKEN');
    }
    await countUp(tx, user.id);
    return { id: user.id };
  },
  refuses: ['IDENTITY_TAKEN'],
  event: (_, target, link) => ({
    operationType: 'CREATE',
    resourceType: 'USER',
    resourcePath: path(target),
    representation: { ...link, identityProvider: target.provider },
  }),
  touches: (_, target) => touchedUser(target),
});

export const removeIdentity = write({
  name: 'user.removeFederatedIdentity',
  summary: 'Removes the link of a user to an account at an identity provider.',
  allow: 'manage:users',
  actsOn: ({ user }: LinkTarget) => [user.id],
  lock: lockUser,
  run: async (tx, { user, provider }: LinkTarget): Promise<{ id: string }> => {
    const { count } = await tx.federatedIdentity.deleteMany({
      where: { userId: user.id, identityProvider: provider },
    });
    if (count === 0) throw notFound('Link not found');
    await countUp(tx, user.id);
    return { id: user.id };
  },
  event: (_, target) => ({ operationType: 'DELETE', resourceType: 'USER', resourcePath: path(target) }),
  touches: (_, target) => touchedUser(target),
});
