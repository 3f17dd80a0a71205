import { buildSchema, type GraphQLSchema, isEnumType, isSpecifiedDirective, isSpecifiedScalarType } from 'graphql';
import { expect, it } from 'vitest';
import { schemaText } from '../../src/graph/core/directive.js';
import { graphqlSchema } from '../../src/graph/server.js';

interface Described {
  at: string;
  description: string | null | undefined;
}

/** Everything of a schema that tools show with a description. */
function described(schema: GraphQLSchema): Described[] {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  );
  const argumentsOf = (at: string, args: readonly { name: string; description?: string | null | undefined }[]) =>
    args.map(({ name, description }) => ({ at: `${at}.${name}`, description }));
  const inTypes = types.flatMap((type) => {
    const values = isEnumType(type) ? argumentsOf(type.name, type.getValues()) : [];
    const fields = 'getFields' in type ? Object.values(type.getFields()) : [];
    return [
      { at: type.name, description: type.description },
      ...values,
      ...argumentsOf(type.name, fields),
      ...fields.flatMap((field) => ('args' in field ? argumentsOf(`${type.name}.${field.name}`, field.args) : [])),
    ];
  });
  const directives = schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive));
  return [
    ...inTypes,
    ...directives.flatMap(({ name, description, args }) => [
      { at: `@${name}`, description },
      ...argumentsOf(`@${name}`, args),
    ]),
  ];
}

it('everything in the GraphQL schema has a description', () => {
  const all = described(buildSchema(schemaText(graphqlSchema())));
  expect(all.length).toBeGreaterThan(4000);
  expect(all.filter(({ description }) => !description?.trim()).map(({ at }) => at)).toEqual([]);
});

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];
const fillers = new Set(['the', 'a', 'an', 'of', 'this', 'its', 'in', 'for']);

it('a description says more than the words of the name', () => {
  const all = described(graphqlSchema()).filter(({ at }) => at.includes('.'));
  const repeating = all.filter(({ at, description }) => {
    const name = wordsIn((at.split('.').at(-1) ?? '').replace(/([A-Z])/g, ' $1'));
    const added = wordsIn(description ?? '').filter((word) => !fillers.has(word) && !name.includes(word));
    return added.length === 0;
  });
  expect(repeating.map(({ at, description }) => `${at}: ${description}`)).toEqual([]);
});
