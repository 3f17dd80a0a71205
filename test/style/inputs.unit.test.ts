import {
  buildSchema,
  type ConstDirectiveNode,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
  print,
} from 'graphql';
import { expect, it } from 'vitest';
import { schemaText } from '../../src/graph/core/directive.js';
import { idPlaces, typesOfId } from '../../src/graph/core/id-types.js';
import { graphqlSchema } from '../../src/graph/server.js';

const inputs = Object.values(graphqlSchema().getTypeMap()).filter(isInputObjectType);
const fieldsOf = (type: GraphQLInputObjectType) => Object.values(type.getFields());
const alternatives = inputs.filter(({ isOneOf }) => isOneOf);

it('inputs of which exactly one field is given are @oneOf, and say so', () => {
  expect(alternatives.length).toBeGreaterThan(4);
  for (const { name, description } of alternatives)
    expect([name, description]).toEqual([name, expect.stringMatching(/Exactly one field is given\./)]);
  const others = inputs.filter(({ isOneOf }) => !isOneOf).flatMap((type) => [type, ...fieldsOf(type)]);
  const saying = others.filter(({ description }) =>
    /\bexactly one\b|\bgive (either|one)\b|\bnot both\b/i.test(description ?? ''),
  );
  expect(saying.map(({ name, description }) => `${name}: ${description}`)).toEqual([]);
});

it('alternatives differ in kind: IDs of several types are one field', () => {
  for (const type of alternatives) {
    const ids = fieldsOf(type).filter((field) => getNamedType(field.type).name === 'ID');
    expect([type.name, ids.map(({ name }) => name)]).toEqual([type.name, []]);
  }
});

it('every ID is named after its type or its role, which the printed schema states', () => {
  const schema = graphqlSchema();
  const places = idPlaces(schema);
  expect(places.length).toBeGreaterThan(150);
  const printed = buildSchema(schemaText(schema));
  const stated = (node: readonly ConstDirectiveNode[] | undefined) =>
    node
      ?.filter(({ name }) => name.value === 'idOf')
      .flatMap(({ arguments: given = [] }) => given.map(({ value }) => print(value)));
  for (const { of, name } of places) {
    const types = typesOfId(schema, { of, name });
    for (const type of types) expect([`${of}.${name}`, schema.getType(type)?.name]).toEqual([`${of}.${name}`, type]);
    const [owner = '', field] = of.split('.');
    const type = printed.getType(owner) as GraphQLInputObjectType | GraphQLObjectType;
    const place = field
      ? (type as GraphQLObjectType).getFields()[field]?.args.find((one) => one.name === name)
      : type.getFields()[name];
    expect([`${of}.${name}`, stated(place?.astNode?.directives)]).toEqual([
      `${of}.${name}`,
      [`[${types.map((one) => JSON.stringify(one)).join(', ')}]`],
    ]);
  }
});
