// @both-databases
import { beforeAll, expect, it } from 'vitest';
import { agentOf, answerOf, authorizationUrl, token } from '../login/agent.js';
import { importShop, shop } from '../login/realm.js';
import { callback, secret } from '../oauth/relying-party.js';
import { administrator } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// Lifespans that end after the last time that a column can hold.
const longest = 2 ** 31 - 1;
const realm = 'shop';
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  const [ann, ...others] = shop.users;
  await importShop(await administrator(server), {
    accessCodeLifespan: longest,
    accessCodeLifespanLogin: longest,
    accessCodeLifespanUserAction: longest,
    accessTokenLifespan: longest,
    ssoSessionMaxLifespan: longest,
    ssoSessionIdleTimeout: longest,
    oauth2DeviceCodeLifespan: longest,
    otpPolicyPeriod: longest,
    attributes: { parRequestUriLifespan: String(longest) },
    users: [{ ...ann, requiredActions: ['UPDATE_PROFILE'] }, ...others],
    clients: [
      {
        clientId: 'app',
        secret,
        redirectUris: [callback],
        attributes: {
          'oauth2.device.authorization.grant.enabled': 'true',
          'oauth2.device.code.lifespan': '99999999999999999999',
          'oauth2.device.polling.interval': '99999999999999999999',
        },
      },
    ],
  });
});

async function post(path: string, form: Record<string, string>): Promise<number> {
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'app', client_secret: secret, ...form }),
  });
  await response.arrayBuffer();
  return response.status;
}

it('are good for requests of devices, and for pushed ones', async () => {
  expect(await post('auth/device', {})).toBe(200);
  expect(await post('ext/par/request', { response_type: 'code', redirect_uri: callback })).toBe(201);
});

it('are good for logins, their codes, and tokens that are revoked', async () => {
  const agent = agentOf(server);
  const login = await agent.get(authorizationUrl(realm, { client_id: 'app', redirect_uri: callback }));
  const profile = await agent.submit(login, { username: 'ann', password: 'pw-ann' });
  const done = await agent.submit(profile, { firstName: 'Ann', lastName: 'Other', email: 'ann@shop.example' });
  const { code = '' } = answerOf(done);
  const form = { client_id: 'app', client_secret: secret, redirect_uri: callback };
  const { status, body } = await token(server, realm, { ...form, grant_type: 'authorization_code', code });
  expect(status).toBe(200);
  expect(await post('revoke', { token: body.access_token ?? '' })).toBe(200);
});
