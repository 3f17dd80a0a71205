import { isObject, isSameJson } from '../../core/json.js';
import { protectedAmong } from '../../users/protected-attributes.js';
import { plainValue } from '../assemble/credentials.js';
import { type Json, listOf, mapOf } from './kinds.js';

const typeOf = ({ type }: Json): string => (typeof type === 'string' ? type : 'password');

const isPlain = ({ value, rawPassword }: Json): boolean =>
  plainValue({
    ...(typeof value === 'string' && { value }),
    ...(typeof rawPassword === 'string' && { rawPassword }),
  }) !== undefined;

/** Whether a user already has all values of a file. */
function hasAll(current: Json, { access: _access, ...given }: Json): boolean {
  const known = listOf(current, 'credentials');
  return Object.entries(given).every(([name, value]) =>
    name === 'credentials' && Array.isArray(value)
      ? value.every((credential) => hasCredential(known, credential))
      : isSameJson(current[name], value),
  );
}

/**
 * Whether the list has a file's credential. A plain password counts if there is any password, which it would not
 * replace.
 */
function hasCredential(known: readonly Json[], given: Json): boolean {
  const own = known[placeIn(known, given)];
  if (own === undefined) return false;
  return (
    isPlain(given) || Object.entries(given).every(([name, value]) => name === 'id' || isSameJson(own[name], value))
  );
}

/** The index of the credential that corresponds to one of a file; -1 if there is none. */
const placeIn = (known: readonly Json[], given: Json): number =>
  known.findIndex((own) => own.id === given.id || typeOf(own) === typeOf(given));

/**
 * A user with the values of a file. It is the very same object if the file gives nothing new and `areNamesKept`, so
 * that all names in it still refer to the same objects. A plain password is only set for a user who has none: users
 * change their passwords, and a file does not undo that. A hashed password replaces the one of the same type. No
 * credential is removed.
 */
export function mergedUser(current: Json, given: Json, areNamesKept: boolean): Json {
  if (areNamesKept && hasAll(current, given)) return current;
  const credentials = [...listOf(current, 'credentials')];
  for (const credential of listOf(given, 'credentials')) {
    const at = placeIn(credentials, credential);
    const known = credentials[at];
    if (!known) credentials.push(credential);
    else if (!isPlain(credential)) credentials[at] = { ...known, ...credential, id: known.id };
  }
  // the link of an account to a directory is not a setting
  const { access: _access, ...rest } = given;
  const kept = protectedAmong(mapOf(current, 'attributes'));
  const attributes = isObject(given.attributes) && { attributes: { ...kept, ...given.attributes } };
  return { ...current, ...rest, ...attributes, ...(isObject(current) && credentials.length > 0 && { credentials }) };
}
