import type { KeyObject } from 'node:crypto';
import { attributeIn, elementsIn, parseMessage, SamlFault } from './document.js';
import { contentAlgorithms, keyAlgorithms } from './encrypt.js';
import { namespaces } from './names.js';

/** An element that was encrypted, with the text that it was read from. */
export interface Decrypted {
  text: string;
  element: Element;
}

/**
 * Decrypts the content of an element such as `EncryptedAssertion` with the key among these that fits. Takes the algorithms with which this
 * server encrypts, and so neither RSA 1.5 nor Triple DES. Throws `SamlFault`, with one reason for all that goes wrong: an oracle would tell more.
 */
export async function decryptedElement(encrypted: Element, keys: readonly KeyObject[]): Promise<Decrypted> {
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
    const element = text === undefined ? undefined : await parseMessage(text.trim()).catch(() => undefined);
    if (text !== undefined && element) return { text: text.trim(), element };
  }
  throw new SamlFault('cannot_be_decrypted');
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
