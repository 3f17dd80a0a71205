import type { Piscina } from 'piscina';
import { threadFile } from '../../config/project.js';
import { lowPriority } from '../../database/thread-priority.js';
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
/** More than ever derive keys at once: hashing.ts says how many do. */
const mostThreads = 64;

/** As niceness on Linux: other threads that want a processor get twice as much of it as the first thread. */
const priorityOfFirst = 3;

type Threads = Piscina<Derivation, Uint8Array>;

let threads: Promise<{ first: Threads; others: Threads }> | undefined;
let isFirstBusy = false;

/** Loaded when the first key is derived, since it takes megabytes. */
async function start(): Promise<{ first: Threads; others: Threads }> {
  const { Piscina } = await import('piscina');
  const usual = { filename: threadFile('derive'), minThreads: 0, idleTimeout, concurrentTasksPerWorker: 1 };
  return {
    first: new Piscina({ ...usual, maxThreads: 1, niceIncrement: priorityOfFirst }),
    others: new Piscina({ ...usual, maxThreads: mostThreads, niceIncrement: lowPriority }),
  };
}

/**
 * Derives a key in a thread of its own. In the thread pool of Node, derivations would take the processors from whatever else
 * the process and its database do, since those threads cannot be given a lower priority. One thread has nearly the usual priority: long
 * statements of PostgreSQL and searches would hold up every login otherwise. A flood of logins has one processor with it, not all.
 */
export async function derive(derivation: Derivation): Promise<Buffer> {
  threads ??= start();
  const { first, others } = await threads;
  if (isFirstBusy) return Buffer.from(await others.run(derivation));
  isFirstBusy = true;
  try {
    return Buffer.from(await first.run(derivation));
  } finally {
    isFirstBusy = false;
  }
}
