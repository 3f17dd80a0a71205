import { timingSafeEqual } from 'node:crypto';
import forge from 'node-forge';
import { ownMember } from '../core/json.js';
import type { KeyStoreAccess, KeyStoreEntry } from './key-store-entry.js';
import { tooCostly, unreadable, wrongPassword } from './refusals.js';

type Node = forge.asn1.Asn1;

const { asn1, md, hmac, pkcs12, util } = forge;

/** What the type declarations leave out. */
interface PasswordBasedEncryption {
  getCipher(oid: string, parameters: Node, password: string): forge.cipher.BlockCipher;
}
const pki = forge.pki as typeof forge.pki & { pbe: PasswordBasedEncryption };

/**
 * Limits of what opening a store may cost, as a whole: rounds of derivation, where one in the native library is a tenth of
 * one in JavaScript, and parts. Java before 2021 made stores with 200,000 rounds.
 */
const mostRounds = 300_000;
const nativeRound = 0.1;
const mostParts = 2000;

/** What may still be spent on a store. */
interface Budget {
  rounds: number;
  parts: number;
}
// a store is read in one go, so that there is one at a time
let left: Budget = { rounds: 0, parts: 0 };

function spend(what: keyof Budget, amount: number): void {
  left[what] -= amount;
  if (left[what] < 0) throw tooCostly();
}

const oids = pki.oids as Record<string, string>;
const digests: Record<string, () => forge.md.MessageDigest> = {
  [oids.sha1 as string]: () => md.sha1.create(),
  [oids.sha256 as string]: () => md.sha256.create(),
  [oids.sha384 as string]: () => md.sha384.create(),
  [oids.sha512 as string]: () => md.sha512.create(),
};

interface Bag {
  alias: string | undefined;
  keyId: string | undefined;
  /** what opens to a key in PKCS #8, or is one */
  key?: Node;
  isProtected?: boolean;
  certificate?: Buffer;
}

/** The parts of a sequence. */
function parts(node: Node | undefined): Node[] {
  if (!node || !Array.isArray(node.value)) throw unreadable();
  spend('parts', node.value.length);
  return node.value;
}

/** The bytes of a string, which may have come in pieces. */
function bytesOf(node: Node | undefined): string {
  if (!node) throw unreadable();
  return Array.isArray(node.value) ? node.value.map(bytesOf).join('') : node.value;
}

const oidOf = (node: Node | undefined): string => asn1.derToOid(bytesOf(node));
const numberOf = (node: Node | undefined): number => {
  const bytes = bytesOf(node);
  if (bytes.length > 4) throw tooCostly();
  return asn1.derToInteger(bytes);
};
const parsed = (der: string): Node => asn1.fromDer(der);

/** Refuses an encryption whose key takes too long to derive. */
function checkRounds(algorithm: Node | undefined): Node {
  const [oid, parameters] = parts(algorithm);
  if (oidOf(oid) === oids.pkcs5PBES2) {
    const [derivation] = parts(parameters);
    const [, settings] = parts(derivation);
    spend('rounds', Math.max(1, numberOf(parts(settings)[1])) * nativeRound);
  } else spend('rounds', Math.max(1, numberOf(parts(parameters)[1])));
  if (!parameters) throw unreadable();
  return parameters;
}

function decrypted(algorithm: Node | undefined, body: string, password: string): string | undefined {
  const parameters = checkRounds(algorithm);
  const cipher = pki.pbe.getCipher(oidOf(parts(algorithm)[0]), parameters, password);
  cipher.update(util.createBuffer(body));
  return cipher.finish() ? cipher.output.getBytes() : undefined;
}

function checkIntegrity(mac: Node | undefined, content: string, password: string): void {
  const [digestInfo, salt, rounds] = parts(mac);
  const [algorithm, expected] = parts(digestInfo);
  const digest = ownMember(digests, oidOf(parts(algorithm)[0]));
  const count = rounds ? numberOf(rounds) : 1;
  if (!digest) throw unreadable();
  spend('rounds', Math.max(1, count));
  const { digestLength } = digest() as forge.md.MessageDigest & { digestLength: number };
  const key = pkcs12.generateKey(password, util.createBuffer(bytesOf(salt)), 3, count, digestLength, digest());
  const code = hmac.create();
  code.start(digest(), key.getBytes());
  code.update(content);
  const [found, wanted] = [code.digest().getBytes(), bytesOf(expected)].map((text) => Buffer.from(text, 'binary'));
  if (!found || !wanted || found.length !== wanted.length || !timingSafeEqual(found, wanted)) throw wrongPassword();
}

/** The bags of one part of the store. */
function bagsOf(contentInfo: Node, password: string): Bag[] {
  const [type, content] = parts(contentInfo);
  const [inner] = parts(content);
  if (oidOf(type) === oids.data) return parts(parsed(bytesOf(inner))).map(bagOf);
  if (oidOf(type) !== oids.encryptedData) throw unreadable();
  const [, encrypted] = parts(inner);
  const [, algorithm, body] = parts(encrypted);
  const plain = decrypted(algorithm, bytesOf(body), password);
  if (plain === undefined) throw wrongPassword();
  return parts(parsed(plain)).map(bagOf);
}

function bagOf(bag: Node): Bag {
  const [type, value, attributes] = parts(bag);
  const named = new Map(
    (attributes ? parts(attributes) : []).map((attribute) => {
      const [name, values] = parts(attribute);
      return [oidOf(name), bytesOf(parts(values)[0])];
    }),
  );
  const found = { alias: named.get(oids.friendlyName as string), keyId: named.get(oids.localKeyId as string) };
  const [content] = parts(value);
  if (!content) throw unreadable();
  if (oidOf(type) === oids.keyBag) return { ...found, key: content };
  if (oidOf(type) === oids.pkcs8ShroudedKeyBag) return { ...found, key: content, isProtected: true };
  if (oidOf(type) !== oids.certBag) return found;
  const [, certificate] = parts(content);
  return { ...found, certificate: Buffer.from(bytesOf(parts(certificate)[0]), 'binary') };
}

/** The key in PKCS #8; nothing when the password is not its own. */
function openedKey({ key, isProtected }: Bag, password: string): Buffer | undefined {
  if (!key) return undefined;
  if (!isProtected) return Buffer.from(asn1.toDer(key).getBytes(), 'binary');
  const [algorithm, body] = parts(key);
  const plain = decrypted(algorithm, bytesOf(body), password);
  try {
    return plain === undefined ? undefined : Buffer.from(asn1.toDer(parsed(plain)).getBytes(), 'binary');
  } catch {
    return undefined;
  }
}

function entryOf(bytes: Buffer, { alias, storePassword, keyPassword }: KeyStoreAccess): KeyStoreEntry | undefined {
  const [, safe, mac] = parts(parsed(bytes.toString('binary')));
  const [, content] = parts(safe);
  const body = bytesOf(parts(content)[0]);
  checkIntegrity(mac, body, storePassword);
  const bags = parts(parsed(body)).flatMap((contentInfo) => bagsOf(contentInfo, storePassword));
  let unnamed = 0;
  // a key without a name goes by its number, as in Java
  const keys = bags.filter(({ key }) => key).map((bag) => ({ ...bag, name: bag.alias ?? String(++unnamed) }));
  const isAlias = (name: string | undefined) => name?.toLowerCase() === alias.toLowerCase();
  const own = keys.find(({ name }) => isAlias(name));
  const certificates = bags.filter(({ certificate }) => certificate);
  const certificate = own
    ? (certificates.find(({ keyId }) => keyId !== undefined && keyId === own.keyId) ?? certificates[0])
    : certificates.find((bag) => isAlias(bag.alias));
  if (!own && !certificate) return undefined;
  const privateKey = own && openedKey(own, keyPassword);
  return {
    alias,
    ...(privateKey && { privateKey }),
    ...(certificate?.certificate && { certificate: certificate.certificate }),
  };
}

/**
 * The entry of an alias in a PKCS #12 store (RFC 7292), without the key when `keyPassword` is not its own; nothing when
 * the entry does not exist. Refuses other files, files that take too long to open, and a wrong password.
 */
export function readPkcs12(bytes: Buffer, access: KeyStoreAccess): KeyStoreEntry | undefined {
  left = { rounds: mostRounds, parts: mostParts };
  try {
    return entryOf(bytes, access);
  } catch (error) {
    // the library throws plain errors at what it cannot read
    throw error instanceof Error && error.name === 'Refusal' ? error : unreadable();
  }
}
