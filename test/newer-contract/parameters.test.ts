import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const realm = 'newer';
let server: TestServer;
let admin: Caller;

const send = (method: string, path: string, body?: unknown) => admin.send(method, `/${realm}${path}`, body);
/** The answer to a request that succeeds. */
async function read(path: string) {
  const { status, body } = await send('GET', path);
  expect(status).toBe(200);
  return body;
}
const namesOf = <K extends string>(rows: Record<K, string>[], name: K): string =>
  rows.map((row) => row[name]).join(' ');

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const provider = (alias: string, more: object = {}) => ({
    alias,
    providerId: 'oidc',
    config: { clientId: 'me', tokenUrl: 'https://idp.example/t', authorizationUrl: 'https://idp.example/a' },
    ...more,
  });
  const { status } = await admin.send('POST', '/', {
    realm,
    enabled: true,
    displayName: 'Newer',
    adminEventsEnabled: true,
    internationalizationEnabled: true,
    supportedLocales: ['en', 'de'],
    defaultLocale: 'en',
    roles: {
      realm: [
        { name: 'all', composites: { realm: ['apple', 'pear', 'plum'] } },
        ...['apple', 'pear', 'plum'].map((name) => ({ name })),
      ],
    },
    users: [
      {
        username: 'otto',
        enabled: true,
        credentials: [{ type: 'password', value: 'otto' }],
        realmRoles: ['offline_access'],
      },
    ],
    clients: [{ clientId: 'app', publicClient: true, directAccessGrantsEnabled: true, redirectUris: ['*'] }],
    identityProviders: [provider('corp'), provider('other', { displayName: 'Company' }), provider('school')],
  });
  expect(status).toBe(201);
});

describe('the list of identity providers', () => {
  const found = async (query: string) => namesOf(await read(`/identity-provider/instances${query}`), 'alias');

  it('has pages and a search by the start of the alias or display name', async () => {
    expect(await found('')).toBe('corp other school');
    expect(await found('?first=1&max=1')).toBe('other');
    expect(await found('?search=co')).toBe('corp other');
    expect(await found('?search=CORP')).toBe('corp');
    expect(await found('?search=*o*l')).toBe('school');
    expect(await found('?search=ool')).toBe('');
    expect(await found('?search=%25')).toBe('');
    // all providers belong to the realm
    expect(await found('?realmOnly=true')).toBe('corp other school');
  });

  it('has a brief form', async () => {
    const [corp] = await read('/identity-provider/instances?briefRepresentation=true');
    expect(corp).toEqual({
      alias: 'corp',
      internalId: expect.any(String),
      providerId: 'oidc',
      enabled: true,
      config: {},
    });
  });
});

describe('an identity provider that is hidden on the login page', () => {
  const path = '/identity-provider/instances/school';

  it('says so under the names of both versions', async () => {
    const before = await read(path);
    expect(before).not.toHaveProperty('hideOnLogin');
    expect((await send('PUT', path, { ...before, hideOnLogin: true })).status).toBe(204);
    expect(await read(path)).toMatchObject({ hideOnLogin: true, config: { hideOnLoginPage: 'true' } });
  });

  it('is shown again by either name', async () => {
    const hidden = await read(path);
    expect((await send('PUT', path, { ...hidden, hideOnLogin: false })).status).toBe(204);
    const shown = await read(path);
    expect(shown).not.toHaveProperty('hideOnLogin');
    expect(shown.config).not.toHaveProperty('hideOnLoginPage');
    const { status } = await send('PUT', path, { ...shown, config: { ...shown.config, hideOnLoginPage: 'true' } });
    expect(status).toBe(204);
    expect((await read(path)).hideOnLogin).toBe(true);
    const { config } = await read(path);
    expect((await send('PUT', path, { ...shown, config: { ...config, hideOnLoginPage: 'false' } })).status).toBe(204);
    expect(await read(path)).not.toHaveProperty('hideOnLogin');
  });

  it('hides an imported identity provider', async () => {
    const provider = { alias: 'hidden-import', providerId: 'github', hideOnLogin: true };
    expect((await send('POST', '/partialImport', { identityProviders: [provider] })).status).toBe(200);
    const { config } = await read('/identity-provider/instances/hidden-import');
    expect(config).toMatchObject({ hideOnLoginPage: 'true' });
  });
});

describe('lists of events', () => {
  it('begin with the oldest one on request', async () => {
    for (const name of ['first', 'second']) await send('POST', '/roles', { name });
    const newest = await read('/admin-events?resourceTypes=REALM_ROLE');
    expect(newest.map((event: { resourcePath: string }) => event.resourcePath)).toEqual([
      'roles/second',
      'roles/first',
    ]);
    expect(await read('/admin-events?resourceTypes=REALM_ROLE&direction=asc')).toEqual([...newest].reverse());
    expect(await read('/admin-events?resourceTypes=REALM_ROLE&direction=desc')).toEqual(newest);
    expect((await send('GET', '/events?direction=up')).status).toBe(400);
    expect(await read('/events?direction=asc')).toEqual([]);
  });
});

describe('localization texts', () => {
  it('are set with JSON, and completed by those of the default locale on request', async () => {
    expect((await send('POST', '/localization/en', { hello: 'Hello', bye: 'Bye' })).status).toBe(204);
    expect((await send('POST', '/localization/de', { hello: 'Hallo' })).status).toBe(204);
    expect(await read('/localization/de')).toEqual({ hello: 'Hallo' });
    expect(await read('/localization/de?useRealmDefaultLocaleFallback=true')).toEqual({ hello: 'Hallo', bye: 'Bye' });
    expect(await read('/localization/en?useRealmDefaultLocaleFallback=true')).toEqual({ hello: 'Hello', bye: 'Bye' });
  });
});

describe('the composites of a role by its ID', () => {
  it('have pages and a search', async () => {
    const { id } = await read('/roles/all');
    const found = async (query: string) => namesOf(await read(`/roles-by-id/${id}/composites${query}`), 'name');
    expect(await found('')).toBe('apple pear plum');
    expect(await found('?first=1&max=1')).toBe('pear');
    expect(await found('?search=PL')).toBe('apple plum');
    expect(await found('?search=PL&first=1')).toBe('plum');
  });
});

it('realms have a brief form', async () => {
  const { body } = await admin.send('GET', '/admin/realms?briefRepresentation=true');
  expect(body.find((one: { realm: string }) => one.realm === realm)).toEqual({
    id: expect.any(String),
    realm,
    displayName: 'Newer',
    enabled: true,
  });
});

it('an offline session is ended by its ID, if the request says that it is one', async () => {
  const token = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'app',
      username: 'otto',
      password: 'otto',
      scope: 'openid offline_access',
    }),
  });
  const { session_state: sid } = await token.json();
  const [otto] = await read('/users?username=otto');
  const [{ id: client }] = await read('/clients?clientId=app');
  const offline = `/users/${otto.id}/offline-sessions/${client}`;
  expect(await read(offline)).toHaveLength(1);
  expect((await send('DELETE', `/sessions/${sid}?isOffline=true`)).status).toBe(204);
  expect(await read(offline)).toEqual([]);
  expect((await send('DELETE', `/sessions/${sid}?isOffline=true`)).status).toBe(404);
});
