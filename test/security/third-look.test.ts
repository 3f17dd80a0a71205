import { beforeAll, describe, expect, it } from 'vitest';
import { token } from '../login/agent.js';
import { callback, importShop, shop } from '../login/realm.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

// What a third look has found: at what was mended before, and beside it.
let server: TestServer;
let admin: Caller;
const credentials = [{ type: 'password', value: 'pw' }];
const holder = (username: string, role: string) => ({
  username,
  enabled: true,
  credentials,
  clientRoles: { 'realm-management': [role] },
});
const api = {
  clientId: 'api',
  secret: 'api-secret',
  serviceAccountsEnabled: true,
  authorizationServicesEnabled: true,
  directAccessGrantsEnabled: true,
  authorizationSettings: {
    policyEnforcementMode: 'DISABLED',
    resources: [{ name: 'till', scopes: [{ name: 'open' }] }],
    scopes: [{ name: 'open' }],
  },
};
const open = { clientId: 'open', publicClient: true, directAccessGrantsEnabled: true, redirectUris: [callback] };
const login = async (client: Record<string, string>, username = 'ann') =>
  (await token(server, 'shop', { grant_type: 'password', ...client, username, password: `pw-${username}` })).body
    .access_token as string;

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const users = [holder('clients', 'manage-clients'), holder('chief', 'realm-admin')];
  await importShop(admin, {
    clients: [...shop.clients, api, open],
    users: [...shop.users, ...users],
  });
});

describe('a mapper of a client scope', () => {
  it('does not keep administrators out', async () => {
    const clients = await userOf(server, 'shop', 'clients', 'pw');
    const scopes: { id: string; name: string }[] = (await clients.send('GET', '/shop/client-scopes')).body;
    const path = `/shop/client-scopes/${scopes.find(({ name }) => name === 'profile')?.id}/protocol-mappers/models`;
    const { status, headers } = await clients.send('POST', path, {
      name: 'pairwise',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-sha256-pairwise-sub-mapper',
      config: { pairwiseSubAlgorithmSalt: 'salt', sectorIdentifierUri: 'https://sector.example/' },
    });
    expect(status).toBe(201);
    const chief = await userOf(server, 'shop', 'chief', 'pw');
    expect((await chief.send('GET', '/shop/users/count')).status).toBe(200);
    expect((await chief.send('DELETE', `${path}/${headers.get('location')?.split('/').at(-1)}`)).status).toBe(204);
  });
});

describe('a token of a public client', () => {
  const uma = { grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket', audience: 'api' };
  const permissions = async (bearer: string) => {
    const response = await fetch(`${server.url}/auth/realms/shop/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(uma),
      headers: { authorization: `Bearer ${bearer}` },
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };

  it('does not become one that can be refreshed', async () => {
    const { status, body } = await permissions(await login({ client_id: 'open' }));
    expect([status, body.refresh_token, body.refresh_expires_in]).toEqual([200, undefined, 0]);
    const proved = await permissions(await login({ client_id: 'api', client_secret: 'api-secret' }));
    expect([proved.status, typeof proved.body.refresh_token]).toEqual([200, 'string']);
  });
});
