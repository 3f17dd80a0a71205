import { createHash } from 'node:crypto';
import type { KeyStatus, KeyType, KeyUse, RealmKey } from '../core/ports.js';

/** KeyMetadataRepresentation of the contract. */
interface KeyMetadata {
  providerId: string;
  providerPriority: number;
  kid: string;
  status: KeyStatus;
  type: KeyType;
  algorithm: string;
  publicKey?: string;
  certificate?: string;
  use: KeyUse;
}

/** KeysMetadataRepresentation of the contract. */
export interface KeysMetadata {
  active: Record<string, string>;
  keys: KeyMetadata[];
}

/** Whether SAML messages of the realm may be signed with a key. */
export const signsSaml = ({ use, algorithm, status }: RealmKey): boolean =>
  use === 'SIG' && algorithm === 'RS256' && status !== 'DISABLED';

/** The keys of a realm without anything secret, and the active key's ID for each algorithm. */
export function encodeKeysMetadata(keys: readonly RealmKey[]): KeysMetadata {
  const active: Record<string, string> = {};
  // if an algorithm has a key for signing and one for encryption, the one for signing is listed
  for (const use of ['SIG', 'ENC'] satisfies KeyUse[])
    for (const key of keys) if (key.status === 'ACTIVE' && key.use === use) active[key.algorithm] ??= key.kid;
  return { active, keys: keys.map(encodeKey) };
}

const encodeKey = (key: RealmKey): KeyMetadata => ({
  providerId: key.providerId,
  providerPriority: key.providerPriority,
  kid: key.kid,
  status: key.status,
  type: key.type,
  algorithm: key.algorithm,
  ...(key.publicKey && { publicKey: publicKeyText(key) }),
  ...(key.certificate !== undefined && { certificate: key.certificate }),
  use: key.use,
});

/** The public half as base64 of its DER form, SubjectPublicKeyInfo (RFC 5280); empty for a key without one. */
export const publicKeyText = ({ publicKey }: RealmKey): string =>
  publicKey?.export({ format: 'der', type: 'spki' }).toString('base64') ?? '';

/** A JSON Web Key (RFC 7517) without secret members. */
export type PublicJwk = Record<string, string | string[]>;

/** The JSON Web Key Set (RFC 7517 section 5) of the realm's public keys that are not disabled. */
export const encodeKeySet = (keys: readonly RealmKey[]): { keys: PublicJwk[] } => ({
  keys: keys.filter(({ publicKey, status }) => publicKey !== undefined && status !== 'DISABLED').map(encodeJwk),
});

function encodeJwk(key: RealmKey): PublicJwk {
  const { kty, n, e, crv, x, y } = key.publicKey?.export({ format: 'jwk' }) ?? {};
  const members = { kid: key.kid, kty, alg: key.algorithm, use: key.use.toLowerCase(), n, e, crv, x, y };
  const present = Object.entries(members).filter((member): member is [string, string] => typeof member[1] === 'string');
  return { ...Object.fromEntries(present), ...(key.certificate !== undefined && certificateMembers(key.certificate)) };
}

// RFC 7517 sections 4.7 to 4.9: x5c is base64, the digests are base64url.
const certificateMembers = (certificate: string): PublicJwk => ({ x5c: [certificate], ...thumbprintsOf(certificate) });

/** The thumbprints of a certificate, which is in base64, as keys and headers of tokens name it (RFC 7515 section 4.1.7). */
export function thumbprintsOf(certificate: string): { x5t: string; 'x5t#S256': string } {
  const digest = (name: string) => createHash(name).update(Buffer.from(certificate, 'base64')).digest('base64url');
  return { x5t: digest('sha1'), 'x5t#S256': digest('sha256') };
}
