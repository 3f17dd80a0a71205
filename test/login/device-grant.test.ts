import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { agentOf, noticeOf, token } from './agent.js';
import { importShop, shop } from './realm.js';

let server: TestServer;
let moved = 0;
const films = 'https://films.example/';
const songs = 'https://songs.example/';
const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

beforeAll(async () => {
  server = await startServer({}, () => Date.now() + moved);
  const attributes = { 'oauth2.device.authorization.grant.enabled': 'true' };
  const protocolMappers = [films, songs].map((audience) => ({
    name: audience,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-audience-mapper',
    config: { 'included.custom.audience': audience, 'access.token.claim': 'true' },
  }));
  const clients = ['tv', 'radio'].map((clientId) => ({ clientId, publicClient: true, attributes, protocolMappers }));
  await importShop(await administrator(server), { clients: [...shop.clients, ...clients] });
});

async function begin(client_id = 'tv', more: Record<string, string> = {}) {
  const address = `${server.url}/auth/realms/shop/protocol/openid-connect/auth/device`;
  const body = new URLSearchParams({ client_id, scope: 'openid', ...more });
  const answer = await fetch(address, { method: 'POST', body });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}
const poll = (device_code: string | undefined, client_id = 'tv') =>
  token(server, 'shop', { grant_type: grantType, client_id, device_code: device_code ?? '' });

async function typed(user_code: string | undefined) {
  const agent = agentOf(server);
  const page = await agent.get('/auth/realms/shop/device');
  return { agent, page: await agent.submit(page, { device_user_code: user_code ?? '' }) };
}
async function consentPage(user_code: string | undefined) {
  const { agent, page } = await typed(user_code?.toLowerCase().replace('-', ' '));
  return { agent, page: await agent.submit(page, { username: 'ann', password: 'pw-ann' }) };
}

describe('a device without a browser', () => {
  it('logs in once the user has said yes elsewhere', async () => {
    const { status, body } = await begin();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      expires_in: 600,
      interval: 5,
    });
    expect(body.verification_uri_complete).toBe(`${body.verification_uri}?user_code=${body.user_code}`);
    expect((await poll(body.device_code)).body.error).toBe('authorization_pending');
    expect((await poll(body.device_code)).body.error).toBe('slow_down');
    expect((await poll(body.device_code, 'radio')).body.error).toBe('invalid_grant');
    const { agent, page } = await consentPage(body.user_code);
    expect(page.text).toContain('The application requests access to:');
    const done = await agent.submit(page, { accept: 'true' });
    expect(done.text).toContain('Your device is logged in.');
    const [one, other] = await Promise.all([poll(body.device_code), poll(body.device_code)]);
    const good = [one, other].filter((answer) => answer?.status === 200);
    expect(good.length).toBe(1);
    expect(decodeJwt(good[0]?.body.id_token ?? '')).toMatchObject({ azp: 'tv' });
    expect((await poll(body.device_code)).body.error).toBe('invalid_grant');
    expect(noticeOf((await typed(body.user_code)).page)).toMatch(/not valid/);
  });

  it('gets a token for the resource that it has named', async () => {
    const { body } = await begin('tv', { resource: films });
    const { agent, page } = await consentPage(body.user_code);
    await agent.submit(page, { accept: 'true' });
    expect(decodeJwt((await poll(body.device_code)).body.access_token ?? '').aud).toBe(films);
    expect((await begin('tv', { resource: '/films' })).body.error).toBe('invalid_target');
  });

  it('does not where the user says no, or comes too late', async () => {
    const denied = (await begin()).body;
    const { agent, page } = await consentPage(denied.user_code);
    expect((await agent.submit(page, { cancel: 'true' })).status).toBe(400);
    expect((await poll(denied.device_code)).body.error).toBe('access_denied');
    const late = (await begin()).body;
    moved = 601_000;
    expect((await poll(late.device_code)).body.error).toBe('expired_token');
    expect(noticeOf((await typed(late.user_code)).page)).toMatch(/not valid/);
    moved = 0;
    expect((await begin('app')).body.error).toBe('unauthorized_client');
    expect((await poll('guessed')).body.error).toBe('invalid_grant');
    expect(noticeOf((await typed('BCDF-GHJK')).page)).toMatch(/not valid/);
  });
});
