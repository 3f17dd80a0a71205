// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';

const realm = 'forest';
const unknown = '00000000-0000-4000-8000-000000000000';
let server: TestServer;
let admin: Caller;
let searcher: Caller;
let viewer: Caller;

const rest = (method: string, path: string, body?: unknown, headers?: Record<string, string>, caller = admin) =>
  caller.send(method, `/${realm}${path}`, body, headers);
const created = (answer: { status: number; headers: Headers }): string => {
  expect(answer.status).toBe(201);
  return answer.headers.get('location')?.split('/').at(-1) as string;
};
const make = async (name: string, parent?: string, extra: object = {}): Promise<string> =>
  created(await rest('POST', parent ? `/groups/${parent}/children` : '/groups', { name, ...extra }));
const move = (id: string, parent?: string, headers?: Record<string, string>) =>
  rest('POST', parent ? `/groups/${parent}/children` : '/groups', { id, name: 'any' }, headers);
const pathOf = async (id: string): Promise<string> => (await rest('GET', `/groups/${id}`)).body.path;

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const user = (username: string, role: string) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'secret-1' }],
    clientRoles: { 'realm-management': [role] },
  });
  const { status } = await admin.send('POST', '/', {
    realm,
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    roles: { realm: [{ name: 'woodcutter' }] },
    users: [
      user('searcher', 'query-groups'),
      user('viewer', 'view-users'),
      user('realm-viewer', 'view-realm'),
      ...Array.from({ length: 120 }, (_, at) => ({ username: `tree-${at}`, groups: at ? ['/big'] : [] })),
    ],
    groups: [{ name: 'big', realmRoles: ['woodcutter'], attributes: { secret: ['x'] } }],
  });
  expect(status).toBe(201);
  searcher = await userOf(server, realm, 'searcher', 'secret-1');
  viewer = await userOf(server, realm, 'viewer', 'secret-1');
});

describe('paths', () => {
  it('follow renames and moves of any group above', async () => {
    const [a, b] = [await make('a'), await make('b')];
    const inner = await make('inner', a);
    const leaf = await make('leaf', inner);
    await rest('PUT', `/groups/${a}`, { name: 'A' });
    expect(await pathOf(leaf)).toBe('/A/inner/leaf');
    expect((await move(inner, b)).status).toBe(204);
    expect(await pathOf(leaf)).toBe('/b/inner/leaf');
    await rest('PUT', `/groups/${inner}`, { name: 'in/side' });
    expect(await pathOf(leaf)).toBe('/b/in/side/leaf');
    expect((await move(inner)).status).toBe(204);
    expect(await pathOf(leaf)).toBe('/in/side/leaf');
    expect((await rest('GET', '/group-by-path/in/side/leaf')).body.id).toBe(leaf);
    expect((await rest('GET', '/groups?search=side')).body).toMatchObject([{ id: inner, subGroups: [{ id: leaf }] }]);
  });

  it('that two groups share lead to the one with the most levels', async () => {
    const slashed = await make('x/y');
    expect((await rest('GET', '/group-by-path/x/y')).body.id).toBe(slashed);
    const nested = await make('y', await make('x'));
    expect((await rest('GET', '/group-by-path//x/y')).body.id).toBe(nested);
  });

  it('have an end', async () => {
    expect((await rest('POST', '/groups', { name: 'n'.repeat(256) })).status).toBe(400);
    let deepest = await make('d'.repeat(250));
    const top = deepest;
    for (let level = 1; level < 7; level += 1) deepest = await make('d'.repeat(250), deepest);
    const tooDeep = await make('e'.repeat(240), deepest);
    expect((await rest('POST', `/groups/${tooDeep}/children`, { name: 'too deep' })).status).toBe(400);
    expect((await rest('PUT', `/groups/${top}`, { name: 'd'.repeat(255) })).status).toBe(400);
    expect(await pathOf(tooDeep)).toHaveLength(7 * 251 + 241);
    await rest('DELETE', `/groups/${top}`);
  });
});

describe('moves', () => {
  it('into the own tree are refused, and nothing moves', async () => {
    const top = await make('top');
    const below = await make('below', await make('between', top));
    for (const target of [top, below]) {
      const { status, body } = await move(top, target);
      expect(status).toBe(400);
      expect(body.errorMessage).toContain('into itself or one of its subgroups');
    }
    expect(await pathOf(below)).toBe('/top/between/below');
  });

  it('compare the version of the group that is moved, not of the one above', async () => {
    const [from, to] = [await make('from'), await make('to')];
    const moved = await make('moved', from);
    await rest('PUT', `/groups/${moved}`, { name: 'moved', attributes: { a: ['1'] } });
    expect((await move(moved, to, { 'if-match': '"0"' })).status).toBe(412);
    expect((await move(moved, to, { 'if-match': '"1"' })).status).toBe(204);
    expect((await rest('GET', `/groups/${moved}`)).headers.get('etag')).toBe('"2"');
  });

  it('know only groups of their realm', async () => {
    await admin.send('POST', '/', { realm: 'elsewhere', groups: [{ name: 'foreign' }] });
    const [foreign] = (await admin.send('GET', '/elsewhere/groups')).body;
    expect(await move(foreign.id)).toMatchObject({ status: 404, body: { error: 'Could not find child by id' } });
    expect((await rest('GET', `/groups/${foreign.id}`)).status).toBe(404);
    expect((await rest('PUT', `/default-groups/${foreign.id}`)).status).toBe(404);
  });
});

describe('groups over REST', () => {
  it('show attributes of any name', async () => {
    const attributes = { constructor: ['a'], toString: ['b', 'c'], ключ: [''] };
    const id = await make('odd', undefined, { attributes });
    expect((await rest('GET', `/groups/${id}`)).body.attributes).toEqual(attributes);
  });

  it('keep what a change leaves out, and record before and after', async () => {
    const id = await make('kept', undefined, { attributes: { a: ['1', '2'] } });
    await rest('PUT', `/groups/${id}`, { name: 'renamed' });
    expect((await rest('GET', `/groups/${id}`)).body).toMatchObject({ name: 'renamed', attributes: { a: ['1', '2'] } });
    const event = await server.database.read.adminEvent.findFirst({
      where: { resourcePath: `groups/${id}`, operationType: 'UPDATE' },
    });
    expect(JSON.parse(event?.before ?? '')).toMatchObject({ name: 'kept', attributes: { a: ['1', '2'] } });
    expect(JSON.parse(event?.representation ?? '')).toMatchObject({ name: 'renamed', path: '/renamed' });
  });

  it('go with everything below them', async () => {
    const top = await make('falling');
    const leaf = await make('leaf', await make('branch', top));
    await rest('PUT', `/default-groups/${leaf}`);
    expect((await rest('GET', '/default-groups')).body).toMatchObject([{ path: '/falling/branch/leaf' }]);
    expect(await countStatements(server, () => rest('DELETE', `/groups/${top}`))).toBeLessThanOrEqual(6);
    expect((await rest('GET', `/groups/${leaf}`)).status).toBe(404);
    expect((await rest('GET', '/default-groups')).body).toEqual([]);
  });

  it('are found by case, without wildcards', async () => {
    const id = await make('100% Oak_wood');
    const find = async (search: string) => (await rest('GET', `/groups?search=${encodeURIComponent(search)}`)).body;
    for (const search of ['100%', 'Oak_', ' Oak']) expect(await find(search)).toMatchObject([{ id }]);
    for (const search of ['oak', '1_0', '%Oak']) expect(await find(search)).toEqual([]);
    expect((await rest('GET', '/groups/count?search=Oak')).body).toEqual({ count: 1 });
  });

  it('show a hundred members at first', async () => {
    const id = (await rest('GET', '/group-by-path/big')).body.id;
    const page = async (query: string) => (await rest('GET', `/groups/${id}/members${query}`)).body;
    expect(await page('')).toHaveLength(100);
    expect(await page('?first=100')).toHaveLength(19);
    expect(await page('?max=1000&briefRepresentation=true')).toHaveLength(119);
  });

  it('are fetched in as many statements as one of them', async () => {
    const top = await make('counted');
    const branch = await make('branch', top);
    const urls = [
      '/groups',
      '/groups?briefRepresentation=false',
      '/groups?search=branch&briefRepresentation=false',
      `/groups/${top}`,
      '/group-by-path/counted',
      '/groups/count?search=leaf',
      '/roles/woodcutter/groups?briefRepresentation=false',
    ];
    const measured = async () => {
      const counts: number[] = [];
      for (const url of urls) counts.push(await countStatements(server, () => rest('GET', url)));
      return counts;
    };
    await measured();
    const few = await measured();
    let deepest = branch;
    for (let level = 0; level < 5; level += 1) {
      deepest = await make(`level-${level}`, deepest, { attributes: { a: ['1'] } });
      for (let leaf = 0; leaf < 4; leaf += 1) await make(`leaf-${leaf}`, deepest, { attributes: { a: ['1'] } });
    }
    expect(await measured()).toEqual(few);
    expect(Math.max(...few)).toBeLessThanOrEqual(4);

    const renaming = (id: string, name: string) =>
      countStatements(server, () => rest('PUT', `/groups/${id}`, { name }));
    expect(await renaming(top, 'recounted')).toBe(await renaming(deepest, 'last'));
  });
});

describe('callers of groups', () => {
  it('who may only look for groups get names, without attributes and roles', async () => {
    const as = (path: string) => rest('GET', path, undefined, undefined, searcher);
    const { body } = await as('/groups?search=big&briefRepresentation=false');
    expect(body).toEqual([{ id: expect.any(String), name: 'big', path: '/big', subGroups: [] }]);
    expect((await as(`/groups/${body[0].id}`)).status).toBe(403);
    expect((await as('/group-by-path/big')).status).toBe(403);
    expect((await as(`/groups/${unknown}`)).status).toBe(404);
  });

  it('who may look at users see groups in full and change none', async () => {
    const as = (method: string, path: string, body?: unknown) => rest(method, path, body, undefined, viewer);
    const { body } = await as('GET', '/groups?search=big&briefRepresentation=false');
    expect(body).toMatchObject([{ realmRoles: ['woodcutter'], attributes: { secret: ['x'] } }]);
    const { access } = (await as('GET', `/groups/${body[0].id}`)).body;
    expect(access).toEqual({ view: true, manage: false, manageMembership: false });
    expect((await as('POST', '/groups', { name: 'mine' })).status).toBe(403);
    expect((await as('POST', '/groups', { id: body[0].id, name: 'mine' })).status).toBe(403);
    expect((await as('DELETE', `/groups/${body[0].id}`)).status).toBe(403);
    expect((await as('GET', '/default-groups')).status).toBe(403);
  });

  it('who may look at roles but not at groups do not learn of groups through roles', async () => {
    const realmViewer = await userOf(server, realm, 'realm-viewer', 'secret-1');
    const { status, body } = await rest('GET', '/roles/woodcutter/groups', undefined, undefined, realmViewer);
    expect([status, body]).toEqual([200, []]);
    expect((await rest('GET', '/roles/woodcutter/groups')).body).toMatchObject([{ name: 'big' }]);
  });
});
