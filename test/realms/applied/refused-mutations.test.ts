import { type GraphQLInputField, type GraphQLInputType, getNamedType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../../src/graph/server.js';
import { least, leastWith, placesIn } from '../../matrix/inputs.js';
import { makeMatrixRealm } from '../../matrix/matrix-realm.js';
import type { Caller } from '../../support/fixture.js';
import { sampled } from '../../support/sample.js';
import { keepEverything } from './keep-everything.js';

// In a realm that refuses changes by hand, no mutation changes what the file describes, whichever of its fields is given.
const byFile = new Set(['realmApply', 'realmApplyRevert', 'realmUnmanage']);
const mutations = Object.values(graphqlSchema().getMutationType()?.getFields() ?? {}).filter(
  ({ name }) => !byFile.has(name),
);
const asked = sampled(mutations, 40);
const realm = '/admin/realms/matrix';
const deepest = 3;

let admin: Caller;
let ids: Readonly<Record<string, string>>;
let desired: object;

beforeAll(async () => {
  ({ admin, ids } = await makeMatrixRealm());
  const { attributes } = (await admin.send('GET', realm)).body;
  const says = await admin.send('PUT', realm, { attributes: { ...attributes, managedChanges: 'refuse' } });
  expect(says.status).toBe(204);
  desired = (await admin.send('GET', `${realm}/export?users=true`)).body;
  const input = { desired, modes: keepEverything, source: 'https://git.example/x' };
  const followed = await admin.send('POST', `${realm}/apply`, input);
  expect([followed.status, followed.body.changes]).toEqual([200, []]);
});

const idOf = (typename: string) => ids[typename] ?? '';

/** The least input, and one more for each field that can be given. */
function inputsOf(type: GraphQLInputType, mutation: string): unknown[] {
  const values = ({ of, field }: { of: string; field: GraphQLInputField }): unknown[] =>
    getNamedType(field.type).name === 'Boolean' ? [true, false] : [least(field.type, of, field.name, idOf)].flat(1);
  const fields = placesIn(type).filter(({ path }) => path.length <= deepest);
  return [
    least(type, mutation, 'input', idOf),
    ...fields.flatMap((place) => values(place).map((value) => leastWith(type, place.path, value, idOf))),
  ];
}

interface Change {
  fields: { path: string[] }[];
}
/** Sessions can be ended at any time, which moves `notBefore`, and users get temporary passwords, which are a required action. */
const always = new Set(['notBefore', 'requiredActions']);
const isManaged = ({ fields }: Change): boolean => fields.some(({ path: [name = ''] }) => !always.has(name));

type Answer = Record<string, { userErrors: { code: string }[] }>;
let refused = 0;

describe('a realm that refuses changes by hand', () => {
  it.each(asked.map((mutation) => [mutation.name, mutation] as const))('is kept by %s', async (name, { args }) => {
    const type = args[0]?.type as GraphQLInputType;
    const query = `mutation ($input: ${getNamedType(type).name}!) { ${name}(input: $input) { userErrors { code } } }`;
    const changed: unknown[] = [];
    for (const input of inputsOf(type, name)) {
      const { data, errors } = await admin.graphql<Answer>(query, { input });
      const codes = data?.[name]?.userErrors.map(({ code }) => code) ?? [];
      if (codes.includes('MANAGED')) refused += 1;
      if (errors || codes.length > 0) continue;
      const { status, body } = await admin.send('POST', `${realm}/plan`, { desired, modes: keepEverything });
      if (status !== 200 || body.changes.some(isManaged)) changed.push([input, status, body]);
    }
    expect(changed).toEqual([]);
  });

  it('has refused mutations of most kinds', () => {
    expect(refused).toBeGreaterThan(asked.length / 2);
  });
});
