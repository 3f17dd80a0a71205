import { randomUUID } from 'node:crypto';

const lengthOfId = 36;

/**
 * A new `jti` for a token of a client. It names the row of the client, as another client may get the name of one that was deleted. No
 * other part of a token can: mappers write claims, and libraries refuse members of the header that they do not know.
 */
export const newTokenId = ({ id }: { id: string }): string => `${randomUUID()}.${id}`;

/** The id of the row of the client that a token with this `jti` was issued to. */
export function clientOfTokenId(jti: unknown): string | undefined {
  return typeof jti === 'string' && jti[lengthOfId] === '.' ? jti.slice(lengthOfId + 1) : undefined;
}
