import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { derElement } from './der.js';
import type { KeyStoreEntry } from './key-store-entry.js';
import { unreadable, wrongPassword } from './refusals.js';

/** The first four bytes of a Java key store. */
export const jksMagic = 0xfeedfeed;
const version = 2;
const keyTag = 1;
const certificateTag = 2;
const digestLength = 20;
const mostEntries = 1000;

/** SEQUENCE { AlgorithmIdentifier 1.3.6.1.4.1.42.2.17.1.1, … }: the store's mark for its own protection of a key. */
const protectedBy = Buffer.from('300e060a2b060104012a021101010500', 'hex');

const sha1 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Passwords count by their UTF-16 units, high byte first. */
const passwordBytes = (password: string): Buffer => Buffer.from(password, 'utf16le').swap16();

const integrity = (password: string, body: Uint8Array): Buffer =>
  sha1(passwordBytes(password), Buffer.from('Mighty Aphrodite'), body);

/** XORs the bytes with a stream of digests that starts from the salt; a second call restores them. */
function combined(bytes: Uint8Array, password: Buffer, salt: Uint8Array): Buffer {
  const result = Buffer.from(bytes);
  let digest: Uint8Array = salt;
  for (let at = 0; at < result.length; at += digestLength) {
    digest = sha1(password, digest);
    for (let n = 0; n < digestLength && at + n < result.length; n++) {
      result[at + n] = (result[at + n] as number) ^ (digest[n] as number);
    }
  }
  return result;
}

function protectedKey(pkcs8: Buffer, keyPassword: string): Buffer {
  const password = passwordBytes(keyPassword);
  const salt = randomBytes(digestLength);
  const body = Buffer.concat([salt, combined(pkcs8, password, salt), sha1(password, pkcs8)]);
  return derElement(0x30, Buffer.concat([protectedBy, derElement(0x04, body)]));
}

/** The key in PKCS #8; undefined if the password is wrong. */
function openedKey(bytes: Buffer, keyPassword: string): Buffer | undefined {
  const start = bytes.indexOf(protectedBy);
  if (start < 0 || start > 6) throw unreadable();
  let at = start + protectedBy.length;
  if (bytes[at] !== 0x04) throw unreadable();
  const first = bytes[at + 1] ?? 0;
  at += first < 0x80 ? 2 : 2 + (first & 0x7f);
  const body = bytes.subarray(at);
  if (body.length <= 2 * digestLength) throw unreadable();
  const password = passwordBytes(keyPassword);
  const salt = body.subarray(0, digestLength);
  const plain = combined(body.subarray(digestLength, -digestLength), password, salt);
  return timingSafeEqual(sha1(password, plain), body.subarray(-digestLength)) ? plain : undefined;
}

/** Writes a Java key store: the format JKS, version 2. Aliases are in lower case. */
export function writeJks(entries: readonly KeyStoreEntry[], storePassword: string, keyPassword: string): Buffer {
  const parts: Buffer[] = [numbers(jksMagic, version, entries.length)];
  const created = Buffer.alloc(8);
  created.writeBigInt64BE(BigInt(Date.now()));
  for (const { alias, privateKey, certificate } of entries) {
    parts.push(numbers(privateKey ? keyTag : certificateTag), written(alias.toLowerCase()), created);
    if (privateKey) {
      const key = protectedKey(privateKey, keyPassword);
      parts.push(numbers(key.length), key, numbers(certificate ? 1 : 0));
    }
    if (certificate) parts.push(written('X.509'), numbers(certificate.length), certificate);
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, integrity(storePassword, body)]);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

function written(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/**
 * The entry of an alias in a Java key store. The key is missing if `keyPassword` is wrong. Undefined if the alias does
 * not exist. Refuses other files, and a wrong store password.
 */
export function readJks(
  bytes: Buffer,
  alias: string,
  storePassword: string,
  keyPassword: string,
): KeyStoreEntry | undefined {
  try {
    return entryOf(bytes, alias.toLowerCase(), storePassword, keyPassword);
  } catch (error) {
    // beyond the end of the bytes
    if (error instanceof RangeError) throw unreadable();
    throw error;
  }
}

function entryOf(bytes: Buffer, alias: string, storePassword: string, keyPassword: string): KeyStoreEntry | undefined {
  const body = bytes.subarray(0, -digestLength);
  if (body.readUInt32BE(0) !== jksMagic || body.readUInt32BE(4) !== version) throw unreadable();
  if (!timingSafeEqual(integrity(storePassword, body), bytes.subarray(-digestLength))) throw wrongPassword();
  const count = body.readUInt32BE(8);
  if (count > mostEntries) throw unreadable();
  let at = 12;
  const number = (): number => {
    at += 4;
    return body.readUInt32BE(at - 4);
  };
  const take = (length: number): Buffer => {
    at += length;
    if (at > body.length) throw unreadable();
    return body.subarray(at - length, at);
  };
  const string = (): string => {
    at += 2;
    return take(body.readUInt16BE(at - 2)).toString();
  };
  const certificate = (): Buffer => {
    string();
    return take(number());
  };
  for (let entry = 0; entry < count; entry++) {
    const tag = number();
    const name = string();
    take(8);
    const key = tag === keyTag ? take(number()) : undefined;
    const chain = key ? Array.from({ length: Math.min(number(), mostEntries) }, certificate) : [certificate()];
    if (name.toLowerCase() !== alias) continue;
    const privateKey = key && openedKey(key, keyPassword);
    const [own] = chain;
    return { alias: name, ...(privateKey && { privateKey }), ...(own && { certificate: own }) };
  }
  return undefined;
}
