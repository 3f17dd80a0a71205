import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// What a second look at everything that gives, takes or believes an identity has found.
const realm = 'looked';
let server: TestServer;
let admin: Caller;
let ahead = 0;

const protocol = (path: string, form: Record<string, string>, authorization?: string) =>
  fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    ...(authorization && { headers: { authorization } }),
  });
const tokenBy = async (form: Record<string, string>, authorization?: string) => {
  const answer = await protocol('token', form, authorization);
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};
const claimsOf = (token = ''): Record<string, number> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const login = { grant_type: 'password', client_id: 'admin-cli', username: 'ann', password: 'pw' };
const robot = { client_id: 'robot', client_secret: 'robot-secret' };
const idOf = async (path: string): Promise<string> => (await admin.send('GET', `/${realm}/${path}`)).body[0].id;

beforeAll(async () => {
  server = await startServer({}, () => Date.now() + ahead);
  admin = await administrator(server);
  const credentials = [{ type: 'password', value: 'pw' }];
  const flow = (alias: string, ...authenticators: string[]) => ({
    alias,
    providerId: 'basic-flow',
    topLevel: true,
    builtIn: false,
    authenticationExecutions: authenticators.map((authenticator, at) => ({
      authenticator,
      requirement: 'REQUIRED',
      priority: at,
    })),
  });
  const { status } = await admin.send('POST', '/', {
    realm,
    enabled: true,
    roles: { realm: [{ name: 'member' }] },
    groups: [{ name: 'vip', realmRoles: ['member'] }],
    clients: [
      { clientId: 'robot', secret: 'robot-secret', serviceAccountsEnabled: true },
      {
        clientId: 'shop',
        secret: 'shop-secret',
        serviceAccountsEnabled: true,
        authorizationServicesEnabled: true,
        authorizationSettings: { policyEnforcementMode: 'DISABLED', resources: [{ name: 'till' }] },
      },
      {
        clientId: 'brief',
        publicClient: true,
        directAccessGrantsEnabled: true,
        attributes: { 'use.refresh.tokens': 'false' },
      },
    ],
    users: [
      { username: 'ann', enabled: true, credentials },
      { username: 'dana', enabled: true, credentials },
    ],
    authenticationFlows: [flow('code first', 'direct-grant-validate-otp', 'direct-grant-validate-username')],
  });
  expect(status).toBe(201);
});

describe('a client assertion', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const endpoints = ['token', 'token/introspect', 'revoke', 'auth/device', 'logout'];
  const subjects = [['x'], { a: 1 }, 5, true, null, ''];

  it.each(endpoints)('whose subject is no text is refused by %s', async (path) => {
    for (const sub of subjects) {
      const { status } = await protocol(path, {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `${part({ alg: 'none' })}.${part({ sub })}.`,
      });
      expect([status, status >= 400 && status < 500]).toEqual([status, true]);
    }
  });
});

describe('a token of a user who was disabled', () => {
  it('tells nothing of the user any more', async () => {
    const { access_token: token } = (await tokenBy({ ...login, scope: 'openid' })).body;
    const ask = async () => (await protocol('userinfo', {}, `Bearer ${token}`)).status;
    const ann = `/${realm}/users/${await idOf('users?username=ann')}`;
    expect(await ask()).toBe(200);
    await admin.send('PUT', ann, { enabled: false });
    expect(await ask()).toBe(401);
    await admin.send('PUT', ann, { enabled: true });
  });
});

describe('a requesting party token', () => {
  const uma = { grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket', audience: 'shop' };

  it('lasts no longer than the token that it was asked with', async () => {
    const { access_token: first } = (await tokenBy({ grant_type: 'client_credentials', ...robot })).body;
    ahead = 20_000;
    const second = (await tokenBy(uma, `Bearer ${first}`)).body.access_token;
    const third = (await tokenBy(uma, `Bearer ${second}`)).body.access_token;
    ahead = 0;
    expect(claimsOf(second).exp).toBe(claimsOf(first).exp);
    expect(claimsOf(third).exp).toBe(claimsOf(first).exp);
  });
});

describe('a client without refresh tokens', () => {
  it('gets none', async () => {
    const { status, body } = await tokenBy({ ...login, client_id: 'brief' });
    expect([status, body.refresh_token, body.refresh_expires_in]).toEqual([200, undefined, 0]);
  });
});

describe('a signature algorithm that there is not', () => {
  it.each(['none', 'XX', 'toString'])('is refused: %s', async (algorithm) => {
    const changed = await admin.send('PUT', `/${realm}`, { defaultSignatureAlgorithm: algorithm });
    expect([changed.status, changed.body.errorMessage]).toEqual([
      400,
      `Signature algorithm "${algorithm}" is not supported`,
    ]);
    const attributes = { 'access.token.signed.response.alg': algorithm };
    const client = `/${realm}/clients/${await idOf('clients?clientId=robot')}`;
    expect((await admin.send('PUT', client, { attributes })).status).toBe(400);
    expect((await tokenBy(login)).status).toBe(200);
  });
});

describe('a flow that asks for a code before the name', () => {
  it('refuses everybody', async () => {
    expect((await admin.send('PUT', `/${realm}`, { directGrantFlow: 'code first' })).status).toBe(204);
    expect((await tokenBy({ ...login, otp: '123456' })).status).toBe(401);
    expect((await admin.send('PUT', `/${realm}`, { directGrantFlow: 'direct grant' })).status).toBe(204);
  });
});

describe('who manages users by management permissions alone', () => {
  it('brings no new user into a group', async () => {
    const enabled = await admin.send('PUT', `/${realm}/users-management-permissions`, { enabled: true });
    const management = `/${realm}/clients/${await idOf('clients?clientId=realm-management')}/authz/resource-server`;
    const policy = { name: 'dana', users: [await idOf('users?username=dana')] };
    const { id } = (await admin.send('POST', `${management}/policy/user`, policy)).body;
    const path = `${management}/permission/scope/${enabled.body.scopePermissions.manage}`;
    const permission = (await admin.send('GET', path)).body;
    expect((await admin.send('PUT', path, { ...permission, policies: [id] })).status).toBe(201);
    const dana = await userOf(server, realm, 'dana', 'pw');
    expect((await dana.send('POST', `/${realm}/users`, { username: 'plain' })).status).toBe(201);
    expect((await dana.send('POST', `/${realm}/users`, { username: 'planted', groups: ['/vip'] })).status).toBe(403);
    expect((await admin.send('POST', `/${realm}/users`, { username: 'member', groups: ['/vip'] })).status).toBe(201);
  });
});
