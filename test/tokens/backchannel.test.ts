// @both-databases
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEndOfFile } from '../support/database.js';
import { administrator, type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { slowClockAhead } from '../support/slow-clock.js';

// Client-initiated backchannel authentication: the user answers on another device, which a stand-in plays here.
const grant = 'urn:openid:params:grant-type:ciba';
const oidc = '/protocol/openid-connect';

interface Received {
  authorization: string;
  body: Record<string, string>;
}
/** What a server of somebody else has been sent. */
interface Other {
  url: string;
  received: Received[];
  status: number;
}

async function otherServer(): Promise<Other> {
  const received: Received[] = [];
  const other: Other = { url: '', received, status: 201 };
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    received.push({ authorization: request.headers.authorization ?? '', body: JSON.parse(text) });
    response.writeHead(other.status).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEndOfFile(async () => {
    server.close();
  });
  other.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return other;
}

let server: TestServer;
let admin: Caller;
let channel: Other;
let client: Other;
/** Seconds by which the clock of the server is ahead. */
let moved = 0;

type Form = Record<string, string>;
async function post(path: string, form: Form, realm = 'shop') {
  const response = await fetch(`${server.url}/auth/realms/${realm}${oidc}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'shop', client_secret: 'secret', ...form }),
  });
  const body = (await response.json()) as Record<string, string>;
  return { status: response.status, body, error: `${body.error}: ${body.error_description}` };
}
const ask = (more: Form = {}) => post('/ext/ciba/auth', { scope: 'openid', login_hint: 'ann', ...more });
const poll = (code: string | undefined, more: Form = {}) =>
  post('/token', { grant_type: grant, auth_req_id: code ?? '', ...more });
const last = (): Received => channel.received.at(-1) as Received;
async function answer(status: unknown, { authorization }: Pick<Received, 'authorization'> = last(), realm = 'shop') {
  const response = await fetch(`${server.url}/auth/realms/${realm}${oidc}/ext/ciba/auth/callback`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  });
  return response.status;
}
/** Lets so much time pass that no earlier request counts. */
async function later(): Promise<void> {
  moved += 1000;
  admin = await administrator(server);
}

beforeAll(async () => {
  [channel, client] = await Promise.all([otherServer(), otherServer()]);
  const more = { publicClient: false, secret: 'secret', redirectUris: ['http://app.example'] };
  const attributes = { 'oidc.ciba.grant.enabled': 'true' };
  const ping = {
    ...attributes,
    'ciba.backchannel.token.delivery.mode': 'ping',
    'ciba.backchannel.client.notification.endpoint': `${client.url}/cb`,
  };
  const realm = {
    realm: 'shop',
    enabled: true,
    eventsEnabled: true,
    clients: [
      { clientId: 'shop', ...more, attributes, directAccessGrantsEnabled: true },
      { clientId: 'other', ...more, attributes },
      { clientId: 'pinged', ...more, attributes: ping },
      { clientId: 'without', ...more },
      { clientId: 'page', publicClient: true, redirectUris: ['http://app.example'], attributes },
    ],
    users: ['ann', 'bea', 'cyd'].map((username) => ({
      username,
      enabled: username !== 'cyd',
      email: `${username}@shop.example`,
    })),
  };
  const settings = { cibaChannelUrl: `${channel.url}/ask`, fetchPrivateAddresses: true };
  ({ server, admin } = await startWithRealm(
    realm,
    settings,
    slowClockAhead(() => moved * 1000),
  ));
});

describe('a login on another device', () => {
  it('gives the client tokens when the user has allowed it', async () => {
    const { status, body } = await ask({ binding_message: 'W4SCT', acr_values: '1', scope: 'openid phone' });
    expect([status, body]).toEqual([200, { auth_req_id: expect.any(String), expires_in: 120, interval: 5 }]);
    expect(last().body).toEqual({
      login_hint: 'ann',
      scope: 'openid phone',
      consent_required: false,
      client_id: 'shop',
      callback_url: `${server.url}/auth/realms/shop${oidc}/ext/ciba/auth/callback`,
      binding_message: 'W4SCT',
      acr_values: '1',
    });
    expect((await poll(body.auth_req_id)).body.error).toBe('authorization_pending');
    expect((await poll(body.auth_req_id)).body.error).toBe('slow_down');
    expect(await answer('SUCCEED')).toBe(200);
    const tokens = await poll(body.auth_req_id);
    expect(tokens.status).toBe(200);
    const claims = decodeJwt(tokens.body.id_token as string);
    expect(claims).toMatchObject({ preferred_username: 'ann', azp: 'shop', auth_time: expect.any(Number) });
    const { status: refreshed } = await post('/token', {
      grant_type: 'refresh_token',
      refresh_token: tokens.body.refresh_token as string,
    });
    expect(refreshed).toBe(200);
    const { body: events } = await admin.send('GET', '/shop/events?type=AUTHREQID_TO_TOKEN');
    expect(events[0]).toMatchObject({ clientId: 'shop', sessionId: claims.sid });
    const { body: answers } = await admin.send('GET', '/shop/events?type=GRANT_CONSENT');
    const details = { grant_type: grant, auth_req_id: expect.any(String), scope: 'openid phone' };
    expect(answers).toMatchObject([{ clientId: 'shop', userId: claims.sub, ipAddress: '127.0.0.1', details }]);
    await later();
  });

  it('is told to a client in ping mode, which then polls', async () => {
    const asked = await ask({ client_id: 'pinged', client_notification_token: 'tell.me' });
    expect(await answer('SUCCEED')).toBe(200);
    const code = asked.body.auth_req_id as string;
    expect(client.received.at(-1)).toEqual({ authorization: 'Bearer tell.me', body: { auth_req_id: code } });
    expect((await poll(code, { client_id: 'pinged' })).status).toBe(200);
    await later();
  });

  it('is advertised where there is a way to users', async () => {
    const response = await fetch(`${server.url}/auth/realms/shop/.well-known/openid-configuration`);
    const found = (await response.json()) as Record<string, unknown>;
    expect(found.backchannel_authentication_endpoint).toBe(`${server.url}/auth/realms/shop${oidc}/ext/ciba/auth`);
    expect(found.grant_types_supported).toContain(grant);
    expect(found.backchannel_token_delivery_modes_supported).toEqual(['poll', 'ping']);
  });
});

describe('a request to a user is refused', () => {
  it.each<[string, Form, string]>([
    ['of a client that may not', { client_id: 'without' }, 'unauthorized_client: Client not allowed OIDC CIBA Grant'],
    ['of a client without a secret', { client_id: 'page' }, 'unauthorized_client: Client not allowed OIDC CIBA Grant'],
    ['with a wrong secret', { client_secret: 'wrong' }, 'unauthorized_client: Invalid client secret'],
    ['without openid', { scope: 'phone' }, 'invalid_scope: The scope openid is missing'],
    [
      'with scopes that the client does not have',
      { scope: 'openid nope' },
      'invalid_scope: Invalid scopes: openid nope',
    ],
    ['without a user', { login_hint: '' }, 'invalid_request: Missing parameter: login_hint'],
    ['for an unknown user', { login_hint: 'nobody' }, 'unknown_user_id: The user is not known'],
    ['for a disabled user', { login_hint: 'cyd' }, 'unknown_user_id: The user is not known'],
    [
      'with a message that nobody could read',
      { binding_message: 'x'.repeat(101) },
      'invalid_binding_message: binding_message must have at most 100 characters',
    ],
    ['signed', { request: 'a.b.c' }, 'invalid_request: Parameter must be in the signed request: scope'],
    ['with a wrong expiry', { requested_expiry: '0' }, 'invalid_request: requested_expiry must be a positive number'],
    [
      'in ping mode without a token',
      { client_id: 'pinged' },
      'invalid_request: Missing or invalid parameter: client_notification_token',
    ],
  ])('%s', async (_, form, expected) => {
    const before = channel.received.length;
    expect((await ask(form)).error).toBe(expected);
    expect(channel.received.length).toBe(before);
  });

  it('when the user has others to answer', async () => {
    for (let count = 0; count < 3; count += 1) expect((await ask()).status).toBe(200);
    expect((await ask()).error).toBe('access_denied: The user is asked too often');
    // another user is not concerned, and an answer does not make room for the next
    expect((await ask({ login_hint: 'bea' })).status).toBe(200);
    await later();
    expect((await ask()).status).toBe(200);
    await later();
  });

  it('when the channel does not take it', async () => {
    channel.status = 500;
    const { status, body } = await ask();
    channel.status = 201;
    expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
    expect(await answer('SUCCEED')).toBe(403);
    await later();
  });

  it('by policies that demand a binding message', async () => {
    const profile = { name: 'ciba', executors: [{ executor: 'secure-ciba-session', configuration: {} }] };
    const policy = {
      name: 'all',
      enabled: true,
      conditions: [{ condition: 'any-client', configuration: {} }],
      profiles: ['ciba'],
    };
    await admin.send('PUT', '/shop/client-policies/profiles', { profiles: [profile] });
    expect((await admin.send('PUT', '/shop/client-policies/policies', { policies: [policy] })).status).toBe(204);
    expect((await ask()).error).toBe('invalid_request: Missing parameter: binding_message');
    expect((await ask({ binding_message: 'W4SCT' })).status).toBe(200);
    await admin.send('PUT', '/shop/client-policies/policies', { policies: [] });
    await later();
  });
});

describe('no tokens are issued', () => {
  it('without the answer of the user, or after a no', async () => {
    for (const status of ['UNAUTHORIZED', 'CANCELLED']) {
      const { body } = await ask();
      expect(await answer(status)).toBe(200);
      expect((await poll(body.auth_req_id)).body.error).toBe('access_denied');
      expect((await poll(body.auth_req_id)).body.error).toBe('invalid_grant');
    }
    const { body: denied } = await admin.send('GET', '/shop/events?type=GRANT_CONSENT_ERROR');
    expect(denied.map(({ error }: { error: string }) => error).sort()).toEqual(['not_allowed', 'rejected_by_user']);
    await later();
  });

  it('twice, or to another client', async () => {
    const { body } = await ask();
    await answer('SUCCEED');
    expect((await poll(body.auth_req_id, { client_id: 'other' })).body.error).toBe('invalid_grant');
    expect((await poll(body.auth_req_id)).status).toBe(200);
    expect((await poll(body.auth_req_id)).body.error).toBe('invalid_grant');
    await later();
  });

  it('when the request has expired', async () => {
    const { body } = await ask({ requested_expiry: '30' });
    expect(body.expires_in).toBe(30);
    await later();
    expect(await answer('SUCCEED')).toBe(403);
    expect(['expired_token', 'invalid_grant']).toContain((await poll(body.auth_req_id)).body.error);
  });

  it('by an answer of somebody else, of another request, or twice', async () => {
    const { body } = await ask();
    const own = last();
    await ask({ login_hint: 'bea' });
    const [id] = own.authorization.split('.');
    const [, secret] = last().authorization.split('.');
    for (const authorization of ['', 'Bearer x', `${id}.wrong`, `${id}.${secret}`, `Bearer ${body.auth_req_id}`]) {
      expect(await answer('SUCCEED', { authorization })).toBe(403);
    }
    expect(await answer('SUCCEED', own, 'master')).toBe(403);
    for (const status of ['YES', null, 1, {}]) expect(await answer(status, own)).toBe(400);
    expect((await poll(body.auth_req_id)).body.error).toBe('authorization_pending');
    expect(await answer('CANCELLED', own)).toBe(200);
    expect(await answer('SUCCEED', own)).toBe(403);
    await later();
  });

  it('to a user who has been disabled, or has to act first', async () => {
    const { body: users } = await admin.send('GET', '/shop/users?username=bea');
    const at = `/shop/users/${users[0].id}`;
    for (const change of [{ enabled: false }, { enabled: true, requiredActions: ['UPDATE_PASSWORD'] }]) {
      await admin.send('PUT', at, { enabled: true, requiredActions: [] });
      const { body } = await ask({ login_hint: 'bea' });
      await answer('SUCCEED');
      await admin.send('PUT', at, change);
      expect((await poll(body.auth_req_id)).body.error).toBe('invalid_grant');
    }
  });

  it('to a user who is locked out after failed logins', async () => {
    await admin.send('PUT', '/shop', { bruteForceProtected: true, failureFactor: 1, waitIncrementSeconds: 600 });
    const { body } = await ask();
    const guess = { grant_type: 'password', username: 'ann', password: 'wrong' };
    for (let count = 0; count < 2; count += 1) await post('/token', guess);
    await answer('SUCCEED');
    expect((await poll(body.auth_req_id)).error).toBe('invalid_grant: User disabled');
  });
});
