/** Octets of a length at most: more than four of them state more than any message has. */
const mostOctets = 4;

/** The tag of an element of BER, and where its content begins and ends. */
export interface Element {
  tag: number;
  from: number;
  to: number;
}

/** The error for bytes that are no message of LDAP. */
export const malformed = (): Error => new Error('not an LDAP message');

/**
 * The element that begins at this place. Its content may end after the bytes. Returns undefined if more bytes are needed to
 * tell. Throws for an indefinite length, which LDAP does not have (RFC 4511, 5.1), and for one of more than four octets.
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
