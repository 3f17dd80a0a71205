import {
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
    case 'JSON':
      return {};
    default:
      return 'matrix-value';
  }
}

const leastInput = (type: GraphQLInputObjectType, idOf: (typename: string) => string): object =>
  Object.fromEntries(
    Object.values(type.getFields())
      .filter((field, index) => isNonNullType(field.type) || (type.isOneOf && index === 0))
      .map((field) => [field.name, least(field.type, type.name, field.name, idOf)]),
  );
