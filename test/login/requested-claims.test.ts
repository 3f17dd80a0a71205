import { decodeJwt } from 'jose';
import { beforeAll, expect, it } from 'vitest';
import { administrator } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { agentOf, answerOf, authorizationUrl, noticeOf, token } from './agent.js';
import { callback, importShop, shop } from './realm.js';

// The parameter `claims` of OpenID Connect Core section 5.5, which a protocol mapper of the reference server follows.
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  const mapper = (switches: Record<string, string>) => ({
    name: 'asked',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-claims-param-token-mapper',
    config: switches,
  });
  const client = {
    publicClient: true,
    redirectUris: [callback],
    defaultClientScopes: ['roles'],
    optionalClientScopes: [],
  };
  const both = mapper({ 'id.token.claim': 'true', 'userinfo.token.claim': 'true' });
  await importShop(await administrator(server), {
    clients: [
      ...shop.clients,
      { ...client, clientId: 'asks', implicitFlowEnabled: true, protocolMappers: [both] },
      { ...client, clientId: 'deaf' },
      { ...client, clientId: 'half', protocolMappers: [mapper({ 'userinfo.token.claim': 'true' })] },
    ],
  });
});

const claims = JSON.stringify({
  id_token: {
    email: { essential: true },
    name: { essential: true, value: 'somebody' },
    given_name: null,
    family_name: { essential: false },
    'made up': { essential: true },
  },
  userinfo: { preferred_username: { essential: true }, family_name: { essential: true } },
});
const personal = ['email', 'name', 'given_name', 'family_name', 'preferred_username', 'made up'];
const among = (content: object) =>
  Object.fromEntries(Object.entries(content).filter(([name]) => personal.includes(name)));

async function logIn(clientId: string, more: Record<string, string>, agent = agentOf(server)) {
  const parameters = { client_id: clientId, redirect_uri: callback, scope: 'openid', ...more };
  const page = await agent.get(authorizationUrl('shop', parameters));
  const done = page.location ? page : await agent.submit(page, { username: 'ann', password: 'pw-ann' });
  return { agent, done };
}
async function tokensOf(clientId: string, code: string) {
  const form = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: callback, code };
  return (await token(server, 'shop', form)).body as Record<string, string>;
}
const tokenClaims = (answer: Record<string, string>) => among(decodeJwt(answer.id_token ?? ''));
async function userInfo(answer: Record<string, string>) {
  const url = `${server.url}/auth/realms/shop/protocol/openid-connect/userinfo`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${answer.access_token}` } });
  expect(response.status).toBe(200);
  return among((await response.json()) as object);
}

it('essential claims come to where they were asked for, also after a refresh', async () => {
  const { agent, done } = await logIn('asks', { claims, response_type: 'code' });
  const first = await tokensOf('asks', answerOf(done).code ?? '');
  const form = { grant_type: 'refresh_token', client_id: 'asks', refresh_token: first.refresh_token ?? '' };
  const second = (await token(server, 'shop', form)).body as Record<string, string>;
  for (const answer of [first, second]) {
    expect(tokenClaims(answer)).toEqual({ email: 'ann@example.org', name: 'ann Tester' });
    expect(among(decodeJwt(answer.access_token ?? ''))).toEqual({});
    expect(await userInfo(answer)).toEqual({ preferred_username: 'ann', family_name: 'Tester' });
  }
  // the next request of the same session asks for other ones
  const other = JSON.stringify({ id_token: { given_name: { essential: true } } });
  const third = await logIn('asks', { claims: other, response_type: 'code' }, agent);
  const answer = await tokensOf('asks', answerOf(third.done).code ?? '');
  expect(tokenClaims(answer)).toEqual({ given_name: 'ann' });
  expect(await userInfo(answer)).toEqual({});
});

it('claims come through the browser as well', async () => {
  const { done } = await logIn('asks', { claims, response_type: 'id_token', nonce: 'n' });
  const answer = Object.fromEntries(new URLSearchParams(new URL(done.location ?? 'x:').hash.slice(1)));
  expect(tokenClaims(answer)).toEqual({ email: 'ann@example.org', name: 'ann Tester' });
});

it('without the mapper, or with its switch off, nothing comes of the request', async () => {
  const deaf = await tokensOf(
    'deaf',
    answerOf((await logIn('deaf', { claims, response_type: 'code' })).done).code ?? '',
  );
  expect(tokenClaims(deaf)).toEqual({});
  expect(await userInfo(deaf)).toEqual({});
  const half = await tokensOf(
    'half',
    answerOf((await logIn('half', { claims, response_type: 'code' })).done).code ?? '',
  );
  expect(tokenClaims(half)).toEqual({});
  expect(await userInfo(half)).toEqual({ preferred_username: 'ann', family_name: 'Tester' });
});

it.each(['{', '[]', '"email"', 'null'])('%s is no request for claims', async (text) => {
  const { done } = await logIn('asks', { claims: text, response_type: 'code' });
  expect(answerOf(done)).toMatchObject({ error: 'invalid_request', error_description: 'Invalid parameter: claims' });
  expect(noticeOf(done)).toBeUndefined();
});
