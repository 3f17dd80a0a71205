import { CompactEncrypt, createLocalJWKSet, importJWK, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import * as openid from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, answerOf, noticeOf } from '../login/agent.js';
import { importShop } from '../login/realm.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  callback,
  discover,
  keySetOf,
  newKey,
  type PublishedKey,
  realm,
  request,
  secret,
  signIn,
} from './relying-party.js';

let server: TestServer;
let admin: Caller;
let issuer: string;
let signer: PublishedKey;
let keys: JWK[];

const alg = 'request.object.encryption.alg';
const enc = 'request.object.encryption.enc';

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  issuer = `${server.url}/auth/realms/${realm}`;
  signer = await newKey('ES256', 'sig');
  const client = (clientId: string, attributes: object = {}) => ({
    clientId,
    secret,
    redirectUris: [callback, `${callback}/other`],
    attributes: { ...keySetOf(signer.jwk), 'request.object.signature.alg': 'ES256', ...attributes },
  });
  await importShop(admin, {
    clients: [
      client('app'),
      client('other'),
      client('encrypts', { [alg]: 'RSA-OAEP-256', [enc]: 'A256GCM' }),
      client('any', { [alg]: 'any', [enc]: 'any', 'request.object.signature.alg': 'none' }),
      { ...client('demands', { 'request.object.required': 'request only' }), publicClient: true },
    ],
  });
  keys = (await (await fetch(`${issuer}/protocol/openid-connect/certs`)).json()).keys;
});

const claims = (client_id = 'app') => ({
  client_id,
  iss: client_id,
  aud: issuer,
  response_type: 'code',
  scope: 'openid',
  redirect_uri: callback,
  state: 'inside',
  login_hint: 'from the object',
});
const sign = (content: object, key = signer.privateKey, header = {}) =>
  new SignJWT({ ...content })
    .setProtectedHeader({ alg: 'ES256', kid: signer.jwk.kid ?? '', ...header })
    .setExpirationTime('5m')
    .sign(key);

/** Encrypts an object for the realm, with its key for encryption unless the test says another. */
async function encrypt(text: string, header: Record<string, string> = {}, use = 'enc'): Promise<string> {
  const { alg: _, ...key } = keys.find((candidate) => candidate.use === use && candidate.kty === 'RSA') ?? {};
  const named = { alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT', kid: String(key.kid), ...header };
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader(named)
    .encrypt(await importJWK({ ...key, use: 'enc' }, named.alg));
}

const open = (parameters: Record<string, string>) =>
  agentOf(server).get(`/auth/realms/${realm}/protocol/openid-connect/auth?${new URLSearchParams(parameters)}`);
async function push(parameters: Record<string, string>) {
  const answer = await fetch(`${issuer}/protocol/openid-connect/ext/par/request`, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: secret, ...parameters }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}
const hinted = 'value="from the object"';

describe('a request object with everything in it', () => {
  it('is taken from openid-client, in the address and pushed', async () => {
    const config = await discover(server, 'app');
    const { asked, checks } = await request(config);
    const inside = { ...asked, response_type: 'code' };
    const address = await openid.buildAuthorizationUrlWithJAR(config, inside, { key: signer.privateKey });
    expect([...address.searchParams.keys()].toSorted()).toEqual(['client_id', 'request']);
    const answer = await signIn(server, address);
    const tokens = await openid.authorizationCodeGrant(config, new URL(answer.location ?? ''), checks);
    expect(tokens.claims()?.nonce).toBe(asked.nonce);

    const again = await request(config);
    const pushed = await openid.buildAuthorizationUrlWithJAR(config, again.asked, { key: signer.privateKey });
    const form = { request: pushed.searchParams.get('request') ?? '' };
    const short = await openid.buildAuthorizationUrlWithPAR(config, form);
    expect([...short.searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri']);
    const second = await signIn(server, short);
    expect(answerOf(second).state).toBe(again.asked.state);
    await openid.authorizationCodeGrant(config, new URL(second.location ?? ''), again.checks);
    // a pushed request counts once
    expect((await open(Object.fromEntries(short.searchParams))).status).toBe(400);
  });

  it('has its errors told with its state', async () => {
    for (const change of [
      { prompt: 'none' },
      { scope: 'openid everything' },
      { aud: 'https://another.example' },
      { aud: [] },
      { iss: 'other' },
      { client_id: 'other' },
      { exp: 1 },
    ]) {
      const object = await new SignJWT({ exp: Math.floor(Date.now() / 1000) + 300, ...claims(), ...change })
        .setProtectedHeader({ alg: 'ES256' })
        .sign(signer.privateKey);
      const answer = answerOf(await open({ client_id: 'app', request: object }));
      expect(answer).toMatchObject({ state: 'inside', iss: issuer, error: expect.any(String) });
    }
  });

  it('is refused where somebody else has made it', async () => {
    const foreign = await newKey('ES256', 'sig');
    const good = await sign(claims());
    for (const [client_id, object] of [
      // another key, no signature, changed content
      ['app', await sign(claims(), foreign.privateKey)],
      ['app', new UnsecuredJWT(claims()).encode()],
      [
        'app',
        good.replace(
          /\.[\w-]+\./,
          `.${Buffer.from(JSON.stringify({ ...claims(), state: 'x' })).toString('base64url')}.`,
        ),
      ],
      ['app', await sign(claims(), signer.privateKey, { typ: 'dpop+jwt' })],
    ] as const) {
      // nothing of it counts, not even the address for the answer
      const page = await open({ client_id, request: object });
      expect([page.status, page.location]).toEqual([400, null]);
      const { status, body } = await push({ client_id, request: object });
      expect([status, body.error]).toEqual([400, 'invalid_request_object']);
    }
    // the object of another client, which has the same keys
    const { body } = await push({ client_id: 'other', request: good });
    expect(body).toEqual({ error: 'invalid_request_object', error_description: 'Invalid issuer' });
  });

  it('that a public client has to send cannot be left out by pushing', async () => {
    const plain = { client_id: 'demands', response_type: 'code', redirect_uri: callback };
    expect(answerOf(await open(plain)).error).toBe('invalid_request');
    expect(await push(plain)).toMatchObject({ status: 400, body: { error_description: 'Missing parameter: request' } });
    expect((await push({ client_id: 'demands', request: await sign(claims('demands')) })).status).toBe(201);
  });
});

describe('a request object that is signed with the secret of its client', () => {
  it('lets nobody guess at the secret', async () => {
    const guarded = await startServer({ failuresAddress: 3 });
    const attributes = { 'request.object.signature.alg': 'HS256' };
    await importShop(await administrator(guarded), {
      clients: [{ clientId: 'shares', secret, redirectUris: [callback, `${callback}/other`], attributes }],
    });
    const agent = agentOf(guarded);
    const aud = `${guarded.url}/auth/realms/${realm}`;
    const begin = async (key: string, client_id = 'shares') => {
      const object = await sign({ ...claims(client_id), aud }, new TextEncoder().encode(key) as never, {
        alg: 'HS256',
      });
      const asked = new URLSearchParams({ client_id, request: object });
      return (await agent.get(`/auth/realms/${realm}/protocol/openid-connect/auth?${asked}`)).status;
    };
    expect(await begin(secret)).toBe(200);
    for (const key of ['one', 'two', 'three']) expect(await begin(key.repeat(20))).toBe(400);
    // also not with the right one: the answer would tell which one that is
    expect(await begin(secret)).toBe(429);
  });
});

describe('an encrypted request object', () => {
  it('is decrypted with the key of the realm for encryption', async () => {
    const object = await encrypt(await sign(claims('encrypts')));
    expect((await open({ client_id: 'encrypts', request: object })).text).toContain(hinted);
    expect((await push({ client_id: 'encrypts', request: object })).status).toBe(201);
    for (const header of [
      { alg: 'RSA-OAEP', enc: 'A128CBC-HS256' },
      { alg: 'RSA-OAEP-256', enc: 'A192GCM' },
    ]) {
      const unsigned = await encrypt(new UnsecuredJWT(claims('any')).encode(), header);
      expect((await open({ client_id: 'any', request: unsigned })).text).toContain(hinted);
    }
    expect(createLocalJWKSet({ keys })).toBeTruthy();
  });

  it.each([
    ['unencrypted', async () => sign(claims('encrypts')), 'The request object is not encrypted'],
    ['by another algorithm', async () => encrypt(await sign(claims('encrypts')), { alg: 'RSA-OAEP' })],
    ['by another content encryption', async () => encrypt(await sign(claims('encrypts')), { enc: 'A128GCM' })],
    ['for the key of signatures', async () => encrypt(await sign(claims('encrypts')), {}, 'sig')],
    ['for a key of nobody', async () => encrypt(await sign(claims('encrypts')), { kid: 'unknown' })],
    ['damaged', async () => (await encrypt(await sign(claims('encrypts')))).replace(/.{9}$/, 'AAAAAAAAA')],
    ['unsigned', async () => encrypt(new UnsecuredJWT(claims('encrypts')).encode()), /algorithm/],
    ['no object', async () => encrypt('nothing'), 'Failed to verify the request object'],
    ['encrypted twice', async () => encrypt(await encrypt(await sign(claims('encrypts')))), /algorithm/],
    ['compressed', async () => encrypt(await sign(claims('encrypts')), { zip: 'DEF' })],
    ['of another client', async () => encrypt(await sign(claims('app'))), 'Invalid issuer'],
  ] as const)('is refused: %s', async (_, make, text: string | RegExp = 'Failed to decrypt the request object') => {
    const object = await make();
    const { status, body } = await push({ client_id: 'encrypts', request: object });
    expect([status, body.error]).toEqual([400, 'invalid_request_object']);
    expect(body.error_description).toMatch(text);
    const page = await open({ client_id: 'encrypts', request: object });
    expect(page.location === null ? noticeOf(page) : answerOf(page).error).toMatch(
      /redirect_uri|invalid_request_object/,
    );
  });

  it('is decrypted by keys of later versions, each for its own algorithm', async () => {
    const [{ id: parentId }] = [(await admin.send('GET', `/admin/realms/${realm}`)).body];
    const component = {
      name: 'for requests',
      parentId,
      providerId: 'rsa-enc-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: ['500'], algorithm: ['RSA-OAEP-256'] },
    };
    expect((await admin.send('POST', `/admin/realms/${realm}/components`, component)).status).toBe(201);
    const { keys: now }: { keys: JWK[] } = await (await fetch(`${issuer}/protocol/openid-connect/certs`)).json();
    const added = now.find((key) => key.alg === 'RSA-OAEP-256');
    expect(added?.use).toBe('enc');
    const before = keys;
    keys = [added ?? {}];
    expect((await push({ client_id: 'encrypts', request: await encrypt(await sign(claims('encrypts'))) })).status).toBe(
      201,
    );
    const wrong = await encrypt(new UnsecuredJWT(claims('any')).encode(), { alg: 'RSA-OAEP' });
    expect((await push({ client_id: 'any', request: wrong })).status).toBe(400);
    keys = before;
    // the older key still decrypts
    expect((await push({ client_id: 'encrypts', request: await encrypt(await sign(claims('encrypts'))) })).status).toBe(
      201,
    );
  });
});
