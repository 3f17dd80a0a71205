import { constants, createHash, type KeyObject, sign, verify } from 'node:crypto';
import type { HashAlgorithm, SignatureAlgorithm } from 'xml-crypto';
import { ownMember } from '../core/json.js';

type Hash = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** An algorithm of signatures. */
export interface Algorithm {
  /** as messages name it */
  uri: string;
  hash: Hash;
  /** as messages name the digest that goes with it */
  digest: string;
  /** RSASSA-PKCS1-v1_5, RSASSA-PSS, or ECDSA */
  kind: 'rsa' | 'pss' | 'ec';
}

const digests: Record<Hash, string> = {
  sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha384: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
};

const algorithm = (uri: string, hash: Hash, kind: Algorithm['kind'] = 'rsa'): Algorithm => ({
  uri,
  hash,
  digest: digests[hash],
  kind,
});
const more = 'http://www.w3.org/2001/04/xmldsig-more#';
const newer = 'http://www.w3.org/2007/05/xmldsig-more#';

/** By the names that settings have for them. Realms have no keys for DSA. */
const algorithms: Record<string, Algorithm> = {
  RSA_SHA1: algorithm('http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'sha1'),
  RSA_SHA256: algorithm(`${more}rsa-sha256`, 'sha256'),
  RSA_SHA256_MGF1: algorithm(`${newer}sha256-rsa-MGF1`, 'sha256', 'pss'),
  RSA_SHA512: algorithm(`${more}rsa-sha512`, 'sha512'),
  RSA_SHA512_MGF1: algorithm(`${newer}sha512-rsa-MGF1`, 'sha512', 'pss'),
};
const standard = algorithm(`${more}rsa-sha256`, 'sha256');

/** Algorithms of the other side besides those (RFC 9231): the key decides which of them fit. */
const othersAccepted = [
  algorithm(`${more}rsa-sha384`, 'sha384'),
  algorithm(`${newer}sha384-rsa-MGF1`, 'sha384', 'pss'),
  algorithm(`${more}ecdsa-sha256`, 'sha256', 'ec'),
  algorithm(`${more}ecdsa-sha384`, 'sha384', 'ec'),
  algorithm(`${more}ecdsa-sha512`, 'sha512', 'ec'),
];
/** The curves P-256, P-384, and P-521. */
const curves = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** The algorithm that a setting names; RSA with SHA-256 if it names none. */
export const algorithmNamed = (name: string | undefined): Algorithm => ownMember(algorithms, name ?? '') ?? standard;

/** The algorithms of the other side that are accepted: SHA-1 only if the settings name it. */
export const acceptedAlgorithms = (name: string | undefined): Algorithm[] =>
  [...Object.values(algorithms), ...othersAccepted].filter(({ hash }) => hash !== 'sha1' || name === 'RSA_SHA1');

const parameters = {
  rsa: { padding: constants.RSA_PKCS1_PADDING },
  pss: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
  // two numbers of fixed length (RFC 9231 section 2.3.6)
  ec: { dsaEncoding: 'ieee-p1363' },
} as const;

const fits = ({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject, { kind }: Algorithm): boolean =>
  kind === 'ec' ? type === 'ec' && curves.has(details?.namedCurve ?? '') : type === 'rsa';

/** Signs bytes. */
export const signBytes = (bytes: Uint8Array, key: KeyObject, by: Algorithm): Buffer =>
  sign(by.hash, bytes, { key, ...parameters[by.kind] });

/** Whether a signature of bytes is good. */
export const isSignature = (bytes: Uint8Array, key: KeyObject, by: Algorithm, signature: Uint8Array): boolean =>
  fits(key, by) && verify(by.hash, bytes, { key, ...parameters[by.kind] }, signature);

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
