import { type GraphQLInputType, getNamedType, isInputObjectType, isNonNullType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { isConnection, placesBelow, queryAt } from '../limits/places.js';
import { least, leastWith, placesIn } from '../matrix/inputs.js';
import { makeMatrixRealm } from '../matrix/matrix-realm.js';
import type { Caller } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { inheritedName, notedReaders } from './readers.js';

// Every text of every mutation and of every field with arguments is the name of a member that all objects inherit.
/** How many mutations a request has. */
const together = 10;
const readers = notedReaders();
const mutations = Object.values(graphqlSchema().getMutationType()?.getFields() ?? {});

let admin: Caller;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  ({ admin, ids } = await makeMatrixRealm());
});

const idOf = (typename: string) => ids[typename] ?? '';
const isText = (type: GraphQLInputType) => getNamedType(type).name === 'String';

/** The paths of the texts in an argument of this type. */
const textsIn = (type: GraphQLInputType): readonly (readonly string[])[] =>
  isText(type)
    ? [[]]
    : placesIn(type)
        .filter(({ field }) => isText(field.type))
        .map(({ path }) => path);

const fields = placesBelow('matrix').filter(({ field }) => field.args.some(({ type }) => textsIn(type).length > 0));

/** A value of an argument with the name at a path. */
function withName(type: GraphQLInputType, path: readonly string[]): unknown {
  const wraps = /^\[/.test(String(type));
  const value = path.length === 0 ? inheritedName : leastWith(type, path, inheritedName, idOf);
  return wraps ? [value] : value;
}

describe('a text that is the name of an inherited member', () => {
  it.each(
    sampled(
      mutations.map((mutation) => [mutation.name, mutation] as const),
      25,
    ),
  )('is found nowhere in the mutation %s', async (name, mutation) => {
    const type = mutation.args[0]?.type as GraphQLInputType;
    const inputs = textsIn(type).map((path) => withName(type, path));
    for (let at = 0; at < inputs.length; at += together) {
      const sent = inputs.slice(at, at + together);
      const declared = sent.map((_, n) => `$i${n}: ${type}`).join(', ');
      const each = sent.map((_, n) => `m${n}: ${name}(input: $i${n}) { userErrors { message } }`).join(' ');
      const { errors } = await admin.graphql(
        `mutation (${declared}) @dryRun { ${each} }`,
        Object.fromEntries(sent.map((input, n) => [`i${n}`, input])),
      );
      expect(errors).toBeUndefined();
    }
    expect(readers()).toEqual([]);
  });

  it.each(
    sampled(
      fields.map((place) => [place.name, place] as const),
      15,
    ),
  )('is found nowhere in the field %s', async (name, { before, field }) => {
    const selection = isConnection(field) || !/^(String|Boolean|Int|ID|JSON)$/.test(getNamedType(field.type).name);
    for (const arg of field.args) {
      for (const path of textsIn(arg.type)) {
        const given = field.args.filter(
          (one) => one === arg || (isNonNullType(one.type) && one.defaultValue === undefined),
        );
        const values = given.map((one) => [
          one.name,
          one === arg ? withName(arg.type, path) : least(one.type, name, one.name, idOf),
        ]);
        const declared = given.map((one) => `$${one.name}: ${one.type}`).join(', ');
        const passed = given.map((one) => `${one.name}: $${one.name}`).join(', ');
        const query = `query (${declared}) ${queryAt(before, `${field.name}(${passed}) ${selection ? '{ __typename }' : ''}`)}`;
        await admin.graphql(query, Object.fromEntries(values));
      }
    }
    expect(readers()).toEqual([]);
  });

  it('is in the test with many texts', () => {
    expect(fields.length).toBeGreaterThan(20);
    expect(mutations.flatMap(({ args }) => args.flatMap(({ type }) => textsIn(type))).length).toBeGreaterThan(100);
    expect(mutations.every(({ args }) => args.every(({ type }) => isInputObjectType(getNamedType(type))))).toBe(true);
  });
});
