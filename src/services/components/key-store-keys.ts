import { createPrivateKey, X509Certificate } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { limit } from '../../config/limits.js';
import { readKeyStore } from '../client-certificates/key-store.js';
import type { KeyStoreEntry } from '../client-certificates/key-store-entry.js';
import { mask } from '../core/mask.js';
import { invalid, Refusal } from '../core/refusal.js';

type Config = Record<string, string[]>;

const refuse = (message: string) => invalid(message, 'config');
const mostBytes = limit('Keys and files', 'Key store of a component, on the server', 1_048_576, 'bytes');

const needed = [
  ['keystore', 'Keystore'],
  ['keystorePassword', 'Keystore Password'],
  ['keyAlias', 'Key Alias'],
  ['keyPassword', 'Key Password'],
] as const;

/**
 * The private key and the certificate that a `java-keystore` provider names, as further settings: they are read when the
 * settings are made, so that the file may go afterwards. `folder` is the one for key
 * stores. Throws `invalid`, with one wording for whatever is wrong with the file, as recorded for one that is missing.
 */
export async function keysOfKeyStore(config: Config, folder: string | undefined): Promise<Config> {
  for (const [name, label] of needed) if (!config[name]?.[0]) throw refuse(`'${label}' is required`);
  const [path, storePassword, alias, keyPassword] = needed.map(([name]) => config[name]?.[0] ?? '') as [
    string,
    string,
    string,
    string,
  ];
  if (storePassword === mask || keyPassword === mask) throw refuse('The passwords of the key store are required');
  const bytes = await bytesOf(folder, path);
  const entry = bytes && (await readKeyStore(bytes, { alias, storePassword, keyPassword }).catch(unlessBusy));
  const pair = entry && usable(entry);
  if (!pair) throw refuse(`Failed to load keys. File not found on server. ${path} (No such file or directory)`);
  return {
    privateKey: [pair.privateKey.toString('base64')],
    certificate: [pair.certificate.toString('base64')],
  };
}

/** A store that does not open is as good as none; that too many are opened at present is said. */
function unlessBusy(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.kind === 'busy') throw error;
}

/** The RSA key of an entry with its certificate. */
function usable({ privateKey, certificate }: KeyStoreEntry) {
  if (!privateKey || !certificate) return undefined;
  try {
    const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
    const fits = key.asymmetricKeyType === 'rsa' && new X509Certificate(certificate).checkPrivateKey(key);
    return fits ? { privateKey, certificate } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The bytes of a regular file below the folder for key stores. Whatever is wrong with it, the refusal is the same: nobody
 * learns from it what there is on the machine. Nothing else is opened for longer than a look, so that a pipe holds up
 * nobody.
 */
async function bytesOf(folder: string | undefined, path: string): Promise<Buffer | undefined> {
  if (folder === undefined) return undefined;
  try {
    const root = await realpath(folder);
    const file = await realpath(resolve(root, path));
    if (!file.startsWith(root + sep)) return undefined;
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const { size } = await regular(handle);
      const bytes = Buffer.alloc(size);
      const { bytesRead } = await handle.read(bytes, 0, size, 0);
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

/** What is known of a file. Throws for what is no file, or too large. */
async function regular(handle: FileHandle): Promise<Stats> {
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size > mostBytes)
    throw new Error(`A key store must be a file of at most ${mostBytes} bytes`);
  return stats;
}
