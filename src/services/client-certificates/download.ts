import type { Context } from '../core/context.js';
import { invalid, notFound, Refusal } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import { currentKeys } from '../keys/operations.js';
import { type KeyStoreFormat, keyStoreFormats, writeKeyStore } from './key-store.js';
import type { KeyStoreEntry } from './key-store-entry.js';
import { pkcs8Of } from './material.js';
import { refused } from './refusals.js';
import type { CertificateInfo, CertificateTarget, KeyStoreConfig } from './representation.js';

type Config = Input<typeof KeyStoreConfig>;

/** The content and format of a key store. */
export interface KeyStorePlan {
  config: Config;
  format: KeyStoreFormat;
  storePassword: string;
  keyPassword: string;
  info: CertificateInfo;
}

const longestAlias = 255;

/** Checks in the order of the reference server: the format, then the existence of keys, then the passwords. */
export async function checkConfig(
  config: Config,
  purpose: 'download' | 'generation and download',
  keys: () => Promise<CertificateInfo>,
): Promise<KeyStorePlan> {
  const { format: name, storePassword, keyPassword = '', keyAlias = '', realmAlias = '' } = config;
  if (name === undefined) throw invalid('`format` is required: JKS or PKCS12', 'format');
  const format = keyStoreFormats.find((known) => known === name);
  if (!format) {
    const details = { field: 'format', status: 406, member: 'error' as const };
    throw new Refusal('invalid', 'Only support jks or pkcs12 format.', details);
  }
  for (const [field, alias] of Object.entries({ keyAlias, realmAlias })) {
    if (alias.length > longestAlias) throw invalid(`An alias must be at most ${longestAlias} characters`, field);
  }
  const lacking = (kind: string) =>
    refused('password-missing', `Need to specify a ${kind} password for jks ${purpose}`, `${kind}Password`);
  // a pair that is going to be generated always has a private key
  if (purpose !== 'download' && !keyPassword) throw lacking('key');
  if (purpose !== 'download' && !storePassword) throw lacking('store');
  const info = await keys();
  if (!info.privateKey && !info.certificate) throw notFound('keypair not generated for client');
  if (info.privateKey && !keyPassword) throw lacking('key');
  if (!storePassword) throw lacking('store');
  return { config, format, storePassword, keyPassword, info };
}

/** Writes the key store, in base64: the keys of the client, and by default the certificate of the realm. */
export async function keyStoreOf(
  ctx: Context,
  { realm, client }: CertificateTarget,
  { config, format, storePassword, keyPassword, info }: KeyStorePlan,
): Promise<{ info: CertificateInfo; keyStore: string }> {
  const entries: KeyStoreEntry[] = [
    {
      alias: config.keyAlias || client.clientId,
      ...(info.privateKey && { privateKey: pkcs8Of(info.privateKey) }),
      ...(info.certificate && { certificate: Buffer.from(info.certificate, 'base64') }),
    },
  ];
  const certificate = config.realmCertificate === false ? undefined : await realmCertificate(ctx, realm);
  if (certificate) entries.push({ alias: config.realmAlias || realm.name, certificate });
  const keyStore = await writeKeyStore(format, entries, storePassword, keyPassword);
  return { info, keyStore: keyStore.toString('base64') };
}

async function realmCertificate(ctx: Context, realm: CertificateTarget['realm']): Promise<Buffer | undefined> {
  const keys = await currentKeys(ctx, realm);
  const key = keys.find(({ status, use, type, certificate }) => {
    return status === 'ACTIVE' && use === 'SIG' && type === 'RSA' && certificate !== undefined;
  });
  return key?.certificate === undefined ? undefined : Buffer.from(key.certificate, 'base64');
}
