import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { gauge } from '../../telemetry/instruments.js';
import { createTurnstile } from '../core/turnstile.js';
import { derive } from './derive.js';

/** The two JSON texts of a password credential, as in CredentialRepresentation. */
export interface HashedPassword {
  credentialData: string;
  /** holds the hash and the salt: to be sealed before it is stored */
  secretData: string;
}

export interface HashSettings {
  iterations?: number;
  algorithm?: string;
  /** id of the realm that it is for: realms take turns */
  line?: string;
}

/** A digest of node:crypto with the length of what it gives, in bytes. */
interface Digest {
  name: string;
  length: number;
}

const digests = new Map<string, Digest>([
  ['pbkdf2', { name: 'sha1', length: 20 }],
  ['pbkdf2-sha256', { name: 'sha256', length: 32 }],
  ['pbkdf2-sha512', { name: 'sha512', length: 64 }],
]);
const defaultAlgorithm = 'pbkdf2-sha256';
const defaultIterations = 27500;
const derivedLength = 64;
/** Most rounds of a password that is set here, or brought along: more would occupy a thread for more than a second or two. */
export const mostIterations = 1_000_000;
// Earlier versions stored passwords with as many.
const mostStored = 2_000_000;
// Passwords with more rounds than this are hashed one at a time, so that they never occupy all threads.
const costly = 300_000;
const waiting = 2000;
const costlyOnes = createTurnstile(1, waiting);
let turnstile = createTurnstile(Math.max(1, Math.min(availableParallelism(), 3)), waiting);

gauge(
  {
    name: 'realmgate_password_hashes',
    help: 'Number of passwords that are hashed (running) or wait for that (waiting).',
    labelNames: ['state'],
  },
  (hashes) => {
    for (const [state, count] of Object.entries(turnstile.counts())) hashes.set({ state }, count);
  },
);

/** Sets how many passwords are hashed at the same time. For the start of the process. */
export function limitHashing(running: number): void {
  turnstile = createTurnstile(running, waiting);
}

/** Whether passwords can be hashed and verified with the algorithm. */
export const isHashAlgorithm = (algorithm: string): boolean => digests.has(algorithm);

/** A derivation when it is its turn: realms take turns, and costly ones are done one at a time. */
const inTurn = (iterations: number, line: string | undefined, task: () => Promise<Buffer>): Promise<Buffer> =>
  iterations > costly ? costlyOnes(() => turnstile(task, line), line) : turnstile(task, line);

/** What a credential states of how its password is hashed; nothing of it is random. */
export const credentialDataOf = (algorithm = defaultAlgorithm, iterations = defaultIterations): string =>
  JSON.stringify({ hashIterations: iterations, algorithm, additionalParameters: {} });

/**
 * Hashes a password with PBKDF2 (RFC 8018 section 5.2) and a random salt, in a thread of low priority.
 * Throws for an algorithm that is not known; refuses as `busy` when too many hashes wait.
 */
export async function hashPassword(
  value: string,
  { iterations = defaultIterations, algorithm = defaultAlgorithm, line }: HashSettings = {},
): Promise<HashedPassword> {
  const digest = digests.get(algorithm);
  if (!digest) throw new Error(`Unknown hash algorithm ${algorithm}`);
  const salt = randomBytes(16);
  const hash = await inTurn(iterations, line, () =>
    derive({ value, salt, iterations, length: derivedLength, digest: digest.name }),
  );
  return {
    credentialData: credentialDataOf(algorithm, iterations),
    secretData: JSON.stringify({
      value: hash.toString('base64'),
      salt: salt.toString('base64'),
      additionalParameters: {},
    }),
  };
}

/**
 * Whether the password is that of the credential (PBKDF2 with SHA-1, SHA-256 or SHA-512), compared in constant time.
 * False for data that cannot be read. A hash longer than the digest consists of blocks of which each is computed from the
 * password by itself (RFC 8018 section 5.2), and as dear: the first one decides, as it does for an attacker. `line` is the id
 * of the realm.
 */
export async function verifyPassword(
  value: string,
  credentialData: string,
  secretData: string,
  line?: string,
): Promise<boolean> {
  const stored = readCredential(credentialData, secretData);
  if (!stored) return false;
  const { salt, iterations, hash, digest } = stored;
  const length = Math.min(hash.length, digest.length);
  const candidate = await inTurn(iterations, line, () =>
    derive({ value, salt, iterations, length, digest: digest.name }),
  );
  return timingSafeEqual(candidate, hash.subarray(0, length));
}

/** Takes as long as verifying a password that was hashed with these settings, so that the time does not tell which users exist. */
export async function verifyNothing(
  value: string,
  { iterations = defaultIterations, algorithm = defaultAlgorithm, line }: HashSettings = {},
): Promise<false> {
  const { length, name } = digests.get(algorithm) ?? { length: 32, name: 'sha256' };
  await inTurn(iterations, line, () => derive({ value, salt: 'nobody', iterations, length, digest: name }));
  return false;
}

interface StoredHash {
  salt: Buffer;
  iterations: number;
  hash: Buffer;
  digest: Digest;
}

function readCredential(credentialData: string, secretData: string): StoredHash | undefined {
  const data = parse(credentialData);
  const secret = parse(secretData);
  const { algorithm = defaultAlgorithm, hashIterations = defaultIterations } = data ?? {};
  const digest = typeof algorithm === 'string' ? digests.get(algorithm) : undefined;
  if (!digest || typeof secret?.value !== 'string' || typeof secret.salt !== 'string') return undefined;
  if (typeof hashIterations !== 'number' || !Number.isInteger(hashIterations)) return undefined;
  if (hashIterations < 1 || hashIterations > mostStored) return undefined;
  const hash = Buffer.from(secret.value, 'base64');
  // the shortest hash that anything has ever stored has 20 bytes (SHA-1); an empty one would match every password
  if (hash.length < 16 || hash.length > 1024) return undefined;
  return { salt: Buffer.from(secret.salt, 'base64'), iterations: hashIterations, hash, digest };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
