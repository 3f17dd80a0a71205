import { signRegistrationToken } from '../client-registration/registration-token.js';
import { write } from '../core/operation.js';
import { refuseWithin } from '../core/unit-of-work.js';
import { encodeClient } from './encode.js';
import type { FullClientTarget } from './locate.js';
import { touched } from './operations.js';
import { accountOf, altersClient } from './service-account.js';
import { type FullClient, readClient } from './store.js';

/** A client with its new registration access token, which is told this once. */
export interface WithRegistrationToken {
  client: FullClient;
  token: string;
}

/** ClientRepresentation with the token, the only answer that has it. */
export const encodeWithToken = ({ client, token }: WithRegistrationToken) =>
  Object.assign(encodeClient(client), { registrationAccessToken: token });

/**
 * The token (RFC 7592) with which a client manages its own registration. It has no end; it is good as long as the client
 * has its id in `registrationToken`.
 */
export const renewRegistrationToken = write({
  name: 'client.renewRegistrationToken',
  summary: 'Generates a new registration access token for a client. The previous token is invalid immediately.',
  allow: 'configure:clients',
  actsOn: accountOf,
  alters: altersClient,
  prepare: async (ctx, { realm }: FullClientTarget) => {
    refuseWithin(ctx, 'A token cannot be issued');
    const id = ctx.services.newId();
    const token = await signRegistrationToken(ctx, realm, id, 'authenticated');
    return { id, token };
  },
  lock: ({ client }: FullClientTarget) => ({ model: 'Client', id: client.id }),
  run: async (tx, { client }, _input, { prepared: { id, token } }): Promise<WithRegistrationToken> => {
    await tx.later.client.updateMany({
      where: { id: client.id },
      data: { registrationToken: id, version: { increment: 1 } },
    });
    return { client: await readClient(tx, client.id), token };
  },
  event: ({ client }) => ({
    operationType: 'ACTION',
    resourceType: 'CLIENT',
    resourcePath: `clients/${client.id}/registration-access-token`,
    representation: encodeClient(client),
  }),
  touches: ({ client }) => touched(client),
});
