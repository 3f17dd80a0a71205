import { constants, createHmac, type KeyObject, type SignKeyObjectInput, sign, timingSafeEqual } from 'node:crypto';

/** How an algorithm of RFC 7518 section 3.1 signs with a private key: its digest and its options for node:crypto. */
interface Asymmetric {
  digest: string;
  options: Omit<SignKeyObjectInput, 'key'>;
}

const pkcs1 = { padding: constants.RSA_PKCS1_PADDING };
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const pair = { dsaEncoding: 'ieee-p1363' } as const;

const asymmetric: Readonly<Record<string, Asymmetric | undefined>> = Object.fromEntries(
  ['256', '384', '512'].flatMap((bits) => [
    [`RS${bits}`, { digest: `sha${bits}`, options: pkcs1 }],
    [`PS${bits}`, { digest: `sha${bits}`, options: pss }],
    [`ES${bits}`, { digest: `sha${bits}`, options: pair }],
  ]),
);

/** Algorithms whose signatures everybody can verify with the public key. */
export const asymmetricAlgorithms: readonly string[] = Object.keys(asymmetric).sort();

const hmac = (algorithm: string, key: KeyObject, signed: string): Buffer =>
  createHmac(`sha${algorithm.slice(2)}`, key)
    .update(signed)
    .digest();

const isHmac = (algorithm: string): boolean => /^HS(?:256|384|512)$/.test(algorithm);

/** Whether tokens can be signed by this algorithm (RFC 7518 section 3.1). */
export const isSignatureAlgorithm = (name: string): boolean => isHmac(name) || Object.hasOwn(asymmetric, name);

/** The first of these that is a supported algorithm: the client's, then the realm's. */
export const algorithmAmong = (...wanted: unknown[]): string =>
  wanted.find((name): name is string => typeof name === 'string' && isSignatureAlgorithm(name)) ?? 'RS256';

function signature(algorithm: string, key: KeyObject, signed: string): Promise<Buffer> | Buffer {
  if (isHmac(algorithm)) return hmac(algorithm, key, signed);
  const known = asymmetric[algorithm];
  if (!known) throw new Error(`Signature algorithm ${algorithm} is not supported`);
  // in a thread of the pool: an RSA signature would hold up all other requests
  return new Promise((done, failed) => {
    sign(known.digest, Buffer.from(signed), { key, ...known.options }, (error, made) =>
      error ? failed(error) : done(made),
    );
  });
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * A JSON Web Token of this server in the compact form (RFC 7515 section 3.1). jose signs with WebCrypto, which makes
 * each HMAC a job of the thread pool. This costs twenty times as much as the HMAC. Tokens of other servers are verified
 * with jose.
 */
export async function compactToken(
  header: { alg: string; typ: string; kid?: string },
  claims: Readonly<Record<string, unknown>>,
  key: KeyObject,
): Promise<string> {
  const signed = `${encoded(header)}.${encoded(claims)}`;
  return `${signed}.${(await signature(header.alg, key, signed)).toString('base64url')}`;
}

/** Whether a token in the compact form has the HMAC of this secret. */
export function hasHmac(token: string, algorithm: string, secret: KeyObject): boolean {
  const end = token.lastIndexOf('.');
  if (end < 0 || !isHmac(algorithm)) return false;
  // compared as texts, because several texts stand for the same bytes
  const given = Buffer.from(token.slice(end + 1));
  const expected = Buffer.from(hmac(algorithm, secret, token.slice(0, end)).toString('base64url'));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
