import { beforeAll, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';

let admin: Caller;

beforeAll(async () => {
  ({ admin } = await startWithRealm({ realm: 'counted', roles: { realm: [{ name: 'one' }] } }));
});

const query = '{ realm(name: "counted") { roles { totalCount nodes { name attributes { name } } } } }';
const statementsOf = async () => (await admin.graphql(query)).extensions?.cost?.statements;

it('extensions.cost.statements are those of the request, also beside others', async () => {
  await statementsOf();
  const alone = await statementsOf();
  expect(alone).toBeGreaterThan(0);
  const others = Array.from({ length: 20 }, () => admin.send('GET', '/counted/users?briefRepresentation=false'));
  const beside = await Promise.all(Array.from({ length: 20 }, statementsOf));
  expect(new Set(beside)).toEqual(new Set([alone]));
  await Promise.all(others);
});
