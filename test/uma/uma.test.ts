import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

const grantType = 'urn:ietf:params:oauth:grant-type:uma-ticket';
const protection = '/realms/shop/authz/protection';
let server: TestServer;
let admin: Caller;
let api: Caller;
let ann: Caller;
let bob: Caller;

const user = (username: string) => ({ username, enabled: true, credentials: [{ type: 'password', value: 'pw' }] });

async function token(form: Record<string, string>, bearer?: string) {
  const response = await fetch(`${server.url}/auth/realms/shop/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
    ...(bearer && { headers: { authorization: `Bearer ${bearer}` } }),
  });
  return { status: response.status, body: await response.json() };
}

const byClient = { client_id: 'api', client_secret: 's' };
const login = async (username: string) =>
  callerWith(
    server,
    (await token({ grant_type: 'password', ...byClient, username, password: 'pw' })).body.access_token,
  );
const ask = (by: Caller, more: Record<string, string>) =>
  token({ grant_type: grantType, response_mode: 'permissions', ...more }, by.token);

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const client = {
    clientId: 'api',
    secret: 's',
    serviceAccountsEnabled: true,
    authorizationServicesEnabled: true,
    directAccessGrantsEnabled: true,
  };
  const realm = { realm: 'shop', enabled: true, clients: [client], users: [user('ann'), user('bob')] };
  expect((await admin.send('POST', '/', realm)).status).toBe(201);
  api = callerWith(server, (await token({ grant_type: 'client_credentials', ...byClient })).body.access_token);
  ann = await login('ann');
  bob = await login('bob');
});

describe('a permission ticket', () => {
  it('becomes a request to the owner, who grants it', async () => {
    const resource = { name: 'album', owner: 'ann', ownerManagedAccess: true, resource_scopes: ['read', 'write'] };
    const album = (await api.send('POST', `${protection}/resource_set`, resource)).body._id;
    const wanted = [{ resource_id: album, resource_scopes: ['read'] }];
    const { ticket } = (await api.send('POST', `${protection}/permission`, wanted)).body;
    expect(await ask(bob, { ticket })).toMatchObject({ status: 403, body: { error_description: 'request_submitted' } });
    await ask(bob, { ticket });
    const requests = (await ann.send('GET', `${protection}/permission/ticket`)).body;
    expect(requests).toMatchObject([{ granted: false, resource: album }]);
    const granting = { id: requests[0].id, granted: true };
    expect((await bob.send('PUT', `${protection}/permission/ticket`, granting)).status).toBe(403);
    expect((await ann.send('PUT', `${protection}/permission/ticket`, granting)).status).toBe(204);
    expect((await ask(bob, { ticket })).body).toEqual([{ rsid: album, rsname: 'album', scopes: ['read'] }]);
    expect((await ask(bob, { audience: 'api', permission: `${album}#write` })).status).toBe(403);
  });

  it('is refused when somebody else has signed it', async () => {
    const [head, , signature] = bob.token.split('.');
    const forged = Buffer.from('{"typ":"permission_ticket","azp":"api","exp":9999999999,"permissions":[]}');
    const ticket = `${head}.${forged.toString('base64url')}.${signature}`;
    expect(await ask(bob, { ticket })).toMatchObject({ status: 403, body: { error: 'invalid_ticket' } });
  });
});

describe('the protection API', () => {
  it('is for resource servers, and lets nobody else manage resources', async () => {
    expect((await ann.send('POST', `${protection}/resource_set`, { name: 'x' })).status).toBe(403);
    expect((await admin.send('GET', `${protection}/resource_set`)).status).toBe(403);
    expect((await api.send('POST', `${protection}/resource_set`, { name: 'x', colour: 'red' })).status).toBe(400);
    expect((await api.send('PATCH', `${protection}/resource_set`)).status).toBe(405);
  });

  it('tells of permissions in the token and by introspection', async () => {
    const { status, body } = await token({ grant_type: grantType, audience: 'api' }, bob.token);
    expect(status).toBe(200);
    const response = await fetch(`${server.url}/auth/realms/shop/protocol/openid-connect/token/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ ...byClient, token: body.access_token, token_type_hint: 'requesting_party_token' }),
    });
    expect(await response.json()).toMatchObject({ active: true, permissions: [{ rsname: 'album', scopes: ['read'] }] });
  });
});
