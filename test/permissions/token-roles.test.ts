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

async function tokenOf(username: string): Promise<Caller> {
  const answer = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'tool', username, password: 'pw' }),
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
});
