import { type GraphQLField, type GraphQLInputField, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';

/** How the name of a boolean begins: with a verb, so that it reads as a statement that is true or false. */
const statement = /^(is|has|can|viewerCan|include|[a-z]+s)[A-Z]/;

const isBoolean = ({ type }: Pick<GraphQLInputField, 'type'> | Pick<GraphQLField<unknown, unknown>, 'type'>) =>
  getNamedType(type).name === 'Boolean';

it('every boolean of the GraphQL schema is named by a statement', () => {
  const types = Object.values(graphqlSchema().getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const booleans = types.flatMap((type) => {
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(isBoolean);
      return fields.map(({ name }) => [type.name, name] as const);
    }
    if (!isObjectType(type)) return [];
    const fields = Object.values(type.getFields());
    return [
      ...fields.filter(isBoolean).map(({ name }) => [type.name, name] as const),
      ...fields.flatMap((field) =>
        field.args.filter(isBoolean).map(({ name }) => [`${type.name}.${field.name}`, name] as const),
      ),
    ];
  });
  expect(booleans.length).toBeGreaterThan(100);
  expect(booleans.filter(([, name]) => !statement.test(name)).map((path) => path.join('.'))).toEqual([]);
});
