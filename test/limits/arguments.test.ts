import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { kindsOf, realm } from '../updates/kinds.js';

// Every connection of the schema with a size and cursors that are out of range, and every argument that is an ID with a text that
// is none: the error is that of the field, and its siblings are answered.
const schema = graphqlSchema();

type Field = GraphQLField<unknown, unknown>;

/** A field of an object, and the fields that lead from the query to that object. */
interface Place {
  name: string;
  field: Field;
  before: readonly string[];
}

const isConnection = ({ type }: Field) => getNamedType(type).name.endsWith('Connection');
const needsArguments = ({ args }: Field) =>
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

/** Every field with arguments below the realm, once for each type. */
function places(): Place[] {
  const start = schema.getType('Realm') as GraphQLObjectType;
  const known = new Map<string, readonly string[]>([['Realm', [`realm(name: "${realm}")`]]]);
  const open: GraphQLObjectType[] = [start];
  const found: Place[] = [];
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

const all = places();
const connections = all.filter(({ field }) => isConnection(field) && field.args.some(({ name }) => name === 'first'));

let admin: Caller;

beforeAll(async () => {
  admin = await administrator(await startServer());
  await kindsOf(admin);
});

const text = (before: readonly string[], inner: string) =>
  `{ ${before.map((name) => `${name} { `).join('')}__typename ${inner} ${'}'.repeat(before.length)} }`;

const selectionOf = ({ type }: Field) => {
  const named = getNamedType(type);
  return isObjectType(named) || isInterfaceType(named) ? '{ __typename }' : '';
};

/** Whether something of the answer is an object of the type before the field. */
async function refusal({ before, field }: Place, args: string) {
  const { data, errors } = await admin.graphql<object>(text(before, `${field.name}(${args}) ${selectionOf(field)}`));
  const [error] = errors ?? [];
  return { data: JSON.stringify(data), code: error?.extensions?.code, at: error?.path?.at(-1), error };
}

/** Types of which the realm of this test has no objects. */
const isEmpty = (data: string, { name }: Place) => !data.includes(`"__typename":"${name.split('.')[0]}"`);

describe('every connection', () => {
  const reached = new Set<string>();
  it.each(connections.map((place) => [place.name, place] as const))(
    '%s refuses arguments as its own error',
    async (name, place) => {
      for (const [args, code] of [
        ['first: 501', 'LIMIT'],
        ['last: -1', 'LIMIT'],
        ['first: 2, after: "nonsense"', 'BAD_CURSOR'],
        ['last: 2, before: "bnVsbA"', 'BAD_CURSOR'],
      ]) {
        const answer = await refusal(place, args as string);
        expect(answer.data, args).not.toBe('null');
        if (isEmpty(answer.data, place)) continue;
        reached.add(name);
        expect(answer, args).toMatchObject({ code, at: place.field.name });
      }
    },
  );

  it('has been asked, nearly all of them with objects', () => {
    expect(connections.length).toBeGreaterThan(40);
    expect(reached.size).toBeGreaterThan(connections.length * 0.8);
  });

  it('of realms answers the other fields of a query', async () => {
    const { data, errors } = await admin.graphql('{ viewer { realm } realms(first: 501) { totalCount } }');
    expect(data).toEqual({ viewer: { realm: 'master' }, realms: null });
    expect(errors).toMatchObject([{ path: ['realms'], extensions: { code: 'LIMIT', field: 'first' } }]);
  });
});

/** The arguments that are a single ID, and the fields of filters that are one. */
function idArguments({ field }: Place): string[] {
  if (needsArguments(field) && !field.args.every(({ type }) => isId(type) || !isNonNullType(type))) return [];
  return field.args.flatMap(({ name, type }) => {
    if (isId(type)) return [`${name}: "nonsense"`];
    const filter = getNamedType(type);
    if (!isInputObjectType(filter)) return [];
    const fields = Object.values(filter.getFields());
    if (fields.some((one) => isNonNullType(one.type) && !isId(one.type))) return [];
    return fields.flatMap((one) => (isId(one.type) ? [`${name}: { ${one.name}: "nonsense" }`] : []));
  });
}

function isId(type: GraphQLInputType): boolean {
  const bare = isNonNullType(type) ? type.ofType : type;
  return !isListType(bare) && getNamedType(type).name === 'ID';
}

describe('every argument that is an ID', () => {
  const given = all.flatMap((place) =>
    idArguments(place).map((args) => [`${place.name}(${args})`, place, args] as const),
  );

  it.each(given)('%s is refused as the error of its field', async (_name, place, args) => {
    const answer = await refusal(place, args);
    expect(answer.data).not.toBe('null');
    if (!isEmpty(answer.data, place)) expect(answer).toMatchObject({ code: 'BAD_ID', at: place.field.name });
  });

  it('is among those of the test, and so is that of node', async () => {
    expect(given.length).toBeGreaterThan(5);
    const { data, errors } = await admin.graphql('{ viewer { realm } node(id: "nonsense") { id } }');
    expect(data).toEqual({ viewer: { realm: 'master' }, node: null });
    expect(errors).toMatchObject([{ path: ['node'], extensions: { code: 'BAD_ID', field: 'id' } }]);
  });
});
