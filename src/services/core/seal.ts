import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Config } from '../../config/config.js';
import { Refusal } from './refusal.js';
import type { Place } from './sealed-columns.js';

/** Converts secrets to their stored form, and back. Its functions can be passed on by themselves. */
export interface Sealer {
  /** The stored form of a text for this place. It cannot be opened in another place. */
  seal(text: string, place: Place): string;
  /** The text that was sealed for this place. Refuses a value with another key or place. */
  open(sealed: string, place: Place): string;
}

// The prefix states how a value was sealed, so that a database can hold several forms.
const plainPrefix = 'plain:';
/** sealed by a version that did not bind values to their places */
const unboundPrefix = 'gcm1:';
const boundPrefix = 'gcm2:';
/** The prefixes of all forms of a sealed text. */
export const sealedPrefixes = [plainPrefix, unboundPrefix, boundPrefix] as const;
const nonceLength = 12;
const tagLength = 16;

/** The keys of a sealer, 32 bytes each. */
export interface SealingKeys {
  /** seals, and opens sealed values; without it texts are only marked as plain */
  readonly key?: Uint8Array | undefined;
  /** opens values that are not yet sealed with the new key */
  readonly previous?: Uint8Array | undefined;
}

/** The keys that secrets are sealed with. */
export const sealingKeys = ({
  secretsKey,
  secretsKeyPrevious,
}: Pick<Config, 'secretsKey' | 'secretsKeyPrevious'>): SealingKeys => ({
  key: secretsKey,
  previous: secretsKeyPrevious,
});

/** Further options of a sealer. */
export interface SealingOptions {
  /** whether plain values are opened although there is a key: only to encrypt them */
  readonly opensPlain?: boolean;
  /** whether values that an older version sealed are opened: they are bound to no place */
  readonly opensUnbound?: boolean;
  /** called for each stored secret that cannot be opened; the reason contains no secrets */
  readonly onRefused?: (place: Place, reason: string) => void;
}

/** Whether a stored text was made by a sealer. */
export const isSealed = (stored: string): boolean => sealedPrefixes.some((prefix) => stored.startsWith(prefix));

/** Whether a stored text has its secret in clear. */
export const isPlain = (stored: string): boolean => stored.startsWith(plainPrefix);

/**
 * Seals with AES-256-GCM (NIST SP 800-38D) when a key is given, otherwise only marks the text as plain. Each value has
 * a random 96-bit nonce; its place is additional authenticated data. With a key, plain values and values that were
 * copied from another place are refused, because somebody who can write to the database could plant them.
 */
export function createSealer(
  { key, previous }: SealingKeys,
  { opensPlain = key === undefined, opensUnbound = false, onRefused }: SealingOptions = {},
): Sealer {
  const keys = [key, previous].filter((known) => known !== undefined);
  if (keys.some(({ length }) => length !== 32)) throw new Error('The key that encrypts secrets must have 32 bytes');

  function opened(sealed: string, place: Place): string {
    if (isPlain(sealed)) {
      if (!opensPlain) throw refused('A stored secret is not encrypted, but a key is configured');
      return sealed.slice(plainPrefix.length);
    }
    if (!isSealed(sealed)) throw refused('A stored secret has an unknown format');
    if (keys.length === 0) throw refused('A stored secret is encrypted, but no key is configured');
    const isBound = sealed.startsWith(boundPrefix);
    if (!isBound && !opensUnbound) throw refused('A stored secret does not contain its location');
    const bytes = Buffer.from(sealed.slice(boundPrefix.length), 'base64');
    const additional = isBound ? bytesOf(place) : undefined;
    for (const known of keys) {
      const text = decrypt(known, bytes, additional);
      if (text !== undefined) return text;
    }
    throw refused('A stored secret cannot be decrypted: it was encrypted with another key or for another location');
  }

  return {
    seal(text, place) {
      if (key === undefined) return plainPrefix + text;
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bytesOf(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return boundPrefix + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed, place) {
      try {
        return opened(sealed, place);
      } catch (error) {
        if (error instanceof Refusal) onRefused?.(place, error.message);
        throw error;
      }
    },
  };
}

const refused = (message: string): Refusal => new Refusal('conflict', message);

/** A place as additional authenticated data: different places are different bytes. */
const bytesOf = (place: Place): Buffer =>
  Buffer.from(JSON.stringify([place.model, place.field, place.id, 'owner' in place ? place.owner : null]));

/** The text, or undefined for a wrong key or wrong additional data. */
function decrypt(key: Uint8Array, bytes: Buffer, additional: Buffer | undefined): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength });
    if (additional) decipher.setAAD(additional);
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    return decipher.update(bytes.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    // the cipher's error only states that the tag does not match
    return undefined;
  }
}

/** The secret entries of a configuration as one sealed text; null if there are none. */
export const sealedEntries = (entries: object, place: Place, { seal }: Pick<Sealer, 'seal'>): string | null =>
  Object.keys(entries).length === 0 ? null : seal(JSON.stringify(entries), place);

/** The secret entries of a configuration from their sealed text. */
export const openedEntries = <V>(
  sealed: string | null,
  place: Place,
  { open }: Pick<Sealer, 'open'>,
): Record<string, V> => (sealed === null ? {} : (JSON.parse(open(sealed, place)) as Record<string, V>));
