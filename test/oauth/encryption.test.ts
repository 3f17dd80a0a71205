import { compactDecrypt, decodeJwt, decodeProtectedHeader, exportJWK, importJWK } from 'jose';
import * as openid from 'openid-client';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { token } from '../login/agent.js';
import { importShop } from '../login/realm.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  callback,
  discover,
  keyServer,
  keySetOf,
  newKey,
  type PublishedKey,
  realm,
  secret,
  tokensFor,
} from './relying-party.js';

let server: TestServer;
let admin: Caller;
let own: PublishedKey;
let other: PublishedKey;
let published: Awaited<ReturnType<typeof keyServer>>;

const idToken = 'id.token.encrypted.response';
const userInfo = 'user.info.encrypted.response';

beforeAll(async () => {
  server = await startServer({ fetchPrivateAddresses: true });
  admin = await administrator(server);
  own = await newKey('RSA-OAEP', 'enc');
  other = await newKey('RSA-OAEP', 'enc');
  const signer = await newKey('ES256', 'sig');
  const rsaSigner = await newKey('RS256', 'sig');
  published = await keyServer();
  const client = (clientId: string, attributes: object) => ({
    clientId,
    secret,
    redirectUris: [callback],
    directAccessGrantsEnabled: true,
    implicitFlowEnabled: true,
    attributes,
  });
  const keys = keySetOf(signer.jwk, own.jwk);
  const encrypted = { [`${idToken}.alg`]: 'RSA-OAEP', [`${idToken}.enc`]: 'A256GCM' };
  const both = { ...encrypted, 'user.info.response.signature.alg': 'RS256', [`${userInfo}.alg`]: 'RSA-OAEP' };
  const { alg: _, ...anyAlgorithm } = own.jwk;
  await importShop(admin, {
    clients: [
      client('encrypted', { ...keys, ...both }),
      client('strong', {
        ...keySetOf(anyAlgorithm),
        [`${idToken}.alg`]: 'RSA-OAEP-256',
        [`${userInfo}.alg`]: 'RSA-OAEP',
      }),
      client('by address', { 'use.jwks.url': 'true', 'jwks.url': published.url, ...encrypted }),
      client('no keys', both),
      client('keys to sign', { ...keySetOf(signer.jwk, rsaSigner.jwk), ...both }),
      client('another algorithm', { ...keySetOf({ ...own.jwk, alg: 'RSA-OAEP-256' }), ...both }),
      client('a bad key', { ...keySetOf({ kty: 'RSA', use: 'enc', n: 'AQAB', e: 'AQAB' }), ...both }),
      client('bad keys', { 'use.jwks.string': 'true', 'jwks.string': '{"keys":7}', ...both }),
      client('nobody there', { 'use.jwks.url': 'true', 'jwks.url': 'http://127.0.0.1:9/', ...both }),
      client('unused keys', { ...keys, 'use.jwks.string': 'false', ...both }),
      client('signed', { 'user.info.response.signature.alg': 'PS256' }),
      client('by secret', { 'user.info.response.signature.alg': 'HS256' }),
      client('plain', {}),
    ],
  });
});

const byPassword = (client_id: string, scope = 'openid') =>
  token(server, realm, {
    grant_type: 'password',
    client_id,
    client_secret: secret,
    username: 'ann',
    password: 'pw-ann',
    scope,
  });

async function askUserInfo(accessToken: string | undefined) {
  const answer = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

const decryptedBy = async ({ privateKey }: PublishedKey, text: string | undefined) =>
  new TextDecoder().decode((await compactDecrypt(text ?? '', privateKey)).plaintext);

describe('encrypted ID tokens and user info', () => {
  it('are decrypted and verified by openid-client', async () => {
    const config = await discover(server, 'encrypted', { userinfo_signed_response_alg: 'RS256' });
    openid.enableDecryptingResponses(config, ['A256GCM', 'A128CBC-HS256'], {
      key: own.privateKey,
      kid: own.jwk.kid ?? '',
    });
    openid.enableNonRepudiationChecks(config);
    const tokens = await tokensFor(server, config);
    expect(decodeProtectedHeader(tokens.id_token ?? '')).toMatchObject({
      alg: 'RSA-OAEP',
      enc: 'A256GCM',
      kid: own.jwk.kid,
      cty: 'JWT',
    });
    const { sub = '' } = tokens.claims() ?? {};
    expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
      email: 'ann@example.org',
      aud: 'encrypted',
      iss: `${server.url}/auth/realms/${realm}`,
    });
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.claims()?.sub).toBe(sub);
  });

  it('use the content encryption of the standard, and every algorithm of key sets without one', async () => {
    const { body } = await byPassword('strong');
    const header = decodeProtectedHeader(body.id_token ?? '');
    expect(header).toMatchObject({ alg: 'RSA-OAEP-256', enc: 'A128CBC-HS256' });
    const inner = await compactDecrypt(body.id_token ?? '', await asKey(own, 'RSA-OAEP-256'));
    expect(decodeJwt(new TextDecoder().decode(inner.plaintext))).toMatchObject({ typ: 'ID', aud: 'strong' });
    const info = await askUserInfo(body.access_token);
    // without a signature the content is the JSON itself
    expect(JSON.parse(await decryptedBy(own, info.text))).toMatchObject({ preferred_username: 'ann' });
    expect(decodeProtectedHeader(info.text)).not.toHaveProperty('cty');
  });

  it('use the key that a client adds to its address: the set is fetched once more', async () => {
    published.keys.push({ ...own.jwk, use: 'sig' });
    expect((await byPassword('by address')).status).toBe(400);
    const asked = published.asked();
    published.keys.push(other.jwk);
    // the set is not fetched again at once
    expect((await byPassword('by address')).status).toBe(400);
    expect(published.asked()).toBe(asked);
    const later = Date.now() + 11_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(later);
    const { body } = await byPassword('by address').finally(() => clock.mockRestore());
    expect(published.asked()).toBe(asked + 1);
    expect(decodeJwt(await decryptedBy(other, body.id_token))).toMatchObject({ aud: 'by address' });
  });

  it('cannot be read with another key', async () => {
    const { body } = await byPassword('encrypted');
    await expect(decryptedBy(other, body.id_token)).rejects.toThrow();
    const config = await discover(server, 'encrypted');
    openid.enableDecryptingResponses(config, undefined, { key: other.privateKey, kid: other.jwk.kid ?? '' });
    await expect(tokensFor(server, config)).rejects.toThrow();
  });

  it.each(['no keys', 'keys to sign', 'another algorithm', 'a bad key', 'bad keys', 'nobody there', 'unused keys'])(
    'are not sent unencrypted: %s',
    async (client) => {
      const refused = await byPassword(client);
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_client']);
      expect(refused.body.error_description).toMatch(/^The response cannot be encrypted: /);
      expect(JSON.stringify(refused.body)).not.toContain('token"');
    },
  );

  it('are refused with algorithms that are not supported', async () => {
    const [{ id, ...client }] = (await admin.send('GET', `/admin/realms/${realm}/clients?clientId=plain`)).body;
    for (const [name, value] of [
      [`${idToken}.alg`, 'RSA1_5'],
      [`${idToken}.alg`, 'dir'],
      [`${idToken}.enc`, 'A512GCM'],
      [`${userInfo}.alg`, 'none'],
      ['user.info.response.signature.alg', 'RS1'],
      ['authorization.signed.response.alg', 'none'],
      ['authorization.encrypted.response.alg', 'RSA1_5'],
      ['request.object.encryption.alg', 'RSA1_5'],
      ['request.object.encryption.enc', 'A1GCM'],
    ] as const) {
      const attributes = { ...client.attributes, [name]: value };
      const { status, body } = await admin.send('PUT', `/admin/realms/${realm}/clients/${id}`, {
        ...client,
        attributes,
      });
      expect([name, status]).toEqual([name, 400]);
      expect(JSON.stringify(body)).toContain(value);
    }
  });
});

describe('signed user info', () => {
  it('is verified by openid-client, by a key of the realm or the secret of the client', async () => {
    for (const [client, alg] of [
      ['signed', 'PS256'],
      ['by secret', 'HS256'],
    ] as const) {
      const config = await discover(server, client, { userinfo_signed_response_alg: alg });
      const tokens = await tokensFor(server, config);
      if (alg === 'PS256') openid.enableNonRepudiationChecks(config);
      const info = await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '');
      expect(info).toMatchObject({ aud: client, email: 'ann@example.org' });
      const raw = await askUserInfo(tokens.access_token);
      expect(raw.type).toMatch(/^application\/jwt/);
      expect(decodeProtectedHeader(raw.text)).toEqual({
        alg,
        typ: 'JWT',
        ...(!alg.startsWith('HS') && { kid: expect.any(String) }),
      });
    }
  });

  it('is JSON where nothing is set', async () => {
    const { body } = await byPassword('plain');
    const info = await askUserInfo(body.access_token);
    expect([info.status, JSON.parse(info.text).preferred_username]).toEqual([200, 'ann']);
  });

  it('is no token of another kind', async () => {
    const { body } = await byPassword('signed');
    const { text } = await askUserInfo(body.access_token);
    expect((await askUserInfo(text)).status).toBe(401);
    const introspect = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'signed', client_secret: secret, token: text }),
    });
    expect(await introspect.json()).toEqual({ active: false });
    const hint = new URLSearchParams({ id_token_hint: text });
    expect((await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/logout?${hint}`)).status).toBe(400);
  });
});

/** A key pair for another algorithm. */
async function asKey({ privateKey }: PublishedKey, alg: string): Promise<CryptoKey> {
  return (await importJWK({ ...(await exportJWK(privateKey)), alg }, alg)) as CryptoKey;
}
