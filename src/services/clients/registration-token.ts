import { write } from '../core/operation.js';
import { signToken } from '../keys/sign.js';
import { issuerOf } from '../tokens/context.js';
import { encodeClient } from './encode.js';
import type { FullClientTarget } from './locate.js';
import { touched } from './operations.js';
import { type FullClient, readClient } from './store.js';

/** `typ` of registration access tokens. */
export const registrationTokenType = 'RegistrationAccessToken';

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
  summary: 'Gives a client a new token to manage its own registration with; the old one is void at once.',
  allow: 'manage:clients',
  prepare: async (ctx, { realm }: FullClientTarget) => {
    const { newId, now, keyring } = ctx.services;
    const id = newId();
    const issuer = issuerOf(ctx.baseUrl, realm.name);
    const token = await signToken({ keyring }, realm, 'HS256', {
      iat: Math.floor(now() / 1000),
      jti: id,
      iss: issuer,
      aud: issuer,
      typ: registrationTokenType,
      registration_auth: 'authenticated',
    });
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
