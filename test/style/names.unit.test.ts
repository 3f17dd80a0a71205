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

/** Every use of JSON, with the reason why no type describes what it holds. */
const free: Readonly<Record<string, string>> = {
  'ClientScopeEvaluation.accessToken': 'protocol mappers name the claims',
  'ClientScopeEvaluation.idToken': 'protocol mappers name the claims',
  'ClientScopeEvaluation.userInfo': 'protocol mappers name the claims',
  'JsonFileInput.json': 'a file of the REST API, as other tools write it',
  'Realm.clientDescriptionConvert': 'a representation of the REST API, for `JsonFileInput.json` and other tools',
  'Realm.export': 'a file of the REST API, for `JsonFileInput.json` and other tools',
};

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
  expect(placesOf('JSON').sort()).toEqual(Object.keys(free));
});

it('the GraphQL schema names no classes and no version of others', () => {
  expect(printSchema(graphqlSchema()).match(/.*(org\.keycloak|\b15\.0\.2\b).*/g)).toBeNull();
});

/** Texts that are named after a type although they hold another key than its ID, with the reason. */
const byOtherKeys: Readonly<Record<string, string>> = {
  'Client.evaluateScopes.scope': 'the `scope` parameter of a login request, by its name there',
  'RealmSmtp.user': 'a user of the mail server',
  'RealmSmtpInput.user': 'a user of the mail server',
  'UserCreateInput.requiredActions': 'a user keeps the alias of a required action that is deleted',
  'UserCreateItem.requiredActions': 'a user keeps the alias of a required action that is deleted',
  'UserFilter.requiredAction': 'a user keeps the alias of a required action that is deleted',
  'UserUpdateInput.requiredActions': 'a user keeps the alias of a required action that is deleted',
  'UserUpdateItem.requiredActions': 'a user keeps the alias of a required action that is deleted',
  'Viewer.permissions.realm': 'a name, as in `Query.realm`: the caller need not be able to view the realm',
  'Viewer.realm': 'a name, as in tokens: the caller need not be able to view the realm',
};

it('texts that name an object say by which key: roleNames, identityProviderAlias', () => {
  const nodes = Object.values(graphqlSchema().getTypeMap()).filter(
    (type) => isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'),
  );
  const ofTypes = nodes.map(({ name }) => name.charAt(0).toLowerCase() + name.slice(1));
  const names = new Set(
    [...ofTypes, 'scope', 'resource', 'policy', 'owner', 'parent'].flatMap((name) => [name, `${name}s`]),
  );
  const texts = placesOf('String').filter((place) => names.has(place.split('.').at(-1) ?? ''));
  expect(texts.sort()).toEqual(Object.keys(byOtherKeys).sort());
});
