import { beforeAll, describe, expect, it } from 'vitest';
import { codesOfMutations } from '../../src/graph/core/mutation.js';
import { generalCodes, sharedCodes } from '../../src/graph/core/user-errors.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { type RefusalCode, refusalCodes } from '../../src/services/core/refusal-codes.js';
import { ofDirectories, recipes } from './recipes.js';
import { makeWorld, type World } from './world.js';

// Every code that a mutation declares is provoked, so that the table of docs/graphql-errors.md has none that cannot happen.
graphqlSchema();
const declared = codesOfMutations();
let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

const pairs = declared.flatMap(([name, codes]) => codes.map((code) => [name, code] as const));
const general: readonly string[] = [...Object.keys(generalCodes), ...sharedCodes];
// test/administration/last-administrator.test.ts, the tests of directories, and those of accounts, whose callers are users, have the others
const isElsewhere = (name: string, code: string) =>
  code === 'LAST_ADMIN' || /^account[A-Z]/.test(name) || (code === 'READ_ONLY' && ofDirectories.includes(name));
const domain = pairs.filter(([name, code]) => !general.includes(code) && !isElsewhere(name, code));

describe('the codes of mutations', () => {
  it.each(domain)('%s: %s', async (name, code) => {
    const recipe = recipes[name]?.[code as RefusalCode];
    if (!recipe) throw new Error(`${name} declares ${code}: add what provokes it to test/codes/recipes.ts`);
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const { data, errors } = await world.admin.graphql<Record<string, { userErrors: { code: string }[] }>>(
      `mutation ($input: ${type}!) @dryRun { ${name}(input: $input) { userErrors { code message } } }`,
      { input: recipe(world.id) },
    );
    expect(errors).toBeUndefined();
    const found = data[name]?.userErrors ?? [];
    const codes = found.map((error) => error.code);
    expect(codes, JSON.stringify(found)).toContain(code);
    const known = declared.find(([mutation]) => mutation === name)?.[1] ?? [];
    for (const one of codes) expect([...general, ...known]).toContain(one);
  });

  it('lead to a section of the documentation each', async () => {
    const query =
      'mutation ($input: RoleCreateInput!) { roleCreate(input: $input) { userErrors { code documentation } } }';
    const { data } = await world.admin.graphql<{ roleCreate: { userErrors: { documentation: string }[] } }>(query, {
      input: recipes.roleCreate?.NAME_TAKEN?.(world.id),
    });
    const [error] = data.roleCreate.userErrors;
    const address = new URL(error?.documentation ?? '');
    expect(address.hash).toBe('#name_taken');
    const page = await (await fetch(address)).text();
    const missing = [...general, ...Object.keys(refusalCodes)].filter(
      (code) => !page.includes(`id="${code.toLowerCase()}"`),
    );
    expect(missing).toEqual([]);
  });

  it('have no recipe besides those that are declared', () => {
    const given = Object.entries(recipes).flatMap(([name, codes]) =>
      Object.keys(codes).map((code) => `${name} ${code}`),
    );
    expect(given.filter((one) => !domain.some(([name, code]) => one === `${name} ${code}`))).toEqual([]);
  });
});
