import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer } from '../support/server.js';

// What links to flows names them by their IDs, and leads to them as objects.
let admin: Caller;
let brokers: Caller;
const realmIds: Record<string, string> = {};

const user = (username: string, role: string) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'secret-1' }],
  clientRoles: { 'realm-management': [role] },
});

interface UserError {
  code: string;
  path: string[] | null;
}

async function ask<D>(query: string, caller = admin): Promise<D> {
  const { data, errors } = await caller.graphql<D>(query);
  expect(errors).toBeUndefined();
  return data;
}

async function mutate<D>(name: string, input: string, fields = '', caller = admin) {
  const payload = `userErrors { code path } ${fields}`;
  const answer = await ask<Record<string, D & { userErrors: UserError[] }>>(
    `mutation { ${name}(input: { ${input} }) { ${payload} } }`,
    caller,
  );
  return answer[name] as D & { userErrors: UserError[] };
}

const flowId = async (alias: string, realm = 'linked') => {
  const query = `{ realm(name: "${realm}") { authenticationFlow(alias: "${alias}") { id } } }`;
  return (await ask<{ realm: { authenticationFlow: { id: string } } }>(query)).realm.authenticationFlow.id;
};

beforeAll(async () => {
  const server = await startServer({}, slowClock);
  admin = await administrator(server);
  const users = [user('brokers', 'manage-identity-providers')];
  for (const realm of ['linked', 'other']) {
    const made = await admin.send('POST', '/', { realm, enabled: true, users });
    expect(made.status).toBe(201);
    realmIds[realm] = (await ask<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`)).realm.id;
  }
  brokers = await userOf(server, 'linked', 'brokers', 'secret-1');
});

describe('the flows of a realm', () => {
  const names = 'browser registration directGrant resetCredentials clientAuthentication dockerAuthentication'.split(
    ' ',
  );
  const flows = `flows { ${names.map((name) => `${name} { alias executions { displayName } }`).join(' ')} }`;

  it('are objects, all of them read in two statements', async () => {
    const read = (fields: string) =>
      admin.graphql<{ realm: { flows: Record<string, { alias: string } | null> } }>(
        `{ realm(name: "linked") { name ${fields} } }`,
      );
    await read('');
    const { data, errors, extensions } = await read(flows);
    expect(errors).toBeUndefined();
    expect(names.map((name) => data.realm.flows[name]?.alias)).toEqual([
      'browser',
      'registration',
      'direct grant',
      'reset credentials',
      'clients',
      'docker auth',
    ]);
    const one = await read('flows { browser { alias executions { displayName } } }');
    expect(extensions?.cost?.statements).toBe(one.extensions?.cost?.statements);
  });

  it('are set by their IDs', async () => {
    const made = await mutate<{ authenticationFlow: { id: string } }>(
      'authenticationFlowCreate',
      `realm: "${realmIds.linked}", alias: "mine"`,
      'authenticationFlow { id }',
    );
    const changed = await mutate<{ realm: object; changes: object[] }>(
      'realmUpdate',
      `id: "${realmIds.linked}", flows: { browser: "${made.authenticationFlow.id}" }`,
      'realm { flows { browser { id alias uses } registration { alias } } } changes { path before after }',
    );
    expect(changed).toMatchObject({
      userErrors: [],
      realm: {
        flows: {
          browser: { id: made.authenticationFlow.id, alias: 'mine', uses: ['BROWSER'] },
          registration: { alias: 'registration' },
        },
      },
    });
    expect(changed.changes).toContainEqual({ path: ['flows', 'browser'], before: '"browser"', after: '"mine"' });
  });

  it('must belong to the realm', async () => {
    const [own, foreign] = [await flowId('registration'), await flowId('browser', 'other')];
    const refused = (input: string) => mutate('realmUpdate', `id: "${realmIds.linked}", flows: { ${input} }`);
    expect(
      (await refused(`browser: "${foreign}", registration: "${own}", directGrant: "${foreign}"`)).userErrors,
    ).toEqual([
      { code: 'NOT_FOUND', path: ['flows', 'browser'] },
      { code: 'NOT_FOUND', path: ['flows', 'directGrant'] },
    ]);
    expect((await refused(`browser: "${realmIds.linked}"`)).userErrors).toEqual([
      { code: 'BAD_ID', path: ['flows', 'browser'] },
    ]);
    expect((await refused('browser: null')).userErrors).toEqual([{ code: 'INVALID', path: ['flows', 'browser'] }]);
  });
});

describe('the flows of an identity provider', () => {
  const fields = 'firstLoginFlow { alias } firstLoginFlowAlias postLoginFlow { alias } postLoginFlowAlias';
  const linked = `identityProvider { id ${fields} }`;

  it('are set by their IDs, and cleared by null', async () => {
    const input = `realm: "${realmIds.linked}", alias: "partner", type: OIDC, postLoginFlow: "${await flowId('browser')}"`;
    const made = await mutate<{ identityProvider: { id: string } }>('identityProviderCreate', input, linked);
    expect(made).toMatchObject({
      userErrors: [],
      identityProvider: {
        firstLoginFlow: { alias: 'first broker login' },
        firstLoginFlowAlias: 'first broker login',
        postLoginFlow: { alias: 'browser' },
        postLoginFlowAlias: 'browser',
      },
    });
    const id = `id: "${made.identityProvider.id}"`;
    expect(await mutate('identityProviderUpdate', `${id}, postLoginFlow: null`, linked)).toMatchObject({
      userErrors: [],
      identityProvider: { postLoginFlow: null, postLoginFlowAlias: null },
    });
    const foreign = `firstLoginFlow: "${await flowId('browser', 'other')}"`;
    expect((await mutate('identityProviderUpdate', `${id}, ${foreign}`)).userErrors).toEqual([
      { code: 'NOT_FOUND', path: ['firstLoginFlow'] },
    ]);
  });

  it('are only names for callers who may not view flows', async () => {
    const query = `{ realm(name: "linked") { identityProvider(alias: "partner") { ${fields} } } }`;
    expect(await ask(query, brokers)).toEqual({
      realm: {
        identityProvider: {
          firstLoginFlow: null,
          firstLoginFlowAlias: 'first broker login',
          postLoginFlow: null,
          postLoginFlowAlias: null,
        },
      },
    });
  });
});

describe('the required actions of a user', () => {
  it('are objects, and names where the realm has none', async () => {
    const requiredActions = ['VERIFY_EMAIL', 'webauthn-register'];
    for (const username of ['anna', 'berta'])
      await admin.send('POST', '/linked/users', { username, requiredActions: requiredActions.slice(0, 1) });
    const query = (filter: string) =>
      admin.graphql<{ realm: { users: { edges: { node: object }[] } } }>(
        `{ realm(name: "linked") { users(${filter}) { edges { node { username requiredActionAliases requiredActions { alias name isEnabled } } } } } }`,
      );
    const anna = (await admin.send('GET', '/linked/users?username=anna')).body[0];
    await admin.send('PUT', `/linked/users/${anna.id}`, { requiredActions });
    const one = await query('filter: { username: { equals: "anna" } }');
    expect(one.errors).toBeUndefined();
    expect(one.data.realm.users.edges.map(({ node }) => node)).toEqual([
      {
        username: 'anna',
        requiredActionAliases: requiredActions,
        requiredActions: [{ alias: 'VERIFY_EMAIL', name: 'Verify Email', isEnabled: true }],
      },
    ]);
    const all = await query('first: 50');
    expect(all.data.realm.users.edges.length).toBeGreaterThan(2);
    expect(all.extensions?.cost?.statements).toBe(one.extensions?.cost?.statements);
  });
});
