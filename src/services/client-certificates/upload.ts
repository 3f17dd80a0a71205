import { limit } from '../../config/limits.js';
import { invalid } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import { readKeyStore } from './key-store.js';
import { entryInfo, readCertificate, readKeySet, readPublicKey } from './material.js';
import { refused } from './refusals.js';
import type { CertificateInfo, CertificateUpload } from './representation.js';

/** No key store of a client needs more bytes. */
const mostBytes = limit('Keys and files', 'Key store of a client', 1_048_576, 'bytes');

/** The content of an uploaded file. Refuses an unreadable file, a wrong password, and a key without its certificate. */
export async function uploaded(input: Input<typeof CertificateUpload>): Promise<CertificateInfo> {
  const { keystoreFormat: format, content = '' } = input;
  if (format === undefined) throw invalid('`keystoreFormat` is required', 'keystoreFormat');
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length === 0) throw invalid('The file is empty', 'file');
  if (bytes.length > mostBytes) throw invalid('The file is too large', 'file');
  const text = () => bytes.toString('utf8');
  switch (format) {
    case 'Certificate PEM':
      return readCertificate(text());
    case 'Public Key PEM':
      return readPublicKey(text());
    case 'JSON Web Key Set':
      return readKeySet(text());
    case 'JKS':
    case 'PKCS12':
      return fromKeyStore(bytes, input);
    default:
      throw invalid(`Format "${format}" not found`, 'keystoreFormat');
  }
}

async function fromKeyStore(bytes: Buffer, input: Input<typeof CertificateUpload>): Promise<CertificateInfo> {
  const { keyAlias: alias = '', storePassword = '', keyPassword = '' } = input;
  const entry = await readKeyStore(bytes, { alias, storePassword, keyPassword });
  if (!entry) {
    const message = 'Certificate or key with given alias not found in the keystore';
    throw refused('certificate-not-found', message, 'keyAlias');
  }
  return entryInfo(entry);
}
