// @both-databases
import { beforeAll, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

let admin: Caller;

beforeAll(async () => {
  admin = await administrator(await startServer());
});

const searches = (count: number): string =>
  `{ or: [${Array.from({ length: count }, (_, at) => `{ search: "w${at}" }`).join(' ')}] }`;

async function costOf(fields: string): Promise<number | undefined> {
  const { errors, extensions } = await admin.graphql(`{ realm(name: "master") { ${fields} } }`);
  expect(errors).toBeUndefined();
  return extensions?.cost?.requested;
}

it('The conditions of a filter cost nothing while they are few, and are part of the cost of the request', async () => {
  const users = (filter: string) => costOf(`users(first: 1, filter: ${filter}) { totalCount }`);
  const plain = (await users('{}')) ?? 0;
  expect(await users(searches(20))).toBe(plain);
  expect(await users(searches(100))).toBe(plain + 400);
  expect(await users(`{ and: [${searches(100)}, { not: ${searches(20)} }] }`)).toBe(plain + 500);
  const facets = (filter: string) => costOf(`userFacets(filter: ${filter}) { total }`);
  expect(await facets(searches(100))).toBe(((await facets('{}')) ?? 0) + 400);
});

it('Many filters of many conditions are refused before they are asked', async () => {
  const filters = Array.from({ length: 41 }, (_, at) => `$f${at}: UserFilter`).join(' ');
  const lists = Array.from({ length: 41 }, (_, at) => `u${at}: users(first: 1, filter: $f${at}) { totalCount }`).join(
    ' ',
  );
  const variables = Object.fromEntries(
    Array.from({ length: 41 }, (_, list) => [
      `f${list}`,
      { or: Array.from({ length: 510 }, (_, at) => ({ search: `w${list} ${at}` })) },
    ]),
  );
  const { errors } = await admin.graphql(`query (${filters}) { realm(name: "master") { ${lists} } }`, variables);
  expect(errors).toMatchObject([{ extensions: { code: 'TOO_COSTLY' } }]);
});
