import { tooCostly, unreadable } from './refusals.js';

// DER and BER (X.690), as far as key stores use them. An element is read on demand, so that the code is not recursive.

/** An element of a text in BER: its tag, its content, and all of it. */
export interface Element {
  tag: number;
  content: Buffer;
  whole: Buffer;
}

/** Tags of elements. */
export const tags = {
  integer: 0x02,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
  first: 0xa0,
} as const;

const isConstructed = (tag: number): boolean => (tag & 0x20) !== 0;
/** Elements of indefinite length within each other. */
const deepest = 20;

/** The element at an offset. Throws a refusal if it is not an element, or does not end within the bytes. */
export function elementAt(bytes: Buffer, offset = 0, depth = 0): Element {
  const [tag, first] = [bytes[offset], bytes[offset + 1]];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f || depth > deepest) throw unreadable();
  let start = offset + 2;
  if (first === 0x80) {
    if (!isConstructed(tag)) throw unreadable();
    let end = start;
    while (bytes[end] !== 0 || bytes[end + 1] !== 0) end += elementAt(bytes, end, depth + 1).whole.length;
    return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(offset, end + 2) };
  }
  let length = first;
  if (first > 0x80) {
    const octets = first & 0x7f;
    if (octets > 4 || start + octets > bytes.length) throw unreadable();
    length = bytes.readUIntBE(start, octets);
    start += octets;
  }
  const end = start + length;
  if (end > bytes.length) throw unreadable();
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(offset, end) };
}

/** The elements in a constructed one. `count` is called for each before the next is read. */
export function elementsIn({ tag, content }: Element, count: (parts: number) => void): Element[] {
  if (!isConstructed(tag)) throw unreadable();
  const elements: Element[] = [];
  for (let at = 0; at < content.length; ) {
    count(1);
    const element = elementAt(content, at);
    elements.push(element);
    at += element.whole.length;
  }
  return elements;
}

/** The bytes of a string, which may consist of pieces. */
export function bytesIn(element: Element, count: (parts: number) => void): Buffer {
  if (!isConstructed(element.tag)) return element.content;
  return Buffer.concat(
    elementsIn(element, count).map(({ tag, content }) => {
      if (isConstructed(tag)) throw unreadable();
      return content;
    }),
  );
}

/** The number in an element. Refuses numbers that are too large for the counts of key stores. */
export function numberIn({ content }: Element): number {
  if (content.length === 0) throw unreadable();
  if (content.length > 4) throw tooCostly();
  return content.readIntBE(0, content.length);
}

/** An object identifier with dots. */
export function oidIn({ content }: Element): string {
  const parts: number[] = [];
  let part = 0;
  for (const octet of content) {
    part = part * 128 + (octet & 0x7f);
    if (octet >= 0x80) continue;
    parts.push(part);
    part = 0;
  }
  const [first = 0, ...rest] = parts;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - 40 * root, ...rest].join('.');
}

/** An element in DER with these parts. */
export function derElement(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(body.length);
  const significant = octets.subarray(octets.findIndex((octet) => octet !== 0));
  return Buffer.concat([Buffer.from([tag, 0x80 | significant.length]), significant, body]);
}

/** An object identifier in DER. */
export function derOid(id: string): Buffer {
  const [root = 0, second = 0, ...rest] = id.split('.').map(Number);
  const octets = [root * 40 + second, ...rest].flatMap((part) => {
    const groups = [part & 0x7f];
    for (let above = Math.floor(part / 128); above > 0; above = Math.floor(above / 128))
      groups.unshift(0x80 | (above & 0x7f));
    return groups;
  });
  return derElement(tags.oid, Buffer.from(octets));
}

/** A number that is not negative, in DER. */
export function derInteger(value: number): Buffer {
  const octets = Buffer.alloc(5);
  octets.writeUInt32BE(value, 1);
  // the first bit is the sign
  const start = octets.findIndex((octet, at) => octet !== 0 || at === 4);
  return derElement(tags.integer, octets.subarray((octets[start] ?? 0) >= 0x80 ? start - 1 : start));
}
