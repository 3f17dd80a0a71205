import { type NamedObject, objectKinds } from '../../services/realms/desired/objects.js';

/** The form of an object's name for users, with the kinds of objects. */
export const objectNameForm = `KIND/NAME, such as CLIENT/shop, with a KIND of ${objectKinds.join(', ')}`;

/**
 * The object in a text such as `CLIENT/shop`, as plans print it; the kind may be in upper or lower case. Undefined for
 * other texts.
 */
export function parseObjectName(text: string): NamedObject | undefined {
  const at = text.indexOf('/');
  const name = text.slice(at + 1);
  const kind = objectKinds.find((known) => known === text.slice(0, Math.max(at, 0)).toUpperCase().replaceAll('-', '_'));
  if (kind === undefined || name === '') return undefined;
  // the name of a group is its path
  return { kind, key: kind === 'GROUP' && !name.startsWith('/') ? `/${name}` : name };
}
