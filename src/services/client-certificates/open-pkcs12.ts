import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../../config/project.js';
import { createTurnstile } from '../core/turnstile.js';
import type { KeyStoreAccess, KeyStoreEntry } from './key-store-entry.js';
import { tooCostly, unreadable, wrongPassword } from './refusals.js';

/** What the worker thread is given. */
export interface StoreToOpen {
  bytes: Uint8Array;
  access: KeyStoreAccess;
}

/** What it answers: the entry where there is one, or the text of a refusal. */
export interface OpenedStore {
  entry?: { alias: string; privateKey?: Uint8Array; certificate?: Uint8Array };
  fault?: string;
}

/** Milliseconds, the start of the thread included. */
const longest = 10_000;
const mostMegabytes = 128;
// one at a time, and few who wait: each has a processor for itself in the meantime
const turnstile = createTurnstile(1, 10);

const script = threadFile('pkcs12');

/**
 * The entry of an alias in a PKCS #12 store, opened in a thread of its own that is ended when it takes too long. Refuses
 * as `readPkcs12` does.
 */
export const openPkcs12 = (bytes: Buffer, access: KeyStoreAccess): Promise<KeyStoreEntry | undefined> =>
  turnstile(async () => entryOf(await inThread({ bytes, access })));

function entryOf({ entry, fault }: OpenedStore): KeyStoreEntry | undefined {
  if (fault !== undefined) {
    throw [wrongPassword(), tooCostly()].find(({ message }) => message === fault) ?? unreadable();
  }
  return (
    entry && {
      alias: entry.alias,
      ...(entry.privateKey && { privateKey: Buffer.from(entry.privateKey) }),
      ...(entry.certificate && { certificate: Buffer.from(entry.certificate) }),
    }
  );
}

async function inThread(workerData: StoreToOpen): Promise<OpenedStore> {
  const worker = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: mostMegabytes } });
  try {
    const [answer] = await once(worker, 'message', { signal: AbortSignal.timeout(longest) });
    return answer as OpenedStore;
  } catch {
    // it had no time left, or no memory
    throw tooCostly();
  } finally {
    await worker.terminate();
  }
}
