import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLInputType,
  getNamedType,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
} from 'graphql';
import { limit } from '../../config/limits.js';
import { isObject } from '../../services/core/json.js';
import { mostEntries } from '../../services/core/shape.js';
import { codeOf } from '../core/user-errors.js';
import { operationOf } from './asked.js';

/**
 * Maximum objects of a list: each of them is coerced with all fields of its type, checked, and may have its own errors.
 */
const mostObjects = limit('GraphQL', 'Objects of a list of a mutation', 1500, 'objects', '`INVALID`, before execution');

/** The names that fields have in the contract and in the schema. */
const fieldName = /^[a-z][a-z]*(?:[A-Z][a-z]+)*$/;

/** A fault of a value, with its place. It is found without coercing the value, which takes time for each entry. */
interface Fault {
  path: readonly string[];
  message: (field: string) => string;
}

const tooLong = (path: readonly string[], length: number, most: number): Fault => ({
  path,
  message: (field) => `\`${field}\` must have at most ${most} entries, got ${length}`,
});

/**
 * The first list in a value that has too many entries for a write, or the first object with an unknown field. Filters
 * have their own limits. For each unknown field, graphql-js would write the whole value into a message.
 */
function faultIn(value: unknown, type: GraphQLInputType, path: readonly string[], isWrite: boolean): Fault | undefined {
  if (isNonNullType(type)) return faultIn(value, type.ofType, path, isWrite);
  if (isListType(type)) {
    if (!Array.isArray(value)) return faultIn(value, type.ofType, path, isWrite);
    const hasObjects = isInputObjectType(getNamedType(type));
    const most = hasObjects ? mostObjects : mostEntries;
    if (isWrite && value.length > most) return tooLong(path, value.length, most);
    return hasObjects ? first(value, (item, at) => faultIn(item, type.ofType, [...path, at], isWrite)) : undefined;
  }
  if (!isInputObjectType(type) || !isObject(value)) return undefined;
  const fields = type.getFields();
  return first(Object.keys(value), (name) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) return faultIn(value[name], field.type, [...path, name], isWrite);
    // any other name may be a secret in the wrong place
    if (fieldName.test(name)) {
      return { path: [...path, name], message: (at) => `\`${at}\` is not a field of the type ${type.name}` };
    }
    return { path, message: (at) => `\`${at}\` has a field that the type ${type.name} does not define` };
  });
}

/** The first result of a function for the items of a list. */
function first<T, R>(items: readonly T[], find: (item: T, at: string) => R | undefined): R | undefined {
  for (const [at, item] of items.entries()) {
    const found = find(item, String(at));
    if (found) return found;
  }
  return undefined;
}

type Coerced = { coerced: Readonly<Record<string, unknown>>; error?: never } | { error: GraphQLError };

/** The coerced variables of a request, or the first error in them. */
export function coercedVariables({ schema, document, operationName, variableValues }: ExecutionArgs): Coerced {
  const operation = operationOf(document, operationName);
  const definitions = operation?.variableDefinitions ?? [];
  const isWrite = operation?.operation === 'mutation';
  const fault = first(definitions, (definition) => {
    const { value: name } = definition.variable.name;
    const type = typeFromAST(schema, definition.type);
    const found = isInputType(type) ? faultIn(variableValues?.[name], type, [name], isWrite) : undefined;
    return found && { ...found, definition };
  });
  if (!fault) {
    // one error is enough, as each of them can be as long as the value
    const { errors, coerced } = getVariableValues(schema, definitions, variableValues ?? {}, { maxErrors: 1 });
    return errors?.[0] ? { error: errors[0] } : { coerced: coerced ?? {} };
  }
  const field = fault.path.join('.');
  const extensions = { code: codeOf('invalid'), field };
  return { error: new GraphQLError(fault.message(field), { nodes: fault.definition, extensions }) };
}
