import { type KeyObject, X509Certificate } from 'node:crypto';
import { ownMember } from '../core/json.js';
import { pemBytes } from '../keys/pem.js';
import { SamlFault } from './document.js';

/** The certificate that a setting holds, in base64 or PEM; undefined if it holds none that can be read. */
export function readCertificate(stored: string | undefined): X509Certificate | undefined {
  try {
    return stored ? new X509Certificate(pemBytes(stored)) : undefined;
  } catch {
    return undefined;
  }
}

/** The key with which messages of a side are verified; undefined for a certificate that is missing or broken. */
export const keyOfCertificate = (stored: string | undefined): KeyObject | undefined =>
  readCertificate(stored)?.publicKey;

/** Algorithms for content: AES in GCM, and in CBC for those who cannot read GCM. */
export const contentAlgorithms = [
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
];
const newOaep = 'http://www.w3.org/2009/xmlenc11#rsa-oaep';
/** Algorithms for the key of a content. */
export const keyAlgorithms = ['http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p', newOaep];
const masks = ['sha256', 'sha1', 'sha224', 'sha384', 'sha512'].map(
  (hash) => `http://www.w3.org/2009/xmlenc11#mgf1${hash}`,
);
const digests: Record<string, string> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
};

/** How content is encrypted for the other side, in names of XML Encryption. What is not set or not known has a standard value. */
export interface Encryption {
  certificate: string | undefined;
  algorithm: string | undefined;
  keyAlgorithm: string | undefined;
  digest: string | undefined;
  maskGeneration: string | undefined;
}

/** An element, encrypted as `EncryptedData`. Throws `SamlFault` if there is no certificate of an RSA key. */
export async function encryptElement(xml: string, encryption: Encryption): Promise<string> {
  const certificate = readCertificate(encryption.certificate);
  if (certificate?.publicKey.asymmetricKeyType !== 'rsa') throw new SamlFault('no_encryption_certificate');
  const { default: encrypting } = await import('xml-encryption');
  const known = (all: readonly string[], uri = '') => (all.includes(uri) ? uri : (all[0] ?? ''));
  const keyEncryptionAlgorithm = known(keyAlgorithms, encryption.keyAlgorithm);
  const isNew = keyEncryptionAlgorithm === newOaep;
  const keyEncryptionDigest = ownMember(digests, encryption.digest ?? '') ?? (isNew ? 'sha256' : 'sha1');
  return new Promise((done, failed) => {
    encrypting.encrypt(
      xml,
      {
        rsa_pub: certificate.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
        pem: certificate.toString(),
        encryptionAlgorithm: known(contentAlgorithms, encryption.algorithm),
        keyEncryptionAlgorithm,
        keyEncryptionDigest,
        ...(isNew && { keyEncryptionMgf: known(masks, encryption.maskGeneration) }),
        // an administrator has chosen CBC
        disallowEncryptionWithInsecureAlgorithm: false,
        warnInsecureAlgorithm: false,
      },
      (error, result) => (error ? failed(error) : done(result)),
    );
  });
}
