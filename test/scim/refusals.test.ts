import { beforeAll, describe, expect, it } from 'vitest';
import { scimRoutes } from '../../src/scim/routes.js';
import { type Caller, callerWith, userOf } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import {
  customUrn,
  filtered,
  newGroup,
  newUser,
  operations,
  realm,
  type Scim,
  scimOf,
  startScim,
  userUrn,
} from './scim.js';

let server: TestServer;
let admin: Caller;
let scim: Scim;
let user: string;
let group: string;
const password = 'pw';
const withRole = (username: string, ...roles: string[]) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: password }],
  clientRoles: { 'realm-management': roles },
});

beforeAll(async () => {
  ({ server, admin, scim } = await startScim({
    users: [
      withRole('nobody'),
      withRole('viewer', 'view-users'),
      withRole('querier', 'query-users', 'query-groups'),
      withRole('manager', 'manage-users'),
    ],
  }));
  user = await newUser(scim, 'somebody');
  group = await newGroup(scim, 'Some');
  const other = await admin.send('POST', '/', {
    realm: 'other',
    enabled: true,
    users: [{ ...withRole('stranger', 'realm-admin') }],
  });
  expect(other.status).toBe(201);
});

const as = async (name: string, at = realm): Promise<Scim> => scimOf(await userOf(server, at, name, password));
const pathOf = (path: string): string =>
  path.replace('{id}', path.startsWith('/Users') ? user : path.startsWith('/Groups') ? group : 'User');
/** An input that reaches the permission check. */
const inputOf = (method: string, path: string): object | undefined => {
  if (method === 'GET' || method === 'DELETE') return undefined;
  if (method === 'PATCH')
    return operations({ op: 'replace', path: path.startsWith('/Groups') ? 'displayName' : 'title', value: 'x' });
  if (path === '/Bulk') return { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [] };
  return { userName: 'x', displayName: 'x' };
};
const refusedRoutes = scimRoutes.filter(({ path }) => path !== '/Bulk' && path !== '/Me');
const errorOf = (status: number) => ({
  status,
  body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status) },
});

describe.each(scimRoutes)('$method $path', ({ method, path }) => {
  it('is refused without a token, and in a realm that does not exist', async () => {
    const anonymous = await scimOf(callerWith(server, undefined))(method, pathOf(path), inputOf(method, path));
    expect(anonymous).toMatchObject(errorOf(401));
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
    if (path === '/Bulk') return;
    expect(await scimOf(admin, 'missing')(method, pathOf(path), inputOf(method, path))).toMatchObject(errorOf(404));
  });
});

describe.each(refusedRoutes)('$method $path', ({ method, path }) => {
  it('is refused without a role, and to administrators of other realms', async () => {
    for (const caller of [await as('nobody'), scimOf(await userOf(server, 'other', 'stranger', password))]) {
      expect(await caller(method, pathOf(path), inputOf(method, path))).toMatchObject(errorOf(403));
    }
  });
});

describe('permissions', () => {
  it('are those of the administration: who may view users cannot change them', async () => {
    const viewer = await as('viewer');
    expect(await viewer('GET', `/Users/${user}`)).toMatchObject({ status: 200, body: { userName: 'somebody' } });
    expect((await viewer('GET', '/Groups')).body.totalResults).toBe(1);
    for (const [method, path] of [
      ['POST', '/Users'],
      ['PUT', `/Users/${user}`],
      ['PATCH', `/Users/${user}`],
      ['DELETE', `/Users/${user}`],
      ['PATCH', `/Groups/${group}`],
    ] as const) {
      expect(await viewer(method, path, inputOf(method, path))).toMatchObject(errorOf(403));
    }
  });

  it('let callers who may only look for users see none', async () => {
    const querier = await as('querier');
    expect(await querier('GET', '/Users')).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } });
    expect(await querier('GET', `/Users/${user}`)).toMatchObject(errorOf(403));
    expect((await querier('GET', filtered('/Groups', `members eq "${user}"`))).body.totalResults).toBe(0);
  });

  it('let managers of users change them, but not an administrator with more rights', async () => {
    const manager = await as('manager');
    expect((await manager('PATCH', `/Users/${user}`, inputOf('PATCH', '/Users'))).status).toBe(200);
    const boss = (await admin.send('POST', `/${realm}/users`, withRole('boss'))).headers
      .get('location')
      ?.split('/')
      .at(-1);
    const { body: clients } = await admin.send('GET', `/${realm}/clients?clientId=realm-management`);
    const role = (await admin.send('GET', `/${realm}/clients/${clients[0].id}/roles/realm-admin`)).body;
    await admin.send('POST', `/${realm}/users/${boss}/role-mappings/clients/${clients[0].id}`, [role]);
    expect(
      await manager('PATCH', `/Users/${boss}`, operations({ op: 'replace', path: 'active', value: false })),
    ).toMatchObject(errorOf(403));
  });

  it('show callers themselves, in their own realm', async () => {
    expect(await (await as('viewer'))('GET', '/Me')).toMatchObject({ status: 200, body: { userName: 'viewer' } });
    expect(await scim('GET', '/Me')).toMatchObject(errorOf(404));
  });

  it('do not reach users and groups of other realms', async () => {
    const other = scimOf(admin, 'other');
    for (const path of [`/Users/${user}`, `/Groups/${group}`]) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        expect(await other(method, path, inputOf(method, path))).toMatchObject(errorOf(404));
      }
    }
    const { status } = await other('POST', '/Groups', { displayName: 'X', members: [{ value: user }] });
    expect(status).toBe(400);
  });
});

const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

describe('a hostile request', () => {
  it.each<[string, string, unknown]>([
    ['POST', '/Users', []],
    ['POST', '/Users', 'text'],
    ['POST', '/Users', { userName: deep(150) }],
    ['POST', '/Users', { userName: 'x', name: deep(250) }],
    ['POST', '/Users', { userName: 'x'.repeat(300) }],
    ['POST', '/Users', { userName: 'x', schemas: [customUrn] }],
    ['POST', '/Users', { userName: 'x', [customUrn]: { a: [{}] } }],
    ['POST', '/Users', JSON.parse(`{"schemas":["${userUrn}"],"__proto__":{"userName":"x"}}`)],
    ['POST', '/Groups', { displayName: 'x', members: [{ value: { a: 1 } }] }],
    ['POST', '/Groups', { displayName: 'x', members: [{ value: 'x', type: 'Group' }] }],
    ['POST', '/Users/.search', { filter: 7 }],
    ['POST', '/Users/.search', []],
    ['POST', '/Users/.search', { attributes: Array(201).fill('name') }],
    ['PATCH', '/Users/{id}', {}],
    ['PATCH', '/Users/{id}', operations({ op: 'remove', path: `roles[${Array(21).fill('value pr').join(' or ')}]` })],
    ['PATCH', '/Users/{id}', operations()],
    ['PATCH', '/Users/{id}', operations({ op: 'move', path: 'title' })],
    ['PATCH', '/Users/{id}', operations({ op: 'remove' })],
    ['PATCH', '/Users/{id}', operations({ op: 'remove', path: 'userName' })],
    ['PATCH', '/Users/{id}', operations({ op: 'replace', path: 'id', value: 'x' })],
    ['PATCH', '/Users/{id}', operations({ op: 'replace', path: '__proto__', value: { title: 'x' } })],
    ['PATCH', '/Users/{id}', operations({ op: 'replace', path: 'constructor.prototype', value: 'x' })],
    ['PATCH', '/Users/{id}', operations({ op: 'replace', path: 'name[x eq 1]', value: 'x' })],
    [
      'PATCH',
      '/Users/{id}',
      operations(
        { op: 'add', path: 'emails[type sw "w"].value', value: 'x' },
        { op: 'replace', path: 'phoneNumbers[not (type pr)].value', value: '1' },
      ),
    ],
    ['PATCH', '/Users/{id}', operations({ op: 'add', path: 'urn:x:y', value: 'x' })],
    ['PATCH', '/Users/{id}', operations(...Array(1001).fill({ op: 'add', path: 'title', value: 'x' }))],
    ['PATCH', '/Groups/{id}', operations({ op: 'remove', path: 'members[display co "x"]' })],
    ['PATCH', '/Groups/{id}', operations({ op: 'replace', path: 'displayName', value: '' })],
    ['POST', '/Bulk', { schemas: [], Operations: [] }],
  ])('%s %s is refused: %#', async (method, path, body) => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const { status, body: answer } = await scim(method, pathOf(path), sent);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(answer).toMatchObject({ status: String(status), detail: expect.any(String) });
  });

  it('keeps hostile names of custom attributes as names', async () => {
    const custom = { constructor: ['a'], toString: ['b'] };
    const { status, body } = await scim('POST', '/Users', { userName: 'proto', [customUrn]: custom });
    expect({ status, custom: Object.entries(body[customUrn]) }).toEqual({
      status: 201,
      custom: Object.entries(custom),
    });
    const change = (path: string) => scim('PATCH', `/Users/${body.id}`, operations({ op: 'add', path, value: 'c' }));
    expect((await change(`${customUrn}:constructor`)).body[customUrn].constructor).toEqual(['a', 'c']);
    expect(await change(`${customUrn}:__proto__`)).toMatchObject(errorOf(400));
  });

  it.each([
    ['PUT', '/Users', 405],
    ['DELETE', '/Schemas', 405],
    ['GET', '/Nothing', 404],
    ['GET', '/Users/a/b', 404],
    ['GET', '', 404],
  ])('%s %s is answered with %s', async (method, path, status) => {
    expect(await scim(method, path)).toMatchObject(errorOf(status));
  });

  it('is refused with another media type', async () => {
    expect(await scim('POST', '/Users', { userName: 'x' }, { 'content-type': 'text/plain' })).toMatchObject(
      errorOf(415),
    );
  });
});
