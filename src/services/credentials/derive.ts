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

/** The input of a worker thread. */
export type Derivation = KeyDerivation | Bcrypt;

/** Milliseconds after which an idle thread ends. */
const idleTimeout = 30_000;
/** Higher than the number of concurrent derivations, which hashing.ts limits. */
const mostThreads = 64;

/** A niceness on Linux: other threads that need a processor get twice as much of it as the first thread. */
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
 * Derives a key in a separate thread. Threads of the Node thread pool cannot have a lower priority: derivations there
 * would slow down the process and its database. One thread has nearly the usual priority, otherwise long statements of
 * PostgreSQL and searches would delay every login. A flood of logins thus occupies one processor, not all.
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
