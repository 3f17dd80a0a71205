import type { KeyObject } from 'node:crypto';
import { writeXml } from '../core/xml.js';
import {
  attributeIn,
  elementsIn,
  namespacesAround,
  ofResponses,
  parseMessage,
  SamlFault,
  type TextElement,
} from './document.js';
import { contentAlgorithms, keyAlgorithms } from './encrypt.js';
import { namespaces } from './names.js';

/**
 * Decrypts the content of an element such as `EncryptedAssertion` with the key among these that fits. Takes the algorithms with which this
 * server encrypts, and so neither RSA 1.5 nor Triple DES. Throws `SamlFault`, with one reason for all that goes wrong: an oracle would tell more.
 */
export async function decryptedElement(encrypted: Element, keys: readonly KeyObject[]): Promise<TextElement> {
  requireAlgorithms(encrypted);
  const [{ default: encryption }, { XMLSerializer }] = await Promise.all([
    import('xml-encryption'),
    import('@xmldom/xmldom'),
  ]);
  const xml = new XMLSerializer().serializeToString(encrypted);
  for (const key of keys) {
    const options = {
      key: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
      // AES in CBC is among the algorithms that were checked
      disallowDecryptionWithInsecureAlgorithm: false,
      warnInsecureAlgorithm: false,
    };
    const text = await new Promise<string | undefined>((done) => {
      encryption.decrypt(xml, options, (error, result) => done(error ? undefined : result));
    });
    const element =
      text === undefined ? undefined : await parseMessage(text.trim(), ofResponses).catch(() => undefined);
    if (text !== undefined && element) return { text: text.trim(), element };
  }
  throw new SamlFault('cannot_be_decrypted');
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
