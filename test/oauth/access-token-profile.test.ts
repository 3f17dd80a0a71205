import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { allowInsecureRequests, validateJwtAccessToken } from 'oauth4webapi';
import { beforeAll, describe, expect, it } from 'vitest';
import { token } from '../login/agent.js';
import { importShop } from '../login/realm.js';
import { administrator, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { callback, discover, realm, secret } from './relying-party.js';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  const client = (clientId: string, attributes: object = {}) => ({
    clientId,
    secret,
    redirectUris: [callback],
    directAccessGrantsEnabled: true,
    fullScopeAllowed: false,
    attributes,
  });
  await importShop(await administrator(server), {
    clients: [client('profiled', { 'access.token.header.type.rfc9068': 'true' }), client('usual')],
  });
});

const accessToken = async (client_id: string) => {
  const form = { grant_type: 'password', client_id, client_secret: secret, username: 'ann', password: 'pw-ann' };
  return (await token(server, realm, { ...form, scope: 'openid' })).body.access_token ?? '';
};

describe('access tokens of RFC 9068', () => {
  it('are those of clients that want them, and are verified by a resource server', async () => {
    const text = await accessToken('profiled');
    const issuer = `${server.url}/auth/realms/${realm}`;
    expect(decodeProtectedHeader(text).typ).toBe('at+jwt');
    expect(decodeJwt(text)).toMatchObject({
      aud: issuer,
      client_id: 'profiled',
      sub: expect.any(String),
      jti: expect.any(String),
      scope: expect.stringContaining('openid'),
    });
    const metadata = (await discover(server, 'profiled')).serverMetadata();
    const request = new Request('https://resource.example/', { headers: { authorization: `Bearer ${text}` } });
    const options = { [allowInsecureRequests]: true };
    expect(await validateJwtAccessToken(metadata, request, issuer, options)).toMatchObject({ client_id: 'profiled' });
    // as other tokens at the server itself
    const path = `/realms/${realm}/protocol/openid-connect/userinfo`;
    expect((await callerWith(server, text).send('GET', path)).status).toBe(200);
  });

  it('are told from others by their type', async () => {
    const keys = createRemoteJWKSet(new URL(`${server.url}/auth/realms/${realm}/protocol/openid-connect/certs`));
    const usual = await accessToken('usual');
    expect(decodeProtectedHeader(usual).typ).toBe('JWT');
    expect(decodeJwt(usual)).not.toHaveProperty('client_id');
    await expect(jwtVerify(usual, keys, { typ: 'at+jwt' })).rejects.toThrow();
    const profiled = await accessToken('profiled');
    await expect(jwtVerify(profiled, keys, { typ: 'JWT' })).rejects.toThrow();
    await expect(jwtVerify(profiled, keys, { typ: 'at+jwt', audience: 'another' })).rejects.toThrow();
    await expect(jwtVerify(profiled, keys, { typ: 'at+jwt', issuer: 'https://another.example' })).rejects.toThrow();
    const form = {
      grant_type: 'password',
      client_id: 'profiled',
      client_secret: secret,
      username: 'ann',
      password: 'pw-ann',
    };
    const { body } = await token(server, realm, { ...form, scope: 'openid' });
    await expect(jwtVerify(body.id_token ?? '', keys, { typ: 'at+jwt' })).rejects.toThrow();
  });
});
