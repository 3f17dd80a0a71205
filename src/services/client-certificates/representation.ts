import type { ClientTarget } from '../clients/locate.js';
import { documentText, flag, type Input, representation, text } from '../core/shape.js';

/** CertificateRepresentation of the contract: keys without the lines around PEM. */
export const CertificateRepresentation = representation('CertificateRepresentation', {
  privateKey: text,
  publicKey: text,
  certificate: text,
  kid: text,
});
export type CertificateInfo = Input<typeof CertificateRepresentation>;

/** KeyStoreConfig of the contract: the options of a new key store. */
export const KeyStoreConfig = representation('KeyStoreConfig', {
  realmCertificate: flag,
  storePassword: text,
  keyPassword: text,
  keyAlias: text,
  realmAlias: text,
  format: text,
});

/** An uploaded file in base64, its format, and its passwords. */
export const CertificateUpload = representation('CertificateUpload', {
  keystoreFormat: text,
  keyAlias: text,
  keyPassword: text,
  storePassword: text,
  content: documentText,
});

/** A client, and the purpose of the keys: they are stored in its attributes with that prefix. */
export interface CertificateTarget extends ClientTarget {
  attribute: string;
}

const suffixes = {
  privateKey: 'private.key',
  certificate: 'certificate',
  publicKey: 'public.key',
  kid: 'kid',
} as const satisfies Record<keyof CertificateInfo, string>;

const fields = Object.entries(suffixes) as [keyof CertificateInfo, string][];

/** The keys for a purpose in the opened attributes of a client. */
export function certificateOf(attributes: Readonly<Record<string, string>>, prefix: string): CertificateInfo {
  return Object.fromEntries(
    fields.flatMap(([field, suffix]) => {
      const value = attributes[`${prefix}.${suffix}`];
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

/** The purposes for which the client has keys, by the names of its attributes. */
export function purposesOf(attributes: unknown): string[] {
  const purposes = Object.keys(attributes as object).flatMap((name) => {
    const suffix = Object.values(suffixes).find((known) => name.endsWith(`.${known}`));
    // a single key ID, or the name alone, is another attribute
    return suffix === undefined || suffix === 'kid' ? [] : [name.slice(0, -suffix.length - 1)];
  });
  return [...new Set(purposes)].sort();
}

/** The attributes with new keys for a purpose: parts that the new ones lack are removed. */
export function withCertificate(
  attributes: Readonly<Record<string, string>>,
  prefix: string,
  info: CertificateInfo,
): Record<string, string> {
  const names = new Set(fields.map(([, suffix]) => `${prefix}.${suffix}`));
  const others = Object.entries(attributes).filter(([name]) => !names.has(name));
  const own = fields.flatMap(([field, suffix]) => {
    const value = info[field];
    return value === undefined ? [] : [[`${prefix}.${suffix}`, value]];
  });
  return Object.fromEntries([...others, ...own]);
}
