import { beforeAll, describe, expect, it } from 'vitest';
import { callerWith, login, userOf } from '../support/fixture.js';
import { slowClock } from '../support/server.js';
import { measureStatements } from '../support/statements.js';
import { type Market, openMarket, realm, roleOfAdministrators } from './market.js';

let market: Market;
/** Seconds that the server's clock is ahead. */
let ahead = 0;
const rest: Market['rest'] = (...request) => market.rest(...request);
const load: Market['load'] = (...request) => market.load(...request);

beforeAll(async () => {
  market = await openMarket(() => Date.now() + ahead * 1000);
});

describe('who may import', () => {
  it('of each kind what the caller may change one by one', async () => {
    expect((await load({ roles: { realm: [{ name: 'managed' }] } }, market.plainManager)).status).toBe(200);
    expect((await load({ policy: 'SKIP' }, market.plainManager)).status).toBe(200);
    for (const file of [
      { users: [{ username: 'x' }] },
      { groups: [{ name: 'x' }] },
      { clients: [{ clientId: 'x' }] },
      { roles: { client: { till: [{ name: 'x' }] } } },
      { identityProviders: [{ alias: 'x', providerId: 'oidc' }] },
    ]) {
      expect((await load(file, market.plainManager)).status).toBe(403);
    }
    expect((await load({ users: [{ username: 'managed' }] }, market.userManager)).status).toBe(200);
  });

  it('nobody may hand out more rights than the own ones', async () => {
    const rights = { clientRoles: { [roleOfAdministrators]: ['realm-admin'] } };
    const composites = { client: { [roleOfAdministrators]: ['realm-admin'] } };
    for (const file of [
      { users: [{ username: 'climber', ...rights }] },
      { groups: [{ name: 'climbers', ...rights }] },
      { roles: { realm: [{ name: 'climb', composites }] } },
      { roles: { realm: [{ name: 'climb', composites }] }, users: [{ username: 'climber', realmRoles: ['climb'] }] },
    ]) {
      expect((await load(file, market.userManager)).status).toBe(403);
    }
    expect(await market.user('climber')).toBeUndefined();
    const own = { clientRoles: { [roleOfAdministrators]: ['view-users'] } };
    expect((await load({ users: [{ username: 'climber', ...own }] }, market.userManager)).status).toBe(200);
  });
});

describe('many users', () => {
  let counted: Market;
  beforeAll(async () => {
    counted = await openMarket(slowClock);
  });
  const file = (prefix: string, length: number, policy = 'FAIL') => ({
    policy,
    users: Array.from({ length }, (_, at) => ({
      username: `${prefix}-${at}`,
      email: `${prefix}-${at}@example.org`,
      attributes: { number: [String(at)] },
      realmRoles: ['clerk'],
      groups: ['/staff'],
      credentials: [{ type: 'password', credentialData: '{}', secretData: '{}' }],
    })),
    roles: { realm: Array.from({ length }, (_, at) => ({ name: `${prefix}-${at}` })) },
    groups: Array.from({ length }, (_, at) => ({ name: `${prefix}-${at}` })),
  });
  const statementsOf = async (body: object): Promise<number> => {
    // so that the caller's rights are asked for each time
    await counted.rest('POST', '/clear-user-cache');
    const { result, statements } = await measureStatements(counted.server, () => counted.load(body));
    expect(result.status).toBe(200);
    return statements;
  };

  it.each(['FAIL', 'SKIP', 'OVERWRITE'])('take as many statements as few, with %s', async (policy) => {
    const few = file(`few-${policy}`, 10, policy);
    const many = file(`many-${policy}`, 200, policy);
    expect(await statementsOf(many)).toBe(await statementsOf(few));
    if (policy !== 'FAIL') expect(await statementsOf(many)).toBe(await statementsOf(few));
  });

  it('are imported by one of two at once', async () => {
    const answers = await Promise.all([load(file('race', 20)), load(file('race', 20))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('over GraphQL', () => {
  const mutate = async (
    name: string,
    fields: string,
    input?: { policy?: string; users?: object[]; roles?: object },
    caller = market.admin,
  ) => {
    const { policy, ...json } = input ?? {};
    const found = await market.admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const { data, errors } = await caller.graphql<Record<string, Record<string, never>>>(
      `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} userErrors { code path message } } }`,
      { input: { id: found.data.realm.id, ...(policy && { policy }), ...(input && { representation: { json } }) } },
    );
    expect(errors).toBeUndefined();
    return data[name];
  };
  const results = 'results { action kind name clientId objectId object { __typename id } } adminEvents { operation }';

  it('tells of each thing once, with its own id', async () => {
    const file = { roles: { realm: [{ name: 'drawn' }], client: { till: [{ name: 'draw' }] } } };
    const first = await mutate('realmPartialImport', results, { ...file, users: [{ username: 'drawer' }] });
    expect(first).toMatchObject({
      results: [
        { action: 'ADDED', kind: 'REALM_ROLE', name: 'drawn', clientId: null },
        { action: 'ADDED', kind: 'CLIENT_ROLE', name: 'draw', clientId: 'till' },
        { action: 'ADDED', kind: 'USER', name: 'drawer' },
      ],
      userErrors: [],
      adminEvents: Array(3).fill({ operation: 'realm.partialImport' }),
    });
    const again = (await mutate('realmPartialImport', results, { ...file, policy: 'OVERWRITE' })) as unknown as {
      results: { action: string; objectId: string; object: { id: string } }[];
    };
    for (const { object, objectId } of again.results) expect(object).toEqual({ __typename: 'Role', id: objectId });
    expect(again.results.map(({ action }) => action)).toEqual(['OVERWRITTEN', 'OVERWRITTEN']);
    const { data } = await market.admin.graphql<{ node: { name: string } }>(
      'query ($id: ID!) { node(id: $id) { ... on Role { name } } }',
      {
        id: again.results[1]?.objectId,
      },
    );
    expect(data.node.name).toBe('draw');
  });

  it('names the field that is at fault', async () => {
    const taken = await mutate('realmPartialImport', results, {
      users: [{ username: 'new-one' }, { username: 'ann' }],
    });
    expect(taken).toMatchObject({
      results: null,
      userErrors: [
        {
          code: 'NAME_TAKEN',
          path: ['representation', 'json', 'users', '1'],
          message: 'User with user name ann already exists.',
        },
      ],
      adminEvents: [],
    });
    const users = [{ username: 'ann' }, { username: 'new-one', groups: ['/nowhere'] }];
    const wrong = await mutate('realmPartialImport', results, { policy: 'SKIP', users });
    expect(wrong).toMatchObject({
      userErrors: [{ code: 'INVALID', path: ['representation', 'json', 'users', '1', 'groups', '0'] }],
    });
    const refused = await mutate('realmPartialImport', results, { users }, market.plainManager);
    expect(refused).toMatchObject({ userErrors: [{ code: 'FORBIDDEN' }] });
  });

  it('says which clients could not be told', async () => {
    await rest('POST', '/clients', { clientId: 'told', rootUrl: 'http://127.0.0.1:1', adminUrl: '/admin' });
    const failedRequests = ['http://127.0.0.1:1/admin'];
    expect(await mutate('realmPushRevocation', 'failedRequests')).toEqual({ failedRequests, userErrors: [] });
    // a client that nobody has logged in to has nothing to hear of
    expect(await mutate('realmLogoutAll', 'failedRequests')).toEqual({ failedRequests: [], userErrors: [] });
    expect((await rest('POST', '/push-revocation')).body).toEqual({ failedRequests });
    await rest('DELETE', `/clients/${(await market.client('told')).id}`);
    expect((await rest('POST', '/push-revocation')).body).toEqual({});
  });
});

it('logout-all has older tokens refused, and keeps the other settings', async () => {
  const before = (await rest('GET', '')).body;
  const old = callerWith(market.server, await login(market.server, realm, 'user-manager', 'secret-1'));
  const other = await userOf(market.server, realm, 'plain-manager', 'secret-1');
  expect((await rest('GET', '/users/count', undefined, old)).status).toBe(200);
  ahead += 2; // notBefore is to the second
  expect((await rest('POST', '/logout-all', undefined, other)).status).toBe(403);
  const answer = await rest('POST', '/logout-all');
  expect([answer.status, answer.body]).toEqual([200, {}]);
  expect((await rest('GET', '/users/count', undefined, old)).status).toBe(401);
  const { notBefore, ...after } = (await rest('GET', '')).body;
  expect(Math.abs(notBefore - Date.now() / 1000)).toBeLessThan(30);
  expect({ ...after, notBefore: before.notBefore }).toEqual(before);
});
