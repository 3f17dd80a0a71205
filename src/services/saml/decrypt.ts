import type { KeyObject } from 'node:crypto';
import { writeXml } from '../core/xml.js';
import {
  attributeIn,
  childNamed,
  elementsIn,
  namespacesAround,
  ofResponses,
  parseMessage,
  SamlFault,
  type TextElement,
} from './document.js';
import { contentAlgorithms, keyAlgorithms } from './encrypt.js';
import { namespaces } from './names.js';

/** Those for whom content is encrypted. */
export interface Recipient {
  entityId: string;
  keys: readonly KeyObject[];
}

/** Most encrypted keys of one content that are tried, each with the keys of the recipient. */
const mostKeys = 5;

/**
 * Decrypts the content of an element such as `EncryptedAssertion`. Takes the algorithms with which this server encrypts, and so neither
 * RSA 1.5 nor Triple DES. Throws `SamlFault`, with one reason for all that goes wrong: an oracle would tell more.
 */
export async function decryptedElement(encrypted: Element, { entityId, keys }: Recipient): Promise<TextElement> {
  const { default: encryption } = await import('xml-encryption');
  const sealed = keysFor(encrypted, entityId).map((at) => withOneKey(encrypted, at));
  const usable = sealed.length > 1 ? sealed.filter(isSupported) : sealed;
  for (const one of usable.length > 0 ? usable : sealed) {
    requireAlgorithms(one);
    for (const key of keys) {
      const options = {
        key: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
        // AES in CBC is among the algorithms that were checked
        disallowDecryptionWithInsecureAlgorithm: false,
        warnInsecureAlgorithm: false,
      };
      const text = await new Promise<string | undefined>((done) => {
        encryption.decrypt(one, options, (error, result) => done(error ? undefined : result.trim()));
      });
      const element = text === undefined ? undefined : await parseMessage(text, ofResponses).catch(() => undefined);
      if (text !== undefined && element) return { text, element };
    }
  }
  throw new SamlFault('cannot_be_decrypted');
}

const encryptedKeysIn = (encrypted: Element): Element[] =>
  Array.from(encrypted.getElementsByTagNameNS('*', 'EncryptedKey'));

/** The encrypted keys that are for a recipient: those that name it, or else nobody, or else all. Returns their places among all. */
function keysFor(encrypted: Element, entityId: string): number[] {
  const named = encryptedKeysIn(encrypted).map((key, at) => ({ at, recipient: attributeIn(key, 'Recipient') }));
  const choices = [
    named.filter(({ recipient }) => recipient === entityId),
    named.filter(({ recipient }) => recipient === undefined),
    named,
  ];
  const chosen = choices.find(({ length }) => length > 0);
  if (!chosen) throw new SamlFault('cannot_be_decrypted');
  return chosen.slice(0, mostKeys).map(({ at }) => at);
}

/** A copy of an encrypted element with one of its keys in it: the library takes the first one. */
function withOneKey(encrypted: Element, place: number): Element {
  const copy = encrypted.cloneNode(true) as Element;
  const key = encryptedKeysIn(copy)[place];
  for (const one of [...encryptedKeysIn(copy), ...Array.from(copy.getElementsByTagNameNS('*', 'RetrievalMethod'))])
    one.parentNode?.removeChild(one);
  const data = childNamed(copy, 'encryption', 'EncryptedData');
  const info = data && childNamed(data, 'signature', 'KeyInfo');
  if (!key || !info) throw new SamlFault('cannot_be_decrypted');
  info.appendChild(key);
  return copy;
}

function isSupported(encrypted: Element): boolean {
  try {
    requireAlgorithms(encrypted);
    return true;
  } catch (fault) {
    if (fault instanceof SamlFault) return false;
    throw fault;
  }
}

/**
 * An element that was decrypted, with the namespaces that are declared around the element that held it: the content stands in its place (XML
 * Encryption section 4.4). Throws `SamlFault`.
 */
export async function inContext({ text }: TextElement, holder: Element): Promise<TextElement> {
  const attributes = Object.fromEntries(
    [...namespacesAround(holder)].map(([prefix, uri]) => [prefix === '' ? '@xmlns' : `@xmlns:${prefix}`, uri]),
  );
  const tag = (await writeXml({ context: attributes }, { pretty: false })).replace(/\/?>$/, '');
  const placed = `${tag}>${text}</context>`;
  const [element] = elementsIn(await parseMessage(placed, ofResponses));
  if (!element) throw new SamlFault('malformed');
  return { text: placed, element };
}

/** Requires that one content is encrypted with one key, by accepted algorithms. */
function requireAlgorithms(encrypted: Element): void {
  const only = (name: string): Element => {
    // the library looks for names in any namespace, and must find the element that is checked
    const [found, ...others] = Array.from(encrypted.getElementsByTagNameNS('*', name));
    if (!found || others.length > 0 || found.namespaceURI !== namespaces.encryption)
      throw new SamlFault('cannot_be_decrypted');
    return found;
  };
  const check = (holder: Element, accepted: readonly string[]): void => {
    const [method, ...others] = elementsIn(holder).filter(({ localName }) => localName === 'EncryptionMethod');
    if (
      !method ||
      others.length > 0 ||
      method.namespaceURI !== namespaces.encryption ||
      !accepted.includes(attributeIn(method, 'Algorithm') ?? '')
    )
      throw new SamlFault('unsupported_algorithm');
  };
  check(only('EncryptedData'), contentAlgorithms);
  check(only('EncryptedKey'), keyAlgorithms);
}
