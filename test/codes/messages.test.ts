import { type GraphQLInputType, isNonNullType } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { leastWith, placesIn } from '../matrix/inputs.js';
import { type MatrixRealm, makeMatrixRealm } from '../matrix/matrix-realm.js';
import { sampled } from '../support/sample.js';

// The messages of refusals name fields as the input does, not as the contract.
let world: MatrixRealm;

beforeAll(async () => {
  world = await makeMatrixRealm();
});

const mutations = Object.values(graphqlSchema().getMutationType()?.getFields() ?? {}).filter(({ name }) =>
  /(Update|Create)$/.test(name),
);

it.each(sampled(mutations, 15).map(({ name, args }) => [name, args[0]?.type as GraphQLInputType] as const))(
  '%s names the fields of its input',
  async (name, type) => {
    const places = placesIn(type).filter(({ path, field }) => path.at(-1) !== '0' && !isNonNullType(field.type));
    const names = new Set(placesIn(type).flatMap(({ path }) => path));
    const known = (typename: string) => world.ids[typename] ?? '';
    const query = `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) @dryRun {
      ${name}(input: $input) { userErrors { path message } } }`;
    expect(places.length).toBeGreaterThan(0);
    for (const { path } of places) {
      const { data, errors } = await world.admin.graphql<
        Record<string, { userErrors: { path: string[] | null; message: string }[] }>
      >(query, { input: leastWith(type, path, null, known) });
      // a field of a `@oneOf` input cannot be null
      if (errors) {
        expect(errors[0]?.extensions?.code).toBe('INVALID');
        continue;
      }
      for (const { message, path: at } of data[name]?.userErrors ?? []) {
        const named = [...message.matchAll(/`([^`]+)`/g)].flatMap(([, field = '']) => field.split('.'));
        expect([message, named.filter((part) => !/^\d+$/.test(part) && !names.has(part))]).toEqual([message, []]);
        expect([message, at?.filter((part) => !/^\d+$/.test(part) && !names.has(part)) ?? []]).toEqual([message, []]);
      }
    }
  },
);
