import { readdirSync, readFileSync } from 'node:fs';
import { type GraphQLInputType, getNamedType, isListType, isNonNullType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { longestOf } from '../../src/graph/core/texts.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { routes } from '../../src/rest/routes.js';
import { operations } from '../../src/services/core/operation.js';
import { ignored } from '../../src/services/core/shape.js';
import { addressOf, type Parameters, parametersOf, realmWithEverything, titleOf } from '../matrix/addresses.js';
import { leastWith, placesIn } from '../matrix/inputs.js';
import { administrator, type Caller } from '../support/fixture.js';
import { longestHold } from '../support/hold.js';
import { sampled } from '../support/sample.js';
import { startServer } from '../support/server.js';
import { declared, fieldsOf } from './shape-fields.js';

// Every text that a caller can send has a limit: the default one, or one of its own. docs/limits.md has all limits.
const realm = 'texts';
const schema = graphqlSchema();
let admin: Caller;
let params: Parameters;

beforeAll(async () => {
  admin = await administrator(await startServer());
  expect((await admin.send('POST', '/', realmWithEverything(realm))).status).toBe(201);
  params = await parametersOf(admin, realm);
});

/** Fields that another shape decodes afterwards: a merge patch after it is merged, and the file of a plan by its parts. */
const decodedLater = /\.desired\{\}$|: custom$/;

/** The places of a shape with a text of any length, or a value of which nothing is known. */
function unlimited(shape: z.ZodType, path: string, seen = new Set<unknown>()): string[] {
  if (seen.has(shape) || shape === ignored) return [];
  seen.add(shape);
  const { def } = shape._zod as unknown as { def: Record<string, unknown> & { type: string } };
  const inner = (part: unknown, name = path) => unlimited(part as z.ZodType, name, seen);
  switch (def.type) {
    case 'pipe':
      return inner(def.out);
    case 'optional':
    case 'nullable':
    case 'default':
      return inner(def.innerType);
    case 'array':
      return inner(def.element, `${path}[]`);
    case 'record':
      return [...inner(def.keyType, `${path}(name)`), ...inner(def.valueType, `${path}{}`)];
    case 'union':
      return (def.options as unknown[]).flatMap((option) => inner(option));
    case 'lazy':
      return inner((def.getter as () => unknown)());
    case 'object':
      return Object.entries(def.shape as object).flatMap(([name, field]) => inner(field, `${path}.${name}`));
    case 'string':
      return shape.meta()?.maxLength === undefined ? [path] : [];
    case 'unknown':
    case 'any':
    case 'custom':
      return shape.meta()?.deprecated ? [] : [def.type === 'custom' ? `${path}: custom` : path];
    default:
      return [];
  }
}

describe('every text of a representation', () => {
  it('has a limit', () => {
    const inputs = [...operations().values()].flatMap(({ name, input }) => (input ? [[name, input] as const] : []));
    expect(inputs.length).toBeGreaterThan(150);
    const found = inputs.flatMap(([name, input]) => unlimited(input as z.ZodType, name));
    expect(found.filter((place) => !decodedLater.test(place))).toEqual([]);
  });

  const sendable = routes.filter(({ takes, path }) => takes === 'json' && path !== '');

  /** The first text field of a representation, with its limit. */
  const textOf = (shape: z.ZodType | undefined): [string, number][] =>
    Object.entries(fieldsOf(shape))
      .flatMap(([name, field]): [string, number][] => {
        const most = declared(declared(field).innerType).out?.meta()?.maxLength;
        return typeof most === 'number' ? [[name, most]] : [];
      })
      .slice(0, 1);

  const taken = sendable.flatMap((route) =>
    textOf(route.operation.input).map((text) => [titleOf(route), route, ...text] as const),
  );

  it.each(sampled(taken, 10))('is refused beyond it, and named: %s', async (_title, route, field, most) => {
    const fields = fieldsOf(route.operation.input);
    const needed = Object.entries({ name: 'other', identityProviderAlias: 'partner' }).filter(
      ([name]) => name in fields,
    );
    const sent = { ...Object.fromEntries(needed), [field]: 'x'.repeat(most + 1) };
    const { status, body } = await admin.send(route.method, addressOf(route, params), sent);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(`${field}: Must be at most ${most}`)]);
  });
});

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
const isText = (type: GraphQLInputType): boolean => ['String', 'ID'].includes(getNamedType(type).name);
const bare = (type: GraphQLInputType): GraphQLInputType => (isNonNullType(type) ? type.ofType : type);
const idOf = (type: string): string => Buffer.from(`${type}:00000000-0000-4000-8000-000000000000`).toString('base64');

describe('every text of a mutation', () => {
  it.each(sampled(mutations, 20).map((mutation) => [mutation.name, mutation] as const))(
    'is refused beyond its limit, and named: %s',
    async (name, { args: [argument] }) => {
      const type = argument?.type as GraphQLInputType;
      const places = placesIn(type).filter(({ field }) => isText(field.type) && longestOf(field) < 1_000_000);
      for (const { path, field } of places) {
        const text = 'x'.repeat(longestOf(field) + 1);
        const input = leastWith(type, path, isListType(bare(field.type)) ? [text] : text, idOf);
        const query = `mutation ($input: ${type}) @dryRun { ${name}(input: $input) { userErrors { code path message } } }`;
        const { data } = await admin.graphql<Record<string, { userErrors: { path: string[] | null }[] }>>(query, {
          input,
        });
        // what else is wrong with the example is told, too
        const ofText = data?.[name]?.userErrors.filter((error) => error.path?.join('.') === path.join('.'));
        const message = `${path.join('.')}: Must be at most ${longestOf(field)} characters`;
        expect(ofText).toEqual([{ code: 'INVALID', path, message }]);
      }
    },
  );
});

describe('a list of objects in a variable', () => {
  const query = 'mutation ($input: UsersCreateInput!) { usersCreate(input: $input) { userErrors { message } } }';
  const users = (count: number) => ({
    realm: idOf('Realm'),
    users: Array.from({ length: count }, () => ({ username: 'x' })),
  });

  it('is counted before its objects are looked at', async () => {
    const { errors } = await admin.graphql(query, {
      input: { ...users(1501), users: [...users(1500).users, 'wrong'] },
    });
    const message = '`input.users` must have at most 1500 entries, got 1501';
    expect(errors).toMatchObject([{ message, extensions: { code: 'INVALID', field: 'input.users' } }]);
  });

  it('within another one is counted, too', async () => {
    const attributes = Array.from({ length: 1501 }, (_, at) => ({ name: `a${at}`, values: [] }));
    const { errors } = await admin.graphql(query, { input: { ...users(0), users: [{ username: 'x', attributes }] } });
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID', field: 'input.users.0.attributes' } }]);
  });
});

describe('a text of a query', () => {
  it('is refused beyond its limit as the error of its field, and others are answered', async () => {
    const query = `query ($text: String!) { viewer { realm } realm(name: "${realm}") { client(clientId: $text) { id } } }`;
    const { data, errors } = await admin.graphql<{ viewer: object }>(query, { text: 'x'.repeat(20_000) });
    expect(data?.viewer).toEqual({ realm: 'master' });
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID', field: 'clientId' } }]);
  });
});

describe('docs/limits.md', () => {
  it('has every limit that is declared', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const table = readFileSync('docs/limits.md', 'utf8');
    const names = sources.flatMap((name) =>
      [...readFileSync(`src/${name}`, 'utf8').matchAll(/\blimit\(\s*(?:area|'[^']+'),\s*'([^']+)'/g)].map(
        ([, what]) => what,
      ),
    );
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((what) => !table.includes(`| ${what} |`))).toEqual([]);
  });
});

describe('a variable with very many unknown fields', () => {
  it('is refused by the first of them, before anything is written of the others', async () => {
    const many = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`k${at}`, 'v']));
    const query =
      'mutation ($input: RealmApplyInput!) @dryRun { realmApply(input: $input) { userErrors { message } } }';
    let answer: Awaited<ReturnType<typeof admin.graphql>> | undefined;
    const held = await longestHold(async () => {
      answer = await admin.graphql(query, { input: { id: idOf('Realm'), desired: many } });
    });
    expect(held).toBeLessThan(250);
    const message = '`input.desired` has a field that the type JsonFileInput does not define';
    expect(answer?.errors).toMatchObject([{ message, extensions: { code: 'INVALID', field: 'input.desired' } }]);
  });

  it('of wrong values is refused by one error', async () => {
    const query = 'mutation ($input: UsersAddRolesInput!) { usersAddRoles(input: $input) { userErrors { message } } }';
    const users = Array.from({ length: 9000 }, () => ({}));
    let answer: Awaited<ReturnType<typeof admin.graphql>> | undefined;
    const held = await longestHold(async () => {
      answer = await admin.graphql(query, { input: { users, roles: [] } });
    });
    expect(held).toBeLessThan(250);
    expect(answer?.errors).toHaveLength(1);
  });
});
