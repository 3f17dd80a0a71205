import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEndOfFile } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { agentOf, answerOf, authorizationUrl, noticeOf, type Page, token } from './agent.js';
import { callback, importShop, shop } from './realm.js';

let server: TestServer;
let admin: Caller;
let signer: CryptoKey;
const told: string[] = [];

beforeAll(async () => {
  server = await startServer({ trustProxy: 1, fetchPrivateAddresses: true });
  admin = await administrator(server);
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  signer = privateKey;
  const listener = createServer((message, response) => {
    let body = '';
    message.on('data', (chunk) => (body += chunk));
    message.on('end', () => {
      told.push(body);
      response.end();
    });
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  atEndOfFile(() => new Promise<void>((done) => listener.close(() => done())));
  const backchannel = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/logout`;
  const client = { publicClient: true, redirectUris: [callback] };
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }] });
  await importShop(admin, {
    clients: [
      ...shop.clients,
      { ...client, clientId: 'front', implicitFlowEnabled: true },
      { ...client, clientId: 'only', implicitFlowEnabled: true, standardFlowEnabled: false },
      { ...client, clientId: 'copy', redirectUris: ['urn:ietf:wg:oauth:2.0:oob'] },
      { ...client, clientId: 'listens', attributes: { 'backchannel.logout.url': backchannel } },
      { ...client, clientId: 'signs', attributes: { 'use.jwks.string': 'true', 'jwks.string': jwks } },
      {
        ...client,
        clientId: 'must sign',
        attributes: {
          'use.jwks.string': 'true',
          'jwks.string': jwks,
          'request.object.required': 'request',
          'request.object.signature.alg': 'ES256',
        },
      },
      { ...client, clientId: 'pushes', attributes: { 'require.pushed.authorization.requests': 'true' } },
      { ...client, clientId: 'unsigned', attributes: { 'request.object.signature.alg': 'none' } },
    ],
  });
});

const app = { client_id: 'app', redirect_uri: callback };
async function signIn(parameters: Record<string, string>, username = 'ann', agent = agentOf(server)) {
  const page = await agent.get(authorizationUrl('shop', { ...app, ...parameters }));
  return { agent, page, done: await agent.submit(page, { username, password: `pw-${username}` }) };
}
const fragmentOf = ({ location }: Page): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(new URL(location ?? 'x:').hash.slice(1)));
const half = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

describe('answers through the browser', () => {
  const front = { client_id: 'front', nonce: 'n', state: 's' };

  it.each(['token', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token'])(
    'hold what was asked for: %s',
    async (response_type) => {
      const { done } = await signIn({ ...front, response_type });
      const answer = fragmentOf(done);
      const types = response_type.split(' ');
      expect(Object.keys(answer)).toEqual(expect.arrayContaining(['state', 'session_state']));
      expect('code' in answer).toBe(types.includes('code'));
      expect('access_token' in answer).toBe(types.includes('token'));
      expect('id_token' in answer).toBe(types.includes('id_token'));
      if (answer.id_token) {
        expect(decodeJwt(answer.id_token)).toMatchObject({
          nonce: 'n',
          aud: 'front',
          ...(answer.access_token && { at_hash: half(answer.access_token) }),
          ...(answer.code && { c_hash: half(answer.code) }),
        });
      }
      if (answer.access_token) {
        const info = await fetch(`${server.url}/auth/realms/shop/protocol/openid-connect/userinfo`, {
          headers: { authorization: `Bearer ${answer.access_token}` },
        });
        expect([info.status, Number(answer.expires_in)]).toEqual([200, 900]);
      }
      if (answer.code) {
        const form = { grant_type: 'authorization_code', code: answer.code, ...app, client_id: 'front' };
        expect((await token(server, 'shop', form)).status).toBe(200);
      }
    },
  );

  it('are for clients that may have them, with what they need', async () => {
    const ask = async (parameters: Record<string, string>) =>
      agentOf(server).get(authorizationUrl('shop', { ...app, ...parameters }));
    expect(fragmentOf(await ask({ response_type: 'token' })).error).toBe('unauthorized_client');
    expect(fragmentOf(await ask({ ...front, response_type: 'id_token', nonce: '' })).error).toBe('invalid_request');
    const query = await ask({ ...front, response_type: 'token', response_mode: 'query' });
    expect(fragmentOf(query).error ?? answerOf(query).error).toBe('invalid_request');
    expect(answerOf(await ask({ client_id: 'only' })).error).toBe('unauthorized_client');
    const { done } = await signIn({ response_type: 'none' });
    expect(Object.keys(answerOf(done))).toEqual(['session_state', 'iss']);
  });

  it('are shown to the user of a client without an address', async () => {
    const { done } = await signIn({ client_id: 'copy', redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' });
    expect(done.status).toBe(200);
    const code = /id="code">([\w-]{43})</.exec(done.text)?.[1] ?? '';
    const form = { grant_type: 'authorization_code', code, client_id: 'copy' };
    const { status } = await token(server, 'shop', { ...form, redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' });
    expect(status).toBe(200);
    expect((await signIn({ redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' }).catch(() => undefined))?.page).toBeUndefined();
  });
});

describe('a request object', () => {
  const signed = (claims: object, alg = 'ES256') =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg }).setExpirationTime('5m').sign(signer);
  const ask = async (parameters: Record<string, string>) =>
    agentOf(server).get(authorizationUrl('shop', { ...app, client_id: 'signs', ...parameters }));

  it('that the client has signed says what it asks for', async () => {
    const request = await signed({ login_hint: 'from the object', client_id: 'signs', redirect_uri: callback });
    const page = await ask({ request, login_hint: 'from the address', redirect_uri: '' });
    expect(page.text).toContain('value="from the object"');
    const elsewhere = await signed({ redirect_uri: 'http://evil.example/' });
    expect((await ask({ request: elsewhere })).status).toBe(400);
  });

  it('that it has not signed is refused', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const foreign = await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    const none = new UnsecuredJWT({ login_hint: 'x' }).encode();
    const old = await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).setExpirationTime(1).sign(signer);
    const others = [await signed({ iss: 'app' }), await signed({ client_id: 'app' }), await signed({ aud: 'x' })];
    for (const request of [foreign, none, old, ...others]) {
      expect(answerOf(await ask({ request })).error).toBe('invalid_request_object');
    }
    expect(answerOf(await ask({ client_id: 'must sign' })).error).toBe('invalid_request');
    expect((await ask({ client_id: 'must sign', request: await signed({}) })).status).toBe(200);
    expect((await ask({ client_id: 'unsigned', request: none })).text).toContain('value="x"');
  });
});

describe('a request that is pushed', () => {
  const push = async (form: Record<string, string>) => {
    const address = `${server.url}/auth/realms/shop/protocol/openid-connect/ext/par/request`;
    const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(form) });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  const base = (parameters: Record<string, string>) =>
    agentOf(server).get(`/auth/realms/shop/protocol/openid-connect/auth?${new URLSearchParams(parameters)}`);

  it('counts once, for its client', async () => {
    const asked = { ...app, response_type: 'code', scope: 'openid', login_hint: 'pushed' };
    const { status, body } = await push(asked);
    expect([status, body.expires_in]).toEqual([201, 60]);
    const request_uri = body.request_uri ?? '';
    expect((await base({ client_id: 'second', request_uri })).status).toBe(400);
    expect((await base({ client_id: 'app', request_uri, login_hint: 'other' })).text).toContain('value="pushed"');
    expect((await base({ client_id: 'app', request_uri })).status).toBe(400);
    expect((await push({ ...asked, request_uri })).body.error).toBe('invalid_request');
    expect((await push({ ...asked, client_id: 'nobody' })).status).toBe(400);
    const pushing = { ...app, client_id: 'pushes' };
    expect(answerOf(await base({ ...pushing, response_type: 'code' })).error).toBe('invalid_request');
    const pushed = await push({ ...pushing, response_type: 'code' });
    expect((await base({ client_id: 'pushes', request_uri: pushed.body.request_uri ?? '' })).status).toBe(200);
  });
});

describe('a request that is pushed and is not good', () => {
  const good = { client_id: 'app', redirect_uri: callback, response_type: 'code', scope: 'openid' };
  const push = async (change: Record<string, string>) => {
    const address = `${server.url}/auth/realms/shop/protocol/openid-connect/ext/par/request`;
    const answer = await fetch(address, { method: 'POST', body: new URLSearchParams({ ...good, ...change }) });
    return { status: answer.status, ...((await answer.json()) as Record<string, string>) };
  };

  it.each([
    [{ redirect_uri: 'http://elsewhere.example' }, 'invalid_request', 'Invalid parameter: redirect_uri'],
    [{ response_type: '' }, 'invalid_request', 'Missing parameter: response_type'],
    [{ response_type: 'coffee' }, 'unsupported_response_type', 'Unsupported response_type'],
    [{ scope: 'openid everything' }, 'invalid_scope', 'Invalid scopes: openid everything'],
    [
      { code_challenge: 'short', code_challenge_method: 'S256' },
      'invalid_request',
      'Invalid parameter: code_challenge',
    ],
    [{ claims: '{' }, 'invalid_request', 'Invalid parameter: claims'],
    [{ client_id: 'strict' }, 'invalid_request', 'Missing parameter: code_challenge_method'],
    [{ request: 'no.object' }, 'invalid_request_object', 'Failed to verify the request object'],
  ])('is refused at once: %o', async (change, error, error_description) => {
    expect(await push(change as Record<string, string>)).toEqual({ status: 400, error, error_description });
  });
});

describe('an action that the client asks for', () => {
  it('is performed and told of, or left out', async () => {
    const { agent, done } = await signIn({}, 'bob');
    expect(answerOf(done)).not.toHaveProperty('kc_action_status');
    const start = () => agent.get(authorizationUrl('shop', { ...app, kc_action: 'UPDATE_PASSWORD' }));
    const left = await agent.submit(await start(), { 'cancel-aia': 'true' });
    expect(answerOf(left)).toMatchObject({ kc_action_status: 'cancelled', code: expect.any(String) });
    const page = await start();
    expect(page.text).toContain('Cancel');
    const performed = await agent.submit(page, { 'password-new': 'pw-bob', 'password-confirm': 'pw-bob' });
    expect(answerOf(performed).kc_action_status).toBe('success');
    const unknown = await agent.get(authorizationUrl('shop', { ...app, kc_action: 'FLY' }));
    expect(answerOf(unknown).kc_action_status).toBe('error');
  });

  it('cannot be used to leave out what is required', async () => {
    const { agent, done } = await signIn({}, 'todo');
    const still = await agent.submit(done, { 'cancel-aia': 'true' });
    expect(still.text).toContain('password-new');
  });
});

describe('the browser', () => {
  it('asks for consent again where the client wants it', async () => {
    const asking = { client_id: 'asking' };
    const { agent, done } = await signIn(asking, 'carl');
    expect(answerOf(await agent.submit(done, { accept: 'true' }))).toHaveProperty('code');
    expect(answerOf(await agent.get(authorizationUrl('shop', { ...app, ...asking })))).toHaveProperty('code');
    const again = await agent.get(authorizationUrl('shop', { ...app, ...asking, prompt: 'consent' }));
    expect(again.text).toContain('Asking app');
  });

  it('gets no more for a client whose consent was taken back, or that has come to ask for more', async () => {
    const asking = { client_id: 'asking' };
    const [client] = (await admin.send('GET', '/admin/realms/shop/clients?clientId=asking')).body;
    const [user] = (await admin.send('GET', '/admin/realms/shop/users?username=eve&exact=true')).body;
    const { agent, done } = await signIn(asking, 'eve');
    const { code = '' } = answerOf(await agent.submit(done, { accept: 'true' }));
    const first = await token(server, 'shop', { grant_type: 'authorization_code', ...app, ...asking, code });
    const refresh = (refreshToken = '') =>
      token(server, 'shop', { grant_type: 'refresh_token', ...asking, refresh_token: refreshToken });
    const second = await refresh(first.body.refresh_token);
    expect(second.status).toBe(200);
    const scope = { name: 'more', protocol: 'openid-connect' };
    const made = await admin.send('POST', '/admin/realms/shop/client-scopes', scope);
    const added = `/admin/realms/shop/clients/${client.id}/default-client-scopes/${made.headers.get('location')?.split('/').at(-1)}`;
    const refused = [400, 'Client no longer has requested consent from user'];
    const asked = async () => {
      const { status, body } = await refresh(second.body.refresh_token);
      return [status, body.error_description];
    };
    expect((await admin.send('PUT', added)).status).toBe(204);
    expect(await asked()).toEqual(refused);
    expect((await admin.send('DELETE', added)).status).toBe(204);
    expect((await asked())[0]).toBe(200);
    expect((await admin.send('DELETE', `/admin/realms/shop/users/${user.id}/consents/asking`)).status).toBe(204);
    expect(await asked()).toEqual(refused);
  });

  it('has to be there when a code is exchanged', async () => {
    const asking = { client_id: 'asking' };
    const [user] = (await admin.send('GET', '/admin/realms/shop/users?username=dora&exact=true')).body;
    const { agent, done } = await signIn(asking, 'dora');
    const { code = '' } = answerOf(await agent.submit(done, { accept: 'true' }));
    expect((await admin.send('DELETE', `/admin/realms/shop/users/${user.id}/consents/asking`)).status).toBe(204);
    const refused = await token(server, 'shop', { grant_type: 'authorization_code', ...app, ...asking, code });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_scope']);
  });

  it('that logs out has the clients told', async () => {
    const { agent } = await signIn({ client_id: 'listens' }, 'dora');
    const logout = `/auth/realms/shop/protocol/openid-connect/logout?redirect_uri=${encodeURIComponent(callback)}`;
    const question = await agent.get(logout);
    const checker = /name="checker" value="([^"]*)"/.exec(question.text)?.[1] ?? '';
    const away = await agent.submit(question, { checker, post_logout_redirect_uri: callback });
    expect(away.location).toBe(callback);
    expect(told.length).toBe(1);
    const claims = decodeJwt(new URLSearchParams(told[0]).get('logout_token') ?? '');
    expect(claims).toMatchObject({ aud: 'listens', typ: 'Logout' });
  });

  it('from outside has to come by TLS', async () => {
    const outside = { 'x-forwarded-for': '203.0.113.7' };
    const page = await agentOf(server, outside).get(authorizationUrl('shop', app));
    expect([page.status, noticeOf(page)]).toEqual([403, 'HTTPS is required.']);
    const secure = { ...outside, 'x-forwarded-proto': 'https' };
    expect((await agentOf(server, secure).get(authorizationUrl('shop', app))).status).toBe(200);
    expect((await agentOf(server, { 'x-forwarded-for': '10.1.2.3' }).get(authorizationUrl('shop', app))).status).toBe(
      200,
    );
    const answer = await fetch(`${server.url}/auth/realms/shop/protocol/openid-connect/token`, {
      method: 'POST',
      headers: outside,
      body: new URLSearchParams({ grant_type: 'password', client_id: randomUUID() }),
    });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: 'invalid_request', error_description: 'HTTPS required' },
    ]);
  });
});
