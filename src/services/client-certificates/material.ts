import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto';
import { newCertifiedKey } from '../keys/generate.js';
import { readPrivateKey } from '../keys/material.js';
import { pemBytes } from '../keys/pem.js';
import type { KeyStoreEntry } from './key-store-entry.js';
import { refused, unreadable } from './refusals.js';
import type { CertificateInfo } from './representation.js';

/** A new RSA key pair with a certificate for a client of the realm with this ID. */
export async function newKeyPair(
  clientId: string,
  realmId: string,
): Promise<Required<Pick<CertificateInfo, 'privateKey' | 'certificate'>>> {
  const { privateKey, certificate } = await newCertifiedKey(clientId, realmId);
  return { privateKey: storedKey(privateKey), certificate };
}

/**
 * The stored form of private keys, as on the reference server: base64 of PKCS #1 (RFC 8017) for RSA keys, of PKCS #8
 * for others.
 */
const storedKey = (key: KeyObject): string =>
  key.export({ format: 'der', type: key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'pkcs8' }).toString('base64');

/** A stored private key in PKCS #8. */
export const pkcs8Of = (stored: string): Buffer => readPrivateKey(stored).export({ format: 'der', type: 'pkcs8' });

/** The certificate of a PEM file, or of base64 without the lines around it. */
export function readCertificate(text: string): CertificateInfo {
  return { certificate: derCertificate(pemBytes(text)).raw.toString('base64') };
}

function derCertificate(bytes: Buffer): X509Certificate {
  try {
    return new X509Certificate(bytes);
  } catch {
    throw refused('invalid-certificate', 'The file must contain an X.509 certificate', 'file');
  }
}

/** The public key of a PEM file, which stays unchanged. */
export function readPublicKey(text: string): CertificateInfo {
  try {
    createPublicKey({ key: pemBytes(text), format: 'der', type: 'spki' });
  } catch {
    throw refused('invalid-key', 'The file must contain a public key in PEM format', 'file');
  }
  return { publicKey: text };
}

/** The first key for signatures of a key set (RFC 7517). */
export function readKeySet(text: string): CertificateInfo {
  const unusable = () =>
    refused('invalid-key', 'The file must be a JSON Web Key Set with a public key for signatures', 'file');
  try {
    const { keys } = JSON.parse(text) as { keys: JsonWebKey[] };
    const jwk = keys.find(({ use, kty }) => (use === undefined || use === 'sig') && kty !== 'oct');
    if (!jwk) throw unusable();
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return {
      publicKey: key.export({ format: 'der', type: 'spki' }).toString('base64'),
      ...(typeof jwk.kid === 'string' && { kid: jwk.kid }),
    };
  } catch {
    throw unusable();
  }
}

/** An entry of a key store. Refuses a certificate that is not for its key. */
export function entryInfo({ privateKey, certificate }: KeyStoreEntry): CertificateInfo {
  const parsed = certificate && derCertificate(certificate);
  if (!privateKey) return parsed ? { certificate: parsed.raw.toString('base64') } : {};
  const key = keyOf(privateKey);
  if (parsed && !parsed.checkPrivateKey(key)) {
    throw refused('invalid-keystore', 'The certificate of the entry does not match its private key', 'file');
  }
  return { privateKey: storedKey(key), ...(parsed && { certificate: parsed.raw.toString('base64') }) };
}

function keyOf(pkcs8: Buffer): KeyObject {
  try {
    return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  } catch {
    throw unreadable();
  }
}
