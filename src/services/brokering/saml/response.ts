import type { KeyObject } from 'node:crypto';
import type { Algorithm } from '../../saml/algorithms.js';
import { isSignedQuery, type ReceivedMessage } from '../../saml/bindings.js';
import { decryptedElement } from '../../saml/decrypt.js';
import { attributeIn, childNamed, childrenNamed, SamlFault } from '../../saml/document.js';
import { namespaces, statuses } from '../../saml/names.js';
import { signaturesIn, verifiedElement } from '../../saml/verify.js';
import { UpstreamFailure } from '../provider-context.js';

/** How the messages of a provider are read. */
export interface Reading {
  /** keys of the provider */
  keys: readonly KeyObject[];
  accepted: readonly Algorithm[];
}

/** A message, or a part of one, with the text that it was read from. */
export interface Part {
  text: string;
  element: Element;
  /** whether the provider has signed it */
  isSigned: boolean;
}

/**
 * A message as the provider has signed it: the query, or the document, of which only the signed bytes are read further. A message
 * without a signature is returned as it came. Throws `SamlFault` for a signature that does not hold, and for any in another place
 * than the message and its assertion.
 */
export async function signedMessage(
  received: ReceivedMessage,
  unread: Element,
  { keys, accepted }: Reading,
): Promise<Part> {
  const { text, signature } = received;
  const hasOwn = childNamed(unread, 'signature', 'Signature') !== undefined;
  const signedParts = childrenNamed(unread, 'assertion', 'Assertion').filter((one) =>
    childNamed(one, 'signature', 'Signature'),
  );
  if (signaturesIn(unread) !== signedParts.length + Number(hasOwn)) throw new SamlFault('several_signatures');
  if (signature && !keys.some((key) => isSignedQuery(received, key, accepted)))
    throw new SamlFault('invalid_signature');
  if (hasOwn) return { ...(await verifiedElement(text, unread, keys, accepted)), isSigned: true };
  return { text, element: unread, isSigned: signature !== undefined };
}

/** How an assertion has to be protected. */
export interface Wanted extends Reading {
  isSigned: boolean;
  isEncrypted: boolean;
  /** keys of the realm */
  ownKeys: readonly KeyObject[];
}

/**
 * The only assertion of a response, decrypted and read from signed bytes: its own, or those of the whole response. Its own
 * signature has to hold if there is one. Throws `SamlFault`.
 */
export async function signedAssertion(response: Part, wanted: Wanted): Promise<Element> {
  const { element, text } = response;
  const plain = childrenNamed(element, 'assertion', 'Assertion');
  const encrypted = childrenNamed(element, 'assertion', 'EncryptedAssertion');
  const [holder, ...others] = [...plain, ...encrypted];
  if (!holder) throw new SamlFault('no_assertion');
  if (others.length > 0) throw new SamlFault('several_assertions');
  const [hidden] = encrypted;
  if (!hidden && wanted.isEncrypted) throw new SamlFault('not_encrypted');
  const part = hidden ? await decryptedElement(hidden, wanted.ownKeys) : { text, element: holder };
  const { element: assertion } = part;
  if (assertion.namespaceURI !== namespaces.assertion || assertion.localName !== 'Assertion')
    throw new SamlFault('no_assertion');
  // an assertion within it, as its advice, could be taken for it
  if (assertion.getElementsByTagNameNS(namespaces.assertion, 'Assertion').length > 0)
    throw new SamlFault('several_assertions');
  const hasOwn = childNamed(assertion, 'signature', 'Signature') !== undefined;
  if (signaturesIn(assertion) > Number(hasOwn)) throw new SamlFault('several_signatures');
  if (hasOwn) return (await verifiedElement(part.text, assertion, wanted.keys, wanted.accepted)).element;
  // without a signature anybody could have written it
  if (wanted.isSigned || !response.isSigned) throw new SamlFault('unsigned_assertion');
  return assertion;
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
