import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { readKeyStore } from '../client-certificates/key-store.js';
import { invalid, Refusal } from '../core/refusal.js';
import { mask } from '../realms/mask.js';

type Config = Record<string, string[]>;

const refuse = (message: string) => invalid(message, 'config');
const mostBytes = 1_048_576;

const needed = [
  ['keystore', 'Keystore'],
  ['keystorePassword', 'Keystore Password'],
  ['keyAlias', 'Key Alias'],
  ['keyPassword', 'Key Password'],
] as const;

/**
 * The private key and the certificate that a `java-keystore` provider names, as further settings: they are read when the
 * settings are made, so that the file may go afterwards. Throws `invalid`, worded as recorded.
 */
export async function keysOfKeyStore(config: Config): Promise<Config> {
  for (const [name, label] of needed) if (!config[name]?.[0]) throw refuse(`'${label}' is required`);
  const [path, storePassword, alias, keyPassword] = needed.map(([name]) => config[name]?.[0] ?? '') as [
    string,
    string,
    string,
    string,
  ];
  if (storePassword === mask || keyPassword === mask) throw refuse('The passwords of the key store are needed');
  const failed = (why: string) => refuse(`Failed to load keys. ${why}`);
  const bytes = await bytesOf(path, failed);
  const entry = await readKeyStore(bytes, { alias, storePassword, keyPassword }).catch((error: unknown) => {
    if (error instanceof Refusal) throw failed(error.message);
    throw error;
  });
  if (!entry?.privateKey || !entry.certificate) throw failed('There is no key under this alias');
  const key = createPrivateKey({ key: entry.privateKey, format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyType !== 'rsa') throw failed('The key is not an RSA key');
  if (!new X509Certificate(entry.certificate).checkPrivateKey(key)) throw failed('The certificate is of another key');
  return {
    privateKey: [entry.privateKey.toString('base64')],
    certificate: [entry.certificate.toString('base64')],
  };
}

async function bytesOf(path: string, failed: (why: string) => Refusal): Promise<Buffer> {
  try {
    if ((await stat(path)).size <= mostBytes) return await readFile(path);
  } catch {
    throw failed(`File not found on server. ${path} (No such file or directory)`);
  }
  throw failed('The file is too large');
}
