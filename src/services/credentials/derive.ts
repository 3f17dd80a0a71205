import type { Piscina } from 'piscina';
import { threadFile } from '../../config/project.js';

/** A key to be derived by PBKDF2 (RFC 8018 section 5.2). */
export interface Derivation {
  value: string;
  salt: string | Uint8Array;
  iterations: number;
  /** bytes */
  length: number;
  /** as node:crypto names it */
  digest: string;
}

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
