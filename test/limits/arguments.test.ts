import {
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { startServer } from '../support/server.js';
import { kindsOf, realm } from '../updates/kinds.js';
import { type Field, isConnection, needsArguments, type Place, placesBelow, queryAt } from './places.js';

// Every connection of the schema with a size and cursors that are out of range, and every argument that is an ID with a text that
// is none: the error is that of the field, and its siblings are answered.
const all = placesBelow(realm);
const connections = all.filter(({ field }) => isConnection(field) && field.args.some(({ name }) => name === 'first'));
const asked = sampled(connections, 24);

let admin: Caller;

beforeAll(async () => {
  admin = await administrator(await startServer());
  await kindsOf(admin);
});

const selectionOf = ({ type }: Field) => {
  const named = getNamedType(type);
  return isObjectType(named) || isInterfaceType(named) ? '{ __typename }' : '';
};

/** Whether something of the answer is an object of the type before the field. */
async function refusal({ before, field }: Place, args: string) {
  const { data, errors } = await admin.graphql<object>(queryAt(before, `${field.name}(${args}) ${selectionOf(field)}`));
  const [error] = errors ?? [];
  return { data: JSON.stringify(data), code: error?.extensions?.code, at: error?.path?.at(-1), error };
}

/** Types of which the realm of this test has no objects. */
const isEmpty = (data: string, { name }: Place) => !data.includes(`"__typename":"${name.split('.')[0]}"`);

/** Values that a cursor may have in the place of another one. */
const others = [
  ...['', 'text', 'NUL\0inside', '2026-13-01', null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e300],
  ...[[], {}, { n: '1' }, { n: '-9223372036854775809' }, { n: 'x' }, { n: null }],
];

describe('every connection', () => {
  const reached = new Set<string>();
  it.each(asked.map((place) => [place.name, place] as const))(
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

  it.each(
    sampled(
      connections.map((place) => [place.name, place] as const),
      12,
    ),
  )('%s takes or refuses cursors with other values in them', async (_name, place) => {
    const { before, field } = place;
    const { data: first } = await admin.graphql(queryAt(before, `${field.name}(first: 1) { edges { cursor } }`));
    const [, cursor] = /"cursor":"([^"]+)"/.exec(JSON.stringify(first)) ?? [];
    // an empty list has no cursor, and refuses others of no or one value
    const own: unknown[] = cursor === undefined ? [] : JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const changed = own.flatMap((_, at) => others.map((value) => own.with(at, value)));
    for (const values of [...changed, [], [...own, 1], own.slice(1)]) {
      const text = Buffer.from(JSON.stringify(values)).toString('base64url');
      for (const args of [`first: 2, after: "${text}"`, `last: 2, before: "${text}"`]) {
        const { error, code } = await refusal(place, args);
        expect([values, error && code]).toEqual([values, error && 'BAD_CURSOR']);
      }
    }
  });

  it('has been asked, nearly all of them with objects', () => {
    expect(connections.length).toBeGreaterThan(40);
    expect(reached.size).toBeGreaterThan(asked.length * 0.8);
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
    const others = field.args.filter((other) => isNonNullType(other.type) && other.name !== name);
    if (isId(type)) return [[name, ...others.map((other) => other.name)].map((one) => `${one}: "nonsense"`).join(', ')];
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

  it.each(sampled(given, 20))('%s is refused as the error of its field', async (_name, place, args) => {
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
