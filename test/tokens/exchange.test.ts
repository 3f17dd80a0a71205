// @both-databases
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerWith, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

// Token exchange (RFC 8693): what a client may have in place of a token of another one, and what it may not.
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const type = (name: string) => `urn:ietf:params:oauth:token-type:${name}`;
const confidential = { publicClient: false, secret: 'secret', redirectUris: ['http://app.example'] };

let server: TestServer;
let admin: Caller;
const ids: Record<string, string> = {};

type Form = Record<string, string>;
async function tokenRequest(form: Form, realm = 'shop') {
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const body = (await response.json()) as Record<string, string>;
  return { status: response.status, body, error: `${body.error}: ${body.error_description}` };
}
const loginAt = async (client: string, more: Form = {}, username = 'ann'): Promise<string> => {
  const form = { grant_type: 'password', client_id: client, username, password: 'pw', ...more };
  return (await tokenRequest(form)).body.access_token as string;
};
const as = (client: string, subject: string, more: Form = {}, secret = 'secret') =>
  tokenRequest({
    grant_type: exchange,
    client_id: client,
    ...(secret && { client_secret: secret }),
    subject_token: subject,
    ...more,
  });

/** The status of the userinfo endpoint for a token. */
const informs = async (token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.url}/auth/realms/shop/protocol/openid-connect/userinfo`, { headers })).status;
};

/** Lets clients exchange tokens for those of another one. */
async function permit(target: string, clients: readonly string[]): Promise<void> {
  const { body } = await admin.send('PUT', `/shop/clients/${ids[target]}/management/permissions`, { enabled: true });
  const authorization = `/shop/clients/${ids['realm-management']}/authz/resource-server`;
  const policy = { name: `exchange for ${target}`, clients: clients.map((name) => ids[name]) };
  expect((await admin.send('POST', `${authorization}/policy/client`, policy)).status).toBe(201);
  const at = `${authorization}/permission/scope/${body.scopePermissions['token-exchange']}`;
  const known = (await admin.send('GET', at)).body;
  expect((await admin.send('PUT', at, { ...known, policies: [policy.name] })).status).toBe(201);
}

beforeAll(async () => {
  const password = [{ type: 'password', value: 'pw' }];
  ({ server, admin } = await startWithRealm({
    realm: 'shop',
    enabled: true,
    eventsEnabled: true,
    roles: { client: { orders: [{ name: 'read' }, { name: 'write' }] } },
    clients: [
      { clientId: 'spa', publicClient: true, directAccessGrantsEnabled: true, redirectUris: ['http://app.example'] },
      { clientId: 'gateway', ...confidential },
      { clientId: 'stranger', ...confidential },
      { clientId: 'page', publicClient: true, redirectUris: ['http://app.example'] },
      { clientId: 'orders', ...confidential, fullScopeAllowed: true },
      { clientId: 'bound', ...confidential, attributes: { 'dpop.bound.access.tokens': 'true' } },
      { clientId: 'asking', ...confidential, consentRequired: true },
      { clientId: 'off', ...confidential, enabled: false },
      { clientId: 'robot', ...confidential, serviceAccountsEnabled: true },
    ],
    users: [
      { username: 'ann', enabled: true, credentials: password, clientRoles: { orders: ['read'] } },
      {
        username: 'boss',
        enabled: true,
        credentials: password,
        clientRoles: { 'realm-management': ['manage-users'], orders: ['write'] },
      },
    ],
  }));
  for (const { id, clientId } of (await admin.send('GET', '/shop/clients')).body) ids[clientId] = id;
  for (const target of ['orders', 'asking', 'off', 'security-admin-console']) await permit(target, ['gateway', 'page']);
});

describe('a token exchange', () => {
  it('gives a client that may the token of another one, in the same session', async () => {
    const subject = await loginAt('spa');
    const { status, body } = await as('gateway', subject, { audience: 'orders' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ issued_token_type: type('access_token'), token_type: 'Bearer' });
    expect(body.refresh_token).toBeUndefined();
    const [from, to] = [decodeJwt(subject), decodeJwt(body.access_token as string)];
    expect(to).toMatchObject({ azp: 'orders', sub: from.sub, sid: from.sid, iss: from.iss });
    expect(to.resource_access).toMatchObject({ orders: { roles: ['read'] } });
    expect(await informs(body.access_token as string)).toBe(200);
    const { body: events } = await admin.send('GET', '/shop/events?type=TOKEN_EXCHANGE');
    expect(events[0]).toMatchObject({ clientId: 'gateway', sessionId: from.sid, details: { audience: 'orders' } });
  });

  it('gives a refresh token where that is asked for, which only the client of the token can use', async () => {
    const subject = await loginAt('spa');
    const { body } = await as('gateway', subject, {
      audience: 'orders',
      requested_token_type: type('refresh_token'),
      subject_token_type: type('access_token'),
    });
    expect(body.issued_token_type).toBe(type('refresh_token'));
    const refresh = (client: string) =>
      tokenRequest({
        grant_type: 'refresh_token',
        client_id: client,
        client_secret: 'secret',
        refresh_token: body.refresh_token as string,
      });
    expect((await refresh('gateway')).status).toBe(400);
    expect((await refresh('orders')).status).toBe(200);
  });

  it('ends with the session', async () => {
    const subject = await loginAt('spa');
    const { body } = await as('gateway', subject, { audience: 'orders' });
    await admin.send('DELETE', `/shop/sessions/${decodeJwt(subject).sid}`);
    expect(await informs(body.access_token as string)).toBe(401);
    const again = await as('gateway', subject, { audience: 'orders' });
    expect([again.status, again.body.error]).toEqual([400, 'invalid_token']);
  });

  it('needs no permission for a narrower token of the client itself', async () => {
    const subject = await loginAt('spa', { scope: 'openid phone address' });
    const { status, body } = await as('spa', subject, { scope: 'phone' }, '');
    expect(status).toBe(200);
    expect(body.scope?.split(' ')).not.toContain('address');
    expect(body.id_token).toBeUndefined();
  });

  it('gives who has copied a token of a public client nothing that lasts longer or reaches further', async () => {
    const lifespan = (seconds: number) => admin.send('PUT', '/shop', { accessTokenLifespan: seconds });
    await lifespan(60);
    const subject = await loginAt('spa');
    await lifespan(300);
    const { body } = await as('spa', subject, {}, '');
    expect(decodeJwt(body.access_token as string).exp).toBe(decodeJwt(subject).exp);
    const refresh = await as('spa', subject, { requested_token_type: type('refresh_token') }, '');
    expect(refresh.error).toBe('invalid_request: Public clients get no refresh tokens by an exchange');
    const wider = await as('spa', subject, { scope: 'phone' }, '');
    expect(wider.error).toBe('invalid_scope: The subject_token has a narrower scope');
  });

  it('names itself in discovery, and is no disabled feature', async () => {
    const response = await fetch(`${server.url}/auth/realms/shop/.well-known/openid-configuration`);
    expect(((await response.json()) as { grant_types_supported: string[] }).grant_types_supported).toContain(exchange);
    const { body } = await admin.send('GET', '/');
    expect(body.profileInfo.disabledFeatures).not.toContain('TOKEN_EXCHANGE');
  });
});

describe('a token exchange is refused', () => {
  const refusals: Record<string, [Form, string]> = {
    'without a permission': [{ client_id: 'stranger' }, 'access_denied: Client not allowed to exchange'],
    'to a public client that does not hold the token': [
      { client_id: 'page', client_secret: '' },
      'access_denied: Client is not the holder of the token',
    ],
    'for itself, to a client that the token was not meant for': [
      { audience: 'gateway' },
      'access_denied: Client is not within the token audience',
    ],
    'for tokens of the console': [
      { audience: 'security-admin-console' },
      'access_denied: Client not allowed to exchange',
    ],
    'for a client that asks its users': [{ audience: 'asking' }, 'invalid_client: Client requires user consent'],
    'for a client whose tokens are bound to keys': [
      { audience: 'bound' },
      'invalid_client: Client requires tokens that are bound to a key or certificate',
    ],
    'for a client that is disabled': [{ audience: 'off' }, 'invalid_client: Client disabled'],
    'for a client that there is not': [{ audience: 'nope' }, 'invalid_client: Audience not found'],
    'with a wrong secret': [{ client_secret: 'wrong' }, 'unauthorized_client: Invalid client secret'],
    'without a token': [{ subject_token: '' }, 'invalid_request: Missing parameter: subject_token'],
    'for a token that is none': [{ subject_token: 'a.b.c' }, 'invalid_token: Invalid subject_token'],
    'for kinds of tokens that are not issued': [
      { requested_token_type: type('saml2') },
      'invalid_request: Unsupported requested_token_type',
    ],
    'of kinds of tokens that are not known': [
      { subject_token_type: type('jwt') },
      'invalid_request: Unsupported subject_token_type',
    ],
    'for other users': [{ requested_subject: 'boss' }, 'invalid_request: Parameter not supported: requested_subject'],
    'with other issuers': [
      { requested_issuer: 'google' },
      'invalid_request: Parameter not supported: requested_issuer',
    ],
    'for offline tokens': [{ scope: 'offline_access' }, 'invalid_scope: Offline tokens cannot be had by an exchange'],
    'for scopes that the client does not have': [{ scope: 'nope' }, 'invalid_scope: Invalid scopes: nope'],
  };
  it.each(Object.entries(refusals))('%s', async (_, [form, expected]) => {
    const answer = await as('gateway', await loginAt('spa'), { audience: 'orders', ...form });
    expect(answer.error).toBe(expected);
    expect(answer.body.access_token).toBeUndefined();
  });

  it('for the refresh, ID, and service account tokens of others', async () => {
    const form = { grant_type: 'password', client_id: 'spa', username: 'ann', password: 'pw', scope: 'openid' };
    const { body } = await tokenRequest(form);
    const robot = { grant_type: 'client_credentials', client_id: 'robot', client_secret: 'secret' };
    const subjects = [body.refresh_token, body.id_token, (await tokenRequest(robot)).body.access_token];
    for (const subject of subjects) {
      expect((await as('gateway', subject as string, { audience: 'orders' })).body.error).toBe('invalid_token');
    }
  });

  it('for tokens of another realm', async () => {
    const token = admin.token;
    expect((await as('gateway', token, { audience: 'orders' })).body.error).toBe('invalid_token');
  });

  it('to a client for scopes that the user has not consented to', async () => {
    await admin.send('POST', '/shop/clients', { ...confidential, clientId: 'wary', directAccessGrantsEnabled: true });
    const subject = await loginAt('wary', { client_secret: 'secret' });
    const [client] = (await admin.send('GET', '/shop/clients?clientId=wary')).body;
    await admin.send('PUT', `/shop/clients/${client.id}`, { ...client, consentRequired: true });
    const { body } = await as('wary', subject, { scope: 'phone address' });
    expect(body).toMatchObject({ error: 'invalid_scope' });
    expect(body.access_token).toBeUndefined();
  });

  it('for users who are disabled meanwhile', async () => {
    await admin.send('POST', '/shop/users', {
      username: 'eve',
      enabled: true,
      credentials: [{ type: 'password', value: 'pw' }],
    });
    const subject = await loginAt('spa', {}, 'eve');
    const { sub } = decodeJwt(subject);
    await admin.send('PUT', `/shop/users/${sub}`, { enabled: false });
    expect((await as('gateway', subject, { audience: 'orders' })).body.error).toBe('invalid_token');
  });
});

describe('roles that administer', () => {
  const administers = async (token: string) =>
    (await callerWith(server, token).send('GET', '/shop/users')).status === 200;

  it('are in the new token only where they are in the exchanged one', async () => {
    const scoped = { clientId: 'small', publicClient: true, directAccessGrantsEnabled: true, fullScopeAllowed: false };
    await admin.send('POST', '/shop/clients', scoped);
    const small = await loginAt('small', {}, 'boss');
    expect(await administers(small)).toBe(false);
    const { body: narrow } = await as('gateway', small, { audience: 'orders' });
    expect(decodeJwt(narrow.access_token as string).resource_access).toEqual({ orders: { roles: ['write'] } });
    expect(await administers(narrow.access_token as string)).toBe(false);
    // nor does a refresh bring them back
    const { body: renewed } = await as('gateway', small, {
      audience: 'orders',
      requested_token_type: type('refresh_token'),
    });
    expect(renewed).toMatchObject({ issued_token_type: type('access_token') });
    expect(renewed).not.toHaveProperty('refresh_token');
    const whole = await loginAt('spa', {}, 'boss');
    expect(await administers(whole)).toBe(true);
    const { body: wide } = await as('gateway', whole, { audience: 'orders' });
    expect(await administers(wide.access_token as string)).toBe(true);
  });
});
