import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { realm, scimOf } from './scim.js';

const day = 86_400_000;
const year = 365 * 86_400;
const credentials = { client_id: 'okta', client_secret: 'okta-secret' };
let now = Date.now();
let server: TestServer;

beforeAll(async () => {
  let admin: Caller;
  ({ server, admin } = await startWithRealm({ realm, enabled: true }, { addressPrefix: ['/auth', ''] }, () => now));
  const client = {
    clientId: credentials.client_id,
    secret: credentials.client_secret,
    serviceAccountsEnabled: true,
    standardFlowEnabled: false,
    attributes: { 'access.token.lifespan': String(year) },
  };
  expect((await admin.send('POST', `/${realm}/clients`, client)).status).toBe(201);
  const idOf = async (clientId: string): Promise<string> =>
    (await admin.send('GET', `/${realm}/clients?clientId=${clientId}`)).body[0].id;
  const { id } = (await admin.send('GET', `/${realm}/clients/${await idOf('okta')}/service-account-user`)).body;
  const management = await idOf('realm-management');
  const { body: role } = await admin.send('GET', `/${realm}/clients/${management}/roles/manage-users`);
  const mapping = `/${realm}/users/${id}/role-mappings/clients/${management}`;
  expect((await admin.send('POST', mapping, [role])).status).toBe(204);
});

const post = (endpoint: string, form: Record<string, string>) =>
  fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/${endpoint}`, {
    method: 'POST',
    body: new URLSearchParams({ ...credentials, ...form }),
  });

async function issue(): Promise<{ access_token: string; expires_in: number }> {
  const answer = await post('token', { grant_type: 'client_credentials', scope: 'offline_access' });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { access_token: string; expires_in: number };
}

describe('a long-lived token of a service account', () => {
  it('is valid for as long as its client says, and ends when it is revoked', async () => {
    const { access_token: token, expires_in: lifespan } = await issue();
    expect(lifespan).toBe(year);
    const scim = scimOf(callerWith(server, token));
    expect((await scim('GET', '/Users')).status).toBe(200);
    // an address without /auth, as ADDRESS_PREFIX allows
    const answer = await fetch(`${server.url}/realms/${realm}/scim/v2/Users`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    now += 300 * day;
    expect((await scim('GET', '/Users')).status).toBe(200);
    expect((await post('revoke', { token })).status).toBe(200);
    expect((await scim('GET', '/Users')).status).toBe(401);
  });

  it('ends when the client is disabled', async () => {
    const scim = scimOf(callerWith(server, (await issue()).access_token));
    expect((await scim('GET', '/Users')).status).toBe(200);
    const admin = await administrator(server);
    const [client] = (await admin.send('GET', `/${realm}/clients?clientId=okta`)).body;
    const { status } = await admin.send('PUT', `/${realm}/clients/${client.id}`, { ...client, enabled: false });
    expect(status).toBe(204);
    expect((await scim('GET', '/Users')).status).toBe(401);
  });
});
