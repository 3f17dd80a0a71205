import type { KeyObject } from 'node:crypto';
import type { Algorithm } from '../../saml/algorithms.js';
import { isSignedQuery, type ReceivedMessage } from '../../saml/bindings.js';
import { decryptedElement, inContext, type Recipient } from '../../saml/decrypt.js';
import { attributeIn, childNamed, childrenNamed, isNamed, SamlFault, type TextElement } from '../../saml/document.js';
import { namespaces, statuses } from '../../saml/names.js';
import { signaturesIn, verifiedElement } from '../../saml/verify.js';
import { UpstreamFailure } from '../provider-context.js';

/** How the messages of a provider are read. */
export interface Reading {
  /** keys of the provider */
  keys: readonly KeyObject[];
  accepted: readonly Algorithm[];
}

/** A message of a provider. */
export interface SignedMessage {
  /** the message, read from the signed bytes if it has a signature of its own */
  element: Element;
  /** whether the provider has signed it as a whole */
  isSigned: boolean;
  /** the message as it came. Signatures in it are those of this text, with the namespaces that are declared around them. */
  received: TextElement;
}

/**
 * A message as the provider has signed it: the query, or the document, of which only the signed bytes are read further. A message
 * without a signature is returned as it came. Throws `SamlFault` for a signature that does not hold, and for any in another place
 * than the message and its assertion.
 */
export async function signedMessage(
  message: ReceivedMessage,
  unread: Element,
  { keys, accepted }: Reading,
): Promise<SignedMessage> {
  const { text, signature } = message;
  const hasOwn = hasSignature(unread);
  const signedParts = childrenNamed(unread, 'assertion', 'Assertion').filter(hasSignature);
  if (signaturesIn(unread) !== signedParts.length + Number(hasOwn)) throw new SamlFault('several_signatures');
  if (signature && !keys.some((key) => isSignedQuery(message, key, accepted))) throw new SamlFault('invalid_signature');
  const received = { text, element: unread };
  if (hasOwn) return { element: await verifiedElement(received, keys, accepted), isSigned: true, received };
  return { element: unread, isSigned: signature !== undefined, received };
}

const hasSignature = (element: Element): boolean => childNamed(element, 'signature', 'Signature') !== undefined;

/** How an assertion has to be protected. */
export interface Wanted extends Reading {
  isSigned: boolean;
  isEncrypted: boolean;
  /** the realm, for which content is encrypted */
  recipient: Recipient;
}

/**
 * The only assertion of a response, decrypted and read from signed bytes: its own, or those of the whole response. Its own
 * signature has to hold if there is one. Throws `SamlFault`.
 */
export async function signedAssertion(response: SignedMessage, wanted: Wanted): Promise<Element> {
  const { element, received } = response;
  const plain = childrenNamed(element, 'assertion', 'Assertion');
  const encrypted = childrenNamed(element, 'assertion', 'EncryptedAssertion');
  const [holder, ...others] = [...plain, ...encrypted];
  if (!holder) throw new SamlFault('no_assertion');
  if (others.length > 0) throw new SamlFault('several_assertions');
  const [hidden] = encrypted;
  if (!hidden) {
    if (wanted.isEncrypted) throw new SamlFault('not_encrypted');
    const original = childNamed(received.element, 'assertion', 'Assertion');
    if (!original || attributeIn(original, 'ID') !== attributeIn(holder, 'ID')) throw new SamlFault('no_assertion');
    return assertionIn({ text: received.text, element: original }, holder, response, wanted);
  }
  const decrypted = await decryptedElement(hidden, wanted.recipient);
  try {
    return await assertionIn(decrypted, decrypted.element, response, wanted);
  } catch (fault) {
    if (!(fault instanceof SamlFault) || !needsContext.has(fault.message)) throw fault;
    const place = childNamed(received.element, 'assertion', 'EncryptedAssertion');
    const placed = await inContext(decrypted, place ?? hidden);
    return assertionIn(placed, placed.element, response, wanted);
  }
}

/** Faults of an assertion that was encrypted without the namespaces that are declared around it. */
const needsContext = new Set(['no_assertion', 'invalid_signature']);

/** An assertion, from the bytes that its own signature signs, or else `covered`, which is what the signature of the response covers. */
async function assertionIn(
  original: TextElement,
  covered: Element,
  response: SignedMessage,
  wanted: Wanted,
): Promise<Element> {
  const { element: assertion } = original;
  if (!isNamed(assertion, 'assertion', 'Assertion')) throw new SamlFault('no_assertion');
  // an assertion within it, as its advice, could be taken for it
  if (assertion.getElementsByTagNameNS(namespaces.assertion, 'Assertion').length > 0)
    throw new SamlFault('several_assertions');
  const hasOwn = hasSignature(assertion);
  if (signaturesIn(assertion) > Number(hasOwn)) throw new SamlFault('several_signatures');
  if (hasOwn) return verifiedElement(original, wanted.keys, wanted.accepted);
  // without a signature anybody could have written it
  if (wanted.isSigned || !response.isSigned) throw new SamlFault('unsigned_assertion');
  return covered;
}

/** Errors of OpenID Connect that say the same as a status. */
const errors: ReadonlyMap<string | undefined, string> = new Map([
  [statuses.noPassive, 'login_required'],
  [statuses.requestDenied, 'access_denied'],
]);

/** Requires that a provider reports success. Throws `UpstreamFailure` with its status. */
export function requireSuccess(response: Element): void {
  const status = childNamed(response, 'protocol', 'Status');
  const code = status && childNamed(status, 'protocol', 'StatusCode');
  const value = code && attributeIn(code, 'Value');
  if (value === statuses.success) return;
  const second = code && childNamed(code, 'protocol', 'StatusCode');
  const detail = second && attributeIn(second, 'Value');
  const reason = [value, detail].map((one) => one?.split(':').at(-1)).filter(Boolean);
  throw new UpstreamFailure(`the provider has refused: ${reason.join(' ')}`, errors.get(detail));
}
