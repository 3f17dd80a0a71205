import { isObject } from '../../services/core/json.js';

/** The name of an input field, for a path of the contract. */
export type FieldOf = (field: string) => string;

/** Maps the entries of an operation that takes a bare list to entries of an input field. */
export const entriesOf =
  (name: string): FieldOf =>
  (field) =>
    /^\d/.test(field) ? `${name}.${field}` : field;

/** Replaces the longest beginning of a path that has another name in the input. */
export function renamedPath(path: readonly string[], fieldOf: FieldOf): readonly string[] {
  for (let end = path.length; end > 0; end -= 1) {
    const field = path.slice(0, end).join('.');
    const name = fieldOf(field);
    // only a prefix is added, so the rest of the name stays: clientIds in it can have dots
    if (name.endsWith(`.${field}`)) return [...name.slice(0, -field.length - 1).split('.'), ...path];
    if (name !== field) return [...name.split('.'), ...path.slice(end)];
  }
  return path;
}

/** The entry of a list of named values that a path leads to, by the longest name or key, as names may contain dots. */
function namedEntry(list: readonly unknown[], path: readonly string[]) {
  for (let end = path.length; end > 0; end -= 1) {
    const name = path.slice(0, end).join('.');
    const index = list.findIndex((item) => isObject(item) && (item.name ?? item.key) === name);
    const entry = list[index];
    if (isObject(entry)) return { index, entry, used: end };
  }
  return undefined;
}

/** The name of a field in an object of the input, which may have changes of a part of it instead. */
function givenName(object: Readonly<Record<string, unknown>>, name: string): string {
  if (object[name] !== undefined) return name;
  const changes = ['set', 'add'].map((verb) => `${verb}${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  return changes.find((one) => object[one] != null) ?? name;
}

/**
 * Converts the path of a field in the contract to its path in an input. In the contract, a list of named values is a
 * map without indexes, and a text may stand for an object. The path ends where the input has no further parts.
 */
export function inputPath(wirePath: readonly string[], input: unknown, fieldOf: FieldOf): string[] {
  const path: string[] = [];
  let rest = renamedPath(wirePath, fieldOf);
  let at = input;
  while (rest.length > 0) {
    const [first = ''] = rest;
    const item = Array.isArray(at) && /^\d+$/.test(first) ? at[Number(first)] : undefined;
    if (item !== undefined) {
      path.push(first);
      at = item;
      rest = rest.slice(1);
    } else if (Array.isArray(at)) {
      const named = namedEntry(at, rest);
      if (!named) break;
      rest = rest.slice(named.used);
      const values = rest.length === 0 ? undefined : ['values', 'value'].find((name) => name in named.entry);
      path.push(String(named.index), ...(values ? [values] : []));
      at = values ? named.entry[values] : named.entry;
    } else if (at == null || isObject(at)) {
      const name = isObject(at) ? givenName(at, first) : first;
      path.push(name);
      at = isObject(at) ? at[name] : undefined;
      // the indexes of added entries count in the whole list
      rest = name.startsWith('add') && name !== first ? [] : rest.slice(1);
    } else break;
  }
  return path;
}
