import { createHmac, timingSafeEqual } from 'node:crypto';
import { ownMember } from '../core/json.js';
import { bytesIn, type Element, elementAt, elementsIn, numberIn, oidIn, tags } from './der.js';
import type { KeyStoreAccess, KeyStoreEntry } from './key-store-entry.js';
import { decryptPbes2, decryptPkcs12, deriveBytes, digests, oids, purposes } from './pkcs12-encryption.js';
import { tooCostly, unreadable, wrongPassword } from './refusals.js';

/**
 * Limits of the cost of opening a store: rounds of key derivation, and parts. A round of PBKDF2 in the native library
 * costs a tenth of a round in JavaScript. Java before 2021 made stores with 200,000 rounds.
 */
const mostRounds = 300_000;
const nativeRound = 0.1;
const mostParts = 2000;

/** The remaining budget for a store. */
interface Budget {
  rounds: number;
  parts: number;
}
// a store is read synchronously, so there is one at a time
let left: Budget = { rounds: 0, parts: 0 };

function spend(what: keyof Budget, amount: number): void {
  left[what] -= amount;
  if (left[what] < 0) throw tooCostly();
}

interface Bag {
  alias: string | undefined;
  keyId: string | undefined;
  /** a key in PKCS #8, encrypted or not */
  key?: Element;
  isProtected?: boolean;
  certificate?: Buffer;
}

const count = (parts: number): void => spend('parts', parts);

/** Returns an element of a sequence. Throws a refusal if it is missing. */
function there(element: Element | undefined): Element {
  if (!element) throw unreadable();
  return element;
}

/** The parts of a sequence. */
const parts = (element: Element | undefined): Element[] => elementsIn(there(element), count);
const bytesOf = (element: Element | undefined): Buffer => bytesIn(there(element), count);
const oidOf = (element: Element | undefined): string => oidIn(there(element));

/** The number of rounds of a derivation. Refuses one that takes too long. */
function roundsOf(element: Element | undefined, cost = 1): number {
  const rounds = Math.max(1, numberIn(there(element)));
  spend('rounds', rounds * cost);
  return rounds;
}

/** The decrypted bytes; undefined if the password is not the right one. */
function decrypted(algorithm: Element | undefined, body: Buffer, password: string): Buffer | undefined {
  const [id, parameters] = parts(algorithm);
  const [first, second] = parts(parameters);
  if (oidOf(id) !== oids.pbes2)
    return decryptPkcs12(oidOf(id), { password, salt: bytesOf(first), rounds: roundsOf(second) }, body);
  const [derivation, settings] = parts(first);
  if (oidOf(derivation) !== oids.pbkdf2) throw unreadable();
  const [salt, rounds, ...others] = parts(settings);
  // the length of the key may come before the function; it is determined by the cipher
  const prf = others.find(({ tag }) => tag === tags.sequence);
  const [cipher, iv] = parts(second);
  const from = { password, salt: bytesOf(salt), rounds: roundsOf(rounds, nativeRound) };
  return decryptPbes2(prf ? oidOf(parts(prf)[0]) : oids.hmacSha1, oidOf(cipher), from, bytesOf(iv), body);
}

function checkIntegrity(mac: Element | undefined, content: Buffer, password: string): void {
  const [digestInfo, salt, count] = parts(mac);
  const [algorithm, expected] = parts(digestInfo);
  const digest = ownMember(digests, oidOf(parts(algorithm)[0]));
  if (!digest) throw unreadable();
  const rounds = count ? roundsOf(count) : 1;
  const { name, length } = digest;
  const key = deriveBytes({ password, salt: bytesOf(salt), rounds, purpose: purposes.mac, length, digest });
  const [found, wanted] = [createHmac(name, key).update(content).digest(), bytesOf(expected)];
  if (found.length !== wanted.length || !timingSafeEqual(found, wanted)) throw wrongPassword();
}

/** The bags of one part of the store. */
function bagsOf(contentInfo: Element, password: string): Bag[] {
  const [type, content] = parts(contentInfo);
  const [inner] = parts(content);
  if (oidOf(type) === oids.data) return parts(elementAt(bytesOf(inner))).map(bagOf);
  if (oidOf(type) !== oids.encryptedData) throw unreadable();
  const [, encrypted] = parts(inner);
  const [, algorithm, body] = parts(encrypted);
  const plain = decrypted(algorithm, bytesOf(body), password);
  if (plain === undefined) throw wrongPassword();
  return parts(elementAt(plain)).map(bagOf);
}

/** The text of a name in UTF-16, and the bytes of any other element as a text. */
function textIn(element: Element): string {
  const bytes = bytesOf(element);
  if (element.tag !== tags.bmpString || bytes.length % 2 !== 0) return bytes.toString('latin1');
  return Buffer.from(bytes).swap16().toString('utf16le');
}

function bagOf(bag: Element): Bag {
  const [type, value, attributes] = parts(bag);
  const named = new Map(
    (attributes ? parts(attributes) : []).map((attribute) => {
      const [name, values] = parts(attribute);
      return [oidOf(name), textIn(there(parts(values)[0]))];
    }),
  );
  const found = { alias: named.get(oids.friendlyName), keyId: named.get(oids.localKeyId) };
  const [content] = parts(value);
  if (!content) throw unreadable();
  if (oidOf(type) === oids.keyBag) return { ...found, key: content };
  if (oidOf(type) === oids.shroudedKeyBag) return { ...found, key: content, isProtected: true };
  if (oidOf(type) !== oids.certBag) return found;
  const [, certificate] = parts(content);
  return { ...found, certificate: bytesOf(parts(certificate)[0]) };
}

/** The key in PKCS #8; undefined if the password is wrong. */
function openedKey({ key, isProtected }: Bag, password: string): Buffer | undefined {
  if (!key) return undefined;
  if (!isProtected) return key.whole;
  const [algorithm, body] = parts(key);
  const plain = decrypted(algorithm, bytesOf(body), password);
  if (plain?.[0] !== tags.sequence) return undefined;
  try {
    return elementAt(plain).whole;
  } catch {
    return undefined;
  }
}

function entryOf(bytes: Buffer, { alias, storePassword, keyPassword }: KeyStoreAccess): KeyStoreEntry | undefined {
  const [, safe, mac] = parts(elementAt(bytes));
  const [, content] = parts(safe);
  const body = bytesOf(parts(content)[0]);
  checkIntegrity(mac, body, storePassword);
  const bags = parts(elementAt(body)).flatMap((contentInfo) => bagsOf(contentInfo, storePassword));
  let unnamed = 0;
  // a key without a name is named by its number, as in Java
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
 * The entry of an alias in a PKCS #12 store (RFC 7292). The key is missing if `keyPassword` is wrong. Undefined if the
 * entry does not exist. Refuses other files, files that take too long to open, and a wrong password.
 */
export function readPkcs12(bytes: Buffer, access: KeyStoreAccess): KeyStoreEntry | undefined {
  left = { rounds: mostRounds, parts: mostParts };
  try {
    return entryOf(bytes, access);
  } catch (error) {
    // node:crypto throws plain errors at keys of a wrong length
    throw error instanceof Error && error.name === 'Refusal' ? error : unreadable();
  }
}
