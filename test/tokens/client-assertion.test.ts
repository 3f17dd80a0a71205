import { KeyObject, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../../src/services/keys/certificate.js';
import { atEndOfFile } from '../support/database.js';
import { administrator, type Caller, startWithRealm } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

const realm = 'proofs';
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const secret = 'a-secret-that-both-sides-know-0123456789';

let server: TestServer;
let admin: Caller;
let issuer: string;
let mine: Keys;
let other: Keys;
let elliptic: Keys;
/** what the client publishes at its address, and how often it was asked for */
let published: JWK[] = [];
let asked = 0;

const jwkOf = async (keys: Keys, kid: string) => ({ ...(await exportJWK(keys.publicKey)), kid, use: 'sig' });
const spkiOf = async (keys: Keys) => (await exportSPKI(keys.publicKey as CryptoKey)).replace(/-----[^-]+-----|\s/g, '');

const create = (clientId: string, clientAuthenticatorType: string, attributes: Record<string, string> = {}) =>
  admin.send('POST', `/${realm}/clients`, {
    clientId,
    secret,
    clientAuthenticatorType,
    serviceAccountsEnabled: true,
    attributes,
  });

beforeAll(async () => {
  [mine, other] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256', { extractable: true }),
  ]);
  elliptic = await generateKeyPair('ES256', { extractable: true });
  const site = createServer((_request, response) => {
    asked++;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }));
  }).listen(0, '127.0.0.1');
  atEndOfFile(() => new Promise<void>((done) => site.close(() => done())));
  await new Promise((done) => site.once('listening', done));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/keys`;
  server = await startServer({ fetchPrivateAddresses: true });
  admin = await administrator(server);
  issuer = `${server.url}/auth/realms/${realm}`;
  await admin.send('POST', '/', { realm, enabled: true, eventsEnabled: true });
  published = [await jwkOf(mine, 'one')];
  await create('at-address', 'client-jwt', { 'use.jwks.url': 'true', 'jwks.url': url });
  await create('with-set', 'client-jwt', {
    'use.jwks.string': 'true',
    'jwks.string': JSON.stringify({ keys: [await jwkOf(mine, 'one'), await jwkOf(elliptic, 'two')] }),
  });
  await create('with-key', 'client-jwt', { 'jwt.credential.public.key': await spkiOf(mine) });
  await create('with-certificate', 'client-jwt', { 'jwt.credential.certificate': await certificateOf(mine) });
  await create('without-key', 'client-jwt');
  await create('with-secret', 'client-secret-jwt');
  await create('strict', 'client-secret-jwt', { 'token.endpoint.auth.signing.alg': 'HS512' });
  await create('by-secret', 'client-secret');
  await create('by-certificate', 'client-x509');
});

async function certificateOf(keys: Keys): Promise<string> {
  const [privateKey, publicKey] = [keys.privateKey, keys.publicKey].map((key) => KeyObject.from(key as never));
  return selfSignedCertificate(privateKey as KeyObject, publicKey as KeyObject, 'client');
}

interface Statement {
  alg?: string;
  key?: CryptoKey | Uint8Array;
  kid?: string;
  claims?: Record<string, unknown>;
  /** seconds from now */
  expires?: number;
}

const bytes = new TextEncoder().encode(secret);

const statement = (clientId: string, { alg = 'RS256', key, kid = 'one', claims, expires = 60 }: Statement = {}) => {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ iss: clientId, sub: clientId, aud: issuer, jti: randomUUID(), exp: now + expires, ...claims })
    .setProtectedHeader({ alg, kid })
    .sign(key ?? (mine.privateKey as CryptoKey));
};

async function token(assertion: string | undefined, more: Record<string, string> = {}) {
  const response = await fetch(`${issuer}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: assertionType,
      ...(assertion !== undefined && { client_assertion: assertion }),
      ...more,
    }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

describe('a client that signs who it is', () => {
  it.each(['at-address', 'with-set', 'with-key', 'with-certificate'])('is let in: %s', async (clientId) => {
    expect(await token(await statement(clientId))).toMatchObject({ status: 200 });
  });

  it('may sign with any key of its set', async () => {
    const signed = await statement('with-set', { alg: 'ES256', key: elliptic.privateKey as CryptoKey, kid: 'two' });
    expect(await token(signed)).toMatchObject({ status: 200 });
  });

  it('may sign with its secret', async () => {
    expect(await token(await statement('with-secret', { alg: 'HS256', key: bytes }))).toMatchObject({ status: 200 });
    expect(await token(await statement('strict', { alg: 'HS512', key: bytes }))).toMatchObject({ status: 200 });
  });

  it('may name any of the endpoints as the audience', async () => {
    const aud = [`${issuer}/protocol/openid-connect/token`, 'elsewhere'];
    expect(await token(await statement('with-key', { claims: { aud } }))).toMatchObject({ status: 200 });
  });

  it('is believed once, even at the same moment', async () => {
    const signed = await statement('with-key');
    const answers = await Promise.all(Array.from({ length: 5 }, () => token(signed)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 200)?.body.error_description).toContain('Token reuse detected');
  });

  it('has its keys fetched once for many logins, and anew only after a while', async () => {
    const before = asked;
    for (let n = 0; n < 5; n++) await token(await statement('at-address'));
    expect(asked - before).toBeLessThanOrEqual(1);
  });

  it('can introspect and revoke in the same way', async () => {
    const { body } = await token(await statement('with-key'));
    const ask = async (path: string) =>
      fetch(`${issuer}/protocol/openid-connect/${path}`, {
        method: 'POST',
        body: new URLSearchParams({
          token: body.access_token ?? '',
          client_assertion_type: assertionType,
          client_assertion: await statement('with-key'),
        }),
      });
    expect(await (await ask('token/introspect')).json()).toMatchObject({ active: true });
    expect((await ask('revoke')).status).toBe(200);
    expect(await (await ask('token/introspect')).json()).toEqual({ active: false });
  });
});

describe('an assertion is refused', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const cases: [string, () => Promise<string | undefined>, Record<string, string>?][] = [
    ['of another key', () => statement('with-key', { key: other.privateKey as CryptoKey })],
    ['that is not there', async () => undefined, { client_id: 'with-key' }],
    ['of another client', () => statement('with-set', { kid: 'one' }), { client_id: 'with-certificate' }],
    ['by another issuer', () => statement('with-key', { claims: { iss: 'with-set' } })],
    ['for another realm', () => statement('with-key', { claims: { aud: issuer.replace(realm, 'master') } })],
    ['for nobody', () => statement('with-key', { claims: { aud: undefined } })],
    ['that has expired', () => statement('with-key', { expires: -60 })],
    ['without an id', () => statement('with-key', { claims: { jti: undefined } })],
    ['not valid yet', () => statement('with-key', { claims: { nbf: now() + 600 } })],
    ['issued long ago', () => statement('with-key', { claims: { exp: undefined, iat: now() - 600 } })],
    ['without a signature', async () => unsigned('with-key')],
    ['signed with the secret by a client with keys', () => statement('with-key', { alg: 'HS256', key: bytes })],
    ['signed with a public key as the secret', () => confused('with-key')],
    ['of a client without keys', () => statement('without-key')],
    ['signed with keys by a client with a secret', () => statement('with-secret')],
    ['with another algorithm than the client is set to', () => statement('strict', { alg: 'HS256', key: bytes })],
    ['of a client that is to send its secret', () => statement('by-secret'), { client_id: 'by-secret' }],
    ['of a client that is to show a certificate', () => statement('by-certificate')],
    ['that is no token', async () => 'nonsense', { client_id: 'with-key' }],
    ['that is huge', async () => 'x'.repeat(10_000), { client_id: 'with-key' }],
    ['of another type', () => statement('with-key'), { client_assertion_type: 'saml' }],
  ];

  const unsigned = (clientId: string) =>
    new UnsecuredJWT({ iss: clientId, sub: clientId, aud: issuer, jti: randomUUID(), exp: now() + 60 }).encode();
  const confused = async (clientId: string) =>
    statement(clientId, { alg: 'HS256', key: Buffer.from(await spkiOf(mine), 'base64') });

  it.each(cases)('%s', async (_what, make, more) => {
    const { status, body } = await token(await make(), more);
    expect([400, 401]).toContain(status);
    expect(['invalid_client', 'unauthorized_client']).toContain(body.error);
    expect(body.access_token).toBeUndefined();
  });

  it('and a secret does not help a client that is to sign', async () => {
    const { status } = await token(undefined, { client_id: 'with-secret', client_secret: secret });
    expect(status).toBe(400);
  });
});

describe('the keys at a private address', () => {
  it('are not fetched unless the operator allows it', async () => {
    const { server: careful, admin: boss } = await startWithRealm(
      { realm, enabled: true },
      { fetchPrivateAddresses: false },
    );
    let reached = 0;
    const site = createServer((_request, response) => {
      reached++;
      response.end('{"keys":[]}');
    }).listen(0, '127.0.0.1');
    atEndOfFile(() => new Promise<void>((done) => site.close(() => done())));
    await new Promise((done) => site.once('listening', done));
    const { port } = site.address() as AddressInfo;
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254']) {
      const clientId = `at-${host}`;
      await boss.send('POST', `/${realm}/clients`, {
        clientId,
        clientAuthenticatorType: 'client-jwt',
        attributes: { 'use.jwks.url': 'true', 'jwks.url': `http://${host}:${port}/keys` },
      });
      const response = await fetch(`${careful.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_assertion_type: assertionType,
          client_assertion: await statement(clientId),
        }),
      });
      expect(response.status).toBe(400);
    }
    expect(reached).toBe(0);
  });
});
