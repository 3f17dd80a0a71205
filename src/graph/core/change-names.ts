import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isObjectType,
} from 'graphql';
import type { ObjectChange } from '../../services/core/changes.js';
import { type FieldOf, renamedPath } from './input-path.js';

type Values = Readonly<Record<string, unknown>>;

interface Naming {
  fieldOf: FieldOf;
  /** fields that combine several fields of the contract, with the function for their values */
  combined: Readonly<Record<string, (values: Values) => unknown>>;
}

const byType = new Map<string, Naming>();

/** Declares the GraphQL names of a type's fields that have another name in the contract. */
export const nameFields = (type: string, fieldOf: FieldOf, combined: Naming['combined'] = {}): void =>
  void byType.set(type, { fieldOf, combined });

/** The fields of an object type, or of the interface of several. */
function fieldsOf(schema: GraphQLSchema, typename: string | undefined) {
  const type = typename === undefined ? undefined : schema.getType(typename);
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
}

/** The names that the contract has for the ID of an object. */
const ids = new Set(['id', '_id', 'internalId']);

/** The name of a field of the contract without a declared name: many flags have a verb here. */
function usualName(name: string, fields: Values): string {
  if (ids.has(name)) return 'uuid';
  const flag = `is${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return name in fields || !(flag in fields) ? name : flag;
}

/** Converts a value of the contract, which has texts for many kinds of values, to the type of its field. */
function typedValue(value: unknown, type: GraphQLOutputType): unknown {
  if (Array.isArray(value)) return value.map((item) => typedValue(item, type));
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues().find((one) => one.value === value)?.name ?? value;
  if (named.name === 'Boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (named.name === 'Int' && typeof value === 'string' && /^-?\d+$/.test(value)) return Number(value);
  // times are milliseconds since 1970
  if (named.name === 'DateTime' && typeof value === 'number' && value > 1e11) return new Date(value);
  return value;
}

/** The type of the field that a path leads to; undefined if it leads to an entry of a list or map. */
function typeAt(schema: GraphQLSchema, typename: string, path: readonly string[]): GraphQLOutputType | undefined {
  const [name = '', ...rest] = path;
  const type = fieldsOf(schema, typename)[name]?.type;
  if (!type || (rest.length === 0 && !isLeafType(getNamedType(type)))) return undefined;
  return rest.length === 0 ? type : typeAt(schema, getNamedType(type).name, rest);
}

/** Converts changes to the names and values of the GraphQL types of their objects, for any mutation. */
export function shownChanges(
  schema: GraphQLSchema,
  changes: readonly ObjectChange[],
  otherwise: FieldOf,
): ObjectChange[] {
  const shown = new Map<string, ObjectChange>();
  const parts = new Map<string, { before: Values; after: Values }>();
  for (const change of changes) {
    const typename = change.object?.type ?? '';
    const { fieldOf = otherwise, combined = {} } = byType.get(typename) ?? {};
    const [first = '', ...rest] = renamedPath(change.path, fieldOf);
    const path = [usualName(first, fieldsOf(schema, typename)), ...rest];
    const key = JSON.stringify([typename, change.object?.id, path]);
    const { before, after } = change;
    const combine = combined[path.join('.')];
    if (combine) {
      const wire = change.path.join('.');
      const known = parts.get(key);
      const values = { before: { ...known?.before, [wire]: before }, after: { ...known?.after, [wire]: after } };
      parts.set(key, values);
      const combinedOf = (all: Values) =>
        Object.values(all).every((one) => one === undefined) ? undefined : combine(all);
      shown.set(key, { ...change, path, before: combinedOf(values.before), after: combinedOf(values.after) });
      continue;
    }
    const type = typeAt(schema, typename, path);
    const typed = type ? { before: typedValue(before, type), after: typedValue(after, type) } : { before, after };
    // if only a name of the object is known, several objects can have this key
    shown.set(`${key} ${shown.size}`, { ...change, path, ...typed });
  }
  return [...shown.values()];
}
