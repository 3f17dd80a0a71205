import { read, write } from '../core/operation.js';
import { newClientSecret } from '../realms/assemble/realm.js';
import type { ClientTarget } from './locate.js';
import { touched } from './operations.js';
import { openedSecret, sealedSecret } from './secrets.js';
import { accountOf, altersClient } from './service-account.js';

/** The secret of a client, where it has one, and the client it is of. */
export interface ClientSecret {
  id: string;
  secret: string | undefined;
}

/** CredentialRepresentation of a client's secret; without a value for a client that has none. */
export const encodeSecret = ({ secret }: ClientSecret) => ({
  type: 'secret',
  ...(secret !== undefined && { value: secret }),
});

export const secret = read({
  name: 'client.secret',
  summary: 'Returns the secret of a client.',
  allow: 'view:clients',
  actsOn: accountOf,
  run: async (ctx, { client }: ClientTarget): Promise<ClientSecret> => {
    const row = await ctx.db.client.findUnique({ where: { id: client.id }, select: { secret: true } });
    return { id: client.id, secret: row ? openedSecret({ ...client, ...row }, ctx.services.sealer) : undefined };
  },
});

export const regenerateSecret = write({
  name: 'client.regenerateSecret',
  summary: 'Generates a new secret for a client and returns it. The previous secret is invalid immediately.',
  allow: 'configure:clients',
  actsOn: accountOf,
  alters: altersClient,
  lock: ({ client }: ClientTarget) => ({ model: 'Client', id: client.id }),
  run: async (tx, { client }, _input, { ctx }): Promise<ClientSecret> => {
    const value = newClientSecret();
    await tx.later.client.updateMany({
      where: { id: client.id },
      data: { secret: sealedSecret(client, value, ctx.services.sealer), version: { increment: 1 } },
    });
    return { id: client.id, secret: value };
  },
  event: ({ id }) => ({
    operationType: 'ACTION',
    resourceType: 'CLIENT',
    resourcePath: `clients/${id}/client-secret`,
    representation: { type: 'secret' },
  }),
  touches: ({ id }, { realm }) => touched({ id, realmId: realm.id }),
});
