// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerWith, startWithRealm } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

// Every list about clients, their scopes, mappers and authorization settings, on both surfaces: its statements are as many
// for many things as for few.
const realm = 'lists';
let server: TestServer;
let admin: Caller;
let shop: Caller;
let client: string;
let clerk: string;

const many = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `thing-${from + index}`);

async function add(names: string[]): Promise<void> {
  const base = `/${realm}/clients/${client}`;
  const post = async (path: string, body: unknown) => {
    const { status } = await admin.send('POST', path, body);
    expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
  };
  for (const name of names) {
    await post(`/${realm}/clients`, { clientId: name });
    await post(`/${realm}/client-scopes`, { name, protocol: 'openid-connect' });
    await post(`${base}/roles`, { name });
    await post(`/${realm}/clients-initial-access`, {});
    await post(`/${realm}/users`, { username: name });
  }
  const mapper = { protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper', config: {} };
  await post(
    `${base}/protocol-mappers/add-models`,
    names.map((name) => ({ ...mapper, name })),
  );
  const scopes = (await admin.send('GET', `/${realm}/client-scopes`)).body as { id: string; name: string }[];
  for (const { id, name } of scopes) {
    if (names.includes(name)) await admin.send('PUT', `${base}/default-client-scopes/${id}`);
  }
  const roles = (await admin.send('GET', `${base}/roles`)).body;
  await post(`${base}/scope-mappings/clients/${client}`, roles);
  const users = (await admin.send('GET', `/${realm}/users?max=100`)).body as { id: string; username: string }[];
  for (const { id, username } of users) {
    if (names.includes(username)) {
      await post(`/${realm}/users/${id}/role-mappings/realm`, [{ id: clerk, name: 'clerk' }]);
    }
  }
  await post(`${base}/authz/resource-server/import`, {
    resources: names.map((name) => ({ name, uris: [`/${name}`], scopes: [{ name }] })),
    policies: [
      ...names.map((name) => ({ name: `policy ${name}`, type: 'role', config: { roles: '[{"id":"clerk"}]' } })),
      ...names.map((name) => ({
        name: `permission ${name}`,
        type: 'scope',
        config: { scopes: `["${name}"]`, resources: `["${name}"]`, applyPolicies: `["policy ${name}"]` },
      })),
    ],
  });
}

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      roles: { realm: [{ name: 'clerk' }] },
      clients: [{ clientId: 'shop', secret: 's', serviceAccountsEnabled: true, authorizationServicesEnabled: true }],
    },
    {},
    slowClock,
  ));
  client = (await admin.send('GET', `/${realm}/clients?clientId=shop`)).body[0].id;
  clerk = (await admin.send('GET', `/${realm}/roles/clerk`)).body.id;
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'shop', client_secret: 's' }),
  });
  shop = callerWith(server, (await response.json()).access_token);
  await add(many(0, 1));
});

const ofRealm = [
  '/clients',
  '/clients?search=true&clientId=thing',
  '/client-scopes',
  '/default-default-client-scopes',
  '/clients-initial-access',
  '/components?type=org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy',
  '/client-registration-policy/providers',
  '/roles/clerk/users',
];
const ofClient = [
  '/roles',
  '/protocol-mappers/models',
  '/protocol-mappers/protocol/openid-connect',
  '/default-client-scopes',
  '/optional-client-scopes',
  '/scope-mappings',
  '/scope-mappings/realm/available',
  '/evaluate-scopes/protocol-mappers',
];
const ofClientRoles = ['', '/available', '/composite'];
const ofServer = ['/resource?deep=true', '/scope', '/policy', '/permission', '/settings', '/policy?permission=false'];
const protection = ['/resource_set', '/resource_set?deep=true', '/permission/ticket', '/uma-policy'];
const page = (fields: string) => `(first: 50) { totalCount edges { node { ${fields} } } }`;
const inGraph = `{ realm(name: "${realm}") {
  clients${page('clientId defaultClientScopes(first: 3) { totalCount }')}
  clientScopes${page('name protocolMappers { totalCount } defaultClients { totalCount }')}
  clientInitialAccesses${page('id remainingCount')}
  client(clientId: "shop") {
    roles${page('name users { totalCount } managementPermission { resourceId }')}
    protocolMappers${page('name')} scopeRoles${page('name')} defaultClientScopes${page('name')}
    authorizationResources${page(`name uris scopes${page('name')}`)} authorizationScopes${page('name')}
    authorizationPolicies${page(`name type scopes${page('name')} resources${page('name')} policies${page('name')}`)}
  }
} }`;

describe('the number of statements of every list', () => {
  it('is the same for many as for few', async () => {
    const base = `/${realm}/clients/${client}`;
    const reads = [
      ...ofRealm.map((path) => [admin, `/${realm}${path}`] as const),
      ...ofClient.map((path) => [admin, base + path] as const),
      ...ofClientRoles.map((path) => [admin, `${base}/scope-mappings/clients/${client}${path}`] as const),
      ...ofServer.map((path) => [admin, `${base}/authz/resource-server${path}`] as const),
      ...protection.map((path) => [shop, `/realms/${realm}/authz/protection${path}`] as const),
    ];
    const count = async () => {
      const counts: Record<string, number | undefined> = {};
      for (const [caller, path] of reads) {
        // what is remembered of the caller and the realm is read before
        await caller.send('GET', path);
        const { result, statements } = await measureStatements(server, () => caller.send('GET', path));
        counts[path] = statements;
        expect([path, result.status === 200 || result.status === 204]).toEqual([path, true]);
      }
      await admin.graphql(inGraph);
      const { errors, extensions } = await admin.graphql(inGraph);
      expect(errors).toBeUndefined();
      counts.graphql = extensions?.cost?.statements;
      return counts;
    };
    const few = await count();
    await add(many(1, 9));
    expect(await count()).toEqual(few);
  });
});
