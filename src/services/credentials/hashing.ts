import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { limit } from '../../config/limits.js';
import { gauge } from '../../telemetry/instruments.js';
import { outsideTransaction } from '../core/deferred-work.js';
import { network } from '../core/failed-attempts.js';
import { createTurnstile } from '../core/turnstile.js';
import { argon2Defaults, argon2Parameters, argon2Rounds, mostPasses } from './argon2.js';
import { type Derivation, derive, type KeyDerivation } from './derive.js';
import { defaultAlgorithm, defaultIterations, digests, readHash } from './stored-hash.js';

/** The two JSON texts of a password credential, as in CredentialRepresentation. */
export interface HashedPassword {
  credentialData: string;
  /** holds the hash and the salt: must be sealed before it is stored */
  secretData: string;
}

export interface HashSettings {
  iterations?: number;
  algorithm?: string;
  /** ID of the realm, for fairness: realms take turns */
  line?: string | undefined;
  /** address of the caller, for fairness: within a realm, callers take turns */
  caller?: string | undefined;
}

type Line = Pick<HashSettings, 'line' | 'caller'>;

const derivedLength = 64;
const nobodysSalt = Buffer.from('the salt of nobody');
/**
 * Maximum rounds of PBKDF2 of a password that is set or imported here: more would occupy a thread for more than a
 * second or two.
 */
export const mostIterations = limit(
  'Logins and tokens',
  'Rounds of a password hash by PBKDF2, in a policy or with a user',
  1_000_000,
  'rounds',
);
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

/** The algorithms that new passwords can be hashed with. */
export const hashAlgorithms: readonly string[] = ['argon2', ...digests.keys()];

/** Whether new passwords can be hashed with the algorithm. */
export const isHashAlgorithm = (algorithm: string): boolean => hashAlgorithms.includes(algorithm);

/** Maximum rounds that a policy can require. */
export const mostIterationsOf = (algorithm: string): number => (algorithm === 'argon2' ? mostPasses : mostIterations);

/** The rounds of new passwords if no policy specifies any. */
export const defaultIterationsOf = (algorithm: string): number =>
  algorithm === 'argon2' ? argon2Defaults.iterations : defaultIterations;

/** Queues a derivation: realms take turns, then callers within a realm. Costly derivations run one at a time. */
function inTurn(rounds: number, { line, caller }: Line, derivation: Derivation): Promise<Buffer> {
  const turn = [line, caller === undefined ? undefined : network(caller)] as const;
  const task = () => derive(derivation);
  return rounds > costly ? costlyOnes(() => turnstile(task, ...turn), ...turn) : turnstile(task, ...turn);
}

/**
 * How a password is hashed: the derivation of the thread, its cost in rounds of PBKDF2, and the parameters in the
 * credential.
 */
interface Hashing {
  derivation: (value: string, salt: Buffer) => KeyDerivation;
  /** bytes of the key that verifying derives */
  verified: number;
  rounds: number;
  iterations: number;
  parameters: Record<string, string[]>;
}

/** Throws for an algorithm that is not known. */
function hashingBy(algorithm: string, rounds: number | undefined): Hashing {
  if (algorithm === 'argon2') {
    const settings = { ...argon2Defaults, iterations: rounds ?? argon2Defaults.iterations };
    return {
      derivation: (value, salt) => ({ kind: 'argon2', value, salt, ...settings }),
      verified: settings.length,
      rounds: argon2Rounds(settings),
      iterations: settings.iterations,
      parameters: argon2Parameters(settings),
    };
  }
  const digest = digests.get(algorithm);
  if (!digest) throw new Error(`Unknown hash algorithm ${algorithm}`);
  const iterations = rounds ?? defaultIterations;
  return {
    derivation: (value, salt) => ({
      kind: 'pbkdf2',
      value,
      salt,
      iterations,
      length: derivedLength,
      digest: digest.name,
    }),
    verified: digest.length,
    ...{ rounds: iterations, iterations, parameters: {} },
  };
}

/** The hash parameters in a credential, without random values. */
export function credentialDataOf(algorithm = defaultAlgorithm, rounds?: number): string {
  const { iterations, parameters } = hashingBy(algorithm, rounds);
  return JSON.stringify({ hashIterations: iterations, algorithm, additionalParameters: parameters });
}

/**
 * Hashes a password by PBKDF2 (RFC 8018 section 5.2) or Argon2 (RFC 9106) with a random salt, in a thread of low priority.
 * Throws for an algorithm that is not known; refuses as `busy` when too many hashes wait.
 */
export async function hashPassword(
  value: string,
  { iterations, algorithm = defaultAlgorithm, ...line }: HashSettings = {},
): Promise<HashedPassword> {
  const { derivation, rounds, verified } = hashingBy(algorithm, iterations);
  const salt = randomBytes(16);
  const hashed = (hash: Buffer): HashedPassword => ({
    credentialData: credentialDataOf(algorithm, iterations),
    secretData: JSON.stringify({
      value: hash.toString('base64'),
      salt: salt.toString('base64'),
      additionalParameters: {},
    }),
  });
  return outsideTransaction(
    JSON.stringify(['hash', value, algorithm, iterations]),
    async () => hashed(await inTurn(rounds, line, derivation(value, salt))),
    { assumed: () => hashed(randomBytes(verified)) },
  );
}

/**
 * Whether the password is that of the credential (PBKDF2 with SHA-1, SHA-256 or SHA-512, Argon2, or bcrypt), compared in constant time.
 * False for data that cannot be read.
 */
export async function verifyPassword(
  value: string,
  credentialData: string,
  secretData: string,
  line: Line = {},
): Promise<boolean> {
  const stored = readHash(credentialData, secretData);
  if (!stored) return false;
  return outsideTransaction(
    JSON.stringify(['verify', value, credentialData, secretData]),
    async () => timingSafeEqual(await inTurn(stored.rounds, line, stored.derivation(value)), stored.expected),
    { assumed: () => false, isDecisive: true },
  );
}

/**
 * Takes as long as verifying a password that was hashed with these settings, so that the time does not reveal the
 * existence of a user.
 */
export async function verifyNothing(
  value: string,
  { iterations, algorithm = defaultAlgorithm, ...line }: HashSettings = {},
): Promise<false> {
  const known = isHashAlgorithm(algorithm) ? algorithm : defaultAlgorithm;
  const { derivation, rounds, verified } = hashingBy(known, iterations);
  await inTurn(rounds, line, { ...derivation(value, nobodysSalt), length: verified });
  return false;
}
