import { createSecretKey } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { compactToken } from '../../src/services/keys/jws.js';
import { token } from '../login/agent.js';
import { importShop } from '../login/realm.js';
import { administrator, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { callback, realm, secret } from './relying-party.js';

let server: TestServer;

const bytes = new TextEncoder().encode(secret);

beforeAll(async () => {
  server = await startServer();
  const client = (clientId: string, own: string) => ({
    clientId,
    secret: own,
    redirectUris: [callback],
    directAccessGrantsEnabled: true,
    attributes: { 'id.token.signed.response.alg': 'HS512' },
  });
  await importShop(await administrator(server), {
    clients: [
      client('app', secret),
      client('other', 'the secret of another client'),
      { ...client('public', ''), publicClient: true },
    ],
  });
});

const tokensOf = async (client_id: string, client_secret = secret) => {
  const form = {
    grant_type: 'password',
    client_id,
    client_secret,
    username: 'ann',
    password: 'pw-ann',
    scope: 'openid',
  };
  return (await token(server, realm, form)).body;
};
const logOut = (hint: string) =>
  fetch(
    `${server.url}/auth/realms/${realm}/protocol/openid-connect/logout?${new URLSearchParams({ id_token_hint: hint })}`,
  );
const isActive = async (accessToken = '') =>
  (await callerWith(server, accessToken).send('GET', `/realms/${realm}/protocol/openid-connect/userinfo`)).status ===
  200;

describe('an ID token that is signed with the secret of its client', () => {
  it('is verified by the client, and by the server at a logout', async () => {
    const { id_token = '', access_token } = await tokensOf('app');
    const { payload } = await jwtVerify(id_token, bytes, { algorithms: ['HS512'], audience: 'app' });
    expect(payload).toMatchObject({ typ: 'ID', azp: 'app' });
    expect((await logOut(id_token)).status).toBe(200);
    expect(await isActive(access_token)).toBe(false);
  });

  it('is nothing to others, and cannot be made by them', async () => {
    const { id_token = '', access_token } = await tokensOf('app');
    await expect(jwtVerify(id_token, new TextEncoder().encode('the secret of another client'))).rejects.toThrow();
    const claims = decodeJwt(id_token);
    const header = { ...decodeProtectedHeader(id_token), alg: 'HS512', typ: 'JWT' };
    const { azp_id: ofOther } = decodeJwt((await tokensOf('other', 'the secret of another client')).id_token ?? '');
    const sign = (change: object, key: string, more: object = {}) =>
      compactToken({ ...header, ...change }, { ...claims, ...more }, createSecretKey(Buffer.from(key)));
    for (const forged of [
      await sign({}, 'the secret of another client'),
      // another client, in its own name, for the session of this one
      await sign({}, 'the secret of another client', { azp_id: ofOther }),
      await sign({}, secret, { typ: undefined }),
      await sign({}, secret, { azp_id: undefined }),
      await sign({}, secret, { typ: 'Bearer' }),
      await sign({}, secret, { iss: `${server.url}/auth/realms/master` }),
      await sign({ alg: 'HS256' }, secret, { azp_id: 'nobody' }),
      id_token.replace(/\.[^.]+$/, '.AAAA'),
    ]) {
      expect((await logOut(forged)).status).toBe(400);
    }
    expect(await isActive(access_token)).toBe(true);
    expect(await isActive(id_token)).toBe(false);
  });

  it('ends no session that its client has no part in', async () => {
    const { access_token = '' } = await tokensOf('app');
    const own = await tokensOf('other', 'the secret of another client');
    const { sid, sub } = decodeJwt(access_token);
    const ofOther = decodeProtectedHeader(own.id_token ?? '') as Parameters<typeof compactToken>[0];
    const claims = { ...decodeJwt(own.id_token ?? ''), sid, sub, iat: 9_999_999_999 };
    await logOut(await compactToken(ofOther, claims, createSecretKey(Buffer.from('the secret of another client'))));
    expect(await isActive(access_token)).toBe(true);
  });

  it('has the key of the realm for a client without a secret', async () => {
    const { id_token = '' } = await tokensOf('public');
    expect(decodeProtectedHeader(id_token)).toMatchObject({ alg: 'HS512', kid: expect.any(String) });
    expect((await logOut(id_token)).status).toBe(200);
  });

  it('cannot be used to guess the secret without end', async () => {
    const { id_token = '' } = await tokensOf('app');
    const header = decodeProtectedHeader(id_token) as Parameters<typeof compactToken>[0];
    const guess = (secretOfApp: string) =>
      compactToken(header, decodeJwt(id_token), createSecretKey(Buffer.from(secretOfApp)));
    let status = 0;
    for (let count = 0; count < 100 && status !== 429; count += 1) {
      ({ status } = await logOut(await guess(`guess ${count}`)));
    }
    expect(status).toBe(429);
    expect((await logOut(await guess(secret))).status).toBe(429);
  });
});
