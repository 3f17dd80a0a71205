import type { Piscina } from 'piscina';
import { threadFile } from '../../config/project.js';
import type { Argon2Settings } from './argon2.js';

/** A key to be derived by PBKDF2 (RFC 8018 section 5.2). */
interface Pbkdf2 {
  kind: 'pbkdf2';
  value: string;
  salt: string | Uint8Array;
  iterations: number;
  /** bytes */
  length: number;
  /** as node:crypto names it */
  digest: string;
}

/** A key to be derived by Argon2 (RFC 9106). */
interface Argon2 extends Argon2Settings {
  kind: 'argon2';
  value: string;
  salt: Uint8Array;
}

/** A password to be compared with a hash of bcrypt. */
interface Bcrypt {
  kind: 'bcrypt';
  value: string;
  hash: string;
}

/** A key that a thread derives. */
export type KeyDerivation = Pbkdf2 | Argon2;

/** What a thread calculates. */
export type Derivation = KeyDerivation | Bcrypt;

/** How long a thread without work is kept, in milliseconds. */
const idleTimeout = 30_000;
/** How much less of a processor the threads get than others who want it: a seventh or so on Linux, nothing elsewhere. */
const niceIncrement = 10;

/** More than ever derive keys at once: hashing.ts says how many do. */
const mostThreads = 64;

type Threads = Piscina<Derivation, Uint8Array>;

let threads: Promise<Threads> | undefined;

/** Loaded when the first key is derived, since it takes megabytes. */
async function start(): Promise<Threads> {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: threadFile('derive'),
    ...{ minThreads: 0, maxThreads: mostThreads, idleTimeout, niceIncrement, concurrentTasksPerWorker: 1 },
  });
}

/**
 * Derives a key in a thread of its own. In the thread pool of Node, derivations would take the processors from whatever else
 * the process and its database do, since those threads cannot be given a lower priority.
 */
export async function derive(derivation: Derivation): Promise<Buffer> {
  threads ??= start();
  return Buffer.from(await (await threads).run(derivation));
}
