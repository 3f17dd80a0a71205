import type { ProtectedHeaderParameters } from 'jose';

/**
 * Whether a token may be one that a client has signed for this use: its header names no other type (RFC 8725 section
 * 3.11), and it is none that a realm of this server has issued, whose keys a client can give out as its own.
 */
export function isClientToken(header: ProtectedHeaderParameters, type: string): boolean {
  const { typ = 'JWT' } = header;
  const given = typ.toLowerCase().replace(/^application\//, '');
  return !('purpose' in header) && (given === 'jwt' || given === type);
}
