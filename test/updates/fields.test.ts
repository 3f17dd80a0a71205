import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { mutationsOf } from '../../src/graph/core/mutation.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { routes } from '../../src/rest/routes.js';
import { operations } from '../../src/services/core/operation.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { type Kind, kindsOf, type Representation } from './kinds.js';

// Every mutation that changes single fields of something, as the schema has it: each of its fields alone, and each as null.
const schema = graphqlSchema();
const patches = [...operations().values()].flatMap((one) => (one.kind === 'write' && one.patches ? [one] : []));
const mutations = patches.flatMap(({ name }) => mutationsOf(name)).sort();

/** Updates that have nothing to leave out, or that change many things at a time. */
const others = new Set([
  // replaces the profile of the caller
  'accountUpdate',
  'flowExecutionUpdate',
  'managementPermissionUpdate',
  'clientsUpdate',
  'groupsUpdate',
  'rolesUpdate',
  'usersUpdate',
]);

let admin: Caller;
let kinds: Record<string, Kind>;

beforeAll(async () => {
  admin = await administrator(await startServer());
  kinds = await kindsOf(admin);
});

it('every mutation called Update is one, and its object is in this test', () => {
  const named = Object.keys(schema.getMutationType()?.getFields() ?? {}).filter((name) => name.endsWith('Update'));
  expect(named.filter((name) => !others.has(name)).sort()).toEqual(mutations);
  expect(Object.keys(kinds).sort()).toEqual(mutations);
});

it('every resource that can be replaced can be patched', () => {
  // these addresses hold no resource that could be read as a whole: they do something
  const doing =
    /executions$|reset-password|disable-credential-types|email$|\/groups\/\{groupId\}|default-|\/profile$|userLabel/;
  const patched = new Set(routes.filter(({ takes }) => takes === 'merge patch').map(({ path }) => path));
  const replaced = routes.filter(
    ({ method, takes, path }) => method === 'PUT' && takes === 'json' && !doing.test(path),
  );
  expect(replaced.map(({ path }) => path).filter((path) => !patched.has(path))).toEqual([]);
  expect(patched.size).toBeGreaterThan(20);
});

const inputOf = (mutation: string) =>
  getNamedType(schema.getMutationType()?.getFields()[mutation]?.args[0]?.type) as GraphQLInputObjectType;

/** The fields that can be changed, by their paths; groups of fields are gone into. */
function pathsOf(type: GraphQLInputObjectType, named: readonly string[], prefix = ''): [string, GraphQLInputType][] {
  return Object.values(type.getFields()).flatMap((field): [string, GraphQLInputType][] => {
    const path = prefix + field.name;
    if (named.includes(path) || path === 'expectedVersion' || path === 'idempotencyKey') return [];
    const inner = getNullableType(field.type);
    return isInputObjectType(inner) && !inner.isOneOf ? pathsOf(inner, named, `${path}.`) : [[path, field.type]];
  });
}

/** Two values of a type. */
function valuesOf(type: GraphQLInputType): readonly [unknown, unknown] {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const [one, two] = valuesOf(bare.ofType);
    return [[one], [two]];
  }
  if (isEnumType(bare)) {
    const names = bare.getValues().map(({ name }) => name);
    return [names[0], names.at(-1)];
  }
  if (isInputObjectType(bare)) {
    const fields = Object.values(bare.getFields()).map(({ name, type: inner }) => [name, valuesOf(inner)] as const);
    return [0, 1].map((at) => Object.fromEntries(fields.map(([name, values]) => [name, values[at]]))) as never;
  }
  const byName: Record<string, readonly [unknown, unknown]> = { Boolean: [true, false], Int: [7, 8] };
  return byName[getNamedType(bare).name] ?? ['one', 'two'];
}

const nested = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

/** The input that sets one field of an object, with what has to come with it. */
function inputFor(mutation: string, path: string, value: unknown): object {
  const { named = {}, besides = {} } = kinds[mutation] ?? {};
  const sent: Record<string, unknown> = { ...named, ...nested(path, value) };
  const [group = ''] = path.split('.');
  const siblings = besides[path];
  return siblings ? { ...sent, [group]: Object.assign({}, sent[group], siblings) } : sent;
}

interface UserError {
  code: string;
  path: string[] | null;
  message: string;
}

async function update(mutation: string, input: object): Promise<UserError[]> {
  const query = `mutation ($input: ${inputOf(mutation).name}!) { ${mutation}(input: $input) { userErrors { code path message } } }`;
  const { data, errors } = await admin.graphql<Record<string, { userErrors: UserError[] }>>(query, { input });
  expect(errors, JSON.stringify(input)).toBeUndefined();
  return data[mutation]?.userErrors ?? [];
}

type Leaves = Map<string, string>;

/** The values of a representation by their paths; a list is one. */
function leavesOf(value: Representation, path = ''): Leaves {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [...leavesOf(inner, path ? `${path}/${name}` : name)]),
  );
}

/** Values of a field that is cleared, and fields that have a default then. */
const empty = new Set<string | undefined>([undefined, '""', '[]', '{}', '0', 'null']);
const defaults = new Set(['firstBrokerLoginFlowAlias', 'nodeReRegistrationTimeout']);

/** What follows from other fields. */
const derived = /^(otpSupportedApplications|path|access\/.*|version)$/;

const changedPaths = (before: Leaves, after: Leaves): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path) && !derived.test(path),
  );

describe.each(mutations)('%s', (mutation) => {
  const owners = new Map<string, string>();
  const leaves = async () => leavesOf(await kinds[mutation]?.read());

  it('changes the field that is sent and no other', async () => {
    const { named, values = {}, silent = [], skipped = [] } = kinds[mutation] as Kind;
    for (const [path, type] of pathsOf(inputOf(mutation), Object.keys(named))) {
      if (skipped.some((one) => path === one || path.startsWith(`${one}.`))) continue;
      const touched = new Set<string>();
      for (const value of values[path] ?? valuesOf(type)) {
        const before = await leaves();
        expect(await update(mutation, inputFor(mutation, path, value)), path).toEqual([]);
        for (const changed of changedPaths(before, await leaves())) touched.add(changed);
      }
      if (!silent.includes(path)) expect(touched.size, `${path} changes nothing`).toBeGreaterThan(0);
      for (const changed of touched) {
        expect(owners.get(changed), `${path} changes ${changed} too`).toBeUndefined();
        owners.set(changed, path);
      }
    }
  });

  it('clears a field by null, or refuses that by its name', async () => {
    const { named, silent = [], skipped = [] } = kinds[mutation] as Kind;
    const fields = Object.values(inputOf(mutation).getFields()).filter(({ name }) => !(name in named));
    const groups = fields.filter(({ type }) => isInputObjectType(getNullableType(type))).map(({ name }) => name);
    const optional = pathsOf(inputOf(mutation), Object.keys(named)).filter(
      ([path, type]) => !isNonNullType(type) && !skipped.some((one) => path.startsWith(`${one}.`)),
    );
    for (const path of [...optional.map(([one]) => one), ...groups]) {
      const before = await leaves();
      const errors = await update(mutation, inputFor(mutation, path, null));
      const after = await leaves();
      const changed = changedPaths(before, after);
      if (errors.length > 0) {
        expect(errors, path).toEqual([expect.objectContaining({ code: 'INVALID', path: path.split('.') })]);
        expect(changed, path).toEqual([]);
        continue;
      }
      if (silent.includes(path)) continue;
      const own = [...owners].filter(([, owner]) => owner === path).map(([one]) => one);
      expect(
        changed.filter((one) => !own.includes(one) && before.has(one) && after.has(one)),
        path,
      ).toEqual([]);
      const left = own.filter((one) => !empty.has(after.get(one)) && !defaults.has(one));
      expect(left, path).toEqual([]);
    }
  });
});
