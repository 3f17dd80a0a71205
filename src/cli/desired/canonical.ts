import { isObject } from '../../services/core/json.js';
import { isUnordered, naturalKey } from '../../services/realms/files/natural-keys.js';
import { fieldsOf, type Shape, shapeOf } from '../../services/realms/files/shape.js';
import { removeWord, renamedWord, settingsWord } from './words.js';

/** Fields that name an object come before its other fields. */
const leading = [
  'realm',
  'clientId',
  'username',
  'alias',
  'name',
  renamedWord,
  'secretVersion',
  removeWord,
  settingsWord,
];

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares keys of an object of a shape: names, the fields in the order of the shape, and others by their letters. */
export function keyOrder(shape: Shape | undefined): (a: string, b: string) => number {
  const fields = fieldsOf(shape);
  if (!fields) return byText;
  const ranks = new Map(
    [...leading, ...fields.filter((name) => !leading.includes(name))].map((name, rank) => [name, rank]),
  );
  return (a, b) => (ranks.get(a) ?? ranks.size) - (ranks.get(b) ?? ranks.size) || byText(a, b);
}

/** Compares items of a list by their natural keys; undefined for lists whose order matters. */
export function itemOrder(list: Shape | undefined): ((a: unknown, b: unknown) => number) | undefined {
  if (!isUnordered(list)) return undefined;
  const item = shapeOf(list, 0);
  return (a, b) => byText(naturalKey(item, a) ?? '', naturalKey(item, b) ?? '');
}

/** A value with keys and lists in their canonical order. */
export function canonical(value: unknown, shape: Shape | undefined): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item, shapeOf(shape, 0)));
    const order = itemOrder(shape);
    return order ? items.sort(order) : items;
  }
  if (!isObject(value)) return value;
  const compare = keyOrder(shape);
  return Object.fromEntries(
    Object.keys(value)
      .sort(compare)
      .map((key) => [key, canonical(value[key], shapeOf(shape, key))]),
  );
}
