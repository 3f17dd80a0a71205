import { type GraphQLObjectType, isInterfaceType, isListType, isObjectType } from 'graphql';
import { graphqlSchema } from '../../src/graph/server.js';
import { bare, beyond, type Fields, isConnection, needsArguments, nodeTypeOf } from './selections.js';

const schema = graphqlSchema();

export interface Place {
  type: Fields;
  /** the query around a selection of the type; the first list on the way has this length */
  query: (length: number, selection: string) => string;
  path: string;
}

/** The types that lists lead to, each at the shortest way from the realm of this name. */
export function placesOf(realm: string): Place[] {
  const start = schema.getType('Realm') as GraphQLObjectType;
  const root: Place = {
    type: start,
    path: 'realm',
    query: (_length, inner) => `{ realm(name: "${realm}") { ${inner} } }`,
  };
  const found = new Map<string, Place>();
  const waiting = [{ place: root, isList: false }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { place, isList } = next;
    for (const field of Object.values(place.type.getFields())) {
      const inner = bare(field);
      if (!isObjectType(inner) || needsArguments(field) || beyond.has(`${place.type.name}.${field.name}`)) continue;
      const path = `${place.path}.${field.name}`;
      const around = (wrap: (selection: string, length: number) => string) => (length: number, selection: string) =>
        place.query(length, wrap(selection, length));
      const [type, query, lists] = isConnection(inner)
        ? [
            nodeTypeOf(inner),
            around((own, length) => {
              // enough to have one of each type
              const inList = isInterfaceType(nodeTypeOf(inner)) ? 20 : 2;
              return `${field.name}(first: ${isList ? inList : length}) { edges { node { ${own} } } }`;
            }),
            true,
          ]
        : [inner, around((own) => `${field.name} { ${own} }`), isList || isListType(field.type)];
      if (type.name === 'Realm' || found.has(type.name)) continue;
      // what hangs on the realm alone is in no list
      if (!lists && !isConnection(inner)) continue;
      const one = { type, path, query };
      if (isConnection(inner) || isList) {
        found.set(type.name, one);
        waiting.push({ place: one, isList: true });
        const types = isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
        for (const own of types) {
          const inType = (length: number, selection: string) => query(length, `... on ${own.name} { ${selection} }`);
          found.set(own.name, { type: own, path, query: inType });
        }
      }
    }
  }
  return [...found.values()];
}
