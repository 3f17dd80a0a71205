import { isObject, ownMember } from '../../services/core/json.js';
import { mask } from '../../services/core/mask.js';
import { isKeyedList, label, naturalKey } from '../../services/realms/files/natural-keys.js';
import { realmShape, type Shape, shapeOf } from '../../services/realms/files/shape.js';
import { escapedReferences, hasReference } from './substitute.js';

type Realm = Record<string, unknown>;

/** Puts references in place of the masks of a realm. */
export type References = (realm: Realm) => Realm;

/**
 * A realm in the form of files: texts that look like references are escaped, so that they are unchanged when the file
 * is read.
 */
export const writable = (realm: Realm, references: References = (same) => same): Realm =>
  references(escapedReferences(realm) as Realm);

/** Returns the replacement of a mask, given its path in the realm and the text that earlier files have there. */
type Replacement = (path: readonly string[], former: unknown) => unknown;

/** The members of an earlier list, by the natural keys of a list of this shape; by their indexes if it has none. */
function formerItems(former: unknown, shape: Shape | undefined): (item: unknown, index: number) => unknown {
  if (!Array.isArray(former)) return () => undefined;
  if (!isKeyedList(shape)) return (_, index) => former[index];
  const keyOf = (item: unknown) => naturalKey(shapeOf(shape, 0), item);
  const byKey = new Map(former.map((item) => [keyOf(item), item]));
  return (item) => byKey.get(keyOf(item));
}

function replaced(value: unknown, former: unknown, shape: Shape | undefined, path: string[], to: Replacement): unknown {
  if (typeof value === 'string') return value === mask ? to(path, former) : value;
  if (Array.isArray(value)) {
    const formerOf = formerItems(former, shape);
    return value.map((item, index) => {
      const below = shapeOf(shape, 0);
      const name = label(below, item);
      return replaced(item, formerOf(item, index), below, name === undefined ? path : [...path, name], to);
    });
  }
  if (!isObject(value)) return value;
  const was: Realm = isObject(former) ? former : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      replaced(item, ownMember(was, key), shapeOf(shape, key), [...path, key], to),
    ]),
  );
}

/** Parts of a path that do not help to name a secret. */
const silent = new Set(['config', 'attributes']);

/** The name of a variable for a secret, such as `CLIENTS_SHOP_SECRET`. */
const variableOf = (path: readonly string[]): string =>
  path
    .filter((part) => !silent.has(part) && !part.startsWith('org.keycloak.'))
    .map((part) => part.replace(/(?<=[a-z])(?=[A-Z])/g, '_').replace(/[^a-zA-Z0-9]+/g, '_'))
    .join('_')
    .toUpperCase();

/**
 * Returns a function that replaces masks with references. These are the references in the same places of the realm's
 * earlier files, and variables for all other masks if `isNamed`.
 */
export function secretReferences({ former = {}, isNamed }: { former?: Realm; isNamed: boolean }): References {
  const given = new Map<string, number>();
  const named = (path: readonly string[]): string => {
    const name = variableOf(path);
    const number = (given.get(name) ?? 0) + 1;
    given.set(name, number);
    return `\${env:${name}${number === 1 ? '' : `_${number}`}}`;
  };
  const to: Replacement = (path, was) => {
    if (typeof was === 'string' && hasReference(was)) return was;
    return isNamed ? named(path) : mask;
  };
  return (realm) => replaced(realm, former, realmShape(), [], to) as Realm;
}
