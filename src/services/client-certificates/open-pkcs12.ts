import { answerOfThread } from '../core/thread.js';
import { createTurnstile } from '../core/turnstile.js';
import type { KeyStoreAccess, KeyStoreEntry } from './key-store-entry.js';
import { tooCostly, unreadable, wrongPassword } from './refusals.js';

/** The input of the worker thread. */
export interface StoreToOpen {
  bytes: Uint8Array;
  access: KeyStoreAccess;
}

/** The answer of the worker thread: the entry, if there is one, or the text of a refusal. */
export interface OpenedStore {
  entry?: { alias: string; privateKey?: Uint8Array; certificate?: Uint8Array };
  fault?: string;
}

// one at a time with a short queue, because each occupies a processor
const turnstile = createTurnstile(1, 10);

/**
 * The entry of an alias in a PKCS #12 store, opened in a separate thread that is ended if it takes too long. Refuses as
 * `readPkcs12` does.
 */
export const openPkcs12 = (bytes: Buffer, access: KeyStoreAccess): Promise<KeyStoreEntry | undefined> =>
  turnstile(async () => entryOf(await answerOfThread<OpenedStore>('pkcs12', { bytes, access } satisfies StoreToOpen)));

function entryOf(opened: OpenedStore | undefined): KeyStoreEntry | undefined {
  if (!opened) throw tooCostly();
  const { entry, fault } = opened;
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
