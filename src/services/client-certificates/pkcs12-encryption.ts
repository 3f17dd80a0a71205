import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { ownMember } from '../core/json.js';
import { decryptRc2 } from './rc2.js';
import { unreadable } from './refusals.js';

/** Object identifiers of PKCS #12 (RFC 7292), PKCS #5 (RFC 8018), and PKCS #7 (RFC 2315). */
export const oids = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
  x509Certificate: '1.2.840.113549.1.9.22.1',
  keyBag: '1.2.840.113549.1.12.10.1.1',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certBag: '1.2.840.113549.1.12.10.1.3',
  pbkdf2: '1.2.840.113549.1.5.12',
  pbes2: '1.2.840.113549.1.5.13',
  hmacSha1: '1.2.840.113549.2.7',
  hmacSha256: '1.2.840.113549.2.9',
  sha256: '2.16.840.1.101.3.4.2.1',
  aes256: '2.16.840.1.101.3.4.1.42',
} as const;

/** SHA-256, with the bytes of a digest and of a block. */
export const sha256 = { name: 'sha256', length: 32, block: 64 };

/** Digests of integrity codes by their identifiers, with the bytes of a digest and of a block. */
export const digests: Readonly<Record<string, { name: string; length: number; block: number }>> = {
  '1.3.14.3.2.26': { name: 'sha1', length: 20, block: 64 },
  [oids.sha256]: sha256,
  '2.16.840.1.101.3.4.2.2': { name: 'sha384', length: 48, block: 128 },
  '2.16.840.1.101.3.4.2.3': { name: 'sha512', length: 64, block: 128 },
};

const prfs: Readonly<Record<string, string>> = {
  [oids.hmacSha1]: 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  [oids.hmacSha256]: 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

/** Ciphers of PBES2, with the bytes of a key. */
const ciphers: Readonly<Record<string, { name: string; keyLength: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyLength: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyLength: 24 },
  [oids.aes256]: { name: 'aes-256-cbc', keyLength: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyLength: 24 },
};

/** The purposes of a key from `deriveBytes`, RFC 7292 appendix B.3. */
export const purposes = { key: 1, iv: 2, mac: 3 } as const;

interface Derivation {
  password: string;
  salt: Buffer;
  rounds: number;
  purpose: number;
  length: number;
  digest: { name: string; length: number; block: number };
}

/** Fills whole blocks with copies of some bytes. */
const filled = (bytes: Buffer, block: number): Buffer =>
  Buffer.alloc(block * Math.ceil(bytes.length / block), bytes.length === 0 ? undefined : bytes);

/** Bytes derived from a password and a salt, RFC 7292 appendix B.2. */
export function deriveBytes({ password, salt, rounds, purpose, length, digest }: Derivation): Buffer {
  const { name, block } = digest;
  // with two zero bytes at the end, as in appendix B.1
  const text = Buffer.from(`${password}\0`, 'utf16le').swap16();
  const diversifier = Buffer.alloc(block, purpose);
  const input = Buffer.concat([filled(salt, block), filled(text, block)]);
  const result: Buffer[] = [];
  for (let made = 0; made < length; made += digest.length) {
    let part = createHash(name).update(diversifier).update(input).digest();
    for (let round = 1; round < rounds; round += 1) part = createHash(name).update(part).digest();
    result.push(part);
    const added = filled(part, block).subarray(0, block);
    for (let from = 0; from < input.length; from += block) addOne(input.subarray(from, from + block), added);
  }
  return Buffer.concat(result).subarray(0, length);
}

/** Adds another number and one to a number, both in big-endian order. */
function addOne(number: Buffer, other: Buffer): void {
  let carry = 1;
  for (let index = number.length - 1; index >= 0; index -= 1) {
    carry += (number[index] ?? 0) + (other[index] ?? 0);
    number[index] = carry & 0xff;
    carry >>= 8;
  }
}

/** The plain bytes; undefined if the padding is wrong, as with another key. */
function decrypt(name: string, key: Buffer, iv: Buffer, encrypted: Buffer): Buffer | undefined {
  const decipher = createDecipheriv(name, key, iv);
  try {
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** A password with the parameters of the key derivation. */
interface Salted {
  password: string;
  salt: Buffer;
  rounds: number;
}

const sha1 = { name: 'sha1', length: 20, block: 64 };

/** Decrypts by an encryption of PKCS #12, appendix C: Triple DES, or RC2 with 128 or 40 bits. */
export function decryptPkcs12(algorithm: string, from: Salted, encrypted: Buffer): Buffer | undefined {
  const derive = (purpose: number, length: number) => deriveBytes({ ...from, purpose, length, digest: sha1 });
  const iv = () => derive(purposes.iv, 8);
  switch (algorithm) {
    case '1.2.840.113549.1.12.1.3':
      return decrypt('des-ede3-cbc', derive(purposes.key, 24), iv(), encrypted);
    case '1.2.840.113549.1.12.1.5':
      return decryptRc2(derive(purposes.key, 16), iv(), encrypted);
    case '1.2.840.113549.1.12.1.6':
      return decryptRc2(derive(purposes.key, 5), iv(), encrypted);
    default:
      throw unreadable();
  }
}

/** Decrypts by PBES2 (RFC 8018 section 6.2) with the pseudorandom function and cipher of these identifiers. */
export function decryptPbes2(prf: string, cipher: string, from: Salted, iv: Buffer, encrypted: Buffer) {
  const [hash, known] = [ownMember(prfs, prf), ownMember(ciphers, cipher)];
  if (!hash || !known) throw unreadable();
  const key = pbkdf2Sync(from.password, from.salt, from.rounds, known.keyLength, hash);
  return decrypt(known.name, key, iv, encrypted);
}
