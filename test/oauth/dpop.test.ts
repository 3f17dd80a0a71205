import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, decodeJwt, exportJWK, SignJWT } from 'jose';
import * as openid from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, answerOf, authorizationUrl } from '../login/agent.js';
import { importShop, shop } from '../login/realm.js';
import { administrator } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  callback,
  discover,
  newProofKeys,
  type ProofKeys,
  realm,
  request,
  secret,
  signedProof,
  signIn,
  tokensFor,
} from './relying-party.js';

let server: TestServer;
let issuer: string;
let mine: ProofKeys;
let stolen: ProofKeys;

beforeAll(async () => {
  server = await startServer();
  issuer = `${server.url}/auth/realms/${realm}`;
  [mine, stolen] = [await newProofKeys(), await newProofKeys()];
  const client = (clientId: string, more: object = {}) => ({
    clientId,
    secret,
    redirectUris: [callback],
    directAccessGrantsEnabled: true,
    serviceAccountsEnabled: true,
    implicitFlowEnabled: true,
    ...more,
  });
  const bound = { attributes: { 'dpop.bound.access.tokens': 'true' } };
  const [ann, ...others] = shop.users;
  await importShop(await administrator(server), {
    users: [{ ...ann, clientRoles: { 'realm-management': ['realm-admin'], account: ['view-profile'] } }, ...others],
    clients: [
      client('bound', {
        ...bound,
        authorizationServicesEnabled: true,
        authorizationSettings: { policyEnforcementMode: 'PERMISSIVE', resources: [{ name: 'thing' }] },
      }),
      { ...client('public'), ...bound, publicClient: true, serviceAccountsEnabled: false },
      client('free'),
    ],
  });
});

const endpoint = () => `${issuer}/protocol/openid-connect/token`;

interface Change {
  claims?: object;
  header?: object;
  keys?: ProofKeys;
}

/** A proof for the token endpoint, changed as a test wants it. */
const proof = ({ claims = {}, header = {}, keys = mine }: Change = {}) =>
  signedProof(keys, { htm: 'POST', htu: endpoint(), ...claims }, header);

async function ask(form: Record<string, string>, dpop?: string, path = 'token') {
  const answer = await fetch(`${issuer}/protocol/openid-connect/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: secret, ...form }),
    ...(dpop !== undefined && { headers: { dpop } }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}
const asAnn = (client_id: string) => ({
  grant_type: 'password',
  client_id,
  username: 'ann',
  password: 'pw-ann',
  scope: 'openid',
});
const tokenOf = async (client = 'bound', keys = mine) => (await ask(asAnn(client), await proof({ keys }))).body;
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Sends a request to a resource with a token and a proof for it. */
async function use(path: string, token: string, change: Change | undefined, { scheme = 'DPoP', method = 'GET' } = {}) {
  const url = `${server.url}/auth${path}`;
  const claims = { htm: method, htu: url, ath: hashOf(token), ...change?.claims };
  const dpop: Record<string, string> = change ? { dpop: await proof({ ...change, claims }) } : {};
  return fetch(url, { method, headers: { authorization: `${scheme} ${token}`, ...dpop } });
}
const userinfo = `/realms/${realm}/protocol/openid-connect/userinfo`;
const users = `/admin/realms/${realm}/users`;

describe('tokens that are bound to a key', () => {
  it('are got and used by openid-client', async () => {
    for (const client of ['bound', 'free']) {
      const config = await discover(server, client);
      const keys = await openid.randomDPoPKeyPair('ES256', { extractable: true });
      const DPoP = openid.getDPoPHandle(config, keys);
      const tokens = await tokensFor(server, config, { DPoP });
      expect(tokens.token_type).toBe('dpop');
      const jkt = await calculateJwkThumbprint(await exportJWK(keys.publicKey));
      expect(decodeJwt(tokens.access_token).cnf).toEqual({ jkt });
      const info = await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '', { DPoP });
      expect(info.email).toBe('ann@example.org');
      const inner = await openid.tokenIntrospection(config, tokens.access_token);
      expect(inner).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt } });
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', {}, { DPoP });
      expect(decodeJwt(refreshed.access_token).cnf).toEqual({ jkt });
      const own = await openid.clientCredentialsGrant(config, {}, { DPoP });
      expect(decodeJwt(own.access_token).cnf).toEqual({ jkt });
      for (const path of [users, `/realms/${realm}/account`]) {
        const url = new URL(`${server.url}/auth${path}`);
        const headers = new Headers({ accept: 'application/json' });
        const read = await openid.fetchProtectedResource(config, tokens.access_token, url, 'GET', null, headers, {
          DPoP,
        });
        expect([path, read.status]).toEqual([path, 200]);
      }
    }
  });

  it('have a code bound too, by a parameter or a pushed request', async () => {
    const config = await discover(server, 'bound');
    const keys = await openid.randomDPoPKeyPair('ES256', { extractable: true });
    const DPoP = openid.getDPoPHandle(config, keys);
    const thumbprint = await DPoP.calculateThumbprint();
    const thief = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'));
    const { asked, checks } = await request(config, { dpop_jkt: thumbprint });
    const logIn = async () =>
      new URL((await signIn(server, openid.buildAuthorizationUrl(config, asked))).location ?? '');
    const by = async (DPoP: openid.DPoPHandle) =>
      openid.authorizationCodeGrant(config, await logIn(), checks, undefined, { DPoP });
    await expect(by(thief)).rejects.toThrow();
    expect((await by(DPoP)).access_token).toBeTruthy();
    const pushed = await request(config);
    const address = await openid.buildAuthorizationUrlWithPAR(config, pushed.asked, { DPoP });
    const code = new URL((await signIn(server, address)).location ?? '');
    await expect(
      openid.authorizationCodeGrant(config, code, pushed.checks, undefined, { DPoP: thief }),
    ).rejects.toThrow();
    const form = { client_id: 'bound', redirect_uri: callback, response_type: 'code', dpop_jkt: stolen.thumbprint };
    const other = await ask(
      form,
      await proof({ claims: { htu: `${issuer}/protocol/openid-connect/ext/par/request` } }),
      'ext/par/request',
    );
    expect([other.status, other.body.error]).toEqual([400, 'invalid_dpop_proof']);
    const bad = authorizationUrl(realm, { client_id: 'bound', redirect_uri: callback, dpop_jkt: 'short' });
    expect(answerOf(await agentOf(server).get(bad)).error).toBe('invalid_request');
  });

  it('are those for permissions as well', async () => {
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket', client_id: 'bound', audience: 'bound' };
    expect((await ask(form)).body.error).toBe('invalid_dpop_proof');
    const { status, body } = await ask(form, await proof());
    expect(body).toHaveProperty('access_token');
    expect([status, decodeJwt(body.access_token ?? '').cnf]).toEqual([200, { jkt: mine.thumbprint }]);
  });
});

describe('a proof', () => {
  const now = () => Math.floor(Date.now() / 1000);

  it.each<[string, () => Promise<string | undefined>]>([
    ['that is missing', async () => undefined],
    ['that is no token', async () => 'nothing'],
    ['of two', async () => `${await proof()}, ${await proof()}`],
    ['for another method', () => proof({ claims: { htm: 'GET' } })],
    ['for another endpoint', () => proof({ claims: { htu: `${issuer}/protocol/openid-connect/revoke` } })],
    ['for another server', () => proof({ claims: { htu: endpoint().replace('127.0.0.1', 'evil.example') } })],
    ['for another realm', () => proof({ claims: { htu: endpoint().replace('/shop/', '/master/') } })],
    ['without an address', () => proof({ claims: { htu: undefined } })],
    ['without an ID', () => proof({ claims: { jti: undefined } })],
    ['without a time', () => proof({ claims: { iat: undefined } })],
    ['of yesterday', () => proof({ claims: { iat: now() - 86_400 } })],
    ['of tomorrow', () => proof({ claims: { iat: now() + 86_400 } })],
    ['that has expired', () => proof({ claims: { exp: now() - 60 } })],
    ['that begins tomorrow', () => proof({ claims: { nbf: now() + 86_400 } })],
    ['of another type', () => proof({ header: { typ: 'JWT' } })],
    ['of another key', () => proof({ header: { jwk: stolen.jwk } })],
    ['without a key', () => proof({ header: { jwk: undefined } })],
    ['with a private key', async () => proof({ header: { jwk: await exportJWK(mine.privateKey) } })],
    ['with a key of an attacker who sends a secret', async () => proof({ header: { jwk: { kty: 'oct', k: 'AAAA' } } })],
    [
      'with an RSA key that is too large',
      async () => proof({ header: { jwk: { kty: 'RSA', e: 'AQAB', n: 'x'.repeat(3000) } } }),
    ],
    [
      'that is signed with a secret',
      () =>
        new SignJWT({ jti: 'x', htm: 'POST', htu: endpoint(), iat: now() })
          .setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk: mine.jwk })
          .sign(new TextEncoder().encode(secret)),
    ],
  ])('%s is refused', async (_, make) => {
    const { status, body } = await ask(asAnn('bound'), await make());
    expect([status, body.error, body.access_token]).toEqual([400, 'invalid_dpop_proof', undefined]);
  });

  it('counts once', async () => {
    const once = await proof();
    expect((await ask(asAnn('bound'), once)).status).toBe(200);
    expect((await ask(asAnn('bound'), once)).body.error_description).toBe('DPoP proof has already been used');
    const { access_token = '' } = await tokenOf();
    const jti = randomUUID();
    expect((await use(userinfo, access_token, { claims: { jti } })).status).toBe(200);
    expect((await use(userinfo, access_token, { claims: { jti } })).status).toBe(401);
  });

  it.each([userinfo, users, `/realms/${realm}/account`])('has to come with a token that is bound: %s', async (path) => {
    const { access_token: token = '' } = await tokenOf();
    const headers = { accept: 'application/json' };
    const status = async (...[change, options]: [Change | undefined, object?]) =>
      (await use(path, token, change, options)).status;
    expect(await status({})).toBe(200);
    // the token alone, as a thief has it
    expect(await status(undefined)).toBe(401);
    expect(await status(undefined, { scheme: 'Bearer' })).toBe(401);
    expect(await status({}, { scheme: 'Bearer' })).toBe(401);
    // with a proof of a thief, and those of another request, token, and method
    expect(await status({ keys: stolen })).toBe(401);
    expect(await status({ claims: { htu: `${server.url}/auth/admin/realms` } })).toBe(401);
    expect(await status({ claims: { ath: hashOf('another') } })).toBe(401);
    expect(await status({ claims: { ath: undefined } })).toBe(401);
    expect(await status({ claims: { htm: 'DELETE' } })).toBe(401);
    // a token without a key is none for this scheme
    const free = (await ask(asAnn('free'))).body.access_token ?? '';
    expect(
      (await fetch(`${server.url}/auth${path}`, { headers: { ...headers, authorization: `Bearer ${free}` } })).status,
    ).toBe(200);
    expect((await use(path, free, {})).status).toBe(401);
  });

  it('has to come to GraphQL as well', async () => {
    const { access_token: token = '' } = await tokenOf();
    const url = `${server.url}/graphql`;
    const send = async (authorization: string, dpop?: string) => {
      const headers = { authorization, 'content-type': 'application/json', ...(dpop && { dpop }) };
      const body = JSON.stringify({ query: '{ viewer { displayName } }' });
      const answer = (await (await fetch(url, { method: 'POST', headers, body })).json()) as { data?: object };
      return answer.data;
    };
    const claims = { htu: url, ath: hashOf(token) };
    expect(await send(`DPoP ${token}`, await proof({ claims }))).toEqual({
      viewer: { displayName: expect.stringContaining('ann') },
    });
    expect(await send(`Bearer ${token}`)).toBeFalsy();
    expect(await send(`DPoP ${token}`, await proof({ claims, keys: stolen }))).toBeFalsy();
  });

  it('has to be of the same key for the refresh token of a public client', async () => {
    const { refresh_token = '' } = await tokenOf('public');
    const refresh = async (keys?: ProofKeys) =>
      ask({ grant_type: 'refresh_token', client_id: 'public', refresh_token }, keys && (await proof({ keys })));
    expect((await refresh()).body.error).toBe('invalid_dpop_proof');
    expect((await refresh(stolen)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(mine)).status).toBe(200);
    // the token of another client
    const foreign = { grant_type: 'refresh_token', client_id: 'bound', refresh_token };
    expect((await ask(foreign, await proof())).body.error).toBe('invalid_grant');
  });

  it('cannot be avoided by another flow', async () => {
    const front = authorizationUrl(realm, {
      client_id: 'bound',
      redirect_uri: callback,
      response_type: 'token',
      response_mode: 'fragment',
    });
    const { location } = await agentOf(server).get(front);
    expect(new URLSearchParams(new URL(location ?? '').hash.slice(1)).get('error')).toBe('unauthorized_client');
    for (const grant_type of ['client_credentials', 'password', 'authorization_code']) {
      expect((await ask({ ...asAnn('bound'), grant_type })).body.error).toBe('invalid_dpop_proof');
    }
  });
});
