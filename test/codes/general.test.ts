import { type GraphQLInputType, getNamedType, isAbstractType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { policyKinds } from '../../src/graph/authorization/policy-kinds.js';
import { typesOfId } from '../../src/graph/core/id-types.js';
import { codesOfMutations } from '../../src/graph/core/mutation.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { leastWith, type Place, placesIn } from '../matrix/inputs.js';
import { type MatrixRealm, makeMatrixRealm } from '../matrix/matrix-realm.js';
import { sampled } from '../support/sample.js';

// Codes that every mutation has, with their paths: of an old version, of a text that is no ID or that of another object, and of an
// idempotency key that stands for another request.
const schema = graphqlSchema();
// the caller of those of an account is a user with the roles for it, see test/account
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(
  ({ name }) => !/^account[A-Z]/.test(name),
);
type Mutation = (typeof mutations)[number];
const inputOf = ({ args }: Mutation) => args[0]?.type as GraphQLInputType;
let world: MatrixRealm;
const known = (typename: string): string => {
  const id = world.ids[typename];
  if (!id) throw new Error(`The matrix has no ${typename}`);
  return id;
};

interface Payload {
  userErrors: { code: string; path: string[] | null }[];
  adminEvents: object[];
}

beforeAll(async () => {
  world = await makeMatrixRealm();
  const { body } = await world.admin.send('GET', '/matrix/keys');
  const { certificate } = body.keys.find((key: { certificate?: string }) => key.certificate);
  pem = { format: 'CERTIFICATE_PEM', file: { base64: btoa(certificate) } };
});

const nameOfPolicy = (settings = '') =>
  policyKinds.find((kind) => 'value' in kind && camelCase(kind.value) === settings.replace(/Permission$/, ''))?.name;

/** What the least input of a mutation has instead of any text, where only certain texts are good enough to go on. */
const certain: Readonly<Record<string, () => object>> = {
  clientCertificateGenerateAndDownload: () => ({ keyPassword: 'secret', storePassword: 'secret' }),
  clientCertificateUpload: () => pem,
  clientCertificateUploadPublic: () => pem,
  componentCreate: () => ({ providerId: 'scope', providerType: 'CLIENT_REGISTRATION_POLICY' }),
};
let pem: object;

/** The least input that the mutation accepts, but for what is at the path. */
function inputWith(mutation: Mutation, path: readonly string[], value: unknown): object {
  const [first, second] = path;
  const ofPolicy = mutation.name === 'authorizationPolicyUpdate' && first === 'settings';
  const idOf = (typename: string) => known((ofPolicy && nameOfPolicy(second)) || typename);
  return { ...leastWith(inputOf(mutation), path, value, idOf), ...certain[mutation.name]?.() };
}

const payload = '{ userErrors { code path } adminEvents { id } }';

async function answerTo({ name }: Mutation, input: object, directive = ''): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
  const { data, errors } = await world.admin.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}) ${directive} { ${name}(input: $input) ${payload} }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

async function userErrors(mutation: Mutation, input: object): Promise<[code: string, path: string[] | null][]> {
  const answer = await answerTo(mutation, input);
  expect(answer.adminEvents).toEqual([]);
  return answer.userErrors.map(({ code, path }) => [code, path]);
}

const camelCase = (value: string) => value.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const at = (name: string, { path }: Place) => `${name} ${path.join('.')}`;
const places = mutations.flatMap((mutation) => placesIn(inputOf(mutation)).map((place) => [mutation, place] as const));

describe('an old version', () => {
  const versioned = places.filter(([, { field }]) => field.name === 'expectedVersion');

  it.each(
    sampled(
      versioned.map(([mutation, place]) => [at(mutation.name, place), mutation, place] as const),
      25,
    ),
  )('%s is refused', async (_name, mutation, { path }) => {
    const input = inputWith(mutation, path, 987_654);
    // what else is wrong with the example is told, too
    const { userErrors: others } = await answerTo(mutation, inputWith(mutation, path, undefined), '@dryRun');
    const [first, ...more] = await userErrors(mutation, input);
    expect(first).toEqual(['STALE', [...path]]);
    expect(others.map(({ code, path: at }) => [code, at])).toEqual(expect.arrayContaining(more));
  });

  it('is a code of the mutations that can have it', () => {
    const declared = codesOfMutations().flatMap(([name, codes]) =>
      codes.includes('STALE') && mutations.some((mutation) => mutation.name === name) ? [name] : [],
    );
    expect(declared).toEqual([...new Set(versioned.map(([{ name }]) => name))].sort());
  });
});

describe('a text that is not the ID of such an object', () => {
  const ids = places.filter(([, { field }]) => getNamedType(field.type).name === 'ID');

  it.each(
    sampled(
      ids.map(([mutation, place]) => [at(mutation.name, place), mutation, place] as const),
      50,
    ),
  )('%s is refused', async (_name, mutation, { path, of, field }) => {
    const types = typesOfId(schema, { of, name: field.name });
    // no type is wrong for a field that takes any node
    const wrong = types.includes('Node') ? [] : [types.includes('Webhook') ? known('Role') : known('Webhook')];
    for (const id of ['no ID', ...wrong]) {
      const input = inputWith(mutation, path, id);
      expect([id, await userErrors(mutation, input)]).toEqual([id, [['BAD_ID', [...path]]]]);
    }
  });

  it.each(
    sampled(
      ids.map(([mutation, place]) => [at(mutation.name, place), mutation, place] as const),
      40,
    ),
  )('%s takes what the schema states', async (_name, mutation, { path, of, field }) => {
    const types = typesOfId(schema, { of, name: field.name })
      .flatMap(namesOf)
      .filter((type) => world.ids[type]);
    expect(types).not.toEqual([]);
    for (const type of types) {
      const answers = await answerTo(mutation, inputWith(mutation, path, known(type)), '@dryRun');
      expect([type, answers.userErrors.filter(({ code }) => code === 'BAD_ID')]).toEqual([type, []]);
    }
  });
});

/** The names of the object types of a type. */
function namesOf(typename: string): string[] {
  const type = schema.getType(typename);
  return isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [typename];
}

const isGone = /Delete$/;

describe('an idempotency key', () => {
  const idempotencyKey = 'used';
  beforeAll(async () => {
    const { data } = await world.admin.graphql<Record<string, Payload>>(
      `mutation ($input: RoleUpdateInput!) { roleUpdate(input: $input) ${payload} }`,
      { input: { id: known('Role'), description: 'Used', idempotencyKey } },
    );
    expect(data.roleUpdate?.userErrors).toEqual([]);
  });

  it.each(
    sampled(
      mutations.map((mutation) => [mutation.name, mutation] as const),
      30,
    ),
  )('of another request is refused by %s', async (_name, mutation) => {
    const input = inputWith(mutation, ['idempotencyKey'], idempotencyKey);
    expect(await userErrors(mutation, input)).toEqual([['IDEMPOTENCY_KEY_REUSED', ['idempotencyKey']]]);
  });

  it('stands for the input', async () => {
    const reused: string[] = [];
    const asked = sampled(mutations, 50);
    for (const mutation of asked) {
      const { name } = mutation;
      const other = placesIn(inputOf(mutation)).find(
        ({ path: [key, ...below], field: { type } }) =>
          below.length === 0 && key !== 'idempotencyKey' && /^(String|Int|Boolean)$/.test(getNamedType(type).name),
      );
      if (!other) continue;
      const value = { String: 'another', Int: 7, Boolean: false }[getNamedType(other.field.type).name];
      const first = inputWith(mutation, ['idempotencyKey'], name);
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
      const { data, errors } = await world.admin.graphql<Record<'first' | 'second', Payload>>(
        `mutation ($first: ${type}, $second: ${type}) @atomic @dryRun {
          first: ${name}(input: $first) ${payload} second: ${name}(input: $second) ${payload} }`,
        { first, second: { ...first, [other.field.name]: value } },
      );
      expect(errors).toBeUndefined();
      const [refused] = data.second.userErrors;
      // the first was refused, so that its key is free
      if (refused?.code === 'ABORTED') continue;
      // what is deleted is looked for ahead of the key
      expect([name, refused?.code]).toEqual([name, isGone.test(name) ? 'NOT_FOUND' : 'IDEMPOTENCY_KEY_REUSED']);
      reused.push(name);
    }
    expect(reused.length).toBeGreaterThan(asked.length / 2);
  });
});
