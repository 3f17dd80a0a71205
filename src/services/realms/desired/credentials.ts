import { isObject } from '../../core/json.js';
import { protectedAmong } from '../../users/protected-attributes.js';
import { plainValue } from '../assemble/credentials.js';
import { type Json, listOf, mapOf } from './kinds.js';

const typeOf = ({ type }: Json): string => (typeof type === 'string' ? type : 'password');

const isPlain = ({ value, rawPassword }: Json): boolean =>
  plainValue({
    ...(typeof value === 'string' && { value }),
    ...(typeof rawPassword === 'string' && { rawPassword }),
  }) !== undefined;

/**
 * A user with what a file gives. A password in plain text is for a user who has none: people change theirs, and a file does not
 * take that back. A hashed one takes the place of that of the same type. No credential is removed.
 */
export function withCredentials(current: Json, given: Json): Json {
  const credentials = [...listOf(current, 'credentials')];
  for (const credential of listOf(given, 'credentials')) {
    const type = typeOf(credential);
    const at = credentials.findIndex((known) => known.id === credential.id || typeOf(known) === type);
    const known = credentials[at];
    if (!known) credentials.push(credential);
    else if (!isPlain(credential)) credentials[at] = { ...known, ...credential, id: known.id };
  }
  // what links an account to a directory is not a setting
  const { access: _access, ...rest } = given;
  const kept = protectedAmong(mapOf(current, 'attributes'));
  const attributes = isObject(given.attributes) && { attributes: { ...kept, ...given.attributes } };
  return { ...current, ...rest, ...attributes, ...(isObject(current) && credentials.length > 0 && { credentials }) };
}
