import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { keySetOf, newKey, type PublishedKey } from '../oauth/relying-party.js';
import { atEndOfFile } from '../support/database.js';
import { startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

let server: TestServer;
let issuer: string;
let key: PublishedKey;
/** bodies of what the channel to users was sent */
const asked: Record<string, unknown>[] = [];

beforeAll(async () => {
  const channel = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    asked.push(JSON.parse(text));
    response.writeHead(201).end();
  });
  await new Promise<void>((done) => channel.listen(0, '127.0.0.1', done));
  atEndOfFile(() => void channel.close());
  key = await newKey('PS256', 'sig');
  const client = (clientId: string, attributes: object) => ({
    clientId,
    secret: 'secret',
    redirectUris: ['http://app.example'],
    attributes: { 'oidc.ciba.grant.enabled': 'true', ...attributes },
  });
  const strict = { 'ciba.backchannel.auth.request.signing.alg': 'PS256' };
  ({ server } = await startWithRealm(
    {
      realm: 'shop',
      enabled: true,
      clients: [
        client('free', keySetOf(key.jwk)),
        client('strict', { ...keySetOf(key.jwk), ...strict }),
        client('keyless', {}),
      ],
      users: [{ username: 'ann', enabled: true }],
    },
    { cibaChannelUrl: `http://127.0.0.1:${(channel.address() as AddressInfo).port}/ask`, fetchPrivateAddresses: true },
  ));
  issuer = `${server.url}/auth/realms/shop`;
});

async function post(clientId: string, form: Record<string, string>) {
  const response = await fetch(`${issuer}/protocol/openid-connect/ext/ciba/auth`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, client_secret: 'secret', ...form }),
  });
  const { error, error_description } = (await response.json()) as Record<string, string>;
  return [response.status, error, error_description];
}

interface Change {
  claims?: Record<string, unknown>;
  header?: object;
  signsWith?: CryptoKey;
}

const claimsOf = (clientId: string) => {
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now, nbf: now, exp: now + 60, jti: randomUUID() };
  return { iss: clientId, aud: issuer, ...times, scope: 'openid', login_hint: 'ann', binding_message: 'W4SCT' };
};
const signed = (clientId: string, { claims, header, signsWith = key.privateKey }: Change = {}) =>
  new SignJWT({ ...claimsOf(clientId), ...claims })
    .setProtectedHeader({ alg: 'PS256', kid: String(key.jwk.kid), ...header })
    .sign(signsWith);

const cannotVerify = [400, 'invalid_request', 'The signed request cannot be verified'];

describe('a signed request for backchannel authentication', () => {
  it.each(['free', 'strict'])('has its user asked: %s', async (clientId) => {
    expect(await post(clientId, { request: await signed(clientId) })).toEqual([200, undefined, undefined]);
    expect(asked.at(-1)).toMatchObject({ binding_message: 'W4SCT' });
  });

  it('is demanded of a client that has an algorithm for it', async () => {
    const plain = { scope: 'openid', login_hint: 'ann' };
    expect(await post('strict', plain)).toEqual([400, 'invalid_request', 'Missing parameter: request']);
    const other = await generateKeyPair('RS256');
    const request = await signed('strict', { header: { alg: 'RS256' }, signsWith: other.privateKey });
    expect(await post('strict', { request })).toEqual(cannotVerify);
  });

  it('counts once', async () => {
    const request = await signed('free');
    expect((await post('free', { request }))[0]).toBe(200);
    const before = asked.length;
    expect(await post('free', { request })).toEqual([400, 'invalid_request', 'Token reuse detected']);
    expect(asked.length).toBe(before);
  });

  it('has all parameters within', async () => {
    const request = await signed('free');
    const text = 'Parameter must be in the signed request: binding_message';
    expect(await post('free', { request, binding_message: 'other' })).toEqual([400, 'invalid_request', text]);
  });

  const now = () => Math.floor(Date.now() / 1000);
  it.each<[string, () => Change]>([
    ['of another client', () => ({ claims: { iss: 'strict' } })],
    ['for another server', () => ({ claims: { aud: 'https://elsewhere.example' } })],
    ['for nobody', () => ({ claims: { aud: undefined } })],
    ['that has expired', () => ({ claims: { exp: now() - 60 } })],
    ['that is not valid yet', () => ({ claims: { nbf: now() + 60, exp: now() + 120 } })],
    ['without an end', () => ({ claims: { exp: undefined } })],
    ['without a beginning', () => ({ claims: { nbf: undefined } })],
    ['without an ID', () => ({ claims: { jti: undefined } })],
  ])('is refused: %s', async (_, change) => {
    expect(await post('free', { request: await signed('free', change()) })).toEqual(cannotVerify);
  });

  it('is refused with another key, by a secret, without a signature, of another type, or for too long', async () => {
    const stranger = await newKey('PS256', 'sig');
    expect(await post('free', { request: await signed('free', { signsWith: stranger.privateKey }) })).toEqual(
      cannotVerify,
    );
    const bySecret = new SignJWT(claimsOf('free')).setProtectedHeader({ alg: 'HS256' });
    const request = await bySecret.sign(new TextEncoder().encode('secret'.padEnd(32, '.')));
    expect(await post('free', { request })).toEqual(cannotVerify);
    expect(await post('free', { request: new UnsecuredJWT(claimsOf('free')).encode() })).toEqual(cannotVerify);
    const long = await signed('free', { claims: { exp: now() + 7200 } });
    expect(await post('free', { request: long })).toEqual([
      400,
      'invalid_request',
      'The signed request is valid for too long',
    ]);
    const otherType = await signed('free', { header: { typ: 'at+jwt' } });
    expect(await post('free', { request: otherType })).toEqual([400, 'invalid_request', 'Invalid token type']);
    const text = 'Unable to find the key of the client';
    expect(await post('keyless', { request: await signed('keyless') })).toEqual([400, 'invalid_request', text]);
  });
});
