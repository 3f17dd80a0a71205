import type { Prisma } from '../../generated/sqlite/client.js';
import { members } from '../core/json.js';

/** How a client knows a user. */
export interface NameId {
  format: string;
  value: string;
}

const names = { value: 'SAML_NAME_ID', format: 'SAML_NAME_ID_FORMAT' } as const;

/** Notes of the part of a SAML client in a session: how it knows the user. */
export const notesOfPart = ({ value, format }: NameId): Prisma.InputJsonObject => ({
  [names.value]: value,
  [names.format]: format,
});

/** How the client of a part in a session knows the user; undefined for one of another protocol. */
export function nameIdOfPart(notes: unknown): NameId | undefined {
  const { [names.value]: value, [names.format]: format } = members(notes);
  return typeof value === 'string' && typeof format === 'string' ? { value, format } : undefined;
}

const separator = '::';

/** What the client calls its part in a session. */
export const sessionIndex = (sid: string, clientId: string): string => `${sid}${separator}${clientId}`;

/** The session of an index of this client; undefined for that of another client. */
export function sessionOfIndex(index: string, clientId: string): string | undefined {
  const end = `${separator}${clientId}`;
  return index.endsWith(end) ? index.slice(0, -end.length) : undefined;
}
