import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerWith, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const realm = 'claims';
let server: TestServer;
let admin: Caller;
let mapped: string;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm({
    realm,
    enabled: true,
    clients: [{ clientId: 'tool', publicClient: true, directAccessGrantsEnabled: true, fullScopeAllowed: true }],
    users: ['plain', 'manager'].map((username) => ({
      username,
      enabled: true,
      credentials: [{ type: 'password', value: 'pw' }],
      ...(username === 'manager' && { clientRoles: { 'realm-management': ['manage-users'] } }),
    })),
  }));
  const [client] = (await admin.send('GET', `/${realm}/clients?clientId=tool`)).body;
  mapped = client.id;
});

async function tokenOf(username: string, of = realm, clientId = 'tool'): Promise<Caller> {
  const answer = await fetch(`${server.url}/auth/realms/${of}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: clientId, username, password: 'pw' }),
  });
  return callerWith(server, ((await answer.json()) as { access_token: string }).access_token);
}

describe('the roles in a token of another client than the admin tools', () => {
  it('count as long as the user has them', async () => {
    const caller = await tokenOf('manager');
    expect((await caller.send('GET', `/${realm}/users`)).status).toBe(200);
    const [user] = (await admin.send('GET', `/${realm}/users?username=manager`)).body;
    const [management] = (await admin.send('GET', `/${realm}/clients?clientId=realm-management`)).body;
    const role = (await admin.send('GET', `/${realm}/clients/${management.id}/roles/manage-users`)).body;
    const mappings = `/${realm}/users/${user.id}/role-mappings/clients/${management.id}`;
    expect((await admin.send('DELETE', mappings, [role])).status).toBe(204);
    expect((await caller.send('GET', `/${realm}/users`)).status).toBe(403);
  });

  it.each([
    ['oidc-hardcoded-role-mapper', { role: 'realm-management.manage-realm' }],
    [
      'oidc-hardcoded-claim-mapper',
      {
        'claim.name': 'resource_access.realm-management.roles',
        'claim.value': '["manage-realm"]',
        'jsonType.label': 'JSON',
        'access.token.claim': 'true',
      },
    ],
  ])('count for nothing when %s has put them there', async (protocolMapper, config) => {
    const mapper = { name: protocolMapper, protocol: 'openid-connect', protocolMapper, config };
    expect((await admin.send('POST', `/${realm}/clients/${mapped}/protocol-mappers/models`, mapper)).status).toBe(201);
    const caller = await tokenOf('plain');
    expect((await caller.send('PUT', `/${realm}`, { displayName: 'mine' })).status).toBe(403);
  });

  // the mapper that GraphQL calls HARDCODED_ROLE, on a client of users without any role
  it.each([
    [realm, 'realm-management.realm-admin'],
    ['master', 'admin'],
  ])('give nothing on either surface when a mapper of a client of %s names %s', async (owner, role) => {
    const clientId = `mapped-${owner}`;
    const post = async (path: string, body: object) =>
      expect((await admin.send('POST', `/${owner}${path}`, body)).status).toBe(201);
    const config = { role };
    await post('/clients', {
      clientId,
      publicClient: true,
      directAccessGrantsEnabled: true,
      fullScopeAllowed: true,
      protocolMappers: [
        { name: 'rights', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-role-mapper', config },
      ],
    });
    const credentials = [{ type: 'password', value: 'pw' }];
    await post('/users', { username: 'nobody', enabled: true, credentials });
    const caller = await tokenOf('nobody', owner, clientId);
    const claims = JSON.parse(Buffer.from(caller.token.split('.')[1] ?? '', 'base64url').toString());
    expect(JSON.stringify([claims.realm_access, claims.resource_access])).toContain(`"${role.split('.').at(-1)}"`);

    for (const [method, path, body] of [
      ['GET', '/users', undefined],
      ['PUT', '', { displayName: 'mine' }],
      ['POST', '/users', { username: 'more' }],
      ['GET', '/clients', undefined],
    ] as const) {
      expect([path, (await caller.send(method, `/${owner}${path}`, body)).status]).toEqual([path, 403]);
    }
    const { id } = (await admin.send('GET', `/${owner}`)).body;
    const input = { realm: btoa(`Realm:${id}`), username: 'more' };
    const { data } = await caller.graphql<Record<string, { userErrors: { code: string }[] }>>(
      'mutation ($input: UserCreateInput!) { userCreate(input: $input) { userErrors { code } } }',
      { input },
    );
    expect(['FORBIDDEN', 'NOT_FOUND']).toContain(data.userCreate?.userErrors[0]?.code);
    const asked = await caller.graphql(
      `{ realm(name: "${owner}") { id } realms { totalCount } viewer { permissions { realmName roleNames } } }`,
    );
    expect(asked.data).toEqual({ realm: null, realms: { totalCount: 0 }, viewer: { permissions: [] } });
  });
});
