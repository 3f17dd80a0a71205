import { compactDecrypt, decodeProtectedHeader } from 'jose';
import type { KeyOwner, Keyring, RealmKey } from '../core/ports.js';

/**
 * Key management algorithms of encrypted tokens (RFC 7518 section 4.1). RSA1_5 is not supported: its padding reveals to
 * attackers whether a guess was right (RFC 8725 section 3.2).
 */
export const keyEncryptions: readonly string[] = ['RSA-OAEP', 'RSA-OAEP-256'];

/** Content encryption algorithms of encrypted tokens, RFC 7518 section 5.1. */
export const contentEncryptions: readonly string[] = [
  'A256GCM',
  'A192GCM',
  'A128GCM',
  'A128CBC-HS256',
  'A192CBC-HS384',
  'A256CBC-HS512',
];

/** Whether a text has the form of an encrypted token, RFC 7516 section 9. */
export const isEncryptedToken = (text: string): boolean => text.split('.').length === 5;

/** Accepted algorithms of an encrypted token; default: all supported ones. */
export interface Accepted {
  alg?: string | undefined;
  enc?: string | undefined;
}

/**
 * The content of a token that was encrypted with a public key of the realm (RFC 7516 section 5.2). Only keys for
 * encryption are used; if there are several, the key that the token names. Undefined for a token that cannot be
 * decrypted.
 */
export async function decryptedToken(
  { keyring }: { keyring: Keyring },
  realm: KeyOwner,
  text: string,
  { alg, enc }: Accepted,
): Promise<string | undefined> {
  try {
    const { kid, alg: given = '' } = decodeProtectedHeader(text);
    const keys = await keyring.realmKeys(realm);
    const key = keys.find((candidate) => decrypts(candidate, given) && (kid ?? candidate.kid) === candidate.kid);
    const privateKey = key?.privateKey;
    if (!privateKey) return undefined;
    const { plaintext } = await compactDecrypt(text, privateKey, {
      keyManagementAlgorithms: alg === undefined ? [...keyEncryptions] : [alg],
      contentEncryptionAlgorithms: enc === undefined ? [...contentEncryptions] : [enc],
      // content that expands could fill the memory
      maxDecompressedLength: 0,
    });
    return new TextDecoder().decode(plaintext);
  } catch {
    return undefined;
  }
}

/**
 * Whether tokens may be encrypted for a key with this algorithm: any, unless the key is for one (RFC 8725 section 3.1).
 */
const decrypts = ({ use, type, status, algorithm }: RealmKey, alg: string): boolean =>
  use === 'ENC' &&
  type === 'RSA' &&
  status !== 'DISABLED' &&
  (!keyEncryptions.includes(algorithm) || algorithm === alg);
