import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';

// Every type of policies and permissions, created by REST and read by GraphQL.
const realm = 'typed';
let server: TestServer;
let admin: Caller;
let path: string;

const password = [{ type: 'password', value: 'pw' }];
const helper = (username: string, ...roles: string[]) => ({
  username,
  enabled: true,
  credentials: password,
  clientRoles: { 'realm-management': roles },
});

interface Found {
  realm: { client: { id: string; authorizationPolicies: { edges: { node: { id: string } }[] } } };
}

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      roles: { realm: [{ name: 'clerk' }, { name: 'boss' }], client: { api: [{ name: 'reader' }] } },
      groups: [{ name: 'staff', subGroups: [{ name: 'inner' }] }],
      clientScopes: [{ name: 'extra', protocol: 'openid-connect' }],
      clients: [
        {
          clientId: 'api',
          serviceAccountsEnabled: true,
          authorizationServicesEnabled: true,
          authorizationSettings: {
            scopes: [{ name: 'read' }],
            resources: [{ name: 'doc', scopes: [{ name: 'read' }] }],
            policies: [{ name: 'by script', type: 'js', config: { code: '$evaluation.grant()' } }],
          },
        },
      ],
      users: [
        { username: 'ann', enabled: true },
        { username: 'bob', enabled: true },
        helper('auditor', 'view-authorization'),
        helper('keeper', 'manage-clients'),
        helper('clerk', 'view-authorization', 'query-users', 'view-realm', 'query-clients'),
      ],
    },
    {},
    slowClock,
  ));
  const [api] = (await admin.send('GET', `/${realm}/clients?clientId=api`)).body;
  path = `/${realm}/clients/${api.id}/authz/resource-server`;
  const create = async (type: string, body: object) => {
    const kind = type === 'resource' || type === 'scope' ? 'permission' : 'policy';
    expect([type, (await admin.send('POST', `${path}/${kind}/${type}`, body)).status]).toEqual([type, 201]);
  };
  const roles = [{ id: 'clerk', required: true }, { id: 'api/reader' }];
  await create('role', { name: 'by role', roles, logic: 'NEGATIVE', description: 'No clerks' });
  await create('user', { name: 'by user', users: ['ann', 'bob'] });
  await create('client', { name: 'by client', clients: ['api'] });
  await create('group', {
    name: 'by group',
    groups: [{ path: '/staff', extendChildren: true }, { path: '/staff/inner' }],
    groupsClaim: 'groups',
  });
  await create('client-scope', { name: 'by scope', clientScopes: [{ id: 'extra', required: true }] });
  await create('time', { name: 'by time', notBefore: '2031-01-01 00:00:00', hour: '9', hourEnd: '17', month: '5' });
  await create('regex', { name: 'by regex', targetClaim: 'sub', pattern: '^a' });
  await create('aggregate', { name: 'together', policies: ['by role', 'by user'], decisionStrategy: 'CONSENSUS' });
  await create('resource', { name: 'viewing', resourceType: 'urn:doc', policies: ['together'] });
  await create('scope', { name: 'reading', resources: ['doc'], scopes: ['read'], policies: ['together'] });
});

const own: Record<string, string> = {
  RoleAuthorizationPolicy: 'roles { totalCount edges { isRequired node { name } } }',
  UserAuthorizationPolicy: 'users(first: 1) { totalCount edges { node { username } } }',
  ClientAuthorizationPolicy: 'clients { edges { node { clientId } } }',
  GroupAuthorizationPolicy: 'groupsClaim groups { edges { extendsToChildren node { path } } }',
  ClientScopeAuthorizationPolicy: 'clientScopes { edges { isRequired node { name } } }',
  TimeAuthorizationPolicy: 'notBefore notOnOrAfter hour { from to } month { from to } minute { from to }',
  RegexAuthorizationPolicy: 'targetClaim pattern',
  ScriptAuthorizationPolicy: 'code',
  ResourceAuthorizationPermission: 'resourceType',
};
const fragments = Object.entries(own).map(([type, fields]) => `... on ${type} { ${fields} }`);

interface Policy {
  __typename: string;
  id: string;
  name: string;
  [field: string]: unknown;
}

async function policiesOf(caller: Caller, selected: string): Promise<Policy[]> {
  const { data, errors } = await caller.graphql<{
    realm: { client: { authorizationPolicies: { edges: { node: Policy }[] } } };
  }>(`{ realm(name: "${realm}") { client(clientId: "api") { authorizationPolicies(first: 50) {
    edges { node { __typename id name ${selected} } } } } } }`);
  expect(errors).toBeUndefined();
  return data.realm.client.authorizationPolicies.edges.map(({ node }) => node);
}

const page = (...nodes: [node: object, flags?: object][]) => ({
  edges: nodes.map(([node, flags]) => ({ ...flags, node })),
});

describe('policies of GraphQL', () => {
  it('have an object type for each type, with settings of its own', async () => {
    const found = await policiesOf(
      admin,
      `type logic decisionStrategy description ${fragments.join(' ')}
        policies { edges { node { name } } } dependentPolicies { edges { node { __typename name } } }
        resources { edges { node { name } } } scopes { edges { node { name } } }`,
    );
    const named = Object.fromEntries(found.map((policy) => [policy.name, policy]));
    const using = page([{ __typename: 'AggregatedAuthorizationPolicy', name: 'together' }]);
    expect(named['by role']).toMatchObject({
      __typename: 'RoleAuthorizationPolicy',
      type: 'ROLE',
      logic: 'NEGATIVE',
      description: 'No clerks',
      roles: {
        totalCount: 2,
        ...page([{ name: 'clerk' }, { isRequired: true }], [{ name: 'reader' }, { isRequired: false }]),
      },
      dependentPolicies: using,
    });
    expect(named['by user']).toMatchObject({
      __typename: 'UserAuthorizationPolicy',
      users: { totalCount: 2, ...page([{ username: 'ann' }]) },
    });
    expect(named['by client']).toMatchObject({ type: 'CLIENT', clients: page([{ clientId: 'api' }]) });
    expect(named['by group']).toMatchObject({
      groupsClaim: 'groups',
      groups: page(
        [{ path: '/staff/inner' }, { extendsToChildren: false }],
        [{ path: '/staff' }, { extendsToChildren: true }],
      ),
    });
    expect(named['by scope']).toMatchObject({ clientScopes: page([{ name: 'extra' }, { isRequired: true }]) });
    expect(named['by time']).toMatchObject({
      notBefore: new Date(2031, 0, 1).toISOString(),
      notOnOrAfter: null,
      hour: { from: 9, to: 17 },
      month: { from: 5, to: 5 },
      minute: null,
    });
    expect(named['by regex']).toMatchObject({ type: 'REGEX', targetClaim: 'sub', pattern: '^a' });
    expect(named['by script']).toMatchObject({ type: 'SCRIPT', code: '$evaluation.grant()' });
    expect(named.together).toMatchObject({
      decisionStrategy: 'CONSENSUS',
      policies: page([{ name: 'by role' }], [{ name: 'by user' }]),
      dependentPolicies: page(
        [{ __typename: 'ScopeAuthorizationPermission', name: 'reading' }],
        [{ __typename: 'ResourceAuthorizationPermission', name: 'viewing' }],
      ),
    });
    expect(named.viewing).toMatchObject({ __typename: 'ResourceAuthorizationPermission', resourceType: 'urn:doc' });
    expect(named.reading).toMatchObject({
      type: 'SCOPE',
      resources: page([{ name: 'doc' }]),
      scopes: page([{ name: 'read' }]),
      policies: page([{ name: 'together' }]),
    });
    // the two that every client with authorization services begins with, and those of this test
    expect(new Set(found.map(({ __typename }) => __typename)).size).toBe(11);
  });

  it('are found by their IDs, each under its own type only', async () => {
    const found = await policiesOf(admin, '');
    for (const { id, name, __typename } of found) {
      const local = Buffer.from(id, 'base64').toString().split(':')[1];
      const wrong = Buffer.from(`UmaAuthorizationPermission:${local}`).toString('base64');
      const { data, errors } = await admin.graphql(
        `{ node(id: "${id}") { __typename id ... on AuthorizationPolicy { name } } wrong: node(id: "${wrong}") { id } }`,
      );
      expect([errors, data]).toEqual([undefined, { node: { __typename, id, name }, wrong: null }]);
    }
  });

  it('are narrowed by their type', async () => {
    const { data } = await admin.graphql(`{ realm(name: "${realm}") { client(clientId: "api") {
      authorizationPolicies(filter: { type: AGGREGATED }) { totalCount edges { node { name } } } } } }`);
    expect(data).toEqual({
      realm: { client: { authorizationPolicies: { totalCount: 1, edges: [{ node: { name: 'together' } }] } } },
    });
  });

  it('are not in payloads for callers who may change and not view them', async () => {
    const keeper = await userOf(server, realm, 'keeper', 'pw');
    const { data } = await admin.graphql<Found>(
      `{ realm(name: "${realm}") { client(clientId: "api") { id authorizationPolicies(first: 1) { edges { node { id } } } } } }`,
    );
    const { id: client, authorizationPolicies } = data.realm.client;
    const input = { id: authorizationPolicies.edges[0]?.node.id };
    for (const [caller, policy, resourceServer] of [
      [admin, { id: input.id }, { enforcement: 'ENFORCING' }],
      [keeper, null, null],
    ] as const) {
      const answer = await caller.graphql(
        `mutation ($input: AuthorizationPolicyUpdateInput!, $server: ResourceServerUpdateInput!) @dryRun {
          authorizationPolicyUpdate(input: $input) { authorizationPolicy { id } userErrors { code } }
          resourceServerUpdate(input: $server) { resourceServer { enforcement } userErrors { code } }
        }`,
        { input, server: { client } },
      );
      expect(answer.data).toEqual({
        authorizationPolicyUpdate: { authorizationPolicy: policy, userErrors: [] },
        resourceServerUpdate: { resourceServer, userErrors: [] },
      });
    }
  });

  it('show nobody whom the caller may not list, and nobody whom the caller may not view', async () => {
    const lists = `... on RoleAuthorizationPolicy { roles { edges { node { name } } } }
      ... on UserAuthorizationPolicy { users { totalCount edges { node { username } } } }
      ... on ClientAuthorizationPolicy { clients { edges { node { clientId } } } }
      ... on GroupAuthorizationPolicy { groups { edges { node { path } } } }`;
    const byId = async (caller: Caller, name: string) => {
      const id = (await policiesOf(admin, '')).find((policy) => policy.name === name)?.id;
      const { data, errors } = await caller.graphql<{ node: object }>(
        `{ node(id: "${id}") { ... on AuthorizationPolicy { name } ${lists} } }`,
      );
      return [data.node, errors];
    };
    const auditor = await userOf(server, realm, 'auditor', 'pw');
    expect(await byId(auditor, 'by role')).toEqual([{ name: 'by role', roles: null }, undefined]);
    expect(await byId(auditor, 'by user')).toEqual([{ name: 'by user', users: null }, undefined]);
    expect(await byId(auditor, 'by client')).toEqual([{ name: 'by client', clients: null }, undefined]);
    expect(await byId(auditor, 'by group')).toEqual([{ name: 'by group', groups: null }, undefined]);
    const clerk = await userOf(server, realm, 'clerk', 'pw');
    const none = { edges: [] };
    expect(await byId(clerk, 'by role')).toEqual([
      { name: 'by role', roles: page([{ name: 'clerk' }], [{ name: 'reader' }]) },
      undefined,
    ]);
    expect(await byId(clerk, 'by user')).toEqual([{ name: 'by user', users: { totalCount: 0, ...none } }, undefined]);
    expect(await byId(clerk, 'by client')).toEqual([{ name: 'by client', clients: none }, undefined]);
  });
});
