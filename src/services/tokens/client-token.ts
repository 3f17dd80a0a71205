import {
  decodeProtectedHeader,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import { acceptedSecrets } from '../clients/secrets.js';
import { byAnySecret, keysOfClient } from './client-keys.js';
import type { TokenContext } from './context.js';
import type { TokenClient } from './types.js';

/**
 * Whether a token may be one that a client has signed for this use: its header names no other type (RFC 8725 section 3.11). A token
 * that the server has signed with the same secret is refused by its issuer, which is the realm and not the client.
 */
export function isClientToken(header: ProtectedHeaderParameters, type: string): boolean {
  const { typ = 'JWT' } = header;
  const given = typ.toLowerCase().replace(/^application\//, '');
  return given === 'jwt' || given === type;
}

/** Why a token cannot be one that a client has signed, before its signature is looked at. */
export class NoClientToken extends Error {}

interface Demanded extends JWTVerifyOptions {
  /** type in the header, besides `JWT` */
  type: string;
  algorithms: string[];
}

/**
 * The claims of a token that a client has signed with its key, or, if the algorithms allow it, with its secret. `demanded` names what
 * else is verified. Throws `NoClientToken`, and the errors of `jose`.
 */
export async function claimsOfClient(
  { publishedKeys, sealer, now }: Pick<TokenContext, 'publishedKeys' | 'sealer' | 'now'>,
  client: TokenClient,
  text: string,
  { type, ...demanded }: Demanded,
): Promise<JWTPayload> {
  const header = decodeProtectedHeader(text);
  if (!isClientToken(header, type)) throw new NoClientToken('Invalid token type');
  const options = { ...demanded, currentDate: new Date(now()) };
  const missing = () => new NoClientToken('Unable to find the key of the client');
  if (header.alg?.startsWith('HS')) {
    const secrets = client.publicClient ? [] : acceptedSecrets(client, sealer, now());
    if (secrets.length === 0) throw missing();
    return (await byAnySecret(secrets, (key) => jwtVerify(text, key, options))).payload;
  }
  const keys = keysOfClient(client, publishedKeys);
  if (!keys) throw missing();
  return (await jwtVerify(text, keys, options)).payload;
}
