import { type GraphQLField, type GraphQLObjectType, getNamedType, isNonNullType, isObjectType } from 'graphql';
import { graphqlSchema } from '../../src/graph/server.js';

const schema = graphqlSchema();

export type Field = GraphQLField<unknown, unknown>;

/** A field of an object, and the fields that lead from the query to that object. */
export interface Place {
  name: string;
  field: Field;
  before: readonly string[];
}

export const isConnection = ({ type }: Field): boolean => getNamedType(type).name.endsWith('Connection');
export const needsArguments = ({ args }: Field): boolean =>
  args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);

/** The type of the objects that a field leads to, and the fields on the way there. */
function step(field: Field): { type: GraphQLObjectType; through: string[] } | undefined {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return undefined;
  if (!isConnection(field)) return { type, through: [field.name] };
  const edge = getNamedType(type.getFields().edges?.type);
  const node = isObjectType(edge) ? getNamedType(edge.getFields().node?.type) : undefined;
  return isObjectType(node) ? { type: node, through: [`${field.name}(first: 9)`, 'edges', 'node'] } : undefined;
}

const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(isConnection);

/** Every list of the query, and every field with arguments below the realm of this name, once for each type. */
export function placesBelow(realm: string): Place[] {
  const start = schema.getType('Realm') as GraphQLObjectType;
  const known = new Map<string, readonly string[]>([['Realm', [`realm(name: "${realm}")`]]]);
  const open: GraphQLObjectType[] = [start];
  const found: Place[] = lists.map((field) => ({ name: `Query.${field.name}`, field, before: [] }));
  for (let type = open.shift(); type; type = open.shift()) {
    const before = known.get(type.name) ?? [];
    for (const field of Object.values(type.getFields())) {
      if (field.args.length > 0)
        found.push({ name: `${(type as GraphQLObjectType).name}.${field.name}`, field, before });
      const next = needsArguments(field) ? undefined : step(field);
      if (!next || known.has(next.type.name) || before.length > 8) continue;
      known.set(next.type.name, [...before, ...next.through]);
      open.push(next.type);
    }
  }
  return found;
}

/** A query for a selection at a place, with the type of the object that it belongs to. */
export const queryAt = (before: readonly string[], inner: string): string =>
  `{ ${before.map((name) => `${name} { `).join('')}__typename ${inner} ${'}'.repeat(before.length)} }`;
