import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { agentOf, answerOf, authorizationUrl, token } from './agent.js';
import { callback, importShop } from './realm.js';

let server: TestServer;
let admin: Caller;
let time = Date.now();
/** A clock that has passed a second each time that it is read, so that no two times of one request are the same. */
const everLater = (): number => (time += 1000);
const hours = 36_000;
const lasting = {
  accessTokenLifespan: hours,
  accessTokenLifespanForImplicitFlow: hours,
  accessCodeLifespan: hours,
  accessCodeLifespanLogin: hours,
  accessCodeLifespanUserAction: hours,
  ssoSessionIdleTimeout: hours,
  ssoSessionMaxLifespan: hours,
  oauth2DeviceCodeLifespan: hours,
};

beforeAll(async () => {
  server = await startServer({}, everLater);
  await (await administrator(server)).send('PUT', '/admin/realms/master', lasting);
  admin = await administrator(server);
  await importShop(admin, lasting);
  const client = {
    clientId: 'every',
    secret: 's',
    redirectUris: [callback],
    implicitFlowEnabled: true,
    directAccessGrantsEnabled: true,
    serviceAccountsEnabled: true,
    attributes: { 'oauth2.device.authorization.grant.enabled': 'true' },
  };
  expect((await admin.send('POST', '/admin/realms/shop/clients', client)).status).toBe(201);
});

const every = { client_id: 'every', client_secret: 's' };
const asked = (more: object = {}) =>
  authorizationUrl('shop', { client_id: 'every', redirect_uri: callback, nonce: 'n', ...more });
const ann = { username: 'ann', password: 'pw-ann' };

/** Whether an access token is good at the server, and its refresh token for further ones. */
async function expectGood(tokens: Record<string, string>): Promise<void> {
  const bearer = callerWith(server, tokens.access_token as string);
  expect((await bearer.send('GET', '/realms/shop/protocol/openid-connect/userinfo')).status).toBe(200);
  if (!tokens.refresh_token) return;
  const form = { ...every, grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  const { status, body } = await token(server, 'shop', form);
  expect([status, body.error_description]).toEqual([200, undefined]);
}
const exchanged = async (code: string | undefined) => {
  const form = { ...every, grant_type: 'authorization_code', code: code ?? '', redirect_uri: callback };
  const { status, body } = await token(server, 'shop', form);
  expect([status, body.error_description]).toEqual([200, undefined]);
  return body;
};

describe('the time that passes within a request ends nothing', () => {
  it.each(['openid', 'openid offline_access'])('of a login, and of one by its session, for %s', async (scope) => {
    const agent = agentOf(server);
    const done = await agent.submit(await agent.get(asked({ scope })), ann);
    await expectGood(await exchanged(answerOf(done).code));
    const again = await agent.get(asked({ scope }));
    await expectGood(await exchanged(answerOf(again).code));
  });

  it.each(['id_token token', 'code id_token token'])('of a login with tokens in the answer, %s', async (type) => {
    const agent = agentOf(server);
    const done = await agent.submit(await agent.get(asked({ response_type: type })), ann);
    const answer = Object.fromEntries(new URLSearchParams(new URL(done.location ?? '').hash.slice(1)));
    await expectGood(answer);
    if (type.startsWith('code')) await expectGood(await exchanged(answer.code));
  });

  it.each(['openid', 'openid offline_access'])('of a grant by password, for %s', async (scope) => {
    const { status, body } = await token(server, 'shop', { ...every, ...ann, grant_type: 'password', scope });
    expect(status).toBe(200);
    await expectGood(body);
  });

  it('of a service account', async () => {
    const { body } = await token(server, 'shop', { ...every, grant_type: 'client_credentials', scope: 'openid' });
    await expectGood(body);
  });

  it('of a device', async () => {
    const begun = await fetch(`${server.url}/auth/realms/shop/protocol/openid-connect/auth/device`, {
      method: 'POST',
      body: new URLSearchParams({ ...every, scope: 'openid' }),
    });
    const { device_code, user_code } = (await begun.json()) as Record<string, string>;
    const agent = agentOf(server);
    const form = await agent.get('/auth/realms/shop/device');
    const login = await agent.submit(form, { device_user_code: user_code ?? '' });
    const consent = await agent.submit(login, ann);
    expect((await agent.submit(consent, { accept: 'true' })).text).toContain('Your device is logged in.');
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const { status, body } = await token(server, 'shop', { ...every, grant_type, device_code: device_code ?? '' });
    expect([status, body.error_description]).toEqual([200, undefined]);
    await expectGood(body);
  });
});
