import { generateKeyPair, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto';
import { promisify } from 'node:util';
import { outsideTransaction } from '../core/deferred-work.js';
import { createTurnstile } from '../core/turnstile.js';
import { selfSignedCertificate } from './certificate.js';

const generatePair = promisify(generateKeyPair);

/** Maximum waiting keys of a realm. Generating a key takes up to several seconds of a processor. */
const waiting = 100;

// One at a time, so that one thread of Node's pool generates keys and the others remain free for signatures.
const turnstile = createTurnstile(1, waiting);

/**
 * A new RSA key pair with the size of its modulus in bits. Realms take turns; `line` is the ID of the realm. Refuses as
 * `busy` if too many requests of the realm wait.
 */
export const newRsaKey = (modulusLength: number, line: string): Promise<KeyPairKeyObjectResult> =>
  outsideTransaction(`key ${modulusLength}`, () =>
    turnstile(() => generatePair('rsa', { modulusLength, publicExponent: 0x10001 }), line),
  );

/**
 * A new RSA key of 2,048 bits with a self-signed certificate for the subject with this common name; `line` as in
 * `newRsaKey`.
 */
export async function newCertifiedKey(
  name: string,
  line: string,
): Promise<{ privateKey: KeyObject; certificate: string }> {
  const { privateKey, publicKey } = await newRsaKey(2048, line);
  return { privateKey, certificate: await selfSignedCertificate(privateKey, publicKey, name) };
}

/**
 * A new key pair on an elliptic curve, by its name in OpenSSL. It takes less than a millisecond, so it does not wait in
 * a queue.
 */
export const newCurveKey = (namedCurve: string): Promise<KeyPairKeyObjectResult> => generatePair('ec', { namedCurve });
