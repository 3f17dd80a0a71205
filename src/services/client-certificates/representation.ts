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

/** KeyStoreConfig of the contract: what a key store is to be made with. */
export const KeyStoreConfig = representation('KeyStoreConfig', {
  realmCertificate: flag,
  storePassword: text,
  keyPassword: text,
  keyAlias: text,
  realmAlias: text,
  format: text,
});

/** An uploaded file in base64, its format, and what opens it. */
export const CertificateUpload = representation('CertificateUpload', {
  keystoreFormat: text,
  keyAlias: text,
  keyPassword: text,
  storePassword: text,
  content: documentText,
});

/** A client, and what the keys are for: they are kept as its attributes of that prefix. */
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

/** What the opened attributes of a client say of the keys for a purpose. */
export function certificateOf(attributes: Readonly<Record<string, string>>, prefix: string): CertificateInfo {
  return Object.fromEntries(
    fields.flatMap(([field, suffix]) => {
      const value = attributes[`${prefix}.${suffix}`];
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

/** What the client has keys for, by the names of its attributes. */
export function purposesOf(attributes: unknown): string[] {
  const purposes = Object.keys(attributes as object).flatMap((name) => {
    const suffix = Object.values(suffixes).find((known) => name.endsWith(`.${known}`));
    // a key id by itself, or the plain word, is another attribute
    return suffix === undefined || suffix === 'kid' ? [] : [name.slice(0, -suffix.length - 1)];
  });
  return [...new Set(purposes)].sort();
}

/** The attributes with other keys for a purpose: what the new ones lack goes away. */
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
