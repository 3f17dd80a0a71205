// @both-databases
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { atEndOfFile } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { idsIn, logIn, realm, representation } from './world.js';

/** What a client was told. */
interface Notice {
  path: string;
  type: string | undefined;
  claims: JWTPayload & Record<string, unknown>;
}

let server: TestServer;
let admin: Caller;
let ids: Map<string, string>;
let base: string;
let told: Notice[] = [];
/** The secret of the client whose logout tokens are signed with it. */
const ownSecret = new TextEncoder().encode('a-secret-of-the-client-that-is-long-enough-for-hs512');
const id = (name: string) => ids.get(name) ?? 'nobody';

const textOf = async (message: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

beforeAll(async () => {
  server = await startServer({ fetchPrivateAddresses: true });
  const keys = createRemoteJWKSet(new URL(`${server.url}/auth/realms/${realm}/protocol/openid-connect/certs`));
  const clients = createServer(async (message, response) => {
    const path = message.url ?? '';
    // a client that accepts the request and never answers
    if (path.startsWith('/mute')) return;
    const text = await textOf(message);
    const token = new URLSearchParams(text).get('logout_token') ?? text;
    const isByClient = path.startsWith('/hmac');
    const { payload } = isByClient ? await jwtVerify(token, ownSecret) : await jwtVerify(token, keys);
    told.push({ path, type: message.headers['content-type'], claims: payload });
    if (path.startsWith('/elsewhere')) response.writeHead(307, { location: `${base}/stolen` });
    else response.writeHead(path.startsWith('/broken') ? 500 : 204);
    response.end();
  });
  await new Promise<void>((done) => clients.listen(0, '127.0.0.1', done));
  atEndOfFile(() => {
    clients.closeAllConnections();
    clients.close();
  });
  base = `http://127.0.0.1:${(clients.address() as AddressInfo).port}`;
  admin = await administrator(server);
  const client = (clientId: string, more: object) => ({
    clientId,
    publicClient: true,
    directAccessGrantsEnabled: true,
    ...more,
  });
  const created = await admin.send(
    'POST',
    '/',
    representation({
      clients: [
        client('shop', { adminUrl: `${base}/shop` }),
        client('relative', { rootUrl: base, adminUrl: '/relative' }),
        client('token', {
          adminUrl: `${base}/never`,
          attributes: { 'backchannel.logout.url': `${base}/token`, 'backchannel.logout.revoke.offline.tokens': 'true' },
        }),
        client('hmac', {
          publicClient: false,
          secret: new TextDecoder().decode(ownSecret),
          attributes: { 'backchannel.logout.url': `${base}/hmac`, 'id.token.signed.response.alg': 'HS512' },
        }),
        client('broken', { adminUrl: `${base}/broken` }),
        client('far', { adminUrl: 'http://127.0.0.1:1/far' }),
        client('nodes', {
          adminUrl: 'http://localhost:1/nodes',
          registeredNodes: { 'node-1.invalid': 2_000_000_000, 'node-2.invalid': 1 },
          nodeReRegistrationTimeout: 60,
        }),
      ],
    }),
  );
  expect(created.status).toBe(201);
  ids = await idsIn(admin);
});

beforeEach(async () => {
  await server.database.transaction((tx) => tx.userSession.deleteMany({ where: { realm: { name: realm } } }));
  await server.database.transaction((tx) =>
    tx.user.updateMany({ where: { realm: { name: realm } }, data: { notBefore: 0 } }),
  );
  told = [];
});

const end = (sid: string) => admin.send('DELETE', `/${realm}/sessions/${sid}`);
const soon = () => Math.floor(Date.now() / 1000) + 31;

describe('the end of a session', () => {
  it('is an admin action for its clients, signed by the realm', async () => {
    const { session_state: sid } = await logIn(server, 'ann', { client_id: 'shop' });
    await logIn(server, 'ann', { client_id: 'relative' });
    expect((await end(sid)).status).toBe(204);
    expect(told).toMatchObject([{ path: '/shop/k_logout', type: 'text/plain' }]);
    const [{ claims } = {}] = told;
    expect(claims).toEqual({
      id: expect.any(String),
      expiration: expect.any(Number),
      resource: 'shop',
      action: 'LOGOUT',
      adapterSessionIds: [],
      notBefore: 0,
      keycloakSessionIds: [sid],
    });
    expect(claims?.expiration).toBeLessThanOrEqual(soon());
  });

  it('names the session that the adapter has of it', async () => {
    const adapter = { client_session_state: 'http-session-1', client_session_host: 'node-1' };
    const { session_state: sid } = await logIn(server, 'ann', { client_id: 'shop', ...adapter });
    await end(sid);
    expect(told[0]?.claims.adapterSessionIds).toEqual(['http-session-1']);
  });

  it('is a logout token where the client has an address for it', async () => {
    const { session_state: sid } = await logIn(server, 'ann', { client_id: 'token' });
    await end(sid);
    expect(told).toMatchObject([{ path: '/token', type: 'application/x-www-form-urlencoded' }]);
    expect(told[0]?.claims).toMatchObject({
      iss: `${server.url}/auth/realms/${realm}`,
      aud: 'token',
      sub: id('ann'),
      sid,
      typ: 'Logout',
      events: { 'http://schemas.openid.net/event/backchannel-logout': {}, revoke_offline_access: true },
    });
    expect(told[0]?.claims).not.toHaveProperty('nonce');
  });

  it('is a logout token that is signed with the secret of the client, as its ID tokens are', async () => {
    const form = { client_id: 'hmac', client_secret: new TextDecoder().decode(ownSecret) };
    const { session_state: sid } = await logIn(server, 'ann', form);
    expect((await end(sid)).status).toBe(204);
    expect(told).toMatchObject([{ path: '/hmac', claims: { aud: 'hmac', sid, typ: 'Logout' } }]);
  });

  it('is told of as well when a client logs out', async () => {
    const { refresh_token, session_state: sid } = await logIn(server, 'ann', { client_id: 'shop' });
    const answer = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/logout`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'shop', refresh_token }),
    });
    expect(answer.status).toBe(204);
    expect(told).toMatchObject([{ path: '/shop/k_logout', claims: { keycloakSessionIds: [sid] } }]);
  });

  it('ends all the same when a client cannot be told', async () => {
    for (const clientId of ['broken', 'far']) {
      const { session_state: sid } = await logIn(server, 'ann', { client_id: clientId });
      expect((await end(sid)).status).toBe(204);
      expect((await end(sid)).status).toBe(404);
    }
  });

  it('waits only a few seconds for a client that does not answer, and follows none elsewhere', async () => {
    const client = async (adminUrl: string) =>
      expect((await admin.send('PUT', `/${realm}/clients/${id('far')}`, { adminUrl })).status).toBe(204);
    await client(`${base}/mute`);
    const first = await logIn(server, 'ann', { client_id: 'far' });
    expect((await end(first.session_state)).status).toBe(204);
    await client(`${base}/elsewhere`);
    const second = await logIn(server, 'ann', { client_id: 'far' });
    expect((await end(second.session_state)).status).toBe(204);
    expect(told.map(({ path }) => path)).toEqual(['/elsewhere/k_logout']);
    await client('http://127.0.0.1:1/far');
  }, 20_000);
});

describe('the logout of a user', () => {
  it('tells each client once of all its sessions', async () => {
    const sids = [];
    for (const clientId of ['shop', 'shop', 'relative']) {
      sids.push((await logIn(server, 'ann', { client_id: clientId })).session_state);
    }
    await logIn(server, 'bob', { client_id: 'shop' });
    expect((await admin.send('POST', `/${realm}/users/${id('ann')}/logout`)).status).toBe(204);
    const byPath = told.toSorted((one, other) => (one.path < other.path ? -1 : 1));
    expect(byPath.map(({ path }) => path)).toEqual(['/relative/k_logout', '/shop/k_logout']);
    expect(byPath[0]?.claims.keycloakSessionIds).toEqual([sids[2]]);
    expect(byPath[1]?.claims.keycloakSessionIds).toEqual(expect.arrayContaining(sids.slice(0, 2)));
    expect(byPath[1]?.claims.keycloakSessionIds).toHaveLength(2);
  });
});

describe('the logout of all', () => {
  it('tells every client, and answers which were in sessions and could not be told', async () => {
    for (const clientId of ['shop', 'broken', 'token']) await logIn(server, 'ann', { client_id: clientId });
    const { status, body } = await admin.send('POST', `/${realm}/logout-all`);
    expect(status).toBe(200);
    expect(body.failedRequests).toEqual([`${base}/broken`]);
    expect(body.successRequests.toSorted()).toEqual(
      [
        `${base}/never`,
        `${base}/relative`,
        `${base}/shop`,
        `${base}/token`,
        'http://127.0.0.1:1/far',
        'http://node-1.invalid:1/nodes',
      ].toSorted(),
    );
    const shop = told.find(({ path }) => path === '/shop/k_logout');
    expect(shop?.claims).toMatchObject({ action: 'LOGOUT', resource: 'shop' });
    expect(shop?.claims).not.toHaveProperty('adapterSessionIds');
    expect(shop?.claims.notBefore).toBe((await admin.send('GET', `/${realm}`)).body.notBefore);
    expect((await admin.send('PUT', `/${realm}`, { notBefore: 0 })).status).toBe(204);
  });
});

describe('revocation', () => {
  it('is pushed to every client, with what the realm says', async () => {
    await admin.send('PUT', `/${realm}`, { notBefore: 1_700_000_000 });
    const { body } = await admin.send('POST', `/${realm}/push-revocation`);
    expect(body.successRequests.toSorted()).toEqual([`${base}/never`, `${base}/relative`, `${base}/shop`].toSorted());
    expect(body.failedRequests.toSorted()).toEqual(
      [`${base}/broken`, 'http://127.0.0.1:1/far', 'http://node-1.invalid:1/nodes'].toSorted(),
    );
    expect(told.map(({ path }) => path)).toContain('/shop/k_push_not_before');
    for (const { claims } of told)
      expect(claims).toMatchObject({ action: 'PUSH_NOT_BEFORE', notBefore: 1_700_000_000 });
    await admin.send('PUT', `/${realm}`, { notBefore: 0 });
  });

  it('is pushed to one client, with what that says', async () => {
    await admin.send('PUT', `/${realm}/clients/${id('shop')}`, { notBefore: 1_800_000_000 });
    const path = `/${realm}/clients/${id('shop')}/push-revocation`;
    expect(await admin.send('POST', path)).toMatchObject({ status: 200, body: { successRequests: [`${base}/shop`] } });
    expect(told).toMatchObject([
      { path: '/shop/k_push_not_before', claims: { resource: 'shop', notBefore: 1_800_000_000 } },
    ]);
    await admin.send('PUT', `/${realm}/clients/${id('shop')}`, { notBefore: 0 });
  });

  it('is pushed by GraphQL', async () => {
    const mutation =
      'mutation ($id: ID!) { clientPushRevocation(input: { id: $id }) { successRequests failedRequests userErrors { code } } }';
    const { data, errors } = await admin.graphql(mutation, { id: btoa(`Client:${id('far')}`) });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      clientPushRevocation: { successRequests: [], failedRequests: ['http://127.0.0.1:1/far'], userErrors: [] },
    });
  });
});
