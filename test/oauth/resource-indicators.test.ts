import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, answerOf, authorizationUrl } from '../login/agent.js';
import { importShop, shop } from '../login/realm.js';
import { administrator, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { callback, discover, realm, request, secret, signIn } from './relying-party.js';

const files = 'https://files.example/api';
const mails = 'https://mails.example/';
const unknown = 'https://elsewhere.example/';

let server: TestServer;

const audience = (value: string) => ({
  name: value,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.custom.audience': value, 'access.token.claim': 'true' },
});
/** What the clients have in common. */
const shared = {
  secret,
  redirectUris: [callback],
  directAccessGrantsEnabled: true,
  serviceAccountsEnabled: true,
  implicitFlowEnabled: true,
  protocolMappers: [audience(files)],
};

beforeAll(async () => {
  server = await startServer();
  const [ann, ...others] = shop.users;
  await importShop(await administrator(server), {
    users: [
      { ...ann, realmRoles: ['offline_access'], clientRoles: { [mails]: ['reader'], other: ['guest'] } },
      ...others,
    ],
    clients: [
      {
        ...shared,
        clientId: 'app',
        authorizationServicesEnabled: true,
        authorizationSettings: { policyEnforcementMode: 'PERMISSIVE', resources: [{ name: 'photo' }] },
      },
      { ...shared, clientId: 'public', publicClient: true, serviceAccountsEnabled: false },
      { clientId: mails, bearerOnly: true },
      { clientId: 'other', bearerOnly: true },
    ],
    roles: { client: { [mails]: [{ name: 'reader' }], other: [{ name: 'guest' }] } },
  });
});

type Pairs = [name: string, value: string][];
const named = (...resources: string[]): Pairs => resources.map((one) => ['resource', one]);

async function tokens(form: Record<string, string>, resources: Pairs = [], at = realm) {
  const response = await fetch(`${server.url}/auth/realms/${at}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams([...Object.entries({ client_id: 'app', client_secret: secret, ...form }), ...resources]),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}
const password = { grant_type: 'password', username: 'ann', password: 'pw-ann' };
const claimsIn = ({ body }: { body: Record<string, string> }) =>
  decodeJwt<Record<string, object>>(body.access_token ?? '');

describe('an access token', () => {
  it('is for all resources without indicators, and otherwise for those that they name', async () => {
    const all = claimsIn(await tokens(password));
    expect([all.aud].flat().sort()).toEqual([files, mails, 'other']);
    const one = claimsIn(await tokens(password, named(mails)));
    expect([one.aud, one.resource_access]).toEqual([mails, { [mails]: { roles: ['reader'] } }]);
    const two = claimsIn(await tokens(password, named(files, mails, files)));
    expect([two.aud, Object.keys(two.resource_access ?? {})]).toEqual([[files, mails], [mails]]);
    const custom = claimsIn(await tokens(password, named(files)));
    expect([custom.aud, custom.resource_access]).toEqual([files, undefined]);
    expect(claimsIn(await tokens({ grant_type: 'client_credentials' }, named(files))).aud).toBe(files);
  });

  it.each([
    [
      'a resource that the client gets no tokens for',
      named(unknown),
      `The client gets no tokens for the resource ${unknown}`,
    ],
    ['one of several', named(files, unknown), `The client gets no tokens for the resource ${unknown}`],
    [
      'a resource of roles that the user does not have',
      [...named(mails), ['username', 'bob'], ['password', 'pw-bob']] as Pairs,
      `The client gets no tokens for the resource ${mails}`,
    ],
    ['a client that is no URI', named('other'), 'Invalid parameter: resource'],
    ['an address with a fragment', named(`${files}#part`), 'Invalid parameter: resource'],
    ['a relative address', named('/api'), 'Invalid parameter: resource'],
    ['an empty address', named(''), 'Invalid parameter: resource'],
    ['a long address', named(`${files}?${'x'.repeat(2000)}`), 'Invalid parameter: resource'],
    [
      'too many addresses',
      named(...Array.from({ length: 11 }, (_, at) => `${files}${at}`)),
      'At most 10 parameters: resource',
    ],
  ])('is not issued for %s', async (_, more, description) => {
    const { username = password.username, password: word = password.password } = Object.fromEntries(more);
    const resources = more.filter(([name]) => name === 'resource');
    const { status, body } = await tokens({ ...password, username, password: word }, resources);
    expect([status, body]).toEqual([400, { error: 'invalid_target', error_description: description }]);
  });

  it('is narrowed by a refresh, and by no refresh widened', async () => {
    const { body } = await tokens({ ...password, scope: 'offline_access' }, named(files, mails));
    const again = (resources: Pairs = [], token = body.refresh_token ?? '') =>
      tokens({ grant_type: 'refresh_token', refresh_token: token }, resources);
    const narrowed = await again(named(mails));
    expect(claimsIn(narrowed).aud).toBe(mails);
    expect(claimsIn(await again([], narrowed.body.refresh_token)).aud).toEqual([files, mails]);
    const { body: refused } = await again(named(unknown));
    expect(refused).toEqual({
      error: 'invalid_target',
      error_description: 'The resource is not among those that were granted',
    });
    expect(decodeJwt(body.refresh_token ?? '').aud).toBe(`${server.url}/auth/realms/${realm}`);
  });

  it('is exchanged for one for a resource', async () => {
    const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const subject = (await tokens(password)).body.access_token ?? '';
    const exchange = (resource: string) => tokens({ grant_type: grant, subject_token: subject }, named(resource));
    expect(claimsIn(await exchange(files)).aud).toBe(files);
    expect((await exchange(unknown)).body.error).toBe('invalid_target');
  });

  it('administers nothing, unless it is for all resources', async () => {
    const admin = await administrator(server);
    const made = await admin.send('POST', '/master/clients', { ...shared, clientId: 'tool', publicClient: true });
    expect(made.status).toBe(201);
    const login = { client_id: 'tool', username: 'admin', password: 'admin' };
    const use = async ({ access_token: token }: Record<string, string>) =>
      (await callerWith(server, token).send('GET', '/admin/realms/shop/users')).status;
    const all = await tokens({ ...password, ...login }, [], 'master');
    const limited = await tokens({ ...password, ...login }, named(files), 'master');
    expect([await use(all.body), await use(limited.body)]).toEqual([200, 403]);
    const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const exchange = { grant_type: grant, client_id: 'tool', subject_token: limited.body.access_token ?? '' };
    const again = await tokens(exchange, [], 'master');
    expect([again.status, await use(again.body)]).toEqual([200, 403]);
  });

  it('gives whoever has received it no token for other resources', async () => {
    const reach = ({ aud, resource_access: access = {} }: ReturnType<typeof claimsIn>) => [aud, Object.keys(access)];
    const limited = await tokens({ ...password, client_id: 'public' }, named(mails));
    const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const exchange = { grant_type: grant, client_id: 'public', subject_token: limited.body.access_token ?? '' };
    expect(reach(claimsIn(await tokens(exchange)))).toEqual([mails, [mails]]);
    expect((await tokens(exchange, named(files))).body.error).toBe('invalid_target');
    const all = (await tokens({ ...password, client_id: 'public' })).body.access_token ?? '';
    const [audience, clients] = reach(claimsIn(await tokens({ ...exchange, subject_token: all })));
    expect([[audience].flat().sort(), clients]).toEqual([[files, mails, 'other'], expect.arrayContaining(['other'])]);

    const { access_token: bearer } = (await tokens(password, named(mails))).body;
    const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
        audience: 'app',
        permission: 'photo',
      }),
    });
    expect(reach(claimsIn({ body: await response.json() }))).toEqual([[mails, 'app'], [mails]]);
  });

  it('cannot be had by a client that administers', async () => {
    expect((await tokens({ ...password, client_id: 'admin-cli' }, named(mails))).body).toEqual({
      error: 'invalid_target',
      error_description: 'Tokens of the client cannot be limited to resources',
    });
  });
});

describe('an authorization request', () => {
  it('is for the resources that it names, and a client of another project narrows them', async () => {
    const config = await discover(server, 'app');
    const { asked, checks } = await request(config);
    const url = openid.buildAuthorizationUrl(config, asked);
    for (const one of [files, mails]) url.searchParams.append('resource', one);
    const { location } = await signIn(server, url);
    const answer = await openid.authorizationCodeGrant(config, new URL(location ?? ''), checks, { resource: mails });
    expect(decodeJwt(answer.access_token).aud).toBe(mails);
    const again = await openid.refreshTokenGrant(config, answer.refresh_token ?? '');
    expect(decodeJwt(again.access_token).aud).toEqual([files, mails]);
  });

  it('cannot be widened with its code', async () => {
    const config = await discover(server, 'app');
    const { asked, checks } = await request(config, { resource: files });
    const { location } = await signIn(server, openid.buildAuthorizationUrl(config, asked));
    const grant = openid.authorizationCodeGrant(config, new URL(location ?? ''), checks, { resource: mails });
    await expect(grant).rejects.toMatchObject({ error: 'invalid_target' });
  });

  it('can be pushed, and names resources for the implicit flow', async () => {
    const form = new URLSearchParams({ client_id: 'app', client_secret: secret, response_type: 'code' });
    form.append('redirect_uri', callback);
    for (const one of [files, mails]) form.append('resource', one);
    const pushed = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/ext/par/request`, {
      method: 'POST',
      body: form,
    });
    const { request_uri: uri } = (await pushed.json()) as { request_uri: string };
    const page = await signIn(
      server,
      new URL(`${server.url}${authorizationUrl(realm, { client_id: 'app', request_uri: uri })}`),
    );
    const code = answerOf(page).code ?? '';
    const answer = await tokens({ grant_type: 'authorization_code', code, redirect_uri: callback });
    expect(claimsIn(answer).aud).toEqual([files, mails]);

    const implicit = (resource: string) =>
      authorizationUrl(realm, { client_id: 'public', redirect_uri: callback, response_type: 'token', resource });
    const told = async (address: string) => {
      const agent = agentOf(server);
      const { location } = await signIn(server, new URL(`${server.url}${address}`), agent);
      return new URLSearchParams(location?.split('#')[1]);
    };
    const token = (await told(implicit(files))).get('access_token') ?? '';
    expect(decodeJwt(token).aud).toBe(files);
    expect((await told(implicit(unknown))).get('error')).toBe('invalid_target');
    const wrong = await agentOf(server).get(implicit('none'));
    expect(new URLSearchParams(wrong.location?.split('#')[1]).get('error')).toBe('invalid_target');
  });
});
