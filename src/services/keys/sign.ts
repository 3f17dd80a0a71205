import { compactToken } from './jws.js';
import type { KeyOwner, Keyring } from './keyring.js';

/** Signs a JSON Web Token (RFC 7519) with the realm's active key for the algorithm. Throws where no key can sign so. */
export async function signToken(
  { keyring }: { keyring: Keyring },
  realm: KeyOwner,
  algorithm: string,
  claims: Record<string, unknown>,
): Promise<string> {
  const key = await keyring.signingKey(realm, algorithm);
  const material = key.privateKey ?? key.secret;
  if (!material) throw new Error(`The key for ${algorithm} cannot sign`);
  return compactToken({ alg: algorithm, typ: 'JWT', kid: key.kid }, claims, material);
}
