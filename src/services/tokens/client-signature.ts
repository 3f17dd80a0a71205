import { signingSecret } from '../clients/secrets.js';
import type { KeyOwner } from '../core/ports.js';
import { type PublicToken, signPublicToken, signWithPresentKey, signWithSecret } from '../keys/sign.js';
import type { TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';
import type { TokenClient } from './types.js';

type Context = Pick<TokenContext, 'keyring' | 'sealer' | 'now'>;

/**
 * Signs a token that only its client verifies: with a key of the realm, or by HMAC with the secret of the client (OpenID Connect
 * Core section 10.1). `mayGenerate` says whether the realm gets a key that it lacks. Throws `invalid_client` if there is no
 * such key or secret.
 */
export async function signForClient(
  context: Context,
  realm: KeyOwner,
  client: TokenClient,
  token: Omit<PublicToken, 'client'>,
  { mayGenerate }: { mayGenerate: boolean },
): Promise<string> {
  const { algorithm } = token;
  const secret = signingSecret(client, context, algorithm);
  if (secret !== undefined) return signWithSecret(secret, token);
  if (algorithm.startsWith('HS')) throw cannotSign(`the client has no secret for ${algorithm}`);
  const sign = mayGenerate ? signPublicToken : signWithPresentKey;
  const signed = await sign(context, realm, token);
  if (signed === undefined) throw cannotSign(`the realm has no key for ${algorithm}`);
  return signed;
}

/** Signs an ID token: as `signForClient`, and for a public client by HMAC with the secret of the realm, as the reference does. */
export function signIdToken(
  context: Context,
  realm: KeyOwner,
  client: TokenClient,
  token: Pick<PublicToken, 'algorithm' | 'claims'>,
): Promise<string> {
  const secret = signingSecret(client, context, token.algorithm);
  const whole = { ...token, purpose: 'id', client: client.id } as const;
  return secret === undefined ? signPublicToken(context, realm, whole) : signWithSecret(secret, whole);
}

const cannotSign = (reason: string) =>
  oauthError(400, 'invalid_client', `The response cannot be signed: ${reason}`, 'invalid_client_credentials');
