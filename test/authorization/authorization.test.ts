// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { nodeId } from '../../src/graph/core/node.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';

let server: TestServer;
let admin: Caller;
let api: string;
let helper: Caller;

const password = [{ type: 'password', value: 'pw' }];
const rs = (tail = '') => `/shop/clients/${api}/authz/resource-server${tail}`;

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const answer = await admin.send('POST', '/', {
    realm: 'shop',
    enabled: true,
    roles: { realm: [{ name: 'clerk' }, { name: 'boss' }] },
    groups: [{ name: 'staff', subGroups: [{ name: 'inner' }] }, { name: 'guests' }],
    clients: [
      { clientId: 'api', secret: 's', serviceAccountsEnabled: true, authorizationServicesEnabled: true },
      { clientId: 'app', publicClient: true, directAccessGrantsEnabled: true },
    ],
    users: [
      { username: 'ann', enabled: true, credentials: password, realmRoles: ['clerk'], groups: ['/staff'] },
      { username: 'bob', enabled: true, credentials: password, groups: ['/staff/inner'] },
      {
        username: 'helper',
        enabled: true,
        credentials: password,
        clientRoles: { 'realm-management': ['query-users', 'query-groups'] },
      },
    ],
  });
  expect(answer.status).toBe(201);
  api = (await admin.send('GET', '/shop/clients?clientId=api')).body[0].id;
  helper = await userOf(server, 'shop', 'helper', 'pw');
});

const userId = async (name: string) => (await admin.send('GET', `/shop/users?username=${name}`)).body[0].id as string;
const evaluate = async (name: string, resource: object = {}) =>
  (await admin.send('POST', rs('/policy/evaluate'), { userId: await userId(name), resources: [resource] })).body;

describe('policies', () => {
  it('decide together, and an aggregate through those that it applies', async () => {
    const doc = await admin.send('POST', rs('/resource'), { name: 'doc', scopes: ['read', 'write'] });
    expect(doc.status).toBe(201);
    await admin.send('POST', rs('/policy/role'), { name: 'clerks', roles: [{ id: 'clerk' }] });
    await admin.send('POST', rs('/policy/user'), { name: 'not ann', users: ['ann'], logic: 'NEGATIVE' });
    const policies = ['clerks', 'not ann'];
    await admin.send('POST', rs('/policy/aggregate'), { name: 'either', policies, decisionStrategy: 'AFFIRMATIVE' });
    await admin.send('POST', rs('/permission/scope'), {
      name: 'reading',
      resources: ['doc'],
      scopes: ['read'],
      policies: ['either'],
    });
    const wanted = { _id: doc.body._id };
    expect((await evaluate('ann', wanted)).results[0].allowedScopes.map(({ name }: { name: string }) => name)).toEqual([
      'read',
    ]);
    expect((await evaluate('bob', wanted)).status).toBe('PERMIT');

    const user = nodeId('User', await userId('ann'));
    const { data, errors } = await admin.graphql(
      `{ realm(name: "shop") { client(clientId: "api") { evaluatePolicies(user: "${user}", authorizationResource: "${nodeId('AuthorizationResource', wanted._id)}") {
        isPermitted results { resource { name } isPermitted scopeNames grantedScopeNames
          permissions { permission { name type } isPermitted policies { policy { name type } isPermitted } } } } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      realm: {
        client: {
          evaluatePolicies: {
            results: [
              {
                resource: { name: 'doc' },
                isPermitted: true,
                scopeNames: ['read', 'write'],
                grantedScopeNames: ['read'],
                permissions: [
                  {
                    permission: { name: 'reading', type: 'SCOPE' },
                    isPermitted: true,
                    policies: [{ policy: { name: 'either', type: 'AGGREGATED' }, isPermitted: true }],
                  },
                ],
              },
            ],
          },
        },
      },
    });
  });

  it.each(['associatedPolicies', 'dependentPolicies', 'resources', 'scopes'])(
    'have their %s below the path of their type as well, and only of theirs',
    async (part) => {
      const either = (await admin.send('GET', rs('/policy/search?name=either'))).body.id;
      const reading = (await admin.send('GET', rs('/permission/search?name=reading'))).body.id;
      const listed = await Promise.all(
        [
          `/policy/aggregate/${either}`,
          `/policy/${either}`,
          `/permission/scope/${reading}`,
          `/permission/${reading}`,
        ].map((one) => admin.send('GET', rs(`${one}/${part}`))),
      );
      expect(listed.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const [typed, general, typedPermission, generalPermission] = listed.map(({ body }) => body);
      expect(typed).toEqual(general);
      expect(typedPermission).toEqual(generalPermission);
      expect([...typed, ...typedPermission]).not.toEqual([]);
      expect((await admin.send('GET', rs(`/policy/aggregate/nothing/${part}`))).status).toBe(404);
    },
  );

  it('take a bounded number of statements, whatever their number', async () => {
    const count = () => countStatements(server, () => evaluate('bob'));
    await count();
    const few = await count();
    const policies = Array.from({ length: 30 }, (_, at) => ({
      name: `rule ${at}`,
      type: 'role',
      config: { roles: '[{"id":"boss"}]' },
    }));
    const permissions = policies.map(({ name }, at) => ({
      name: `permission ${at}`,
      type: 'resource',
      config: { resources: `["thing ${at}"]`, applyPolicies: JSON.stringify([name]) },
    }));
    const resources = policies.map((_, at) => ({ name: `thing ${at}`, scopes: [{ name: 'use' }] }));
    const body = { resources, policies: [...permissions, ...policies] };
    expect((await admin.send('POST', rs('/import'), body)).status).toBe(204);
    // what the import may have changed of the caller's rights is read once more
    await count();
    expect(await count()).toBe(few);
  });

  it('refuse scripts, circles and endless patterns', async () => {
    const script = { name: 'script', type: 'js', config: { code: '$evaluation.grant();' } };
    expect((await admin.send('POST', rs('/policy'), script)).status).toBe(400);
    const one = await admin.send('POST', rs('/policy/aggregate'), { name: 'one', policies: ['clerks'] });
    const two = await admin.send('POST', rs('/policy/aggregate'), { name: 'two', policies: ['one'] });
    const circle = await admin.send('PUT', rs(`/policy/aggregate/${one.body.id}`), { name: 'one', policies: ['two'] });
    expect([two.status, circle.status]).toEqual([201, 400]);
    const page = await admin.send('POST', rs('/resource'), { name: 'page' });
    await admin.send('POST', rs('/policy/regex'), {
      name: 'endless',
      targetClaim: 'preferred_username',
      pattern: '(.*)*(.*)*(.*)*!',
    });
    await admin.send('POST', rs('/permission/resource'), { name: 'p', resources: ['page'], policies: ['endless'] });
    expect((await evaluate('ann', { _id: page.body._id })).status).toBe('DENY');
  });

  it('match whole claims with expressions, also with those that look ahead', async () => {
    const { body } = await admin.send('POST', rs('/resource'), { name: 'letter' });
    const at = rs('/policy/regex');
    const made = await admin.send('POST', at, { name: 'matching', targetClaim: 'preferred_username', pattern: 'a' });
    await admin.send('POST', rs('/permission/resource'), { name: 'l', resources: ['letter'], policies: ['matching'] });
    const decided = async (pattern: string, logic = 'POSITIVE', targetClaim = 'preferred_username') => {
      const policy = { name: 'matching', targetClaim, pattern, logic };
      expect((await admin.send('PUT', `${at}/${made.body.id}`, policy)).status).toBe(201);
      return (await evaluate('ann', { _id: body._id })).status;
    };
    expect(await decided('an')).toBe('DENY');
    expect(await decided('(?i)A.*|bob')).toBe('PERMIT');
    expect(await decided('(?=a).*n')).toBe('PERMIT');
    expect(await decided('(?=b).*n', 'NEGATIVE')).toBe('PERMIT');
    // what takes for ever or cannot be read is no match, and not the opposite of one either
    expect(await decided('(?=.)((.*)*)*!', 'NEGATIVE', 'sub')).toBe('DENY');
    expect(await decided('(', 'NEGATIVE')).toBe('DENY');
  });

  it('are about resources with a bounded number of scopes and addresses', async () => {
    const many = Array.from({ length: 50_000 }, (_, at) => `s${at}`);
    for (const field of ['scopes', 'uris']) {
      const { status, body } = await admin.send('POST', rs('/resource'), { name: 'huge', [field]: many });
      expect([status, body.errorMessage]).toEqual([400, expect.stringContaining(field)]);
    }
    expect((await admin.send('GET', rs('/resource?name=huge'))).body).toEqual([]);
  });

  it('survive an export and the import of it into a new realm', async () => {
    const { body } = await admin.send('POST', '/shop/partial-export?exportClients=true&exportGroupsAndRoles=true');
    const client = body.clients.find(({ clientId }: { clientId: string }) => clientId === 'api');
    const added = await admin.send('POST', '/', {
      realm: 'copy',
      roles: { realm: [{ name: 'clerk' }, { name: 'boss' }] },
      users: [{ username: 'ann' }],
      clients: [{ clientId: 'api', secret: 's', authorizationServicesEnabled: true }],
    });
    expect(added.status).toBe(201);
    const [copy] = (await admin.send('GET', '/copy/clients?clientId=api')).body;
    const path = `/copy/clients/${copy.id}/authz/resource-server`;
    expect((await admin.send('POST', `${path}/import`, client.authorizationSettings)).status).toBe(204);
    const names = (list: { name: string }[]) => list.map(({ name }) => name).sort();
    const copied = (await admin.send('GET', `${path}/settings`)).body;
    expect(names(copied.policies)).toEqual(names(client.authorizationSettings.policies));
    expect(names(copied.resources)).toEqual(names(client.authorizationSettings.resources));
    await admin.send('DELETE', '/copy');
  });
});

describe('management permissions', () => {
  it('let somebody see and change the members of a group, in lists and one by one', async () => {
    const staff = (await admin.send('GET', '/shop/group-by-path/staff')).body.id;
    const path = `/shop/groups/${staff}/management/permissions`;
    expect((await helper.send('GET', '/shop/users')).body).toEqual([]);
    const { scopePermissions } = (await admin.send('PUT', path, { enabled: true })).body;
    const [rm] = (await admin.send('GET', '/shop/clients?clientId=realm-management')).body;
    const policies = `/shop/clients/${rm.id}/authz/resource-server`;
    const users = [await userId('helper')];
    await admin.send('POST', `${policies}/policy/user`, { name: 'helper', users });
    const permission = `${policies}/permission/scope/${scopePermissions['manage-members']}`;
    const { body: before } = await admin.send('GET', permission);
    expect((await admin.send('PUT', permission, { ...before, policies: ['helper'] })).status).toBe(201);

    const seen = (await helper.send('GET', '/shop/users')).body;
    expect(seen.map(({ username }: { username: string }) => username)).toEqual(['ann']);
    expect((await helper.send('GET', '/shop/users/count')).body).toBe(1);
    expect((await helper.send('PUT', `/shop/users/${await userId('bob')}`, { lastName: 'B' })).status).toBe(204);
    const outside = `/shop/users/${await userId('helper')}`;
    expect((await helper.send('PUT', outside, { lastName: 'B' })).status).toBe(403);
    expect((await helper.send('GET', `/shop/groups/${staff}`)).status).toBe(403);

    await admin.send('PUT', path, { enabled: false });
    expect((await helper.send('GET', '/shop/users')).body).toEqual([]);
    expect((await helper.send('PUT', `/shop/users/${await userId('bob')}`, { lastName: 'C' })).status).toBe(403);
  });
});

describe('GraphQL', () => {
  it('shows a resource server with all that it has, and evaluates', async () => {
    const { data, errors } = await admin.graphql<{
      realm: { client: { id: string; authorizationPolicies: { edges: { node: { name: string } }[] } } };
    }>(`{ realm(name: "shop") { client(clientId: "api") { id
      resourceServer { enforcement decisionStrategy allowsRemoteManagement }
      authorizationResources(first: 2) { totalCount edges { node { id name uris scopes { totalCount edges { node { name } } } } } }
      authorizationScopes { edges { node { id name } } }
      authorizationPolicies(filter: { type: SCOPE }) { edges { node {
        name ${['resources', 'scopes', 'policies'].map((field) => `${field} { totalCount edges { node { name } } }`)} } } }
    } } }`);
    expect(errors).toBeUndefined();
    expect(data.realm.client.authorizationPolicies.edges).toEqual([
      {
        node: {
          name: 'reading',
          resources: { totalCount: 1, edges: [{ node: { name: 'doc' } }] },
          scopes: { totalCount: 1, edges: [{ node: { name: 'read' } }] },
          policies: { totalCount: 1, edges: [{ node: { name: 'either' } }] },
        },
      },
    ]);
    const input = { client: data.realm.client.id, name: 'made', uris: ['/made'], scopeNames: ['read'] };
    const made = await admin.graphql<{
      authorizationResourceCreate: { authorizationResource: { id: string; uris: string[] }; userErrors: object[] };
    }>(
      `mutation($input: AuthorizationResourceCreateInput!) {
        authorizationResourceCreate(input: $input) { authorizationResource { id uris } userErrors { path message } } }`,
      { input },
    );
    expect(made.data.authorizationResourceCreate).toMatchObject({
      authorizationResource: { uris: ['/made'] },
      userErrors: [],
    });
  });

  it('finds what a resource server has by its id, for nobody of another realm', async () => {
    type Named = { edges: { node: { id: string; name: string } }[] };
    const { data } = await admin.graphql<{ realm: { client: Record<string, Named> } }>(
      `{ realm(name: "shop") { client(clientId: "api") { ${['Resources', 'Scopes', 'Policies']
        .map((what) => `authorization${what}(first: 1) { edges { node { id name } } }`)
        .join(' ')} } } }`,
    );
    const found = Object.values(data.realm.client).flatMap(({ edges }) => edges.map(({ node }) => node));
    expect(found).toHaveLength(3);
    const user = {
      username: 'chief',
      enabled: true,
      credentials: password,
      clientRoles: { 'realm-management': ['realm-admin'] },
    };
    expect((await admin.send('POST', '/', { realm: 'next', enabled: true, users: [user] })).status).toBe(201);
    const chief = await userOf(server, 'next', 'chief', 'pw');
    for (const { id, name } of found) {
      const query = `{ node(id: "${id}") { id
        ... on AuthorizationResource { name } ... on AuthorizationScope { name } ... on AuthorizationPolicy { name } } }`;
      expect(await admin.graphql(query)).toMatchObject({ data: { node: { id, name } } });
      const elsewhere = await chief.graphql(query);
      expect([elsewhere.data, elsewhere.errors]).toEqual([{ node: null }, undefined]);
      expect((await helper.graphql(query)).data).toEqual({ node: null });
    }
  });
});
