import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { isObject } from '../../services/core/json.js';
import { Refusal } from '../../services/core/refusal.js';
import { typesOfId } from './id-types.js';
import { parseId } from './node.js';

/** The refusals of all IDs in an input that do not have a type of their field. */
export function badIds(schema: GraphQLSchema, type: GraphQLInputType, input: unknown): Refusal[] {
  const found: Refusal[] = [];
  const check = (
    value: unknown,
    own: GraphQLInputType,
    path: readonly string[],
    typenames: readonly string[],
  ): void => {
    const given = getNullableType(own);
    if (Array.isArray(value) && isListType(given)) {
      for (const [at, item] of value.entries()) check(item, given.ofType, [...path, String(at)], typenames);
    } else if (isObject(value) && isInputObjectType(given)) {
      for (const field of Object.values(given.getFields())) {
        const isId = getNamedType(field.type).name === 'ID';
        const types = isId ? objectTypes(schema, typesOfId(schema, { of: given.name, name: field.name })) : [];
        check(value[field.name], field.type, [...path, field.name], types);
      }
    } else if (typenames.length > 0 && typeof value === 'string') {
      try {
        parseId(value, path.join('.'), ...typenames);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        found.push(error);
      }
    }
  };
  check(input, type, [], []);
  return found;
}

/** Names of types, with the types of an interface in its place. */
const objectTypes = (schema: GraphQLSchema, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const type = schema.getType(name);
    return isAbstractType(type) ? schema.getPossibleTypes(type).map((possible) => possible.name) : [name];
  });
