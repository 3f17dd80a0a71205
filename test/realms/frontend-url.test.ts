import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, answerOf, authorizationUrl, token } from '../login/agent.js';
import { callback, importShop } from '../login/realm.js';
import { type Mailbox, openMailbox } from '../mail/mailbox.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const address = 'https://id.shop.example/auth';
const issuer = `${address}/realms/shop`;
let server: TestServer;
let admin: Caller;
let mailbox: Mailbox;

beforeAll(async () => {
  [server, mailbox] = await Promise.all([startServer(), openMailbox()]);
  admin = await administrator(server);
  await importShop(admin, {
    attributes: { frontendUrl: `${address}/` },
    smtpServer: { host: '127.0.0.1', port: String(mailbox.port), from: 'id@shop.example' },
  });
});

const discovered = async (realm = 'shop') =>
  (await fetch(`${server.url}/auth/realms/${realm}/.well-known/openid-configuration`)).json() as Promise<
    Record<string, string>
  >;

describe('the address of a realm (`frontendUrl`)', () => {
  it('is in discovery, and not in that of other realms', async () => {
    const found = await discovered();
    expect(found.issuer).toBe(issuer);
    expect(found.token_endpoint).toBe(`${issuer}/protocol/openid-connect/token`);
    expect((await discovered('master')).issuer).toBe(`${server.url}/auth/realms/master`);
  });

  it('is in tokens and responses, whatever host the request names', async () => {
    const agent = agentOf(server);
    const form = await agent.get(
      authorizationUrl('shop', { client_id: 'app', redirect_uri: callback, scope: 'openid' }),
    );
    const { code = '', iss } = answerOf(await agent.submit(form, { username: 'ann', password: 'pw-ann' }));
    expect(iss).toBe(issuer);
    const grant = { grant_type: 'authorization_code', client_id: 'app', code, redirect_uri: callback };
    const { body } = await token(server, 'shop', grant);
    for (const text of [body.access_token, body.id_token]) expect(decodeJwt(text ?? '').iss).toBe(issuer);
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await fetch(`${server.url}/auth/realms/shop/protocol/openid-connect/userinfo`, { headers })).status).toBe(
      200,
    );
    const again = { grant_type: 'refresh_token', client_id: 'app', refresh_token: body.refresh_token ?? '' };
    expect(decodeJwt((await token(server, 'shop', again)).body.access_token ?? '').iss).toBe(issuer);
  });

  it('is in the links of mails that administrators send', async () => {
    const [user] = (await admin.send('GET', '/admin/realms/shop/users?username=ann')).body;
    const path = `/admin/realms/shop/users/${user.id}/execute-actions-email`;
    expect((await admin.send('PUT', path, ['UPDATE_PASSWORD'])).status).toBe(204);
    expect(mailbox.link()).toContain(`${issuer}/login-actions/action-token?`);
  });

  it('is that of the request if it is empty', async () => {
    expect((await admin.send('PUT', '/admin/realms/shop', { attributes: { frontendUrl: '' } })).status).toBe(204);
    expect((await discovered()).issuer).toBe(`${server.url}/auth/realms/shop`);
  });
});
