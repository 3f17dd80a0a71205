import { createCipheriv, createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { derElement, derInteger, derOid, tags } from './der.js';
import type { KeyStoreEntry } from './key-store-entry.js';
import { deriveBytes, oids, purposes, sha256 } from './pkcs12-encryption.js';

/** Rounds of deriving keys, as Java has them by default. */
const rounds = 10_000;
const saltLength = 20;
/** Java recognizes a trusted certificate by this attribute; its value means any purpose. */
const trustedKeyUsage = '2.16.840.1.113894.746875.1.1';
const anyPurpose = '2.5.29.37.0';

const sequence = (...parts: Buffer[]): Buffer => derElement(tags.sequence, ...parts);
const set = (...parts: Buffer[]): Buffer => derElement(tags.set, ...parts);
const tagged = (part: Buffer): Buffer => derElement(tags.first, part);
const octets = (bytes: Buffer): Buffer => derElement(tags.octets, bytes);
const nothing = derElement(tags.null);

const data = (...bags: Buffer[]): Buffer => sequence(derOid(oids.data), tagged(octets(sequence(...bags))));
const named = (alias: string): Buffer =>
  sequence(derOid(oids.friendlyName), set(derElement(tags.bmpString, Buffer.from(alias, 'utf16le').swap16())));

/** A key in PKCS #8, encrypted by PBES2 (RFC 8018 section 6.2) with AES-256. */
function encryptedKey(privateKey: Buffer, password: string): Buffer {
  const [salt, iv] = [randomBytes(saltLength), randomBytes(16)];
  const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(password, salt, rounds, 32, 'sha256'), iv);
  const body = Buffer.concat([cipher.update(privateKey), cipher.final()]);
  const prf = sequence(derOid(oids.hmacSha256), nothing);
  const derivation = sequence(derOid(oids.pbkdf2), sequence(octets(salt), derInteger(rounds), derInteger(32), prf));
  const encryption = sequence(derOid(oids.aes256), octets(iv));
  return sequence(sequence(derOid(oids.pbes2), sequence(derivation, encryption)), octets(body));
}

function keyBag({ alias, privateKey }: KeyStoreEntry, keyId: Buffer, password: string): Buffer[] {
  if (!privateKey) return [];
  const key = encryptedKey(privateKey, password);
  return [sequence(derOid(oids.shroudedKeyBag), tagged(key), set(named(alias), keyId))];
}

function certificateBag({ alias, privateKey, certificate }: KeyStoreEntry, keyId: Buffer): Buffer[] {
  if (!certificate) return [];
  const content = sequence(derOid(oids.x509Certificate), tagged(octets(certificate)));
  const purpose = privateKey ? keyId : sequence(derOid(trustedKeyUsage), set(derOid(anyPurpose)));
  return [sequence(derOid(oids.certBag), tagged(content), set(named(alias), purpose))];
}

/** A code with which the store password proves the integrity of the store, RFC 7292 appendix B. */
function integrity(content: Buffer, password: string): Buffer {
  const salt = randomBytes(saltLength);
  const { name, length } = sha256;
  const key = deriveBytes({ password, salt, rounds, purpose: purposes.mac, length, digest: sha256 });
  const code = createHmac(name, key).update(content).digest();
  return sequence(sequence(sequence(derOid(oids.sha256), nothing), octets(code)), octets(salt), derInteger(rounds));
}

/**
 * Writes a PKCS #12 store (RFC 7292). Each key is encrypted with AES-256 under the key password. Certificates are not
 * secret, and certificates without a key are trusted.
 */
export function writePkcs12(entries: readonly KeyStoreEntry[], storePassword: string, keyPassword: string): Buffer {
  const bags = entries.map((entry) => {
    const id = createHash('sha256').update(entry.alias).digest();
    const keyId = sequence(derOid(oids.localKeyId), set(octets(id)));
    return { keys: keyBag(entry, keyId, keyPassword), certificates: certificateBag(entry, keyId) };
  });
  const safe = sequence(
    data(...bags.flatMap(({ keys }) => keys)),
    data(...bags.flatMap(({ certificates }) => certificates)),
  );
  return sequence(derInteger(3), sequence(derOid(oids.data), tagged(octets(safe))), integrity(safe, storePassword));
}
