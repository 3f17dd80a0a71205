import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { idPlaces, typesOfId } from '../../src/graph/core/id-types.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { type Caller, callerWith, userOf } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { least } from './inputs.js';
import { makeMatrixRealm } from './matrix-realm.js';

// Every mutation of the schema with the least input that it takes: as nobody, as a user without any role, and with
// ids of things that are not there.
const schema = graphqlSchema();
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
const unknownId = '00000000-0000-4000-8000-000000000000';

let server: TestServer;
let admin: Caller;
let nobody: Caller;
let plain: Caller;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  ({ server, admin, ids } = await makeMatrixRealm());
  nobody = callerWith(server, undefined);
  plain = await userOf(server, 'matrix', 'plain', 'secret-1');
});

const request = (name: string) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${name}(input: $input) { userErrors { code path message } adminEvents { id } } }`;
};
type Answer = Record<string, { userErrors: { code: string; path: string[] | null }[]; adminEvents: object[] }>;

const table = mutations.map((mutation) => [mutation.name, mutation] as const);
const inputOf = (mutation: (typeof mutations)[number], idOf: (typename: string) => string) => ({
  input: least(mutation.args[0]?.type as GraphQLInputType, mutation.name, 'input', idOf),
});
const known = (typename: string) => ids[typename] ?? '';
const unknown = (typename: string) => Buffer.from(`${typename}:${unknownId}`).toString('base64');

describe('every mutation', () => {
  it.each(table)('%s is refused without a token', async (name, mutation) => {
    const { status, errors } = await nobody.graphql(request(name), inputOf(mutation, known));
    expect(status).toBe(401);
    expect(errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
  });

  it.each(table)('%s is refused to a user without roles, and writes nothing', async (name, mutation) => {
    const before = await server.database.read.adminEvent.count();
    const { data, errors } = await plain.graphql<Answer>(request(name), inputOf(mutation, known));
    expect(errors).toBeUndefined();
    expect(['FORBIDDEN', 'NOT_FOUND']).toContain(data[name]?.userErrors[0]?.code);
    expect(data[name]?.adminEvents).toEqual([]);
    expect(await server.database.read.adminEvent.count()).toBe(before);
  });

  const naming = table.filter(([, { args }]) => JSON.stringify(inputFields(args[0]?.type)).includes('"ID!"'));
  it.each(naming)('%s names the field when a thing is not there', async (name, mutation) => {
    const { data, errors } = await admin.graphql<Answer>(request(name), inputOf(mutation, unknown));
    expect(errors).toBeUndefined();
    expect(data[name]?.userErrors[0]?.code).toMatch(/NOT_FOUND|INVALID/);
    expect(data[name]?.adminEvents).toEqual([]);
  });
});

const places = idPlaces(schema).flatMap(({ of, name }) => {
  const mutation = mutations.find(({ args }) => getNamedType(args[0]?.type as GraphQLInputType).name === of);
  return mutation ? [[`${mutation.name}.${name}`, mutation, name] as const] : [];
});

describe('every ID of an input', () => {
  const isOf = (typename: string, types: readonly string[]) =>
    types.some(
      (type) => type === typename || (type === 'AuthorizationPolicy' && typename === 'RoleAuthorizationPolicy'),
    );

  it.each(places)('%s is of the types that the schema states', async (_path, mutation, name) => {
    const { input } = inputOf(mutation, known) as { input: object };
    const { type } = (getNamedType(mutation.args[0]?.type as GraphQLInputType) as GraphQLInputObjectType).getFields()[
      name
    ] as GraphQLInputField;
    const isMany = isListType(isNonNullType(type) ? type.ofType : type);
    const types = typesOfId(schema, { of: getNamedType(mutation.args[0]?.type as GraphQLInputType).name, name });
    for (const typename of ['Realm', 'User', 'Role', 'Webhook', 'Component', ...types.filter((one) => ids[one])]) {
      const query = request(mutation.name).replace('{', '@dryRun {');
      const { data, errors } = await admin.graphql<Answer>(query, {
        input: { ...input, [name]: isMany ? [known(typename)] : known(typename) },
      });
      expect(errors).toBeUndefined();
      const refused = data[mutation.name]?.userErrors.filter(
        ({ code, path }) => code === 'BAD_ID' && path?.[0] === name,
      );
      expect([typename, refused?.length]).toEqual([typename, isOf(typename, types) ? 0 : 1]);
    }
  });
});

function inputFields(type: GraphQLInputType | undefined): string[] {
  const named = type && getNamedType(type);
  return named && isInputObjectType(named) ? Object.values(named.getFields()).map((field) => String(field.type)) : [];
}

describe('the schema', () => {
  it('describes every type, field, argument and enum value', () => {
    const missing: string[] = [];
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      if (!type.description) missing.push(type.name);
      if ('getFields' in type) {
        for (const field of Object.values(type.getFields())) {
          if (!field.description) missing.push(`${type.name}.${field.name}`);
          if ('args' in field)
            for (const arg of field.args) if (!arg.description) missing.push(`${type.name}.${field.name}(${arg.name})`);
        }
      }
      if (isEnumType(type))
        for (const value of type.getValues()) if (!value.description) missing.push(`${type.name}.${value.name}`);
    }
    expect(missing).toEqual([]);
  });
});
