import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Turns secrets into what the database holds, and back. */
export interface Sealer {
  /** The text as it is stored. */
  seal(text: string): string;
  /** The text that was sealed. Throws when it cannot be opened with the configured key. */
  open(sealed: string): string;
}

// The prefix tells how a value was sealed, so that a database that got a key later holds both forms.
const plainPrefix = 'plain:';
const sealedPrefix = 'gcm1:';
const nonceLength = 12;
const tagLength = 16;

/** The keys of a sealer, 32 bytes each. */
export interface SealingKeys {
  /** seals, and opens what it has sealed; without it texts are only marked as plain */
  readonly key?: Uint8Array | undefined;
  /** opens what is not sealed with the new key yet */
  readonly previous?: Uint8Array | undefined;
  /** whether what is not encrypted is opened although there is a key: only to encrypt it */
  readonly opensPlain?: boolean;
}

/** Whether a stored text is one that a sealer has made. */
export const isSealed = (stored: string): boolean => isPlain(stored) || stored.startsWith(sealedPrefix);

/** Whether a stored text holds its secret in clear. */
export const isPlain = (stored: string): boolean => stored.startsWith(plainPrefix);

/**
 * Seals with AES-256-GCM (NIST SP 800-38D, a random 96-bit nonce for each value) when a key is given, otherwise only marks
 * the text as plain. With a key, what is not encrypted is refused: who can write to the database could plant it.
 */
export function createSealer({ key, previous, opensPlain = key === undefined }: SealingKeys): Sealer {
  const keys = [key, previous].filter((known) => known !== undefined);
  if (keys.some(({ length }) => length !== 32)) throw new Error('The key that seals secrets must have 32 bytes');
  return {
    seal(text) {
      if (key === undefined) return plainPrefix + text;
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return sealedPrefix + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed) {
      if (isPlain(sealed)) {
        if (!opensPlain) throw new Error('A stored secret is not encrypted, and a key is configured');
        return sealed.slice(plainPrefix.length);
      }
      if (!isSealed(sealed)) throw new Error('A stored secret is not in a known form');
      if (keys.length === 0) throw new Error('A stored secret is encrypted, and no key is configured');
      const bytes = Buffer.from(sealed.slice(sealedPrefix.length), 'base64');
      let opened: string | undefined;
      for (const known of keys) opened ??= decrypt(known, bytes);
      if (opened === undefined) throw new Error('A stored secret does not open with the configured key');
      return opened;
    },
  };
}

/** The text, or undefined where the key is another one. */
function decrypt(key: Uint8Array, bytes: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength });
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    return decipher.update(bytes.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    // the error of the cipher would only tell that the tag does not match
    return undefined;
  }
}
