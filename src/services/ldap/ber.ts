/** Maximum octets of a length: larger lengths exceed any message. */
const mostOctets = 4;

/** The tag of a BER element, and the start and end of its content. */
export interface Element {
  tag: number;
  from: number;
  to: number;
}

/** The error for bytes that are no message of LDAP. */
export const malformed = (): Error => new Error('not an LDAP message');

/**
 * The element at this offset. Its content may end after the bytes. Returns undefined if more bytes are needed. Throws
 * for an indefinite length, which LDAP does not allow (RFC 4511, 5.1), and for a length of more than four octets.
 */
export function elementAt(bytes: Buffer, at: number): Element | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) return undefined;
  const octets = first & 0x80 ? first & 0x7f : 0;
  if (first === 0x80 || octets > mostOctets) throw malformed();
  const from = at + 2 + octets;
  if (from > bytes.length) return undefined;
  return { tag, from, to: from + (octets === 0 ? first : bytes.readUIntBE(at + 2, octets)) };
}
