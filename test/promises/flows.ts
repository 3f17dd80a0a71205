import { randomUUID } from 'node:crypto';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect } from 'vitest';
import { agentOf, pkce } from '../login/agent.js';
import { header } from '../oauth/certificates.js';
import { callback, keySetOf, realm, secret } from '../oauth/relying-party.js';
import { siteOf } from './addresses.js';
import type { Use } from './algorithms.js';
import {
  ann,
  answered,
  credentials,
  keyFor,
  logIn,
  newClient,
  post,
  secretKey,
  tokensFor,
  type World,
} from './world.js';

async function granted(world: World, client: string, form: Record<string, string>) {
  const { status, body } = await post(world, 'token', { ...credentials(client), ...form });
  expect([status, body.error_description]).toEqual([200, undefined]);
  expect(decodeJwt(body.access_token ?? '')).toMatchObject({ iss: world.issuer });
  return body;
}

const byCode = async (world: World, client: string, asked: object = {}, form: object = {}) => {
  const { code = '' } = answered(await logIn(world, client, { ...asked }));
  return granted(world, client, { grant_type: 'authorization_code', code, redirect_uri: callback, ...form });
};

/** Lets the user answer the last request that the channel was sent. */
async function sayYes({ issuer, asked }: World): Promise<void> {
  const answer = await fetch(`${issuer}/protocol/openid-connect/ext/ciba/auth/callback`, {
    method: 'POST',
    headers: { authorization: asked.at(-1)?.authorization ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'SUCCEED' }),
  });
  expect(answer.status).toBe(200);
}

const grants: Record<string, (world: World) => Promise<unknown>> = {
  authorization_code: async (world) => byCode(world, await newClient(world)),
  implicit: async (world) => {
    const { access_token = '' } = answered(await logIn(world, await newClient(world), { response_type: 'token' }));
    expect(decodeJwt(access_token)).toMatchObject({ iss: world.issuer });
  },
  refresh_token: async (world) => {
    const client = await newClient(world);
    const { refresh_token = '' } = await tokensFor(world, client);
    await granted(world, client, { grant_type: 'refresh_token', refresh_token });
  },
  password: async (world) => tokensFor(world, await newClient(world)),
  client_credentials: async (world) => granted(world, await newClient(world), { grant_type: 'client_credentials' }),
  'urn:ietf:params:oauth:grant-type:device_code': async (world) => {
    const client = await newClient(world, { 'oauth2.device.authorization.grant.enabled': 'true' });
    const { body } = await post(world, 'auth/device', credentials(client));
    const agent = agentOf(world.server);
    const form = await agent.get(String(body.verification_uri));
    const consent = await agent.submit(await agent.submit(form, { device_user_code: body.user_code ?? '' }), ann);
    await agent.submit(consent, { accept: 'true' });
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    await granted(world, client, { grant_type, device_code: body.device_code ?? '' });
  },
  'urn:openid:params:grant-type:ciba': async (world) => deliveryMode(world, 'poll'),
  'urn:ietf:params:oauth:grant-type:token-exchange': async (world) => {
    const client = await newClient(world);
    const { access_token: subject_token = '' } = await tokensFor(world, client);
    await granted(world, client, { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', subject_token });
  },
};

/** A function that uses each value of a list by its name. A value without one is told. */
const byName =
  (uses: Record<string, (world: World) => Promise<unknown>>): Use =>
  async (world, value) => {
    const use = Object.hasOwn(uses, value) ? uses[value] : undefined;
    if (!use) throw new Error(`There is no use for ${value}`);
    await use(world);
  };

export const grantType: Use = byName(grants);

export const responseType: Use = async (world, type) => {
  const answer = answered(await logIn(world, await newClient(world), { response_type: type }));
  const names = { code: 'code', token: 'access_token', id_token: 'id_token' };
  const expected = type.split(' ').flatMap((word) => (word === 'none' ? [] : [names[word as keyof typeof names]]));
  expect(Object.keys(answer)).toEqual(expect.arrayContaining([...expected, 'state', 'iss']));
  for (const name of Object.values(names)) expect(name in answer).toBe(expected.includes(name));
};

export const responseMode: Use = async (world, mode) => {
  const page = await logIn(world, await newClient(world), { response_mode: mode });
  const [place, isToken] = [mode.replace(/\.?jwt$/, '') || 'query', mode.endsWith('jwt')];
  if (place === 'form_post') expect(page.text).toContain(`action="${callback}"`);
  else expect(page.location).toMatch(place === 'query' ? /callback\?/ : /callback#/);
  const answer = answered(page);
  expect(isToken ? decodeJwt(answer.response ?? '') : answer).toMatchObject({ code: expect.any(String), state: 's' });
};

export const subjectType: Use = async (world, type) => {
  const mapper = { name: 'pairs', protocol: 'openid-connect', protocolMapper: 'oidc-sha256-pairwise-sub-mapper' };
  const pairwise = { protocolMappers: [{ ...mapper, config: { pairwiseSubAlgorithmSalt: 'salt' } }] };
  const subjects = await Promise.all(
    [{}, type === 'pairwise' ? pairwise : {}].map(async (more) => {
      const { id_token = '' } = await tokensFor(world, await newClient(world, {}, more));
      return decodeJwt(id_token).sub;
    }),
  );
  expect(subjects[0] === subjects[1]).toBe(type === 'public');
};

/** Uses methods of client authentication at one endpoint. */
export const authenticatedAt = (path: string, more: Record<string, string>): Use => {
  const ok = async (world: World, form: Record<string, string>, headers: Record<string, string> = {}) => {
    expect((await post(world, path, { ...more, ...form }, headers)).status).toBe(200);
    const wrong = { ...form, client_secret: 'wrong', client_assertion: 'x.y.z' };
    expect((await post(world, path, { ...more, ...wrong })).status).not.toBe(200);
  };
  const asserted = async (world: World, clientAuthenticatorType: string, alg: 'HS256' | 'ES256') => {
    const { privateKey, jwk } = await keyFor('ES256');
    const client = await newClient(world, keySetOf(jwk), { clientAuthenticatorType });
    const jwt = new SignJWT({ iss: client, sub: client, aud: world.issuer, jti: randomUUID() })
      .setProtectedHeader({ alg, ...(alg === 'ES256' && { kid: jwk.kid }) })
      .setExpirationTime('1m');
    await ok(world, {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await jwt.sign(alg === 'HS256' ? secretKey : privateKey),
    });
  };
  return byName({
    client_secret_basic: async (world) => {
      const client = await newClient(world);
      const authorization = `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}`;
      expect((await post(world, path, more, { authorization })).status).toBe(200);
    },
    client_secret_post: async (world) => ok(world, credentials(await newClient(world))),
    client_secret_jwt: (world) => asserted(world, 'client-secret-jwt', 'HS256'),
    private_key_jwt: (world) => asserted(world, 'client-jwt', 'ES256'),
    tls_client_auth: async (world) => {
      const more = { clientAuthenticatorType: 'client-x509' };
      const client_id = await newClient(world, { 'x509.subjectdn': '.*CN=Billing.*' }, more);
      await ok(world, { client_id }, { [header]: world.certificate.escaped });
    },
  });
};

export const challengeMethod: Use = async (world, method) => {
  const { verifier, challenge } = pkce();
  const client = await newClient(world, { 'pkce.code.challenge.method': method });
  const code_challenge = method === 'plain' ? verifier : challenge;
  await byCode(world, client, { code_challenge, code_challenge_method: method }, { code_verifier: verifier });
};

/** Asks the user by CIBA. In the mode `ping` the client is told of the answer, with the token that it sent. */
export async function deliveryMode(world: World, mode: string): Promise<void> {
  const told: unknown[] = [];
  const site = await siteOf(({ headers }, body) => {
    told.push([headers.authorization, JSON.parse(body)]);
    return '';
  });
  const attributes = {
    'oidc.ciba.grant.enabled': 'true',
    'ciba.backchannel.token.delivery.mode': mode,
    'ciba.backchannel.client.notification.endpoint': site,
  };
  const client = await newClient(world, attributes);
  const form = { ...credentials(client), scope: 'openid', login_hint: 'ann', client_notification_token: 'own-token' };
  const { status, body } = await post(world, 'ext/ciba/auth', form);
  expect([status, body.error_description]).toEqual([200, undefined]);
  await sayYes(world);
  const { auth_req_id = '' } = body;
  expect(told).toEqual(mode === 'ping' ? [['Bearer own-token', { auth_req_id }]] : []);
  await granted(world, client, { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id });
}

/** Uses algorithms of signed requests for backchannel authentication: the client has to sign with them. */
export const signedBackchannel: Use = async (world, alg) => {
  const key = await keyFor(alg);
  const name = 'ciba.backchannel.auth.request.signing.alg';
  const client = await newClient(world, { 'oidc.ciba.grant.enabled': 'true', [name]: alg, ...keySetOf(key.jwk) });
  // a user is asked three times at most
  const username = `asked-${randomUUID()}`;
  expect((await world.admin.send('POST', `/${realm}/users`, { username, enabled: true })).status).toBe(201);
  const at = Math.floor(Date.now() / 1000);
  const times = { iat: at, nbf: at, exp: at + 60, jti: randomUUID() };
  const request = await new SignJWT({ scope: 'openid', login_hint: username, iss: client, aud: world.issuer, ...times })
    .setProtectedHeader({ alg, kid: String(key.jwk.kid) })
    .sign(key.privateKey);
  const { status, body } = await post(world, 'ext/ciba/auth', { ...credentials(client), request });
  expect([status, body.error_description]).toEqual([200, undefined]);
  await sayYes(world);
  await granted(world, client, {
    grant_type: 'urn:openid:params:grant-type:ciba',
    auth_req_id: body.auth_req_id ?? '',
  });
};

/** Uses algorithms of DPoP: the token is bound to the key. */
export const proof: Use = async (world, alg) => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const htu = `${world.issuer}/protocol/openid-connect/token`;
  const sent = await new SignJWT({ htm: 'POST', htu, jti: randomUUID() })
    .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk })
    .setIssuedAt()
    .sign(privateKey);
  const form = { ...credentials(await newClient(world)), grant_type: 'client_credentials' };
  const { status, body } = await post(world, 'token', form, { DPoP: sent });
  expect([status, body.token_type]).toEqual([200, 'DPoP']);
  expect(decodeJwt(body.access_token ?? '').cnf).toEqual({ jkt: expect.any(String) });
};

export async function boundToCertificate(world: World): Promise<void> {
  const client = await newClient(world, { 'tls.client.certificate.bound.access.tokens': 'true' });
  const form = { ...credentials(client), grant_type: 'client_credentials' };
  const { body } = await post(world, 'token', form, { [header]: world.certificate.escaped });
  expect(decodeJwt(body.access_token ?? '').cnf).toEqual({ 'x5t#S256': world.certificate.thumbprint });
}

export const claim: Use = async (world, name) => {
  const client = await newClient(world, {}, { optionalClientScopes: [], defaultClientScopes: ['profile', 'email'] });
  const { id_token = '' } = await byCode(world, client, { scope: 'openid' });
  expect(decodeJwt(id_token)[name]).toBeDefined();
};

export const scope: Use = async (world, name) => {
  const { body: scopes } = await world.admin.send('GET', '/admin/realms/shop/client-scopes');
  const found = (scopes as { name: string; attributes: Record<string, string> }[]).find((one) => one.name === name);
  const client = await newClient(world, {}, { defaultClientScopes: [], optionalClientScopes: found ? [name] : [] });
  const { scope: given = '' } = await tokensFor(world, client, `openid ${name}`);
  const isShown = ['openid', 'offline_access'].includes(name) || found?.attributes['include.in.token.scope'] === 'true';
  expect(given.split(' ').includes(name)).toBe(isShown);
};
