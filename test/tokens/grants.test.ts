import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { message } from '../../src/services/realms/defaults/message.js';
import { allowedOrigins } from '../../src/services/tokens/origins.js';
import { measureStatements } from '../support/statements.js';
import { baseUrl, makeClient, makeRealm, makeUser, openWorld, send, type World } from './world.js';

let world: World;
let realmId: string;
const password = (username: string, more: Record<string, string> = {}) => ({
  grant_type: 'password',
  client_id: 'app',
  username,
  password: `pw-${username}`,
  ...more,
});
/** Where the server is, for addresses below it. */
const server = 'https://login.example:8443/auth';
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

beforeAll(async () => {
  world = await openWorld();
  realmId = await makeRealm(world, 'shop', { accessTokenLifespan: 300, ssoSessionIdleTimeout: 1800 });
  await makeClient(world, realmId, 'app', { webOrigins: ['http://app.example'] });
  await makeClient(world, realmId, 'desk');
  await makeClient(world, realmId, 'browser', { directAccessGrantsEnabled: false });
  await makeClient(world, realmId, 'off', { enabled: false });
  await makeClient(world, realmId, 'bearer', { publicClient: false, bearerOnly: true });
  await makeClient(world, realmId, 'consent', { consentRequired: true });
  await makeClient(world, realmId, 'jwt', { secret: 'x', clientAuthenticatorType: 'client-jwt' });
  const backend = await makeClient(world, realmId, 'backend', { secret: 'top secret+%', serviceAccountsEnabled: true });
  await makeUser(world, realmId, 'service-account-backend', { serviceAccountClientId: backend });
  await makeUser(world, realmId, 'ann', { email: 'ann@example.org' });
  await makeUser(world, realmId, 'out', { enabled: false });
  await makeUser(world, realmId, 'todo', { requiredActions: ['UPDATE_PASSWORD'] });
});

describe('the password grant', () => {
  it('answers with tokens of the reference’s shape, in few statements', async () => {
    await send(world, 'shop', password('ann'));
    const { result, statements } = await measureStatements(world, () => send(world, 'shop', password('ann')));
    // one of them reads the flow and one the roles of the client, which are remembered as long as the realm is
    expect(statements).toBeLessThanOrEqual(7);
    const { status, body, headers, allowedOrigins: origins } = result;
    expect(status).toBe(200);
    expect(headers).toEqual({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
    expect(origins).toEqual(['http://app.example']);
    expect(body).toEqual({
      access_token: expect.any(String),
      expires_in: 300,
      refresh_expires_in: 1800,
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      'not-before-policy': 0,
      session_state: expect.any(String),
      scope: '',
    });
    const access = body.access_token as string;
    expect(decodeProtectedHeader(access)).toEqual({
      alg: 'RS256',
      typ: 'JWT',
      kid: expect.any(String),
    });
    const claims = decodeJwt(access);
    expect(claims).toMatchObject({
      iss: `${baseUrl}/realms/shop`,
      typ: 'Bearer',
      azp: 'app',
      acr: '1',
      sid: body.session_state,
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);
    const refresh = body.refresh_token as string;
    expect(decodeProtectedHeader(refresh).alg).toBe('HS256');
    expect(decodeJwt(refresh)).toMatchObject({ typ: 'Refresh', aud: `${baseUrl}/realms/shop`, azp: 'app' });
  });

  it('knows users by name and address, whatever the case', async () => {
    for (const username of ['ANN', 'ann@example.org', 'Ann@Example.ORG']) {
      const { status } = await send(world, 'shop', { ...password('ann'), username });
      expect([username, status]).toEqual([username, 200]);
    }
    await makeRealm(world, 'names-only', { loginWithEmailAllowed: false });
    const id = (await world.database.read.realm.findFirst({ where: { name: 'names-only' }, select: { id: true } }))?.id;
    await makeClient(world, id as string, 'app');
    await makeUser(world, id as string, 'ann', { email: 'ann@example.org' });
    expect((await send(world, 'names-only', { ...password('ann'), username: 'ann@example.org' })).status).toBe(401);
    expect((await send(world, 'names-only', password('ann'))).status).toBe(200);
  });

  const invalid = 'Invalid user credentials';
  it.each([
    ['a wrong password', password('ann', { password: 'x' }), 401, 'invalid_grant', invalid],
    ['an unknown user', password('nobody'), 401, 'invalid_grant', invalid],
    ['no password', password('ann', { password: '' }), 401, 'invalid_grant', invalid],
    ['a service account', password('service-account-backend'), 401, 'invalid_grant', invalid],
    ['an empty user name', password(''), 401, 'invalid_grant', invalid],
    ['a disabled user', password('out'), 400, 'invalid_grant', 'Account disabled'],
    ['a disabled user, bad password', password('out', { password: 'x' }), 401, 'invalid_grant', invalid],
    ['an open action', password('todo'), 400, 'invalid_grant', 'Account is not fully set up'],
    ['an open action, bad password', password('todo', { password: 'x' }), 401, 'invalid_grant', invalid],
    ['an unknown client', password('ann', { client_id: 'nope' }), 400, 'invalid_client', 'Invalid client credentials'],
    ['no client', password('ann', { client_id: '' }), 400, 'invalid_client', 'Invalid client credentials'],
    [
      'a disabled client',
      password('ann', { client_id: 'off' }),
      400,
      'unauthorized_client',
      'Invalid client credentials',
    ],
    [
      'a client without the grant',
      password('ann', { client_id: 'browser' }),
      400,
      'unauthorized_client',
      'Client not allowed for direct access grants',
    ],
    [
      'a client with consent',
      password('ann', { client_id: 'consent' }),
      400,
      'invalid_client',
      'Client requires user consent',
    ],
    [
      'a bearer-only client',
      password('ann', { client_id: 'bearer' }),
      401,
      'unauthorized_client',
      'Client secret not provided in request',
    ],
    [
      'no client secret',
      password('ann', { client_id: 'backend' }),
      401,
      'unauthorized_client',
      'Client secret not provided in request',
    ],
    [
      'a bad client secret',
      password('ann', { client_id: 'backend', client_secret: 'x' }),
      401,
      'unauthorized_client',
      'Invalid client secret',
    ],
    [
      'a secret where a signature is asked for',
      password('ann', { client_id: 'jwt', client_secret: 'x' }),
      400,
      'invalid_client',
      'Parameter client_assertion_type is missing',
    ],
    ['no grant type', { client_id: 'app' }, 400, 'invalid_request', 'Missing form parameter: grant_type'],
    [
      'an unknown grant type',
      { grant_type: 'magic', client_id: 'app' },
      400,
      'unsupported_grant_type',
      'Unsupported grant_type',
    ],
    [
      'a made-up code',
      { grant_type: 'authorization_code', client_id: 'app', code: 'x' },
      400,
      'invalid_grant',
      'Code not valid',
    ],
    [
      'no code',
      { grant_type: 'authorization_code', client_id: 'app' },
      400,
      'invalid_request',
      'Missing parameter: code',
    ],
    ['an unknown scope', password('ann', { scope: 'none' }), 400, 'invalid_scope', 'Invalid scopes: none'],
  ])('refuses %s', async (_, form, status, error, error_description) => {
    expect(await send(world, 'shop', form)).toMatchObject({ status, body: { error, error_description } });
  });

  it('refuses a parameter that comes twice', async () => {
    const form = new URLSearchParams([...Object.entries(password('ann')), ['username', 'out']]);
    expect(await send(world, 'shop', password('ann'), { form })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  it('authenticates the client by form or header, encoded or not', async () => {
    const form = { ...password('ann'), client_id: 'backend' };
    const { client_id: _, ...withoutClient } = form;
    expect((await send(world, 'shop', { ...form, client_secret: 'top secret+%' })).status).toBe(200);
    expect((await send(world, 'shop', withoutClient, basic('backend:top secret+%'))).status).toBe(200);
    expect((await send(world, 'shop', withoutClient, basic('backend:top+secret%2B%25'))).status).toBe(200);
    expect((await send(world, 'shop', withoutClient, basic('backend:bad'))).body.error).toBe('unauthorized_client');
    expect((await send(world, 'shop', withoutClient, { authorization: 'Basic !' })).body.error).toBe('invalid_client');
  });

  it('refuses an unknown realm, a disabled one, and expired passwords', async () => {
    await expect(send(world, 'nowhere', password('ann'))).rejects.toMatchObject({
      kind: 'notFound',
      message: 'Realm does not exist',
    });
    const id = await makeRealm(world, 'strict', { passwordPolicy: 'forceExpiredPasswordChange(1)', verifyEmail: true });
    await makeClient(world, id, 'app');
    await makeUser(world, id, 'ann', { emailVerified: true });
    await makeUser(world, id, 'bob');
    expect((await send(world, 'strict', password('ann'))).status).toBe(200);
    expect((await send(world, 'strict', password('bob'))).body.error_description).toBe('Account is not fully set up');
    world.wait(2 * 86_400_000);
    expect((await send(world, 'strict', password('ann'))).body.error_description).toBe('Account is not fully set up');
    await world.database.transaction((tx) => tx.realm.updateMany({ where: { id }, data: { enabled: false } }));
    expect(await send(world, 'strict', password('ann'))).toMatchObject({
      status: 403,
      body: { error: 'access_denied', error_description: 'Realm not enabled' },
    });
  });

  it('lets no token outlive its session', async () => {
    const id = await makeRealm(world, 'short', {
      accessTokenLifespan: 5000,
      ssoSessionIdleTimeout: 600,
      ssoSessionMaxLifespan: 700,
    });
    await makeClient(world, id, 'app');
    await makeClient(world, id, 'own', {
      attributes: { 'access.token.lifespan': '60', 'client.session.idle.timeout': '90' },
    });
    await makeUser(world, id, 'ann');
    expect((await send(world, 'short', password('ann'))).body).toMatchObject({
      expires_in: 700,
      refresh_expires_in: 600,
    });
    const own = await send(world, 'short', password('ann', { client_id: 'own' }));
    expect(own.body).toMatchObject({ expires_in: 60, refresh_expires_in: 90 });
    const { body } = await send(world, 'short', password('ann'));
    world.wait(500_000);
    const refreshed = await send(world, 'short', {
      grant_type: 'refresh_token',
      client_id: 'app',
      refresh_token: body.refresh_token as string,
    });
    expect(refreshed.body.refresh_expires_in).toBeLessThanOrEqual(200);
    expect(refreshed.body.expires_in).toBeLessThanOrEqual(200);
  });
});

describe('client credentials', () => {
  const form = { grant_type: 'client_credentials', client_id: 'backend', client_secret: 'top secret+%' };

  it('give a token for the service account, and none to refresh it', async () => {
    const { status, body } = await send(world, 'shop', form, { remoteAddress: '192.0.2.1' });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires_in',
      'not-before-policy',
      'refresh_expires_in',
      'scope',
      'token_type',
    ]);
    expect(body.refresh_expires_in).toBe(0);
    expect(decodeJwt(body.access_token as string)).not.toHaveProperty('sid');
  });

  it('are refused for clients without service account', async () => {
    const refused = { status: 401, body: { error: 'unauthorized_client' } };
    expect(await send(world, 'shop', { grant_type: 'client_credentials', client_id: 'app' })).toMatchObject(refused);
    const where = { realmId, clientId: 'backend' };
    const enable = (serviceAccountsEnabled: boolean) =>
      world.database.transaction((tx) => tx.client.updateMany({ where, data: { serviceAccountsEnabled } }));
    await enable(false);
    expect(await send(world, 'shop', form)).toMatchObject(refused);
    await enable(true);
    expect((await send(world, 'shop', form)).status).toBe(200);
  });
});

describe('the origins of a client', () => {
  it('are those that it lists, and with + those of its redirect addresses', () => {
    const redirectUris = ['http://one.example:8080/app/*', '/local/*', 'urn:ietf:wg:oauth:2.0:oob', 'https://*'];
    const client = { rootUrl: 'https://root.example', redirectUris };
    expect(allowedOrigins({ ...client, webOrigins: ['http://x.example'] }, server)).toEqual(['http://x.example']);
    expect(allowedOrigins({ ...client, webOrigins: ['+', 'http://x.example'] }, server)).toEqual([
      'http://x.example',
      'http://one.example:8080',
      'https://root.example',
    ]);
  });

  it('are that of the server for addresses below it', () => {
    const local = { redirectUris: ['/app/*'], webOrigins: ['+'] };
    for (const rootUrl of [null, '', message('authBaseUrl'), message('authAdminUrl')]) {
      expect(allowedOrigins({ ...local, rootUrl }, server)).toEqual(['https://login.example:8443']);
    }
  });
});
