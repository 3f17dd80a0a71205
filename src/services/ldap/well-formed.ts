import { type Element, elementAt, malformed } from './ber.js';

/** Tags of BER (RFC 4511, 5.1 and appendix B). */
const tags = { integer: 0x02, octets: 0x04, enumerated: 0x0a, sequence: 0x30, set: 0x31, controls: 0xa0 } as const;
const searchEntry = 0x64;
const searchReference = 0x73;
/** Tags of LDAPResult and its extensions: the answers that end an operation. */
const results = new Set([0x61, 0x65, 0x67, 0x69, 0x6b, 0x6d, 0x6f, 0x78]);

/** The elements between two places. Throws unless they fill them. */
function elementsOf(bytes: Buffer, { from, to }: Omit<Element, 'tag'>): Element[] {
  const elements: Element[] = [];
  for (let at = from; at < to; ) {
    const element = elementAt(bytes, at);
    if (!element || element.to > to) throw malformed();
    elements.push(element);
    at = element.to;
  }
  return elements;
}

const requireTags = (elements: readonly Element[], ...wanted: number[]): void => {
  if (elements.length < wanted.length || wanted.some((tag, at) => elements[at]?.tag !== tag)) throw malformed();
};

/** The content of an element whose elements all have the same tag. */
function listOf(bytes: Buffer, element: Element | undefined, tag: number): Element[] {
  const elements = element ? elementsOf(bytes, element) : [];
  if (elements.some((one) => one.tag !== tag)) throw malformed();
  return elements;
}

function requireEntry(bytes: Buffer, operation: Element): void {
  const parts = elementsOf(bytes, operation);
  requireTags(parts, tags.octets, tags.sequence);
  for (const attribute of listOf(bytes, parts[1], tags.sequence)) {
    const [type, values] = elementsOf(bytes, attribute);
    if (type?.tag !== tags.octets || values?.tag !== tags.set) throw malformed();
    listOf(bytes, values, tags.octets);
  }
}

/**
 * Refuses a message that does not have the form of RFC 4511. With some of these, the parser of the library never ends,
 * and takes all memory.
 */
export function requireWellFormed(message: Buffer): void {
  const [whole, ...others] = elementsOf(message, { from: 0, to: message.length });
  if (whole?.tag !== tags.sequence || others.length > 0) throw malformed();
  const [id, operation, controls] = elementsOf(message, whole);
  if (id?.tag !== tags.integer || id.to === id.from || id.to - id.from > 4 || !operation) throw malformed();
  if (operation.tag === searchEntry) requireEntry(message, operation);
  else if (operation.tag === searchReference) listOf(message, operation, tags.octets);
  else if (results.has(operation.tag)) {
    requireTags(elementsOf(message, operation), tags.enumerated, tags.octets, tags.octets);
  } else throw malformed();
  if (controls?.tag !== tags.controls) return;
  for (const control of listOf(message, controls, tags.sequence)) {
    requireTags(elementsOf(message, control), tags.octets);
  }
}
