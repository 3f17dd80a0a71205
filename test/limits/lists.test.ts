// @both-databases
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { isThorough, sampled } from '../support/sample.js';
import { slowClock, startServer } from '../support/server.js';
import { createCrowd, realm } from './crowd.js';
import { isConnection, type Place, placesBelow, queryAt } from './places.js';

// Every connection of the schema in each of its orders: pages in both directions give the whole list, in that order. And every
// condition of its filter: what it matches and what it does not match are the whole list.
// changes are computed, not read: they have the order in which they are made, and a filter of their own
const computed = 'RealmPlan.changes';
const connections = placesBelow(realm).filter(({ field, name }) => isConnection(field) && name !== computed);

/** Connections that are asked outside a thorough run. */
const few = 20;

let admin: Caller;

beforeAll(async () => {
  const server = await startServer({}, slowClock);
  admin = await administrator(server);
  await createCrowd(server.url, admin);
});

interface Connection {
  edges: { cursor: string }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
  totalCount: number;
}

/** The values of a member of an answer, wherever it is. */
function members(value: unknown, name: string): Connection[] {
  if (Array.isArray(value)) return value.flatMap((one) => members(one, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (key !== name) return members(one, name);
    return one === null ? [] : [one as Connection];
  });
}

/** The lists of all objects of a place, for each of these arguments. */
async function lists({ field, before }: Place, ...args: string[]): Promise<Connection[][]> {
  const selection = '{ edges { cursor } pageInfo { hasNextPage hasPreviousPage } totalCount }';
  const aliased = args.map((one, at) => `it${at}: ${field.name}(${one}) ${selection}`);
  const { data, errors } = await admin.graphql(queryAt(before, aliased.join(' ')));
  expect(errors, args.join('; ')).toBeUndefined();
  return args.map((_, at) => members(data, `it${at}`));
}

const argumentOf = ({ field }: Place, name: string): GraphQLInputObjectType | undefined => {
  const argument = field.args.find((one) => one.name === name);
  const type = argument && getNamedType(argument.type);
  return isInputObjectType(type) ? type : undefined;
};

const valuesOf = (type: GraphQLInputType | undefined): string[] => {
  const named = type && getNamedType(type);
  return isEnumType(named) ? named.getValues().map(({ name }) => name) : [];
};

const placements = ['direction: ASC', 'direction: DESC'];
const placementsOfNulls = ['direction: ASC, nulls: FIRST', 'direction: DESC, nulls: LAST'];

/** The first column of the order, out of a cursor. */
const valueIn = (cursor: string): string | number | bigint | boolean | null => {
  const [first] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  return typeof first === 'object' && first !== null ? BigInt(first.n) : first;
};

function requireOrdered(cursors: readonly string[], placement: string): void {
  const values = cursors.map(valueIn);
  const present = values.filter((value) => value !== null);
  const nulls = values.filter((value) => value === null);
  const areFirst = placement.includes('FIRST') || placement === 'direction: DESC';
  expect(values).toEqual(areFirst ? [...nulls, ...present] : [...present, ...nulls]);
  const ascending = placement.includes('ASC') ? present : present.toReversed();
  expect(ascending.every((value, at) => at === 0 || (ascending[at - 1] as typeof value) <= value)).toBe(true);
}

const cursorsOf = ({ edges }: Connection): string[] => edges.map(({ cursor }) => cursor);

/** The items of the list of one object, in two pages, in both directions. */
async function paged(place: Place, at: number, cursors: readonly string[], orderBy: string): Promise<string[][]> {
  const size = Math.ceil(cursors.length / 2);
  const pages = await lists(
    place,
    `first: ${size}, orderBy: ${orderBy}`,
    `first: ${size}, after: "${cursors[size - 1]}", orderBy: ${orderBy}`,
    `last: ${size}, before: "${cursors[cursors.length - size]}", orderBy: ${orderBy}`,
    `last: ${size}, orderBy: ${orderBy}`,
  );
  const [first, second, before, last] = pages.map((found) => found[at] as Connection);
  expect([first, second].map((page) => page?.pageInfo.hasNextPage)).toEqual([true, false]);
  expect([before, last].map((page) => page?.pageInfo.hasPreviousPage)).toEqual([false, true]);
  return [
    [first, second],
    [before, last],
  ].map((both) => both.flatMap((page) => (page ? cursorsOf(page) : [])));
}

describe('every connection', () => {
  const long = new Set<string>();

  it.each(
    sampled(
      connections.map((place) => [place.name, place] as const),
      few,
    ),
  )('%s has orders that pages follow', async (name, place) => {
    const order = argumentOf(place, 'orderBy');
    expect(order).toBeDefined();
    const fields = valuesOf(order?.getFields().field?.type);
    expect(fields.length).toBeGreaterThan(0);
    for (const field of fields) {
      for (const placement of [...placements, ...(order?.getFields().nulls ? placementsOfNulls : [])]) {
        const orderBy = `{ field: ${field}, ${placement} }`;
        const [all = []] = await lists(place, `first: 60, orderBy: ${orderBy}`);
        const at = all.reduce(
          (best, one, index) => (one.edges.length > (all[best]?.edges.length ?? 0) ? index : best),
          0,
        );
        const whole = all[at];
        if (!whole || whole.edges.length < 2 || whole.totalCount > 60) continue;
        long.add(name);
        const cursors = cursorsOf(whole);
        requireOrdered(cursors, placement);
        expect(await paged(place, at, cursors, orderBy)).toEqual([cursors, cursors]);
      }
    }
  });

  it.each(
    sampled(
      connections.map((place) => [place.name, place] as const),
      few,
    ),
  )('%s has a filter', async (_name, place) => {
    const filter = argumentOf(place, 'filter');
    expect(filter).toBeDefined();
    const total = async (one: string) =>
      ((await lists(place, `first: 0, filter: ${one}`))[0] ?? []).map((list) => list.totalCount);
    const all = await total('{}');
    for (const { name, type } of Object.values(filter?.getFields() ?? {})) {
      const tests = testsOf(type, name);
      if (!tests) continue;
      const [matching, others] = [await total(tests[0]), await total(tests[1])];
      expect(matching.map((count, at) => count + (others[at] ?? 0))).toEqual(all);
    }
    expect(await total('{ or: [] }')).toEqual(all.map(() => 0));
    expect(await total('{ not: { or: [] } }')).toEqual(all);
  });

  it('has been asked, many of them with several items', () => {
    expect(connections.length).toBeGreaterThan(50);
    expect(long.size).toBeGreaterThan((isThorough ? connections.length : few) * 0.4);
  });
});

/** Two filters by a condition that together match every row; undefined where the condition has no such two. */
function testsOf(type: GraphQLInputType, name: string): [string, string] | undefined {
  if (isListType(isNonNullType(type) ? type.ofType : type)) return undefined;
  const named = getNamedType(type);
  const both = (one: string, other: string): [string, string] => [`{ ${name}: ${one} }`, `{ ${name}: ${other} }`];
  if (named.name === 'Boolean') return both('true', 'false');
  if (named.name === 'NullableStringFilter') return both('{ isNull: true }', '{ isNull: false }');
  if (named.name === 'StringFilter')
    return [`{ ${name}: { contains: "a" } }`, `{ not: { ${name}: { contains: "a" } } }`];
  return undefined;
}
