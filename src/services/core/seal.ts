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

/**
 * Seals with AES-256-GCM (NIST SP 800-38D, a random 96-bit nonce for each value) when a key of 32 bytes is given,
 * otherwise only marks the text as plain. Both forms are opened.
 */
export function createSealer(key?: Uint8Array): Sealer {
  if (key !== undefined && key.length !== 32) throw new Error('The key that seals secrets must have 32 bytes');
  return {
    seal(text) {
      if (key === undefined) return plainPrefix + text;
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return sealedPrefix + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed) {
      if (sealed.startsWith(plainPrefix)) return sealed.slice(plainPrefix.length);
      if (!sealed.startsWith(sealedPrefix)) throw new Error('A stored secret is not in a known form');
      if (key === undefined) throw new Error('A stored secret is encrypted, and no key is configured');
      return decrypt(key, Buffer.from(sealed.slice(sealedPrefix.length), 'base64'));
    },
  };
}

function decrypt(key: Uint8Array, bytes: Buffer): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength });
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    return decipher.update(bytes.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    // the error of the cipher would only tell that the tag does not match
    throw new Error('A stored secret does not open with the configured key');
  }
}
