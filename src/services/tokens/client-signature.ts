import { createSecretKey } from 'node:crypto';
import { acceptedSecrets } from '../clients/secrets.js';
import type { KeyOwner } from '../core/ports.js';
import { compactToken } from '../keys/jws.js';
import { type PublicToken, signPublicToken, signWithPresentKey } from '../keys/sign.js';
import type { TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';
import type { TokenClient } from './types.js';

/**
 * Signs a token that only its client verifies: with a key of the realm, or by HMAC with the secret of the client (OpenID Connect
 * Core section 10.1). `mayGenerate` says whether the realm gets a key that it lacks. Throws `invalid_client` if there is no
 * such key or secret.
 */
export async function signForClient(
  context: Pick<TokenContext, 'keyring' | 'sealer' | 'now'>,
  realm: KeyOwner,
  client: TokenClient,
  token: Omit<PublicToken, 'client'>,
  { mayGenerate }: { mayGenerate: boolean },
): Promise<string> {
  const { purpose, algorithm, claims } = token;
  if (!algorithm.startsWith('HS')) {
    const sign = mayGenerate ? signPublicToken : signWithPresentKey;
    const signed = await sign(context, realm, { ...token, client: client.id });
    if (signed === undefined) throw cannotSign(`the realm has no key for ${algorithm}`);
    return signed;
  }
  const [secret] = client.publicClient ? [] : acceptedSecrets(client, context.sealer, context.now());
  if (secret === undefined) throw cannotSign(`the client has no secret for ${algorithm}`);
  const header = { alg: algorithm, typ: 'JWT', purpose, client: client.id };
  return compactToken(header, claims, createSecretKey(Buffer.from(secret)));
}

const cannotSign = (reason: string) =>
  oauthError(400, 'invalid_client', `The response cannot be signed: ${reason}`, 'invalid_client_credentials');
