import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { typesOfId } from '../../src/graph/core/id-types.js';
import { graphqlSchema } from '../../src/graph/server.js';

/** A type whose ID an input field takes. */
export function typeOfId(of: string, name: string): string {
  const type = typesOfId(graphqlSchema(), { of, name }).at(-1) ?? '';
  return type === 'AuthorizationPolicy' ? 'RoleAuthorizationPolicy' : type;
}

/** The least value of an input type, for a field or argument of a type; `idOf` gives the ids. */
export function least(type: GraphQLInputType, of: string, field: string, idOf: (typename: string) => string): unknown {
  if (isNonNullType(type)) return least(type.ofType, of, field, idOf);
  if (isListType(type)) return [least(type.ofType, of, field, idOf)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) return leastInput(type, idOf);
  switch (getNamedType(type).name) {
    case 'ID':
      return idOf(typeOfId(of, field));
    case 'Boolean':
      return true;
    case 'Int':
      return 1;
    case 'DateTime':
      return '2026-01-31T12:00:00.000Z';
    case 'JSON':
      return {};
    default:
      return 'matrix-value';
  }
}

const leastInput = (type: GraphQLInputObjectType, idOf: (typename: string) => string): Record<string, unknown> =>
  Object.fromEntries(
    Object.values(type.getFields())
      .filter((field, index) => isNonNullType(field.type) || (type.isOneOf && index === 0))
      .map((field) => [field.name, least(field.type, type.name, field.name, idOf)]),
  );

/** A field somewhere in an input. */
export interface Place {
  /** path of the field, with the index 0 for lists */
  path: readonly string[];
  /** name of the input type that has the field */
  of: string;
  field: GraphQLInputField;
}

const isMany = (type: GraphQLInputType): boolean => isListType(isNonNullType(type) ? type.ofType : type);

/** All fields in an input type, at any depth. A type that contains itself is entered once. */
export function placesIn(
  type: GraphQLInputType,
  path: readonly string[] = [],
  entered: readonly string[] = [],
): readonly Place[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named) || entered.includes(named.name)) return [];
  return Object.values(named.getFields()).flatMap((field): readonly Place[] => {
    const own = [...path, field.name, ...(isMany(field.type) ? ['0'] : [])];
    return [{ path: own, of: named.name, field }, ...placesIn(field.type, own, [...entered, named.name])];
  });
}

/** The least value of an input type that has this value at this path. A list stands for all items of a list. */
export function leastWith(
  type: GraphQLInputType,
  [first, ...rest]: readonly string[],
  value: unknown,
  idOf: (typename: string) => string,
): Record<string, unknown> {
  const named = getNamedType(type);
  const field = first !== undefined && isInputObjectType(named) ? named.getFields()[first] : undefined;
  if (!field || !isInputObjectType(named)) throw new Error(`${named.name} has no field ${first}`);
  const below = isMany(field.type) ? rest.slice(1) : rest;
  const item = below.length === 0 ? value : leastWith(field.type, below, value, idOf);
  const others = named.isOneOf ? {} : leastInput(named, idOf);
  return { ...others, [field.name]: isMany(field.type) && !Array.isArray(item) ? [item] : item };
}
