import { CompactEncrypt, type JWK } from 'jose';
import { z } from 'zod';
import { members } from '../core/json.js';
import { keyEncryptions } from '../keys/jwe.js';
import { settingText } from './client-keys.js';
import type { TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';
import type { TokenClient } from './types.js';

/** What is encrypted for clients: the names of the two settings start with this, and end with `.alg` and `.enc`. */
export type EncryptedResponse =
  | 'id.token.encrypted.response'
  | 'user.info.encrypted.response'
  | 'authorization.encrypted.response';

/** The content encryption of a client that names none (OpenID Connect Dynamic Client Registration, section 2). */
const standardContentEncryption = 'A128CBC-HS256';

/** The members of a public RSA key, RFC 7518 section 6.3.1. Others, such as private ones, are left out. */
const RsaKey = z.object({
  kty: z.literal('RSA'),
  n: z.string(),
  e: z.string(),
  kid: z.string().optional(),
  use: z.string().optional(),
  alg: z.string().optional(),
});
const KeySet = z.object({ keys: z.array(z.unknown()) });

/** Whether a client wants this to be encrypted. */
export const isEncrypted = ({ attributes }: Pick<TokenClient, 'attributes'>, what: EncryptedResponse): boolean =>
  settingText(members(attributes)[`${what}.alg`]) !== undefined;

/**
 * Encrypts a text for a client, as its settings say, with the key that it publishes for encryption (RFC 7516). `type` is the
 * type of the content: `JWT` for a token. Throws `invalid_client` if the client has no key for it: nothing is sent in the clear.
 */
export async function encryptedFor(
  context: Pick<TokenContext, 'publishedKeys'>,
  client: TokenClient,
  what: EncryptedResponse,
  text: string,
  type?: 'JWT',
): Promise<string> {
  const attributes = members(client.attributes);
  const alg = settingText(attributes[`${what}.alg`]) ?? '';
  const enc = settingText(attributes[`${what}.enc`]) ?? standardContentEncryption;
  if (!keyEncryptions.includes(alg)) throw cannotEncrypt(`the algorithm ${alg} is not supported`);
  const key = await encryptionKey(context, client, alg);
  if (!key) throw cannotEncrypt(`the client publishes no key for ${alg}`);
  try {
    return await new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ alg, enc, ...(key.kid && { kid: key.kid }), ...(type && { cty: type }) })
      .encrypt(key);
  } catch {
    throw cannotEncrypt(`the key of the client cannot be used for ${alg} and ${enc}`);
  }
}

const cannotEncrypt = (reason: string) =>
  oauthError(400, 'invalid_client', `The response cannot be encrypted: ${reason}`, 'invalid_client_credentials');

/** The key for encryption in the key set of a client. A set that has none is fetched once more: the client may have added one. */
async function encryptionKey(
  { publishedKeys }: Pick<TokenContext, 'publishedKeys'>,
  { attributes }: TokenClient,
  alg: string,
): Promise<JWK | undefined> {
  const own = members(attributes);
  const url = settingText(own['jwks.url']);
  try {
    if (own['use.jwks.url'] === 'true' && url) {
      const published = publishedKeys(url);
      const known = published.fresh ? keyIn(published.jwks(), alg) : undefined;
      if (known || published.coolingDown) return known;
      await published.reload();
      return keyIn(published.jwks(), alg);
    }
    const set = settingText(own['jwks.string']);
    return own['use.jwks.string'] === 'true' && set ? keyIn(JSON.parse(set), alg) : undefined;
  } catch {
    return undefined;
  }
}

function keyIn(set: unknown, alg: string): JWK | undefined {
  const keys = KeySet.safeParse(set).data?.keys ?? [];
  const usable = keys
    .flatMap((key) => RsaKey.safeParse(key).data ?? [])
    .filter((key) => (key.use ?? 'enc') === 'enc' && (key.alg ?? alg) === alg);
  // a key without a use may be meant for signatures
  return usable.find(({ use }) => use === 'enc') ?? usable[0];
}
