import { jksMagic, readJks, writeJks } from './jks.js';
import type { KeyStoreAccess, KeyStoreEntry } from './key-store-entry.js';

/** The formats of key stores, as the contract names them. */
export const keyStoreFormats = ['JKS', 'PKCS12'] as const;
export type KeyStoreFormat = (typeof keyStoreFormats)[number];

/** Reads one entry. Undefined if the alias does not exist. The refusals come from the formats. */
export async function readKeyStore(bytes: Buffer, access: KeyStoreAccess): Promise<KeyStoreEntry | undefined> {
  const { alias, storePassword, keyPassword } = access;
  // Java, too, reads either format under the name of the other
  if (bytes.length > 12 && bytes.readUInt32BE(0) === jksMagic) return readJks(bytes, alias, storePassword, keyPassword);
  const { openPkcs12 } = await import('./open-pkcs12.js');
  return openPkcs12(bytes, access);
}

/** Writes a key store. */
export async function writeKeyStore(
  format: KeyStoreFormat,
  entries: readonly KeyStoreEntry[],
  storePassword: string,
  keyPassword: string,
): Promise<Buffer> {
  if (format === 'JKS') return writeJks(entries, storePassword, keyPassword);
  const { writePkcs12 } = await import('./pkcs12-write.js');
  return writePkcs12(entries, storePassword, keyPassword);
}
