import type { KeyObject } from 'node:crypto';
import type {
  CanonicalizationOrTransformationAlgorithm,
  CanonicalizationOrTransformationAlgorithmProcessOptions,
} from 'xml-crypto';
import { type Algorithm, digestForXml, forXml } from './algorithms.js';
import { attributeIn, childNamed, elementsIn, namespacesAround } from './document.js';

/** Canonicalizations that signatures may name. */
export const canonicalizations = new Set(
  ['http://www.w3.org/2001/10/xml-exc-c14n#', 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'].flatMap((uri) => [
    uri,
    `${uri.replace(/#$/, '')}#WithComments`,
  ]),
);

/** A signature of a message. */
export interface Signed {
  /** the message, which was checked by `parseMessage` */
  text: string;
  /** of the element that has the signature */
  id: string;
  keys: readonly KeyObject[];
  accepted: readonly Algorithm[];
}

/**
 * The canonical form of an element of a message, if one of these keys has signed it; otherwise undefined. The document is
 * canonicalized once, however many keys there are.
 */
export async function signedBytes({
  text,
  id,
  keys: [first, ...others],
  accepted,
}: Signed): Promise<string | undefined> {
  const [{ SignedXml }, { DOMParser }] = await Promise.all([import('xml-crypto'), import('@xmldom/xmldom')]);
  const root = new DOMParser().parseFromString(text, 'text/xml').documentElement;
  const element = root && elementWith(root, id);
  const signature = element && childNamed(element, 'signature', 'Signature');
  if (!first || !signature) return undefined;
  const keys = [first, ...others] as const;
  const signed = new SignedXml({ publicCert: first });
  signed.idAttributes = ['ID'];
  signed.SignatureAlgorithms = Object.fromEntries(accepted.map((by) => [by.uri, forXml(by, keys)]));
  signed.HashAlgorithms = Object.fromEntries(accepted.map((by) => [by.digest, digestForXml(by)]));
  for (const uri of canonicalizations) {
    const known = signed.CanonicalizationAlgorithms[uri];
    if (known) signed.CanonicalizationAlgorithms[uri] = inPlaceOf(signature, known);
  }
  try {
    signed.loadSignature(signature);
    if (!signed.checkSignature(text)) return undefined;
  } catch {
    // the reason names parts of the message
    return undefined;
  }
  const [bytes, ...more] = signed.getSignedReferences();
  return more.length > 0 ? undefined : bytes;
}

const elementWith = (element: Element, id: string): Element | undefined => {
  if (attributeIn(element, 'ID') === id) return element;
  for (const child of elementsIn(element)) {
    const found = elementWith(child, id);
    if (found) return found;
  }
  return undefined;
};

/**
 * A canonicalization that takes `SignedInfo` with the namespaces around this signature. The library takes those around the first
 * signature of the document, which can be another one.
 */
const inPlaceOf = (
  signature: Element,
  Known: new () => CanonicalizationOrTransformationAlgorithm,
): (new () => CanonicalizationOrTransformationAlgorithm) => {
  const info = childNamed(signature, 'signature', 'SignedInfo');
  const ancestorNamespaces = [...(info ? namespacesAround(info) : [])].map(([prefix, namespaceURI]) => ({
    prefix,
    namespaceURI,
  }));
  return class implements CanonicalizationOrTransformationAlgorithm {
    readonly #known = new Known();
    getAlgorithmName = () => this.#known.getAlgorithmName();
    process(node: Node, options: CanonicalizationOrTransformationAlgorithmProcessOptions): string | Node {
      const isInfo = 'localName' in node && node.localName === 'SignedInfo';
      return this.#known.process(node, isInfo ? { ...options, ancestorNamespaces } : options);
    }
  };
};
