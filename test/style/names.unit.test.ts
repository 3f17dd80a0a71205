import {
  type GraphQLField,
  type GraphQLInputField,
  getNamedType,
  isInputObjectType,
  isObjectType,
  printSchema,
} from 'graphql';
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

/** Fields, arguments and inputs whose content has no form of its own: files of realms, what the REST API takes or tokens hold. */
const free = [
  'ClientPolicyCondition.configuration',
  'ClientPolicyConditionInput.configuration',
  'ClientPolicyExecutor.configuration',
  'ClientPolicyExecutorInput.configuration',
  'ClientScopeEvaluation.accessToken',
  'ClientScopeEvaluation.idToken',
  'ClientScopeEvaluation.userInfo',
  'Realm.clientDescriptionConvert',
  'Realm.export',
  'RealmImportInput.representation',
  'RealmPartialImportInput.clients',
  'RealmPartialImportInput.groups',
  'RealmPartialImportInput.identityProviders',
  'RealmPartialImportInput.roles',
  'RealmPartialImportInput.users',
  'ResourceServerImportInput.settings',
];

/** The places in the schema that have a type: fields, inputs and arguments. */
function placesOf(typename: string): string[] {
  return Object.values(graphqlSchema().getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__') || !(isInputObjectType(type) || isObjectType(type))) return [];
    return Object.values(type.getFields()).flatMap((field: GraphQLField<unknown, unknown> | GraphQLInputField) => {
      const path = `${type.name}.${field.name}`;
      const args = 'args' in field ? field.args.map((arg) => [`${path}.${arg.name}`, arg.type] as const) : [];
      return [[path, field.type] as const, ...args].flatMap(([place, placed]) =>
        getNamedType(placed).name === typename ? [place] : [],
      );
    });
  });
}

it('only content without a form of its own is JSON in the GraphQL schema', () => {
  expect(placesOf('JSON').sort()).toEqual(free);
});

it('the GraphQL schema names no classes and no version of others', () => {
  expect(printSchema(graphqlSchema()).match(/.*(org\.keycloak|\b15\.0\.2\b).*/g)).toBeNull();
});
