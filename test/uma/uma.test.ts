// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

interface AdminEvent {
  operationType: string;
  resourceType: string;
  resourcePath: string;
  authDetails: { userId: string };
  representation?: string;
}

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

  it('is not looked at with claims that cannot be read', async () => {
    const jwt = 'urn:ietf:params:oauth:token-type:jwt';
    const pushed = (more: object) => ask(ann, { audience: 'api', permission: 'album', ...more });
    const claims = Buffer.from('{"org":["acme"]}').toString('base64url');
    const good = await pushed({ claim_token: claims, claim_token_format: jwt });
    expect(good.body.error).not.toBe('invalid_request');
    for (const bad of [
      { claim_token: claims, claim_token_format: 'other' },
      { claim_token: 'W10', claim_token_format: jwt },
    ])
      expect(await pushed(bad)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('is for the realm alone, and names neither an issuer nor a type', async () => {
    const { body: made } = await api.send('POST', `${protection}/resource_set`, { name: 'notes' });
    const { ticket } = (await api.send('POST', `${protection}/permission`, [{ resource_id: made._id }])).body;
    const [head, claims] = ticket.split('.').map((part: string) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(head)).toMatchObject({ alg: 'HS256', typ: 'JWT' });
    expect(JSON.parse(claims)).toMatchObject({ aud: `${server.url}/auth/realms/shop`, azp: 'api', nbf: 0 });
    expect(Object.keys(JSON.parse(claims))).not.toEqual(expect.arrayContaining(['iss', 'typ']));
    await administrator(server).then((again) => again.send('POST', '/', { realm: 'other', enabled: true }));
    const elsewhere = await fetch(`${server.url}/auth/realms/other/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: grantType, ticket }),
      headers: { authorization: `Bearer ${bob.token}` },
    });
    expect(elsewhere.status).toBe(401);
  });

  it('is refused when somebody else has signed it', async () => {
    const [head, , signature] = bob.token.split('.');
    const claims = { aud: `${server.url}/auth/realms/shop`, azp: 'api', exp: 9999999999, permissions: [] };
    for (const more of [{}, { typ: 'permission_ticket' }]) {
      const forged = Buffer.from(JSON.stringify({ ...claims, ...more }));
      const ticket = `${head}.${forged.toString('base64url')}.${signature}`;
      expect(await ask(bob, { ticket })).toMatchObject({ status: 403, body: { error: 'invalid_ticket' } });
    }
  });
});

describe('the policies of an owner', () => {
  it('grant to the owner what they are about: a user, or the resource server by its own token', async () => {
    for (const [owner, name] of [
      [ann, 'diary'],
      [api, 'stock'],
    ] as const) {
      const resource = { name, ownerManagedAccess: true, resource_scopes: ['look', 'take'] };
      const whose = owner === ann ? { owner: 'ann' } : {};
      const { _id: id } = (await api.send('POST', `${protection}/resource_set`, { ...resource, ...whose })).body;
      const asked = { audience: 'api', permission: id };
      expect((await ask(owner, asked)).status).toBe(403);
      const policy = { name: `${name} of others`, scopes: ['look'], users: ['bob'] };
      expect((await owner.send('POST', `${protection}/uma-policy/${id}`, policy)).status).toBe(200);
      expect((await ask(owner, asked)).body).toEqual([{ rsid: id, rsname: name, scopes: ['look'] }]);
      expect((await api.send('DELETE', `${protection}/resource_set/${id}`)).status).toBe(204);
    }
  });
});

describe('the protection API', () => {
  it('is for resource servers, and lets nobody else manage resources', async () => {
    expect((await ann.send('POST', `${protection}/resource_set`, { name: 'x' })).status).toBe(403);
    expect((await admin.send('GET', `${protection}/resource_set`)).status).toBe(403);
    expect((await api.send('POST', `${protection}/resource_set`, { name: 'x', colour: 'red' })).status).toBe(400);
    expect((await api.send('PATCH', `${protection}/resource_set`)).status).toBe(405);
  });

  it('tells nobody but the owner of a resource which users there are', async () => {
    const photo = { name: 'secret photo', owner: 'ann', ownerManagedAccess: true, resource_scopes: ['see'] };
    const { _id: resource } = (await api.send('POST', `${protection}/resource_set`, photo)).body;
    const asked = async (requesterName: string) => {
      const ticket = { resource, scopeName: 'see', requesterName };
      const { status, body } = await bob.send('POST', `${protection}/permission/ticket`, ticket);
      return { status, body };
    };
    expect(await asked('nobody')).toEqual(await asked('ann'));
    expect((await asked('nobody')).status).toBe(403);
  });

  it('leaves an audit record of every write', async () => {
    const realm = (await admin.send('GET', '/shop')).body;
    await admin.send('PUT', '/shop', { ...realm, adminEventsEnabled: true, adminEventsDetailsEnabled: true });
    await admin.send('DELETE', '/shop/admin-events');
    const made = (path: string, body: object, by = api) => by.send('POST', `${protection}${path}`, body);
    const photo = { name: 'photo', owner: 'ann', ownerManagedAccess: true, resource_scopes: ['see', 'change'] };
    const set = `${protection}/resource_set/${(await made('/resource_set', photo)).body._id}`;
    expect((await api.send('PUT', set, { ...photo, displayName: 'Photo' })).status).toBe(204);
    const id = set.split('/').at(-1) as string;
    const policy = (await made(`/uma-policy/${id}`, { name: 'friends', scopes: ['see'], users: ['bob'] }, ann)).body;
    const atPolicy = `${protection}/uma-policy/${policy.id}`;
    expect((await ann.send('PUT', atPolicy, { ...policy, description: 'of ann' })).status).toBe(201);
    expect((await ann.send('DELETE', atPolicy)).status).toBe(204);
    const tickets = '/permission/ticket';
    const asked = (await made(tickets, { resource: id, scopeName: 'see', requesterName: 'bob' }, ann)).body;
    expect((await ann.send('PUT', `${protection}${tickets}`, { id: asked.id, granted: true })).status).toBe(204);
    expect((await ann.send('DELETE', `${protection}${tickets}/${asked.id}`)).status).toBe(204);
    expect((await api.send('DELETE', set)).status).toBe(204);
    const { body } = await admin.send('GET', '/shop/admin-events');
    const told = body.map(({ operationType, resourceType, resourcePath, authDetails, representation }: AdminEvent) => [
      `${operationType} ${resourceType.replace('AUTHORIZATION_', '')} ${resourcePath.split('/resource-server/').at(-1)}`,
      authDetails.userId,
      representation === undefined ? 'without' : 'with',
    ]);
    const [annId, apiId] = [ann, api].map(({ token }) => JSON.parse(atob(token.split('.')[1] ?? '')).sub);
    // the clock stands still, so that their order says nothing
    const expected = [
      [`CREATE RESOURCE resource/${id}`, apiId, 'with'],
      [`UPDATE RESOURCE resource/${id}`, apiId, 'with'],
      [`CREATE POLICY policy/${policy.id}`, annId, 'with'],
      [`UPDATE POLICY policy/${policy.id}`, annId, 'with'],
      [`DELETE POLICY policy/${policy.id}`, annId, 'without'],
      [`CREATE POLICY permission/ticket/${asked.id}`, annId, 'with'],
      [`UPDATE POLICY permission/ticket/${asked.id}`, annId, 'with'],
      [`DELETE POLICY permission/ticket/${asked.id}`, annId, 'without'],
      [`DELETE RESOURCE resource/${id}`, apiId, 'without'],
    ];
    expect(told.toSorted()).toEqual(expected.toSorted());
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
