import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

// Attacks that were published for the reference server and that no other test does.
let server: TestServer;
let admin: Caller;
const endpoint = () => `${server.url}/auth/realms/known/protocol/openid-connect`;
const password = [{ type: 'password', value: 'right' }];

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const app = {
    clientId: 'app',
    secret: 's',
    directAccessGrantsEnabled: true,
    redirectUris: ['https://app.example/*'],
  };
  const api = { ...app, clientId: 'api', serviceAccountsEnabled: true, authorizationServicesEnabled: true };
  const realm = {
    realm: 'known',
    enabled: true,
    rememberMe: true,
    registrationAllowed: true,
    clients: [app, api, { ...api, clientId: 'other' }, { clientId: 'open', publicClient: true }],
    users: [
      { username: 'ann', email: 'ann@known.example', enabled: true, credentials: password },
      { username: 'bob', enabled: true, credentials: password },
      { username: 'eve', enabled: true, credentials: password },
    ],
  };
  expect((await admin.send('POST', '/', realm)).status).toBe(201);
});

async function post(path: string, form: Record<string, string>, authorization?: string) {
  const response = await fetch(`${endpoint()}/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    ...(authorization !== undefined && { headers: { authorization } }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
const byApp = { client_id: 'app', client_secret: 's' };
const login = (username: string, more: Record<string, string> = {}) =>
  post('token', { grant_type: 'password', ...byApp, username, password: 'right', ...more });
const idOf = async (path: string) => (await admin.send('GET', `/known/${path}`)).body[0].id as string;

describe('clients-registrations without a good token', () => {
  const headers = [
    '',
    'Bearer',
    'Bearer ',
    'bearer',
    'Bearer a b',
    'Bearer a.b',
    'Bearer a.b.c',
    'Bearer ...',
    'Basic',
    'Basic =',
    '\tBearer x',
    'Bearer\tx',
  ];
  it.each(headers)('tells nothing of a client, and is no internal error: "%s"', async (authorization) => {
    for (const client of ['app', 'open', 'nobody']) {
      for (const path of ['default', 'openid-connect', 'install']) {
        const address = `/realms/known/clients-registrations/${path}/${client}`;
        const answer = await callerWith(server, undefined).send('GET', address, undefined, { authorization });
        // what an adapter needs of a public client is no secret
        const isOpen = path === 'install' && client === 'open' && answer.status === 200;
        expect(isOpen || (answer.status >= 400 && answer.status < 500)).toBe(true);
        expect(JSON.stringify(answer.body)).not.toContain('"secret"');
      }
    }
    for (const path of ['default', 'openid-connect', 'saml2-entity-descriptor']) {
      const address = `/realms/known/clients-registrations/${path}`;
      const answer = await callerWith(server, undefined).send('POST', address, { clientId: 'new' }, { authorization });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
  });
});

describe('the token endpoint', () => {
  it.each([
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:saml2-bearer',
    'urn:ietf:params:oauth:grant-type:pre-authorized_code',
    'implicit',
  ])('does not know the grant %s', async (grant_type) => {
    const { access_token: subject_token } = (await login('ann')).body;
    const { status, body } = await post('token', {
      grant_type,
      ...byApp,
      subject_token,
      audience: 'api',
      assertion: subject_token,
    });
    expect(status).toBe(400);
    expect(body.error).toBe('unsupported_grant_type');
  });

  it('takes as many statements for a thousand scopes as for one', async () => {
    const count = async (scope: string) => {
      await login('ann', { scope });
      const { result, statements } = await measureStatements(server, () => login('ann', { scope }));
      return { statements, answered: result.status < 500 };
    };
    const one = await count('openid');
    const many = [Array.from({ length: 1000 }, (_, at) => `scope-${at}`).join(' '), 'email '.repeat(1500)];
    for (const scope of many) {
      const { statements, answered } = await count(`openid ${scope}`);
      expect([statements <= one.statements, answered]).toEqual([true, true]);
    }
  });

  it('gives a name that looks like the address of somebody else to nobody', async () => {
    const user = { username: 'ann@known.example', enabled: true, credentials: [{ type: 'password', value: 'other' }] };
    await admin.send('POST', '/known/users', user);
    const { status, body } = await login('ann@known.example');
    expect(status).toBe(200);
    const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString());
    expect(claims.preferred_username).toBe('ann');
  });
});

describe('introspection', () => {
  it('knows notBefore of the realm also where the client has one of its own', async () => {
    const { access_token: token } = (await login('ann')).body;
    const active = async () => (await post('token/introspect', { ...byApp, token })).body.active;
    expect(await active()).toBe(true);
    const app = await idOf('clients?clientId=app');
    await admin.send('PUT', `/known/clients/${app}`, { clientId: 'app', notBefore: 1 });
    expect(await active()).toBe(true);
    await admin.send('PUT', '/known', { notBefore: Math.floor(Date.now() / 1000) + 100 });
    expect(await active()).toBe(false);
    await admin.send('PUT', '/known', { notBefore: 0 });
    await admin.send('PUT', `/known/clients/${app}`, {
      clientId: 'app',
      notBefore: Math.floor(Date.now() / 1000) + 100,
    });
    expect(await active()).toBe(false);
    await admin.send('PUT', `/known/clients/${app}`, { clientId: 'app', notBefore: 0 });
  });
});

describe('a session', () => {
  it('of a user who is to be remembered is like others once the realm remembers nobody', async () => {
    const { sid } = await (async () => {
      const { access_token: token } = (await login('bob')).body;
      return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()) as { sid: string };
    })();
    const bob = await idOf('users?username=bob');
    const list = async () =>
      ((await admin.send('GET', `/known/users/${bob}/sessions`)).body as { id: string }[]).some(({ id }) => id === sid);
    const long = { ssoSessionIdleTimeoutRememberMe: 360_000, ssoSessionMaxLifespanRememberMe: 360_000 };
    await admin.send('PUT', '/known', { ...long, ssoSessionMaxLifespan: 1000 });
    // as old as a session of which the user is remembered may get
    const startedAt = Math.floor(slowClock() / 1000) - 5000;
    await server.database.transaction((tx) =>
      tx.later.userSession.updateMany({ where: { sid }, data: { rememberMe: true, startedAt } }),
    );
    expect(await list()).toBe(true);
    await admin.send('PUT', '/known', { rememberMe: false });
    expect(await list()).toBe(false);
  });
});

describe('an offline session', () => {
  it('ends with the offline scope of its client', async () => {
    const byRoamer = { client_id: 'roamer', client_secret: 's' };
    const client = { clientId: 'roamer', secret: 's', directAccessGrantsEnabled: true, protocol: 'openid-connect' };
    expect((await admin.send('POST', '/known/clients', client)).status).toBe(201);
    const user = { username: 'ida', enabled: true, credentials: password };
    expect((await admin.send('POST', '/known/users', user)).status).toBe(201);
    const path = `/known/clients/${await idOf('clients?clientId=roamer')}/optional-client-scopes`;
    const { body: scopes } = await admin.send('GET', '/known/client-scopes');
    const scope = scopes.find(({ name }: { name: string }) => name === 'offline_access').id;
    expect((await admin.send('PUT', `${path}/${scope}`)).status).toBe(204);
    const tokens = await login('ida', { ...byRoamer, scope: 'openid offline_access' });
    expect(tokens.status).toBe(200);
    const refresh = () =>
      post('token', { grant_type: 'refresh_token', ...byRoamer, refresh_token: tokens.body.refresh_token });
    expect((await refresh()).status).toBe(200);
    expect((await admin.send('DELETE', `${path}/${scope}`)).status).toBe(204);
    expect((await refresh()).status).toBe(400);
  });
});

describe('a credential', () => {
  it('is not reached by way of another user', async () => {
    const [ann, bob] = [await idOf('users?username=ann&exact=true'), await idOf('users?username=bob')];
    const credential = await idOf(`users/${ann}/credentials`);
    for (const [method, path] of [
      ['DELETE', ''],
      ['PUT', '/userLabel'],
      ['POST', '/moveToFirst'],
    ] as const) {
      const answer = await admin.send(
        method,
        `/known/users/${bob}/credentials/${credential}${path}`,
        method === 'PUT' ? 'x' : undefined,
        { 'content-type': 'text/plain' },
      );
      expect([method, answer.status]).toEqual([method, 404]);
    }
    expect(await idOf(`users/${ann}/credentials`)).toBe(credential);
  });
});

describe('settings of a realm', () => {
  it('cannot break the headers of its pages', async () => {
    const planted = 'x\r\nSet-Cookie: planted=1\r\n\r\n<script>';
    const names = [
      'contentSecurityPolicy',
      'xFrameOptions',
      'xRobotsTag',
      'strictTransportSecurity',
      'xXSSProtection',
      'contentSecurityPolicyReportOnly',
    ];
    const browserSecurityHeaders = Object.fromEntries(names.map((name) => [name, planted]));
    await admin.send('PUT', '/known', { browserSecurityHeaders });
    const response = await fetch(
      `${endpoint()}/auth?client_id=app&response_type=code&redirect_uri=https://app.example/`,
    );
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie') ?? '').not.toContain('planted');
    expect(await response.text()).not.toContain('planted');
  });

  const names = ['env.HOME', 'env.PATH:x', 'HOME', 'vault.smtp', 'jndi:ldap://127.0.0.1/x'];
  it.each([...names.map((name) => `\${${name}}`), '$(HOME)'])('stay what was sent: %s', async (text) => {
    const name = `placeholders-${Buffer.from(text).toString('hex')}`;
    const client = { clientId: 'app', rootUrl: `https://app.example/${encodeURI(text)}`, attributes: { note: text } };
    await admin.send('POST', '/', { realm: name, displayName: text, clients: [client], attributes: { note: text } });
    const realm = (await admin.send('GET', `/${name}`)).body;
    expect(realm.displayName).toBe(text);
    const [stored] = (await admin.send('GET', `/${name}/clients?clientId=app`)).body;
    expect(stored.attributes.note).toBe(text);
    expect(stored.rootUrl).toBe(client.rootUrl);
  });
});

describe('the protection API', () => {
  const protection = '/realms/known/authz/protection';
  const serviceOf = async (client_id: string) => {
    const { body } = await post('token', { grant_type: 'client_credentials', client_id, client_secret: 's' });
    return callerWith(server, body.access_token);
  };
  const userOf = async (username: string, client_id: string) => {
    const form = { grant_type: 'password', client_id, client_secret: 's', username, password: 'right' };
    return callerWith(server, (await post('token', form)).body.access_token);
  };

  it('does not reach the resources of another resource server', async () => {
    const [api, other] = [await serviceOf('api'), await serviceOf('other')];
    const made = await api.send('POST', `${protection}/resource_set`, { name: 'own', resource_scopes: ['read'] });
    const path = `${protection}/resource_set/${made.body._id}`;
    expect((await other.send('GET', path)).status).toBe(404);
    expect((await other.send('PUT', path, { name: 'taken' })).status).toBe(404);
    expect((await other.send('DELETE', path)).status).toBe(404);
    expect((await other.send('POST', `${protection}/permission`, [{ resource_id: made.body._id }])).status).toBe(400);
    expect((await api.send('GET', path)).body.name).toBe('own');
  });

  it('changes no resources where clients may not manage them from afar', async () => {
    const api = await serviceOf('api');
    const made = await api.send('POST', `${protection}/resource_set`, { name: 'fixed', resource_scopes: ['read'] });
    const path = `${protection}/resource_set/${made.body._id}`;
    const settings = `/known/clients/${await idOf('clients?clientId=api')}/authz/resource-server`;
    const { body } = await admin.send('GET', settings);
    const set = (allowRemoteResourceManagement: boolean) =>
      admin.send('PUT', settings, { ...body, allowRemoteResourceManagement });
    expect((await set(false)).status).toBe(204);
    expect((await api.send('POST', `${protection}/resource_set`, { name: 'another' })).status).toBe(400);
    expect((await api.send('PUT', path, { name: 'changed' })).status).toBe(400);
    expect((await api.send('DELETE', path)).status).toBe(400);
    expect((await set(true)).status).toBe(204);
    expect((await api.send('GET', path)).body.name).toBe('fixed');
    expect((await api.send('PUT', path, { name: 'changed' })).status).toBe(204);
  });

  it('shares no resource of another user, whatever the body of a policy names', async () => {
    const api = await serviceOf('api');
    const make = async (name: string, owner: string) =>
      (
        await api.send('POST', `${protection}/resource_set`, {
          name,
          owner,
          ownerManagedAccess: true,
          resource_scopes: ['read'],
        })
      ).body._id;
    const [ofAnn, ofBob] = [await make('of ann', 'ann'), await make('of bob', 'bob')];
    const bob = await userOf('bob', 'api');
    const policy = { name: 'shared', scopes: ['read'], users: ['bob'] };
    expect((await bob.send('POST', `${protection}/uma-policy/${ofAnn}`, policy)).status).toBe(400);
    const sent = { ...policy, resources: [ofAnn], resource: ofAnn };
    const answer = await bob.send('POST', `${protection}/uma-policy/${ofBob}`, sent);
    if (answer.status < 300) {
      const changed = { ...sent, id: answer.body.id, resources: [ofAnn] };
      expect((await bob.send('PUT', `${protection}/uma-policy/${answer.body.id}`, changed)).status).toBeLessThan(500);
    }
    const grant = {
      grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
      audience: 'api',
      permission: `${ofAnn}#read`,
    };
    expect((await post('token', grant, `Bearer ${bob.token}`)).status).toBe(403);
  });

  it('shows tickets to resource servers and owners only', async () => {
    const api = await serviceOf('api');
    const resource = { name: 'private', owner: 'ann', ownerManagedAccess: true, resource_scopes: ['read'] };
    const { _id } = (await api.send('POST', `${protection}/resource_set`, resource)).body;
    const ann = await userOf('ann', 'api');
    const ticket = { resource: _id, requesterName: 'bob', scopeName: 'read', granted: true };
    expect((await ann.send('POST', `${protection}/permission/ticket`, ticket)).status).toBe(200);
    const seen = async (caller: Caller) => {
      const { status, body } = await caller.send('GET', `${protection}/permission/ticket`);
      return status === 200 ? (body as { resource: string }[]).some((one) => one.resource === _id) : false;
    };
    for (const caller of [api, ann, await userOf('bob', 'api')]) expect(await seen(caller)).toBe(true);
    for (const caller of [await userOf('eve', 'api'), await userOf('bob', 'other')])
      expect(await seen(caller)).toBe(false);
  });
});

describe('a mapper that a client brings along', () => {
  it('does not become one of another type that is not allowed', async () => {
    const { body } = await admin.send('POST', '/known/clients-initial-access', { count: 5, expiration: 0 });
    const path = '/realms/known/clients-registrations/default';
    const mapper = { name: 'm', protocol: 'openid-connect', protocolMapper: 'oidc-address-mapper', config: {} };
    const client = { clientId: 'brings', protocolMappers: [mapper] };
    const made = await callerWith(server, body.token).send('POST', path, client);
    expect(made.status).toBe(201);
    const hard = {
      'claim.name': 'realm_access.roles',
      'claim.value': '["admin"]',
      'access.token.claim': 'true',
      'jsonType.label': 'JSON',
    };
    for (const type of [
      'oidc-hardcoded-claim-mapper',
      'oidc-hardcoded-role-mapper',
      'oidc-script-based-protocol-mapper',
    ]) {
      const swapped = made.body.protocolMappers.map((one: object) => ({ ...one, protocolMapper: type, config: hard }));
      const changed = { ...made.body, protocolMappers: swapped };
      const answer = await callerWith(server, made.body.registrationAccessToken).send('PUT', `${path}/brings`, changed);
      expect([type, answer.status]).toEqual([type, 403]);
    }
  });
});
