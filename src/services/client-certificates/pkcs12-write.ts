import { createHash } from 'node:crypto';
import forge from 'node-forge';
import type { KeyStoreEntry } from './key-store-entry.js';

type Node = forge.asn1.Asn1;

const { asn1, hmac, md, pki, pkcs12, random, util } = forge;
const { Class, Type } = asn1;
const oids = pki.oids as Record<string, string>;

/** Rounds of deriving keys, as Java has them by default. */
const rounds = 10_000;
const saltLength = 20;
const digestLength = 32;
/** By this attribute Java knows a certificate that is trusted; its value is any purpose. */
const trustedKeyUsage = '2.16.840.1.113894.746875.1.1';
const anyPurpose = '2.5.29.37.0';

const sequence = (...value: Node[]): Node => asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, value);
const set = (...value: Node[]): Node => asn1.create(Class.UNIVERSAL, Type.SET, true, value);
const tagged = (value: Node): Node => asn1.create(Class.CONTEXT_SPECIFIC, 0, true, [value]);
const octets = (bytes: string): Node => asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, bytes);
const oid = (id: string | undefined): Node =>
  asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(id ?? '').getBytes());
const integer = (value: number): Node =>
  asn1.create(Class.UNIVERSAL, Type.INTEGER, false, asn1.integerToDer(value).getBytes());
const derOf = (node: Node): string => asn1.toDer(node).getBytes();
const binary = (bytes: Buffer): string => bytes.toString('binary');

const data = (...bags: Node[]): Node => sequence(oid(oids.data), tagged(octets(derOf(sequence(...bags)))));
const named = (alias: string): Node =>
  sequence(oid(oids.friendlyName), set(asn1.create(Class.UNIVERSAL, Type.BMPSTRING, false, alias)));

function keyBag({ alias, privateKey }: KeyStoreEntry, keyId: Node, password: string): Node[] {
  if (!privateKey) return [];
  const options = {
    algorithm: 'aes256' as const,
    count: rounds,
    saltSize: saltLength,
    prfAlgorithm: 'sha256' as const,
  };
  const key = pki.encryptPrivateKeyInfo(asn1.fromDer(binary(privateKey)), password, options);
  return [sequence(oid(oids.pkcs8ShroudedKeyBag), tagged(key), set(named(alias), keyId))];
}

function certificateBag({ alias, privateKey, certificate }: KeyStoreEntry, keyId: Node): Node[] {
  if (!certificate) return [];
  const content = sequence(oid(oids.x509Certificate), tagged(octets(binary(certificate))));
  const purpose = privateKey ? keyId : sequence(oid(trustedKeyUsage), set(oid(anyPurpose)));
  return [sequence(oid(oids.certBag), tagged(content), set(named(alias), purpose))];
}

/** A code by which the store password proves that nothing was changed, RFC 7292 appendix B. */
function integrity(content: string, password: string): Node {
  const salt = random.getBytesSync(saltLength);
  const key = pkcs12.generateKey(password, util.createBuffer(salt), 3, rounds, digestLength, md.sha256.create());
  const code = hmac.create();
  code.start(md.sha256.create(), key.getBytes());
  code.update(content);
  const algorithm = sequence(oid(oids.sha256), asn1.create(Class.UNIVERSAL, Type.NULL, false, ''));
  return sequence(sequence(algorithm, octets(code.digest().getBytes())), octets(salt), integer(rounds));
}

/**
 * Writes a PKCS #12 store (RFC 7292). Each key is encrypted with AES-256 under the key password; certificates are no
 * secret, and those without a key are trusted.
 */
export function writePkcs12(entries: readonly KeyStoreEntry[], storePassword: string, keyPassword: string): Buffer {
  const bags = entries.map((entry) => {
    const id = createHash('sha256').update(entry.alias).digest();
    const keyId = sequence(oid(oids.localKeyId), set(octets(binary(id))));
    return { keys: keyBag(entry, keyId, keyPassword), certificates: certificateBag(entry, keyId) };
  });
  const safe = derOf(
    sequence(data(...bags.flatMap(({ keys }) => keys)), data(...bags.flatMap(({ certificates }) => certificates))),
  );
  const store = sequence(integer(3), sequence(oid(oids.data), tagged(octets(safe))), integrity(safe, storePassword));
  return Buffer.from(derOf(store), 'binary');
}
