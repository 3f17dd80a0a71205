import type { Prisma } from '../../generated/sqlite/client.js';
import { members } from '../core/json.js';

/** Claims that a client cannot do without, by where it wants them (OpenID Connect Core section 5.5). */
export interface RequestedClaims {
  idToken?: string[];
  userInfo?: string[];
}

/** The user's own fields by the claims that stand for them; every token has the other claims that can be asked for. */
export const requestable: Readonly<Record<string, string>> = {
  given_name: 'firstName',
  family_name: 'lastName',
  preferred_username: 'username',
  email: 'email',
};

const named = (value: unknown): string[] => {
  const wanted = members(value);
  return ['name', ...Object.keys(requestable)].filter((claim) => members(wanted[claim]).essential === true);
};

/**
 * What the parameter `claims` of an authorization request asks for: nothing where it names no essential claim that there
 * is. As in the reference, values that it wants a claim to have do not count. Throws a SyntaxError for what is no JSON.
 */
export function requestedClaims(parameter: string): RequestedClaims | undefined {
  const asked = JSON.parse(parameter) as unknown;
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) throw new SyntaxError('Not an object');
  const { id_token, userinfo } = members(asked);
  const [idToken, userInfo] = [named(id_token), named(userinfo)];
  if (idToken.length === 0 && userInfo.length === 0) return undefined;
  return { ...(idToken.length > 0 && { idToken }), ...(userInfo.length > 0 && { userInfo }) };
}

const note = 'requestedClaims';

/** The note of a client's part in a session that keeps them for later tokens. */
export const claimsNote = (requested: RequestedClaims | undefined): Prisma.InputJsonObject =>
  requested === undefined ? {} : { [note]: { ...requested } };

/** The notes of a client's part in a session, when the client begins anew. */
export function renewedNotes(notes: unknown, requested: RequestedClaims | undefined): Prisma.InputJsonObject {
  const { [note]: _, ...others } = members(notes);
  return { ...(others as Prisma.InputJsonObject), ...claimsNote(requested) };
}

/** What the notes of a client's part in a session say. */
export const claimsOfNotes = (notes: unknown): RequestedClaims | undefined =>
  members(notes)[note] as RequestedClaims | undefined;
