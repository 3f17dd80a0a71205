import type { KeyObject } from 'node:crypto';
import { answerOfThread } from '../core/thread.js';
import { createTurnstile } from '../core/turnstile.js';
import type { Algorithm } from './algorithms.js';
import {
  attributeIn,
  childNamed,
  elementsIn,
  isNamed,
  ofResponses,
  parseMessage,
  SamlFault,
  type TextElement,
} from './document.js';
import { namespaces } from './names.js';
import { canonicalizations, type Signed, signedBytes } from './signed-bytes.js';

/** Characters of a message that is canonicalized at once. A longer one is in a thread, so that nobody else waits. */
const mostAtOnce = 50_000;
// each has a processor for itself in the meantime
const turnstile = createTurnstile(1, 20);

/** As `signedBytes`, in a thread. Throws `SamlFault` if it takes too long. */
async function bytesOfThread(signed: Signed): Promise<string | undefined> {
  const answer = await turnstile(() => answerOfThread<{ bytes: string | undefined }>('signature', signed));
  if (!answer) throw new SamlFault('too_slow');
  return answer.bytes;
}

const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
/**
 * The document element of a message that this key has signed. The signature has to be that of the whole document, as the only one
 * in it (SAML 2.0 core, section 5.4). Throws `SamlFault`.
 */
export async function verifiedMessage(
  text: string,
  root: Element,
  key: KeyObject,
  accepted: readonly Algorithm[],
): Promise<Element> {
  const signature = childNamed(root, 'signature', 'Signature');
  if (!signature) throw new SamlFault('unsigned');
  if (signaturesIn(root) > 1) throw new SamlFault('several_signatures');
  return verifiedElement({ text, element: root }, [key], accepted);
}

/** The number of signatures in an element. */
export const signaturesIn = (element: Element): number =>
  element.getElementsByTagNameNS(namespaces.signature, 'Signature').length;

/**
 * An element of a message that one of these keys has signed as a whole, read from the very bytes that are signed, and nothing else.
 * The text is the received message. The caller states the other signatures that the message may have. Throws `SamlFault`.
 */
export async function verifiedElement(
  { text, element }: TextElement,
  keys: readonly KeyObject[],
  accepted: readonly Algorithm[],
): Promise<Element> {
  const signature = childNamed(element, 'signature', 'Signature');
  if (!signature) throw new SamlFault('unsigned');
  checkForm(signature, element, accepted);
  const bytes = await (text.length > mostAtOnce ? bytesOfThread : signedBytes)({
    text,
    id: attributeIn(element, 'ID') ?? '',
    keys,
    accepted,
  });
  const read = bytes === undefined ? undefined : await parseMessage(bytes, ofResponses);
  const isSame = read?.localName === element.localName && read?.namespaceURI === element.namespaceURI;
  if (bytes === undefined || !read || !isSame || attributeIn(read, 'ID') !== attributeIn(element, 'ID'))
    throw new SamlFault('invalid_signature');
  return read;
}

/** Requires a signature with one reference to the whole document, and nothing that is not needed for it. */
function checkForm(signature: Element, root: Element, accepted: readonly Algorithm[]): void {
  const [info, value, keyInfo, ...others] = elementsIn(signature);
  const [canonicalization, method, reference, ...references] = info ? elementsIn(info) : [];
  const [transforms, digest, digestValue, ...more] = reference ? elementsIn(reference) : [];
  const isSound =
    info !== undefined &&
    value !== undefined &&
    isNamed(info, 'signature', 'SignedInfo') &&
    isNamed(value, 'signature', 'SignatureValue') &&
    (keyInfo === undefined || isNamed(keyInfo, 'signature', 'KeyInfo')) &&
    others.length === 0 &&
    references.length === 0 &&
    more.length === 0 &&
    reference !== undefined &&
    isNamed(reference, 'signature', 'Reference') &&
    digestValue !== undefined &&
    isNamed(digestValue, 'signature', 'DigestValue') &&
    elementsIn(digestValue).length === 0 &&
    elementsIn(value).length === 0;
  if (!isSound) throw new SamlFault('invalid_signature');
  const id = attributeIn(root, 'ID');
  if (!id || attributeIn(reference, 'URI') !== `#${id}`) throw new SamlFault('invalid_signature');
  requireAlgorithm(canonicalization, 'CanonicalizationMethod', (uri) => canonicalizations.has(uri));
  requireAlgorithm(method, 'SignatureMethod', (uri) => accepted.some((by) => by.uri === uri));
  requireAlgorithm(digest, 'DigestMethod', (uri) => accepted.some((by) => by.digest === uri));
  const steps = transforms && isNamed(transforms, 'signature', 'Transforms') ? elementsIn(transforms) : [];
  // XSLT and XPath are no transforms of SAML
  if (steps.length === 0 || steps.length > 2) throw new SamlFault('invalid_signature');
  requireAlgorithm(steps[0], 'Transform', (uri) => uri === enveloped);
  if (steps[1]) requireAlgorithm(steps[1], 'Transform', (uri) => canonicalizations.has(uri));
}

function requireAlgorithm(element: Element | undefined, name: string, isAccepted: (uri: string) => boolean): void {
  const uri = element && isNamed(element, 'signature', name) ? attributeIn(element, 'Algorithm') : undefined;
  if (uri === undefined || !isAccepted(uri)) throw new SamlFault('unsupported_algorithm');
}
