import type { ProtectedHeaderParameters } from 'jose';

/**
 * Whether a token may be one that a client has signed for this use: its header names no other type (RFC 8725 section 3.11). A token
 * that the server has signed with the same secret is refused by its issuer, which is the realm and not the client.
 */
export function isClientToken(header: ProtectedHeaderParameters, type: string): boolean {
  const { typ = 'JWT' } = header;
  const given = typ.toLowerCase().replace(/^application\//, '');
  return given === 'jwt' || given === type;
}
