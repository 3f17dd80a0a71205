import { constants, createHash, type KeyObject, sign, verify } from 'node:crypto';
import type { HashAlgorithm, SignatureAlgorithm } from 'xml-crypto';
import { ownMember } from '../core/json.js';

/** An algorithm of signatures. */
export interface Algorithm {
  /** as messages name it */
  uri: string;
  hash: 'sha1' | 'sha256' | 'sha512';
  /** as messages name the digest that goes with it */
  digest: string;
  /** whether it is RSASSA-PSS */
  isPss: boolean;
}

const digests = {
  sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
} as const;

const algorithm = (uri: string, hash: Algorithm['hash'], isPss = false): Algorithm => ({
  uri,
  hash,
  digest: digests[hash],
  isPss,
});

/** By the names that settings have for them. Realms have no keys for DSA. */
const algorithms: Record<string, Algorithm> = {
  RSA_SHA1: algorithm('http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'sha1'),
  RSA_SHA256: algorithm('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'sha256'),
  RSA_SHA256_MGF1: algorithm('http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', 'sha256', true),
  RSA_SHA512: algorithm('http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'sha512'),
  RSA_SHA512_MGF1: algorithm('http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1', 'sha512', true),
};
const standard = algorithm('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'sha256');

/** The algorithm that a setting names; RSA with SHA-256 if it names none. */
export const algorithmNamed = (name: string | undefined): Algorithm => ownMember(algorithms, name ?? '') ?? standard;

/** The algorithms of the other side that are accepted: SHA-1 only if the settings name it. */
export const acceptedAlgorithms = (name: string | undefined): Algorithm[] =>
  Object.values(algorithms).filter(({ hash }) => hash !== 'sha1' || name === 'RSA_SHA1');

const withPadding = (key: KeyObject, { isPss }: Algorithm) => ({
  key,
  padding: isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING,
  ...(isPss && { saltLength: constants.RSA_PSS_SALTLEN_DIGEST }),
});

/** Signs bytes. */
export const signBytes = (bytes: Uint8Array, key: KeyObject, by: Algorithm): Buffer =>
  sign(by.hash, bytes, withPadding(key, by));

/** Whether a signature of bytes is good. The key has to be one of RSA. */
export const isSignature = (bytes: Uint8Array, key: KeyObject, by: Algorithm, signature: Uint8Array): boolean =>
  key.asymmetricKeyType === 'rsa' && verify(by.hash, bytes, withPadding(key, by), signature);

/** An algorithm in the form that xml-crypto takes. The first key signs, and each verifies. */
export const forXml = (
  by: Algorithm,
  [own, ...others]: readonly [KeyObject, ...KeyObject[]],
): (new () => SignatureAlgorithm) =>
  class implements SignatureAlgorithm {
    getAlgorithmName = () => by.uri;
    getSignature = (signedInfo: unknown) => signBytes(Buffer.from(String(signedInfo)), own, by).toString('base64');
    verifySignature = (signedInfo: string, _key: unknown, signature: string) =>
      [own, ...others].some((key) => isSignature(Buffer.from(signedInfo), key, by, Buffer.from(signature, 'base64')));
  };

/** The digest of an algorithm in the form that xml-crypto takes. */
export const digestForXml = (by: Algorithm): (new () => HashAlgorithm) =>
  class implements HashAlgorithm {
    getAlgorithmName = () => by.digest;
    getHash = (xml: string) => createHash(by.hash).update(xml).digest('base64');
  };
