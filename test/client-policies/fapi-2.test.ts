import { decodeJwt, SignJWT } from 'jose';
import * as openid from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { importShop } from '../login/realm.js';
import { header, newAuthority, type Pair } from '../oauth/certificates.js';
import {
  keySetOf,
  newKey,
  newProofKeys,
  type PublishedKey,
  realm,
  request,
  secret,
  signedProof,
  signIn,
} from '../oauth/relying-party.js';
import { temporaryFolder } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const redirectUri = 'https://app.example/callback';
const profiles = {
  keys: 'fapi-2-dpop-security-profile',
  signing: 'fapi-2-dpop-message-signing',
  certificates: 'fapi-2-security-profile',
  both: 'fapi-2-message-signing',
};

/** How far the clock of the server is ahead, in milliseconds. */
let ahead = 0;
let server: TestServer;
let admin: Caller;
let key: PublishedKey;
let weakKey: PublishedKey;
let certificate: Pair;

beforeAll(async () => {
  [key, weakKey] = [await newKey('PS256', 'sig'), await newKey('RS256', 'sig')];
  certificate = newAuthority(temporaryFolder())('client', '/CN=Client');
  server = await startServer({ trustProxy: 1, clientCertificateHeader: header }, () => Date.now() + ahead);
  admin = await administrator(server);
  // clients that are older than the policies, whose settings allow all that the profiles forbid
  const client = (clientId: string, more: object = {}) => ({
    clientId,
    secret,
    clientAuthenticatorType: 'client-jwt',
    redirectUris: [redirectUri, 'http://app.example/callback'],
    implicitFlowEnabled: true,
    directAccessGrantsEnabled: true,
    serviceAccountsEnabled: true,
    attributes: {
      ...keySetOf(key.jwk, weakKey.jwk),
      'exclude.issuer.from.auth.response': 'true',
      'tls.client.certificate.bound.access.tokens': String(clientId in { certificates: 1, both: 1 }),
    },
    ...more,
  });
  const names = Object.keys(profiles);
  await importShop(admin, {
    accessCodeLifespan: 600,
    clients: [
      ...names.map((name) => client(name)),
      client('secretive', { clientAuthenticatorType: 'client-secret' }),
      client('public', { publicClient: true, serviceAccountsEnabled: false }),
    ],
    roles: {
      client: Object.fromEntries(
        [...names, 'secretive', 'public'].map((name) => [name, [{ name: name in profiles ? name : 'keys' }]]),
      ),
    },
    clientPolicies: {
      policies: [
        ...Object.entries(profiles).map(([name, profile]) => ({
          name,
          enabled: true,
          conditions: [{ condition: 'client-roles', configuration: { roles: [name] } }],
          profiles: [profile],
        })),
        {
          name: 'new clients',
          enabled: true,
          conditions: [
            { condition: 'client-updater-context', configuration: { 'update-client-source': ['ByAuthenticatedUser'] } },
          ],
          profiles: [profiles.keys],
        },
      ],
    },
  });
});

type Name = keyof typeof profiles;

/** A client of another project, which shows its certificate and takes answers that are tokens if its profile says so. */
async function relyingParty(clientId: Name, skew = 0): Promise<openid.Configuration> {
  const config = await openid.discovery(
    new URL(`${server.url}/auth/realms/${realm}`),
    clientId,
    {
      token_endpoint_auth_method: 'private_key_jwt',
      authorization_signed_response_alg: 'RS256',
      [openid.clockSkew]: skew,
    },
    openid.PrivateKeyJwt({ key: key.privateKey, kid: String(key.jwk.kid) }),
    { execute: [openid.allowInsecureRequests] },
  );
  config[openid.customFetch] = (url, { headers, body, ...options }) =>
    fetch(url, {
      ...(options as object),
      body: (body ?? null) as string | null,
      headers: { ...headers, [header]: certificate.escaped },
    });
  if (clientId === 'signing' || clientId === 'both') openid.useJwtResponseMode(config);
  return config;
}

/** Logs a user in as the profiles demand. */
async function login(clientId: Name, wait = 0) {
  const isBound = clientId === 'keys' || clientId === 'signing';
  const pair = await openid.randomDPoPKeyPair('ES256');
  const proofs = (of: openid.Configuration) => (isBound ? { DPoP: openid.getDPoPHandle(of, pair) } : undefined);
  const config = await relyingParty(clientId);
  const { asked, checks } = await request(config, { redirect_uri: redirectUri });
  const signer = { key: key.privateKey, kid: String(key.jwk.kid) };
  const signed = await openid.buildAuthorizationUrlWithJAR(config, asked, signer);
  const isSigned = clientId === 'signing' || clientId === 'both';
  const parameters = isSigned ? signed.searchParams : asked;
  const address = await openid.buildAuthorizationUrlWithPAR(config, parameters, proofs(config));
  const answer = new URL((await signIn(server, address)).location ?? '');
  ahead = wait * 1000;
  try {
    const later = await relyingParty(clientId, wait);
    const options = proofs(later);
    const tokens = await openid.authorizationCodeGrant(later, answer, checks, undefined, options);
    const info = await openid.fetchUserInfo(later, tokens.access_token, tokens.claims()?.sub ?? '', options);
    return { answer, tokens, info };
  } finally {
    ahead = 0;
  }
}

const endpoint = (path: string) => `${server.url}/auth/realms/${realm}/protocol/openid-connect/${path}`;

/** An assertion by which a client authenticates. */
const assertion = (clientId: string, { alg = 'PS256', privateKey = key.privateKey, jwk = key.jwk } = {}) =>
  new SignJWT({ jti: String(Math.random()) })
    .setProtectedHeader({ alg, kid: String(jwk.kid) })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(endpoint('token'))
    .setIssuedAt()
    .setExpirationTime('1 minute')
    .sign(privateKey);
const byAssertion = async (clientId: string, options?: object) => ({
  client_id: clientId,
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: await assertion(clientId, options),
});

async function send(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(endpoint(path), { method: 'POST', body: new URLSearchParams(form), headers });
  const { error, error_description: text = '' } = (await answer.json()) as Record<string, string>;
  return { status: answer.status, error, text, nonce: answer.headers.get('dpop-nonce') ?? undefined };
}

/** The parameters of an authorization request that the profiles allow. */
const good = {
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid',
  state: 's',
  nonce: 'n',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
};
const push = async (clientId: Name, change: Record<string, string | undefined>) => {
  const form = Object.entries({ ...good, ...change, ...(await byAssertion(clientId)) });
  return send('ext/par/request', Object.fromEntries(form.filter((pair): pair is [string, string] => !!pair[1])));
};

/** A request object of a client. */
const object = (claims: object, alg = 'PS256') => {
  const at = Math.floor(Date.now() / 1000);
  const own = { iss: 'signing', aud: `${server.url}/auth/realms/${realm}`, nbf: at, exp: at + 300 };
  return new SignJWT({ ...good, client_id: 'signing', response_mode: 'jwt', ...own, ...claims })
    .setProtectedHeader({ alg, kid: String((alg === 'PS256' ? key : weakKey).jwk.kid) })
    .sign((alg === 'PS256' ? key : weakKey).privateKey);
};
/** Pushes a request object alone. */
const pushSigned = async (claims: object) =>
  send('ext/par/request', { request: await object(claims), ...(await byAssertion('signing')) });

describe('the profiles of FAPI 2.0', () => {
  it.each<[Name, string]>([
    ['keys', 'jkt'],
    ['signing', 'jkt'],
    ['certificates', 'x5t#S256'],
    ['both', 'x5t#S256'],
  ])('let a client log users in that does all they demand: %s', async (clientId, bound) => {
    const { answer, tokens, info } = await login(clientId);
    expect(decodeJwt(tokens.access_token).cnf).toHaveProperty([bound]);
    expect(info.email).toBe('ann@example.org');
    const isSigned = clientId === 'signing' || clientId === 'both';
    const { response = '', iss } = Object.fromEntries(answer.searchParams);
    // against the setting of the client
    expect(isSigned ? decodeJwt(response).iss : iss).toBe(`${server.url}/auth/realms/${realm}`);
  });

  it('end codes after 60 seconds, whatever the realm says', async () => {
    // the rest of the minute is for a busy machine
    await login('keys', 30);
    await expect(login('keys', 62)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['without a code challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'code_challenge'],
    ['with the plain method', { code_challenge_method: 'plain' }, 'challenge method'],
    ['for the implicit flow', { response_type: 'token' }, 'Implicit/Hybrid'],
    ['for the hybrid flow', { response_type: 'code id_token' }, 'Implicit/Hybrid'],
    ['to an address without TLS', { redirect_uri: 'http://app.example/callback' }, 'redirect_uri'],
  ])('refuse a pushed request %s', async (_, change, text) => {
    expect(await push('keys', change)).toMatchObject({ status: 400, text: expect.stringContaining(text) });
    expect((await push('keys', {})).status).toBe(201);
  });

  it('refuse a request that was not pushed', async () => {
    const query = new URLSearchParams({ ...good, client_id: 'keys' });
    const answer = await fetch(`${endpoint('auth')}?${query}`, { redirect: 'manual' });
    const told = new URL(answer.headers.get('location') ?? '').searchParams;
    expect([told.get('error'), told.get('error_description')]).toEqual([
      'invalid_request',
      'PAR request_uri not included.',
    ]);
  });

  const own = { grant_type: 'client_credentials' };
  it.each<[string, () => Promise<object>, string]>([
    ['without a proof', async () => send('token', { ...own, ...(await byAssertion('keys')) }), 'invalid_dpop_proof'],
    [
      'with a proof without a nonce',
      async () => {
        const dpop = await signedProof(await newProofKeys(), { htm: 'POST', htu: endpoint('token') });
        return send('token', { ...own, ...(await byAssertion('keys')) }, { dpop });
      },
      'use_dpop_nonce',
    ],
    [
      'without a certificate',
      async () => send('token', { ...own, ...(await byAssertion('certificates')) }),
      'invalid_request',
    ],
    [
      'with the password of a user',
      async () => {
        const form = { grant_type: 'password', username: 'ann', password: 'pw-ann' };
        return send('token', { ...form, ...(await byAssertion('keys')) });
      },
      'invalid_grant',
    ],
    ['with a secret', () => send('token', { ...own, client_id: 'secretive', client_secret: secret }), 'invalid_client'],
    [
      'with a weak algorithm',
      async () => send('token', { ...own, ...(await byAssertion('keys', { ...weakKey, alg: 'RS256' })) }),
      'invalid_request',
    ],
    ['as a public client', () => send('token', { grant_type: 'password', client_id: 'public' }), 'invalid_client'],
  ])('refuse a request for tokens %s', async (_, ask, error) => {
    expect(await ask()).toMatchObject({ status: 400, error });
  });

  it.each<[string, () => Promise<object>]>([
    ['without a request object', () => push('signing', { response_mode: 'jwt' })],
    ['for an answer in the clear', () => pushSigned({ response_mode: 'query' })],
    ['with an object that is valid for two hours', () => pushSigned({ exp: Math.floor(Date.now() / 1000) + 7200 })],
    ['with an object without a beginning', () => pushSigned({ nbf: undefined })],
    ['with an object without an audience', () => pushSigned({ aud: undefined })],
    ['with an object for another server', () => pushSigned({ aud: 'https://other.example' })],
    ['with an object of another client', () => pushSigned({ iss: 'keys' })],
  ])('for message signing refuse a pushed request %s', async (_, ask) => {
    expect(await ask()).toMatchObject({ status: 400 });
    expect((await pushSigned({})).status).toBe(201);
  });

  it('set up new clients, and refuse those that do not comply', async () => {
    const create = async (clientId: string, client: object) => {
      const made = await admin.send('POST', `/admin/realms/${realm}/clients`, { clientId, ...client });
      const [found] = (await admin.send('GET', `/admin/realms/${realm}/clients?clientId=${clientId}`)).body;
      return { status: made.status, client: found };
    };
    const wide = { implicitFlowEnabled: true, directAccessGrantsEnabled: true, fullScopeAllowed: true };
    expect(await create('new', { redirectUris: [redirectUri], ...wide })).toMatchObject({
      status: 201,
      client: {
        clientAuthenticatorType: 'client-jwt',
        implicitFlowEnabled: false,
        directAccessGrantsEnabled: false,
        fullScopeAllowed: false,
        consentRequired: true,
        attributes: {
          'dpop.bound.access.tokens': 'true',
          'dpop.nonce.required': 'true',
          'pkce.code.challenge.method': 'S256',
        },
      },
    });
    for (const wrong of [{ publicClient: true }, { clientAuthenticatorType: 'client-secret' }, { redirectUris: ['*'] }])
      expect((await create('wrong', wrong)).status).toBe(400);
  });
});
