import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer } from '../support/server.js';
import { createCrowd, realm } from './crowd.js';

// Every field of every object that a list leads to, over a list of 2 and of 50: the same number of statements, although
// nothing is in a cache.
const schema = graphqlSchema();
const few = 2;
const many = 50;

/** Arguments of fields that cannot be asked for without. */
const argumentsOf: Readonly<Record<string, string>> = {
  'Client.certificate': '(purpose: "saml.signing")',
  'Realm.client': '(clientId: "a-app-01")',
  'Realm.group': '(path: "/a-group-01")',
};
/** Fields that are made for one object: by requests to other servers, as a token, or as a file. Their cost limits lists. */
const beyond = new Set([
  'Client.installation',
  'Client.nodesAvailability',
  'Client.evaluateScopes',
  'Client.evaluatePolicies',
  'RealmApply.revertPlan',
  // as many statements as types of objects: test/events/bounded.test.ts
  'AdminEvent.resource',
]);

type Field = GraphQLField<unknown, unknown>;

const bare = (field: Field) => getNamedType(field.type);
const needsArguments = (field: Field) =>
  field.args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
const isConnection = (type: unknown): type is GraphQLObjectType =>
  isObjectType(type) && type.name.endsWith('Connection');

type Fields = GraphQLObjectType | GraphQLInterfaceType;

const nodeTypeOf = (connection: GraphQLObjectType): Fields => {
  const edge = getNamedType(connection.getFields().edges?.type ?? connection) as GraphQLObjectType;
  return getNamedType(edge.getFields().node?.type ?? edge) as Fields;
};

/** Everything of an object that needs no arguments and leads to no list and no other type that has an id. */
function leavesOf(type: Fields, depth = 2): string {
  const parts = Object.values(type.getFields()).flatMap((field) => {
    const inner = bare(field);
    if (needsArguments(field) || field.args.length > 0 || beyond.has(`${type.name}.${field.name}`)) return [];
    if (isLeafType(inner)) return [field.name];
    if (!(isObjectType(inner) || isInterfaceType(inner)) || isConnection(inner) || depth === 0) return [];
    return 'id' in inner.getFields() ? [`${field.name} { id }`] : [`${field.name} { ${leavesOf(inner, depth - 1)} }`];
  });
  return parts.length > 0 ? parts.join(' ') : '__typename';
}

/** What a query asks of a field. */
function selectionOf(field: Field, given = ''): string {
  const inner = bare(field);
  if (isLeafType(inner)) return field.name + given;
  if (isConnection(inner)) return `${field.name}(first: 3) { totalCount edges { node { id } } }`;
  if (!(isObjectType(inner) || isInterfaceType(inner))) return `${field.name}${given} { __typename }`;
  const leaves = 'id' in inner.getFields() ? 'id' : leavesOf(inner);
  return `${field.name}${given} { ${leaves} }`;
}

interface Place {
  type: Fields;
  /** the query around a selection of the type; the first list on the way has this length */
  query: (length: number, selection: string) => string;
  path: string;
}

/** The types that lists lead to, each at the shortest way from a realm. */
function placesOf(): Place[] {
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

const places = placesOf();
/** Whether a field is asked of an interface already. */
const isShared = (type: Fields, name: string) =>
  isObjectType(type) && type.getInterfaces().some((one) => one.name !== 'Node' && name in one.getFields());
const cases = places.flatMap((place) =>
  Object.values(place.type.getFields()).flatMap((field): [string, Place, string][] => {
    const name = `${place.type.name}.${field.name}`;
    const given = argumentsOf[name];
    if (isShared(place.type, field.name) || beyond.has(name) || (needsArguments(field) && given === undefined))
      return [];
    return [[name, place, selectionOf(field, given)]];
  }),
);

let admin: Caller;

beforeAll(async () => {
  const server = await startServer({}, slowClock);
  admin = await administrator(server);
  await createCrowd(server.url, admin);
});

/** Writes in both realms, so that nothing of them is in a cache. */
async function forget(): Promise<void> {
  for (const name of ['master', realm]) expect((await admin.send('PUT', `/${name}`, {})).status).toBe(204);
}

async function statements(query: string): Promise<number> {
  await forget();
  const { extensions, errors } = await admin.graphql(query);
  expect(errors, query).toBeUndefined();
  return extensions?.cost?.statements ?? 0;
}

describe('the statements of a field of each object of a list', () => {
  it('are asked of every type that a list leads to', () => {
    expect(places.length).toBeGreaterThan(30);
  });

  it.each(cases)('are bounded: %s', async (_name, { query }, selection) => {
    const [two, fifty] = [await statements(query(few, selection)), await statements(query(many, selection))];
    expect(fifty, query(many, selection)).toBe(two);
  });
});
