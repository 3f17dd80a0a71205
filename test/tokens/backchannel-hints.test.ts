import { SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { keySetOf, newKey, type PublishedKey } from '../oauth/relying-party.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

// How a request for backchannel authentication names the user, as the realm says.
let server: TestServer;
let admin: Caller;
let key: PublishedKey;
let issuer: string;
let userId: string;

beforeAll(async () => {
  key = await newKey('PS256', 'sig');
  const client = (clientId: string, attributes: object = {}) => ({
    clientId,
    secret: 'secret',
    redirectUris: ['http://app.example'],
    directAccessGrantsEnabled: true,
    attributes: { 'oidc.ciba.grant.enabled': 'true', ...keySetOf(key.jwk), ...attributes },
  });
  const pairwise = {
    name: 'pairwise',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-sha256-pairwise-sub-mapper',
    config: {},
  };
  ({ server, admin } = await startWithRealm({
    realm: 'shop',
    enabled: true,
    clients: [
      client('kiosk'),
      client('secret', { 'id.token.signed.response.alg': 'HS256' }),
      { ...client('pairwise'), protocolMappers: [pairwise] },
    ],
    users: ['ann', 'bea'].map((username) => ({
      username,
      email: `${username}@shop.example`,
      enabled: true,
      credentials: [{ type: 'password', value: 'pw' }],
    })),
  }));
  issuer = `${server.url}/auth/realms/shop`;
  userId = (await admin.send('GET', '/shop/users?username=ann')).body[0].id;
});

const send = async (path: string, form: Record<string, string>) => {
  const body = new URLSearchParams({ client_id: 'kiosk', client_secret: 'secret', scope: 'openid', ...form });
  const response = await fetch(`${issuer}/protocol/openid-connect/${path}`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
};
/** The outcome of a request under a setting of the realm. */
async function ask(setting: string, form: Record<string, string>): Promise<string> {
  await admin.send('PUT', '/shop', { attributes: { cibaAuthRequestedUserHint: setting } });
  const { status, body } = await send('ext/ciba/auth', form);
  return status === 200 ? 'asked' : `${body.error}: ${body.error_description}`;
}
const idToken = async (client_id: string) =>
  (await send('token', { grant_type: 'password', client_id, username: 'bea', password: 'pw' })).body.id_token ?? '';

const signed = (claims: object, signsWith = key.privateKey) => {
  const now = Math.floor(Date.now() / 1000);
  const all = { iss: 'kiosk', aud: issuer, exp: now + 60, sub_id: { format: 'opaque', id: 'ann' }, ...claims };
  return new SignJWT(all).setProtectedHeader({ alg: 'PS256', kid: String(key.jwk.kid) }).sign(signsWith);
};

describe('a request names the user', () => {
  it('by `login_hint` alone, if the realm does not say otherwise', async () => {
    expect(await ask('login_hint', { login_hint: 'bea' })).toBe('asked');
    expect(await ask('login_hint', {})).toBe('invalid_request: Missing parameter: login_hint');
    for (const other of ['id_token_hint', 'login_hint_token']) {
      const form = { login_hint: 'bea', [other]: 'a.b.c' };
      expect(await ask('login_hint', form)).toBe(`invalid_request: Parameter not supported: ${other}`);
    }
  });

  it.each(['kiosk', 'secret', 'pairwise'])('by an ID token that the client %s has got', async (client_id) => {
    const id_token_hint = await idToken(client_id);
    expect(await ask('id_token_hint', { client_id, id_token_hint })).toMatch(
      /^(asked|access_denied: The user is asked)/,
    );
  });

  it('by no ID token of another client, and by no other token', async () => {
    const { body } = await send('token', { grant_type: 'password', username: 'bea', password: 'pw' });
    const wrong = [await idToken('pairwise'), await idToken('secret'), body.access_token, body.refresh_token, 'a.b.c'];
    for (const id_token_hint of wrong) {
      const outcome = await ask('id_token_hint', { id_token_hint: id_token_hint ?? '' });
      expect(outcome).toBe('invalid_request: Invalid parameter: id_token_hint');
    }
    expect(await ask('id_token_hint', { login_hint: 'bea' })).toBe(
      'invalid_request: Parameter not supported: login_hint',
    );
  });

  it('by a token that the client has signed', async () => {
    const subjects = [
      { format: 'email', email: 'ann@shop.example' },
      { format: 'iss_sub', iss: issuer, sub: userId },
      { format: 'opaque', id: 'ann' },
    ];
    for (const sub_id of subjects) {
      expect(await ask('login_hint_token', { login_hint_token: await signed({ sub_id }) })).toBe('asked');
    }
  });

  const now = Math.floor(Date.now() / 1000);
  const invalid = 'invalid_request: Invalid parameter: login_hint_token';
  it.each([
    ['that has expired', { exp: now - 60 }, 'expired_login_hint_token: The login_hint_token has expired'],
    ['that does not expire', { exp: undefined }, invalid],
    ['of another client', { iss: 'secret' }, invalid],
    ['for another server', { aud: 'https://other.example' }, invalid],
    ['without a subject', { sub_id: undefined }, invalid],
    ['with a subject in another format', { sub_id: { format: 'phone_number', phone_number: '+1' } }, invalid],
    [
      'with a subject of another issuer',
      { sub_id: { format: 'iss_sub', iss: 'https://other.example', sub: 'ann' } },
      'unknown_user_id: The user is not known',
    ],
    ['of nobody', { sub_id: { format: 'opaque', id: 'nobody' } }, 'unknown_user_id: The user is not known'],
  ])('by no token %s', async (_, claims, expected) => {
    expect(await ask('login_hint_token', { login_hint_token: await signed(claims) })).toBe(expected);
  });

  it('by no token that somebody else has signed, and by no text that is no token', async () => {
    const { privateKey } = await newKey('PS256', 'sig');
    for (const login_hint_token of [await signed({}, privateKey), 'ann', 'a.b.c'])
      expect(await ask('login_hint_token', { login_hint_token })).toBe(invalid);
  });
});
