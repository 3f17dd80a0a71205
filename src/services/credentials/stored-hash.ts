import { isObject } from '../core/json.js';
import { argon2Rounds, readArgon2 } from './argon2.js';
import type { Derivation } from './derive.js';

/** A digest of node:crypto with the length of its result, in bytes. */
interface Digest {
  name: string;
  length: number;
}

/** The digests of PBKDF2, by the names of algorithms. */
export const digests: ReadonlyMap<string, Digest> = new Map([
  ['pbkdf2', { name: 'sha1', length: 20 }],
  ['pbkdf2-sha256', { name: 'sha256', length: 32 }],
  ['pbkdf2-sha512', { name: 'sha512', length: 64 }],
]);
export const defaultAlgorithm = 'pbkdf2-sha256';
export const defaultIterations = 27500;

// Earlier versions stored passwords with as many.
const mostStored = 2_000_000;
const mostBcryptCost = 14;

/** The data for verifying a password against a stored hash. */
export interface StoredHash {
  /** derives from a password the value to compare with `expected` */
  derivation: (value: string) => Derivation;
  /** the cost of that, in rounds of PBKDF2 */
  rounds: number;
  expected: Uint8Array;
}

interface Parts {
  iterations: number;
  parameters: unknown;
  value: string;
  salt: Buffer;
}

/**
 * A hash longer than the digest consists of blocks that are computed independently (RFC 8018 section 5.2) at the same
 * cost. Comparing the first one is enough, as it is for an attacker.
 */
const ofPbkdf2 =
  (digest: Digest) =>
  ({ iterations, value, salt }: Parts): StoredHash | undefined => {
    const hash = Buffer.from(value, 'base64');
    // the shortest hash that anything has ever stored has 20 bytes (SHA-1); an empty one would match every password
    if (hash.length < 16 || hash.length > 1024 || iterations < 1 || iterations > mostStored) return undefined;
    const length = Math.min(hash.length, digest.length);
    return {
      derivation: (password) => ({ kind: 'pbkdf2', value: password, salt, iterations, length, digest: digest.name }),
      rounds: iterations,
      expected: hash.subarray(0, length),
    };
  };

function ofArgon2({ iterations, parameters, value, salt }: Parts): StoredHash | undefined {
  const settings = readArgon2(iterations, parameters);
  const hash = Buffer.from(value, 'base64');
  if (!settings || hash.length !== settings.length || salt.length < 8) return undefined;
  return {
    derivation: (password) => ({ kind: 'argon2', value: password, salt, ...settings }),
    rounds: argon2Rounds(settings),
    expected: hash,
  };
}

/** The text has the salt and the cost in it. */
function ofBcrypt({ value }: Parts): StoredHash | undefined {
  const cost = Number(/^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(value)?.[1]);
  if (!(cost >= 4 && cost <= mostBcryptCost)) return undefined;
  return {
    derivation: (password) => ({ kind: 'bcrypt', value: password, hash: value }),
    rounds: 2 ** cost * 200,
    expected: Uint8Array.of(1),
  };
}

const readers: ReadonlyMap<string, (parts: Parts) => StoredHash | undefined> = new Map([
  ...[...digests].map(([name, digest]) => [name, ofPbkdf2(digest)] as const),
  ['argon2', ofArgon2],
  ['bcrypt', ofBcrypt],
]);

/** The data for verifying a credential; undefined if it cannot be verified. */
export function readHash(credentialData: string, secretData: string): StoredHash | undefined {
  const [data, secret] = [parse(credentialData), parse(secretData)];
  const { algorithm = defaultAlgorithm, hashIterations = defaultIterations, additionalParameters } = data ?? {};
  const read = readers.get(String(algorithm));
  const { value, salt = '' } = secret ?? {};
  if (!read || typeof value !== 'string' || typeof salt !== 'string') return undefined;
  if (typeof hashIterations !== 'number' || !Number.isInteger(hashIterations) || hashIterations < 0) return undefined;
  const parts = {
    iterations: hashIterations,
    parameters: additionalParameters,
    value,
    salt: Buffer.from(salt, 'base64'),
  };
  return read(parts);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
