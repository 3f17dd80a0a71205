import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

const realm = 'scopes';
let server: TestServer;
let admin: Caller;
let keeper: Caller;

const rest = (method: string, path: string, body?: unknown, caller = admin) =>
  caller.send(method, `/${realm}${path}`, body);
const idIn = ({ headers }: { headers: Headers }) => headers.get('location')?.split('/').at(-1) ?? '';
const create = async (scope: object) => {
  const answer = await rest('POST', '/client-scopes', scope);
  expect(answer.status).toBe(201);
  return idIn(answer);
};
const clientOf = async (client: object) => idIn(await rest('POST', '/clients', client));

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const user = (username: string, role: string) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'pw' }],
    clientRoles: { 'realm-management': [role] },
  });
  await admin.send('POST', '/', {
    realm,
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    users: [user('keeper', 'manage-clients')],
  });
  keeper = await userOf(server, realm, 'keeper', 'pw');
});

describe('what a client scope may be called', () => {
  it.each([
    ['no name', {}, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['an empty id', { name: 'empty-id', id: '' }, 'ID'],
    ['a name with NUL', { name: 'a\0b' }, 'name'],
    ['an attribute with NUL in its name', { name: 'nul', attributes: { 'a\0b': 'x' } }, 'attributes'],
    ['a mapper without a name', { name: 'm', protocolMappers: [{ protocol: 'saml' }] }, 'protocol mapper'],
    ['a mapper without a protocol', { name: 'm', protocolMappers: [{ name: 'one' }] }, 'protocol'],
  ])('%s is refused, and nothing is made', async (_title, scope, named) => {
    const before = (await rest('GET', '/client-scopes')).body.length;
    const answer = await rest('POST', '/client-scopes', scope);
    expect([answer.status, answer.body.errorMessage]).toEqual([400, expect.stringContaining(named)]);
    expect((await rest('GET', '/client-scopes')).body).toHaveLength(before);
  });

  it('no id of a client, under which mappers are filed, nor the other way round', async () => {
    const client = await clientOf({ clientId: 'id-holder' });
    expect((await rest('POST', '/client-scopes', { name: 'thief', id: client })).status).toBe(409);
    const scope = await create({ name: 'holder', id: 'id-of-a-scope' });
    expect((await rest('POST', '/clients', { clientId: 'thief', id: scope })).status).toBe(409);
  });

  it('an attribute of an update with NUL in its name is refused', async () => {
    const id = await create({ name: 'strict' });
    expect((await rest('PUT', `/client-scopes/${id}`, { attributes: { 'a\0b': 'x' } })).status).toBe(400);
    expect((await rest('PUT', `/client-scopes/${id}`, { attributes: { a: ['x'] } })).status).toBe(400);
  });
});

describe('a change of a client scope', () => {
  it('is recorded with what was there before, and has a version', async () => {
    const id = await create({ name: 'versioned', protocol: 'openid-connect', attributes: { a: '1', b: '2' } });
    const { headers } = await rest('GET', `/client-scopes/${id}`);
    const change = { name: 'changed', attributes: { a: null, c: '3' } };
    const put = (version: string) =>
      admin.send('PUT', `/${realm}/client-scopes/${id}`, change, { 'if-match': version });
    expect((await put(headers.get('etag') ?? '')).status).toBe(204);
    expect((await put(headers.get('etag') ?? '')).status).toBe(412);
    const where = { resourcePath: `client-scopes/${id}`, operationType: 'UPDATE' };
    const event = await server.database.read.adminEvent.findFirst({ where });
    expect(event?.resourceType).toBe('CLIENT_SCOPE');
    expect(JSON.parse(event?.representation ?? '')).toMatchObject({ name: 'changed', attributes: { b: '2', c: '3' } });
  });

  it('is seen by the tokens of clients that have it', async () => {
    const id = await create({ name: 'shown', protocol: 'openid-connect' });
    const clientId = 'asks';
    await clientOf({ clientId, publicClient: true, directAccessGrantsEnabled: true, defaultClientScopes: ['shown'] });
    const scopeOf = async () => {
      const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'password', client_id: clientId, username: 'keeper', password: 'pw' }),
      });
      return ((await response.json()) as { scope: string }).scope;
    };
    expect(await scopeOf()).toBe('shown');
    await rest('PUT', `/client-scopes/${id}`, { name: 'renamed' });
    expect(await scopeOf()).toBe('renamed');
    await rest('DELETE', `/client-scopes/${id}`);
    expect(await scopeOf()).toBe('');
  });
});

describe('a client scope that is deleted', () => {
  it('is taken out of the consents of users, so that none of the same id has them', async () => {
    const id = await create({ id: 'consented-scope', name: 'consented', protocol: 'openid-connect' });
    const other = await create({ name: 'consented-too', protocol: 'openid-connect' });
    const client = await clientOf({ clientId: 'consenting', consentRequired: true });
    const user = (await rest('GET', '/users?username=keeper')).body[0].id;
    await server.database.transaction((tx) =>
      tx.userConsent.createMany({
        data: { userId: user, clientId: client, grantedScopes: [id, other], createdDate: 1n, lastUpdatedDate: 1n },
      }),
    );
    expect((await rest('DELETE', `/client-scopes/${id}`)).status).toBe(204);
    await create({ id: 'consented-scope', name: 'other-meaning', protocol: 'openid-connect' });
    const { body } = await rest('GET', `/users/${user}/consents`);
    expect(body[0].grantedClientScopes).toEqual(['consented-too']);
  });
});

describe('client scopes of new clients', () => {
  it('are either default or optional, and take manage-realm', async () => {
    const id = await create({ name: 'for-new', protocol: 'openid-connect' });
    const path = (kind: string) => `/default-${kind}-client-scopes/${id}`;
    expect((await rest('PUT', path('default'), undefined, keeper)).status).toBe(403);
    expect((await rest('PUT', path('default'))).status).toBe(204);
    expect((await rest('PUT', path('optional'))).status).toBe(409);
    expect((await rest('DELETE', path('optional'))).status).toBe(204);
    expect((await rest('PUT', path('optional'))).status).toBe(204);
    const where = { resourcePath: `default-optional-client-scopes/${id}`, operationType: 'CREATE' };
    const event = await server.database.read.adminEvent.findFirst({ where });
    expect(event?.resourceType).toBe('CLIENT_SCOPE');
  });
});

describe('statements', () => {
  it('are as many for a list of many client scopes as for one of few', async () => {
    const lists = ['/client-scopes', '/default-default-client-scopes', '/default-optional-client-scopes'];
    const counted = async (path: string) => {
      await rest('GET', path);
      const { result, statements } = await measureStatements(server, () => rest('GET', path));
      expect(result.status).toBe(200);
      return statements;
    };
    const few = [];
    for (const path of lists) few.push(await counted(path));
    for (let at = 0; at < 30; at += 1) {
      const id = await create({
        name: `many-${at}`,
        protocol: 'openid-connect',
        protocolMappers: [{ name: 'one', protocol: 'openid-connect', protocolMapper: 'oidc-full-name-mapper' }],
      });
      await rest('PUT', `/default-${at % 2 ? 'default' : 'optional'}-client-scopes/${id}`);
    }
    const many = [];
    for (const path of lists) many.push(await counted(path));
    expect(many).toEqual(few);
  });
});
