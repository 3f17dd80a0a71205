import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { token } from '../login/agent.js';
import { importShop } from '../login/realm.js';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { callback, realm, secret } from './relying-party.js';

const lightweight = { 'client.use.lightweight.access.token.enabled': 'true' };
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

let server: TestServer;
let admin: Caller;

const mapper = (name: string, config: object) => ({
  name,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-claim-mapper',
  config: { 'claim.name': name, 'claim.value': 'here', 'jsonType.label': 'String', ...config },
});
const mappers = [
  mapper('everywhere', { 'access.token.claim': 'true', 'lightweight.claim': 'true' }),
  mapper('usual', { 'access.token.claim': 'true' }),
  mapper('hidden', { 'access.token.claim': 'true', 'introspection.token.claim': 'false' }),
  mapper('looked-up', { 'access.token.claim': 'false', 'introspection.token.claim': 'true' }),
  {
    ...mapper('audience', { 'access.token.claim': 'true', 'included.custom.audience': 'https://orders.example' }),
    protocolMapper: 'oidc-audience-mapper',
  },
  mapper('nowhere', { 'access.token.claim': 'false' }),
];

const forLight = {
  ...mapper('for light', { 'access.token.claim': 'true', 'included.client.audience': 'light' }),
  protocolMapper: 'oidc-audience-mapper',
};

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const client = (clientId: string, attributes: object = {}, more: object = {}) => ({
    clientId,
    secret,
    redirectUris: [callback],
    directAccessGrantsEnabled: true,
    attributes,
    ...more,
  });
  await importShop(admin, {
    clients: [
      client('light', lightweight, { protocolMappers: mappers, serviceAccountsEnabled: true }),
      client('full', {}, { protocolMappers: mappers }),
      client('stranger'),
      client('small', {}, { fullScopeAllowed: false, protocolMappers: [forLight] }),
      client('orders'),
    ],
    roles: { client: { orders: [{ name: 'read' }] } },
    users: [
      {
        username: 'ann',
        email: 'ann@example.com',
        enabled: true,
        credentials: [{ type: 'password', value: 'pw-ann' }],
        realmRoles: ['default-roles-shop'],
        clientRoles: { orders: ['read'], 'realm-management': ['view-clients'] },
      },
    ],
  });
});

async function loginAt(client_id: string, more: Record<string, string> = {}): Promise<string> {
  const form = { grant_type: 'password', client_id, client_secret: secret, username: 'ann', password: 'pw-ann' };
  return (await token(server, realm, { ...form, ...more })).body.access_token ?? '';
}
async function introspect(client_id: string, text: string) {
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret: secret, token: text }),
  });
  return response.json();
}
/** The claims about the user and by mappers. */
const told = (claims: object): string[] =>
  Object.keys(claims)
    .filter((name) => !/^(exp|iat|jti|iss|sub|typ|azp|azp_id|sid|acr|auth_time|scope|lightweight)$/.test(name))
    .sort();

describe('lightweight access tokens', () => {
  it('have the claims of mappers that say so, and no others', async () => {
    const claims = decodeJwt(await loginAt('light'));
    expect(told(claims)).toEqual(['everywhere']);
    expect(claims).toMatchObject({ azp: 'light', sub: expect.any(String), sid: expect.any(String) });
    const full = decodeJwt(await loginAt('full'));
    expect(told(full)).toEqual(expect.arrayContaining(['email', 'everywhere', 'hidden', 'resource_access', 'usual']));
    expect(full).not.toHaveProperty('looked-up');
  });

  it('tells the other claims to nobody but its client and its audience', async () => {
    const text = await loginAt('light');
    for (const client of ['light', 'orders']) {
      const shown = await introspect(client, text);
      expect(shown).toMatchObject({
        active: true,
        email: 'ann@example.com',
        everywhere: 'here',
        usual: 'here',
        'looked-up': 'here',
        aud: expect.arrayContaining(['orders']),
        resource_access: { orders: { roles: ['read'] } },
      });
      expect(shown).not.toHaveProperty('hidden');
      expect(shown).not.toHaveProperty('nowhere');
    }
    const shown = await introspect('stranger', text);
    expect(shown).toMatchObject({ active: true, everywhere: 'here' });
    expect(shown).not.toHaveProperty('email');
    expect(shown).not.toHaveProperty('resource_access');
  });

  it('are as good as others at this server', async () => {
    const caller = callerWith(server, await loginAt('light', { scope: 'openid' }));
    const { status, body } = await caller.send('GET', `/realms/${realm}/protocol/openid-connect/userinfo`);
    expect([status, body.email]).toEqual([200, 'ann@example.com']);
    expect((await caller.send('GET', `/admin/realms/${realm}/clients`)).status).toBe(200);
    expect((await caller.send('GET', `/admin/realms/${realm}/users`)).status).toBe(403);
    expect((await caller.send('GET', `/realms/${realm}/account/`)).status).toBe(200);
  });

  it('have all claims if they are limited to a resource, as these are the limits', async () => {
    const claims = decodeJwt(await loginAt('light', { resource: 'https://orders.example' }));
    expect(claims).toMatchObject({ aud: 'https://orders.example', usual: 'here' });
    expect(claims).not.toHaveProperty('resource_access');
  });

  it('are those of refreshed tokens, service accounts, and exchanges too', async () => {
    const robot = await token(server, realm, {
      grant_type: 'client_credentials',
      client_id: 'light',
      client_secret: secret,
    });
    expect(told(decodeJwt(robot.body.access_token ?? ''))).toEqual(['everywhere']);
    const form = {
      grant_type: exchange,
      client_id: 'light',
      client_secret: secret,
      subject_token: await loginAt('light'),
    };
    expect(told(decodeJwt((await token(server, realm, form)).body.access_token ?? ''))).toEqual(['everywhere']);
  });

  it('have all claims if an exchange leaves out roles that administer, and reach no further', async () => {
    const asked = { grant_type: exchange, client_id: 'light', client_secret: secret };
    const { body } = await token(server, realm, { ...asked, subject_token: await loginAt('small') });
    expect(decodeJwt(body.access_token ?? '')).toMatchObject({ azp: 'light', usual: 'here' });
    const statusWith = async (text: string) =>
      (await callerWith(server, text).send('GET', `/admin/realms/${realm}/clients`)).status;
    expect(await statusWith(body.access_token ?? '')).toBe(403);
    const { body: whole } = await token(server, realm, { ...asked, subject_token: await loginAt('light') });
    expect(await statusWith(whole.access_token ?? '')).toBe(200);
  });

  it('are those of all clients under a policy', async () => {
    const executor = { executor: 'use-lightweight-access-token', configuration: {} };
    await admin.send('PUT', `/${realm}/client-policies/profiles`, { profiles: [{ name: 'p', executors: [executor] }] });
    const conditions = [{ condition: 'any-client', configuration: {} }];
    const policies = [{ name: 'p', enabled: true, conditions, profiles: ['p'] }];
    await admin.send('PUT', `/${realm}/client-policies/policies`, { policies });
    const text = await loginAt('full');
    await admin.send('PUT', `/${realm}/client-policies/policies`, { policies: [] });
    expect(told(decodeJwt(text))).toEqual(['everywhere']);
    expect(await introspect('full', text)).toMatchObject({ usual: 'here' });
  });
});
