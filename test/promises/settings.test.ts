import { decodeJwt, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, answerOf, authorizationUrl, token } from '../login/agent.js';
import { importShop } from '../login/realm.js';
import { client } from '../oauth/certificates.js';
import { callback, keySetOf, newKey, type PublishedKey, secret } from '../oauth/relying-party.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let signer: PublishedKey;
let moved = 0;

const ann = { username: 'ann', password: 'pw-ann' };
const elsewhere = 'https://shop.example/bye';

beforeAll(async () => {
  server = await startServer({}, () => Date.now() + moved);
  admin = await administrator(server);
  signer = await newKey('PS256', 'sig');
  const note = (name: string, config: object) => ({
    name,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-hardcoded-claim-mapper',
    config: { 'access.tokenResponse.claim': 'true', 'jsonType.label': 'String', ...config },
  });
  await importShop(admin, {
    clients: [
      client('plain'),
      client('device', {
        'oauth2.device.authorization.grant.enabled': 'true',
        'oauth2.device.code.lifespan': '77',
        'oauth2.device.polling.interval': '9',
      }),
      client('short', {
        'client.offline.session.idle.timeout': '120',
        'client.offline.session.max.lifespan': '200',
      }),
      client('lower', { 'token.response.type.bearer.lower-case': 'true' }),
      client('detached', { 'id.token.as.detached.signature': 'true' }, { implicitFlowEnabled: true }),
      client('hybrid', {}, { implicitFlowEnabled: true }),
      client('account', { 'client_credentials.use_refresh_token': 'true' }),
      client(
        'answered',
        {},
        {
          protocolMappers: [
            note('tenant', { 'claim.name': 'tenant', 'claim.value': 'blue' }),
            note('known', { 'claim.name': 'access_token', 'claim.value': 'forged' }),
            note('other', { 'claim.name': 'refresh_token', 'claim.value': 'forged' }),
          ],
        },
      ),
      client(
        'documents',
        {
          tosUri: 'https://shop.example/tos',
          policyUri: 'javascript:alert(1)',
          logoUri: 'https://cdn.example/a;b,c.png?size="9',
        },
        { consentRequired: true, defaultClientScopes: ['email', 'phone', 'address'] },
      ),
      client('bye', { 'post.logout.redirect.uris': elsewhere }),
      client('bye or back', { 'post.logout.redirect.uris': `${elsewhere}##+` }),
      client('no bye', { 'post.logout.redirect.uris': '-' }),
      client('objects', { ...keySetOf(signer.jwk), 'request.object.signature.alg': 'PS256' }),
    ],
  });
});

const asClient = (client_id: string) => ({ client_id, client_secret: secret });
const grant = (client: string, form: Record<string, string>) => token(server, 'shop', { ...asClient(client), ...form });
const byPassword = (client: string, scope = 'openid') => grant(client, { grant_type: 'password', ...ann, scope });
const at = (path: string) => `/auth/realms/shop/protocol/openid-connect/${path}`;

describe('a setting of a client', () => {
  it('decides how long a device code lives and how often it may be asked for', async () => {
    const body = new URLSearchParams(asClient('device'));
    const answer = await fetch(server.url + at('auth/device'), { method: 'POST', body });
    const begun = (await answer.json()) as Record<string, string>;
    expect(begun).toMatchObject({ expires_in: 77, interval: 9 });
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: begun.device_code ?? '' };
    moved = 0;
    expect((await grant('device', form)).body.error).toBe('authorization_pending');
    moved = 6000;
    expect((await grant('device', form)).body.error).toBe('slow_down');
    moved = 80_000;
    expect((await grant('device', form)).body.error).toBe('expired_token');
    moved = 0;
  });

  it('ends offline tokens, which have no end otherwise', async () => {
    const scope = 'openid offline_access';
    const { body: endless } = await byPassword('plain', scope);
    expect(decodeJwt(endless.refresh_token ?? '')).not.toHaveProperty('exp');
    const { body } = await byPassword('short', scope);
    const { exp = 0, iat = 0 } = decodeJwt(body.refresh_token ?? '');
    expect(exp - iat).toBe(120);
    moved = 100_000;
    const refreshed = await grant('short', { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' });
    // the session lives for 200 seconds, however often it is used
    expect(decodeJwt(refreshed.body.refresh_token ?? '').exp).toBeLessThanOrEqual(iat + 201);
    moved = 210_000;
    const late = { grant_type: 'refresh_token', refresh_token: refreshed.body.refresh_token ?? '' };
    expect((await grant('short', late)).body.error).toBe('invalid_grant');
    moved = 0;
  });

  it('gives a service account a refresh token', async () => {
    const { body: plain } = await grant('plain', { grant_type: 'client_credentials' });
    expect(plain).not.toHaveProperty('refresh_token');
    const { body } = await grant('account', { grant_type: 'client_credentials' });
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' };
    const { status, body: again } = await grant('account', refresh);
    expect([status, decodeJwt(again.access_token ?? '').preferred_username]).toEqual([200, 'service-account-account']);
    expect((await grant('plain', refresh)).status).toBe(400);
  });

  it('names the type of tokens in lower case', async () => {
    const types = await Promise.all(
      ['plain', 'lower'].map(async (client) => (await byPassword(client)).body.token_type),
    );
    expect(types).toEqual(['Bearer', 'bearer']);
  });

  it('keeps what mappers tell of the user out of ID tokens that go through the browser', async () => {
    const idToken = async (client_id: string) => {
      const asked = { client_id, redirect_uri: callback, nonce: 'n', state: 's', response_type: 'code id_token' };
      const agent = agentOf(server);
      const { location } = await agent.submit(await agent.get(authorizationUrl('shop', asked)), ann);
      const answer = new URLSearchParams(new URL(location ?? '').hash.slice(1));
      return decodeJwt(answer.get('id_token') ?? '');
    };
    expect(await idToken('hybrid')).toMatchObject({ email: 'ann@example.org', s_hash: expect.any(String) });
    const detached = await idToken('detached');
    expect(detached).toMatchObject({ c_hash: expect.any(String), s_hash: expect.any(String), nonce: 'n' });
    expect(detached).not.toHaveProperty('email');
  });

  it('adds claims of mappers to the answer, and never in place of a token', async () => {
    const { body } = await byPassword('answered');
    expect(body.tenant).toBe('blue');
    expect(body.access_token).not.toBe('forged');
    const { body: account } = await grant('answered', { grant_type: 'client_credentials' });
    expect(account.tenant).toBe('blue');
    expect(account).not.toHaveProperty('refresh_token');
    expect(decodeJwt(body.access_token ?? '')).not.toHaveProperty('tenant');
  });

  it('decides where users may be sent after a logout', async () => {
    const allowed = async (client_id: string, to: string) => {
      const page = await agentOf(server).get(
        `${at('logout')}?${new URLSearchParams({ client_id, post_logout_redirect_uri: to })}`,
      );
      return page.location?.startsWith(to) ?? false;
    };
    const outcomes = (client: string) => Promise.all([callback, elsewhere].map((to) => allowed(client, to)));
    expect(await outcomes('plain')).toEqual([true, false]);
    expect(await outcomes('bye')).toEqual([false, true]);
    expect(await outcomes('bye or back')).toEqual([true, true]);
    expect(await outcomes('no bye')).toEqual([false, false]);
  });

  it('orders the scopes of the consent page, and links it to the documents of the client', async () => {
    const { body: scopes } = await admin.send('GET', '/admin/realms/shop/client-scopes');
    const ordered = { address: '3', email: '2', phone: '1' };
    for (const scope of scopes as { id: string; name: keyof typeof ordered; attributes: object }[]) {
      if (!(scope.name in ordered)) continue;
      const attributes = { ...scope.attributes, 'gui.order': ordered[scope.name] };
      await admin.send('PUT', `/admin/realms/shop/client-scopes/${scope.id}`, { ...scope, attributes });
    }
    const agent = agentOf(server);
    const login = await agent.get(authorizationUrl('shop', { client_id: 'documents', redirect_uri: callback }));
    const { text, headers } = await agent.submit(login, ann);
    // the page may load the picture of the client, and no other one
    expect(text).toContain('<img class="client" src="https://cdn.example/a;b,c.png?size=%229" alt="">');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("img-src 'self' data: https://cdn.example/a%3Bb%2Cc.png; base-uri");
    const places = ['Phone number', 'Email address', 'Address<'].map((shown) => text.indexOf(shown));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(text).toContain('<a href="https://shop.example/tos"');
    // what is no address of the web could be a script
    expect(text).not.toContain('javascript:');
  });
});

describe('a setting of a realm', () => {
  it('names the address at which codes of devices are typed', async () => {
    const { body: realm } = await admin.send('GET', '/admin/realms/shop');
    const short = 'https://shop.example/d';
    const attributes = { ...realm.attributes, shortVerificationUri: short };
    await admin.send('PUT', '/admin/realms/shop', { attributes });
    const answer = await fetch(server.url + at('auth/device'), {
      method: 'POST',
      body: new URLSearchParams(asClient('device')),
    });
    const { verification_uri, verification_uri_complete, user_code } = (await answer.json()) as Record<string, string>;
    expect([verification_uri, verification_uri_complete]).toEqual([short, `${short}?user_code=${user_code}`]);
    await admin.send('PUT', '/admin/realms/shop', { attributes: realm.attributes });
  });

  it('leaves client scopes out of discovery', async () => {
    const scopes = async () => {
      const answer = await fetch(`${server.url}/auth/realms/shop/.well-known/openid-configuration`);
      return ((await answer.json()) as { scopes_supported: string[] }).scopes_supported;
    };
    expect(await scopes()).toContain('microprofile-jwt');
    const { body } = await admin.send('GET', '/admin/realms/shop/client-scopes');
    const scope = (body as { id: string; name: string; attributes: object }[]).find(
      ({ name }) => name === 'microprofile-jwt',
    );
    const attributes = { ...scope?.attributes, 'include.in.openid.provider.metadata': 'false' };
    await admin.send('PUT', `/admin/realms/shop/client-scopes/${scope?.id}`, { ...scope, attributes });
    expect(await scopes()).not.toContain('microprofile-jwt');
  });

  it('ends the page of a required action', async () => {
    const form = { 'password-new': 'new-1', 'password-confirm': 'new-1' };
    const begin = async () => {
      const agent = agentOf(server);
      const login = await agent.get(authorizationUrl('shop', { client_id: 'plain', redirect_uri: callback }));
      return { agent, page: await agent.submit(login, { username: 'todo', password: 'pw-todo' }) };
    };
    await admin.send('PUT', '/admin/realms/shop', { accessCodeLifespanUserAction: 60 });
    const late = await begin();
    expect(late.page.text).toContain('password-new');
    moved = 61_000;
    expect((await late.agent.submit(late.page, form)).text).not.toContain('name="email"');
    const { agent, page } = await begin();
    moved += 59_000;
    expect((await agent.submit(page, form)).text).toContain('name="email"');
    moved = 0;
  });
});

describe('the executor of client policies for request objects', () => {
  const policy = { name: 'all', enabled: true, conditions: [{ condition: 'any-client' }], profiles: ['own'] };
  const now = () => Math.floor(Date.now() / 1000);

  async function outcome(configuration: object, claims: object): Promise<string> {
    const executors = [{ executor: 'secure-request-object', configuration }];
    const path = '/admin/realms/shop/client-policies';
    await admin.send('PUT', `${path}/profiles`, { profiles: [{ name: 'own', executors }] });
    await admin.send('PUT', `${path}/policies`, { policies: [policy] });
    const content = { iss: 'objects', client_id: 'objects', response_type: 'code', redirect_uri: callback, ...claims };
    const request = await new SignJWT(content)
      .setProtectedHeader({ alg: 'PS256', kid: signer.jwk.kid ?? '' })
      .sign(signer.privateKey);
    const query = new URLSearchParams({ client_id: 'objects', redirect_uri: callback, request, scope: 'openid' });
    const page = await agentOf(server).get(`${at('auth')}?${query}`);
    return page.location === null ? 'page' : (answerOf(page).error_description ?? '');
  }

  it.each<[string, object, (at: number) => object, RegExp]>([
    ['a good one', {}, (at) => ({ nbf: at, exp: at + 600 }), /^page$/],
    ['one without an end', {}, (at) => ({ nbf: at }), /exp/],
    ['one without a beginning', {}, (at) => ({ exp: at + 600 }), /nbf/],
    ['one without a beginning, which is allowed', { 'verify-nbf': false }, (at) => ({ exp: at + 600 }), /^page$/],
    ['one that lives too long', {}, (at) => ({ nbf: at, exp: at + 3700 }), /more than 3600 seconds/],
    ['one with a longer period', { 'available-period': '4000' }, (at) => ({ nbf: at, exp: at + 3700 }), /^page$/],
    ['one without an audience', {}, (at) => ({ nbf: at, exp: at + 600, aud: undefined }), /aud/],
    ['one that is not encrypted', { 'encryption-required': true }, (at) => ({ nbf: at, exp: at + 600 }), /encrypted/],
    [
      'one that is not encrypted, by a text',
      { 'encryption-required': 'true' },
      (at) => ({ nbf: at, exp: at + 600 }),
      /encrypted/,
    ],
    ['one that may lack a beginning, by a text', { 'verify-nbf': 'false' }, (at) => ({ exp: at + 600 }), /^page$/],
    [
      'one that lives long, with no number',
      { 'available-period': 'none' },
      (at) => ({ nbf: at, exp: at + 3700 }),
      /3600/,
    ],
  ])('lets pass or refuses %s', async (_what, configuration, claims, expected) => {
    const aud = `${server.url}/auth/realms/shop`;
    expect(await outcome(configuration, { aud, ...claims(now()) })).toMatch(expected);
  });
});
