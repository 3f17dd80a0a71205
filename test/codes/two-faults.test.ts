import { type GraphQLInputObjectType, getNamedType, isNonNullType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { longestOf } from '../../src/graph/core/texts.js';
import { graphqlSchema } from '../../src/graph/server.js';
import type { RefusalCode } from '../../src/services/core/refusal-codes.js';
import { sampled } from '../support/sample.js';
import { recipes } from './recipes.js';
import { makeWorld, type World } from './world.js';

// Every code that has a recipe, beside a text that is too long: texts are checked first, and hide nothing. A dry run reports the same
// as the mutation itself.
const schema = graphqlSchema();
let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

interface UserError {
  code: string;
  path: string[] | null;
}

const inputTypeOf = (mutation: string) =>
  schema.getType(`${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`) as GraphQLInputObjectType;

async function errorsOf(mutation: string, input: object, directive = ''): Promise<UserError[]> {
  const query = `mutation ($input: ${inputTypeOf(mutation).name}!) ${directive} { ${mutation}(input: $input) { userErrors { code path message } } }`;
  const { data, errors } = await world.admin.graphql<Record<string, { userErrors: UserError[] }>>(query, { input });
  expect(errors).toBeUndefined();
  return data[mutation]?.userErrors ?? [];
}

/** A text field that an input does not have, preferably one of the mutation's own. */
function freeText(mutation: string, input: object): { name: string; longest: number } {
  const texts = Object.values(inputTypeOf(mutation).getFields()).filter(
    ({ name, type }) => !(name in input) && !isNonNullType(type) && getNamedType(type).name === 'String',
  );
  const fields = texts.filter((field) => !String(field.type).startsWith('['));
  const field = fields.find(({ name }) => name !== 'idempotencyKey') ?? fields[0];
  if (!field) throw new Error(`${mutation} has no text that the input can have besides`);
  return { name: field.name, longest: longestOf(field) };
}

/** Files tell all that is wrong with them, and are not read again. */
const ofFiles = new Set([
  'realmImport',
  'realmPartialImport',
  'realmApply',
  'realmRevertApply',
  'resourceServerImport',
]);

const pairs = Object.entries(recipes).flatMap(([name, codes]) =>
  Object.keys(codes).map((code) => [name, code as RefusalCode] as const),
);

describe('a mutation with two faults', () => {
  it.each(sampled(pairs, 60))('%s reports %s, and the other one', async (name, code) => {
    const input = recipes[name]?.[code]?.(world.id) ?? {};
    const alone = await errorsOf(name, input);
    expect(alone.map((error) => error.code)).toContain(code);
    expect(await errorsOf(name, input, '@dryRun')).toEqual(alone);
    const { name: field, longest } = freeText(name, input);
    if (ofFiles.has(name) || longest === Number.POSITIVE_INFINITY) return;
    const both = await errorsOf(name, { ...input, [field]: 'x'.repeat(longest + 1) });
    expect(both[0]).toMatchObject({ code: 'INVALID', path: [field] });
    expect(both).toEqual(expect.arrayContaining(alone));
  });
});
