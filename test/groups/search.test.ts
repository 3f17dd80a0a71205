// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';

interface Found {
  id: string;
  name: string;
  parentId?: string;
  subGroupCount?: number;
  attributes?: object;
  access?: { view: boolean };
  subGroups: Found[];
}

const realm = 'garden';
let server: TestServer;
let admin: Caller;
let searcher: Caller;
let flowers: string;

const read = (path: string, caller = admin) => caller.send('GET', `/${realm}${path}`);
const groups = async (path: string, caller = admin): Promise<Found[]> => {
  const { status, body } = await read(path, caller);
  expect(status).toBe(200);
  return body;
};
/** The names of groups, with those of the groups below in brackets. */
const outline = (found: readonly Found[]): string =>
  found.map(({ name, subGroups }) => (subGroups.length > 0 ? `${name}(${outline(subGroups)})` : name)).join(' ');

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const red = { color: ['red'] };
  const { status } = await admin.send('POST', '/', {
    realm,
    enabled: true,
    users: [
      {
        username: 'searcher',
        enabled: true,
        credentials: [{ type: 'password', value: 'secret-1' }],
        clientRoles: { 'realm-management': ['query-groups'] },
      },
    ],
    groups: [
      {
        name: 'flowers',
        subGroups: [
          { name: 'Rose', attributes: red, subGroups: [{ name: 'rosehip' }, { name: 'thorn' }] },
          { name: 'tulip', attributes: { ...red, origin: ['far away'] } },
          ...Array.from({ length: 12 }, (_, at) => ({ name: `weed-${String(at).padStart(2, '0')}` })),
        ],
      },
      { name: 'trees', attributes: red },
    ],
  });
  expect(status).toBe(201);
  flowers = (await groups('/groups')).find(({ name }) => name === 'flowers')?.id ?? '';
  searcher = await userOf(server, realm, 'searcher', 'secret-1');
});

describe('the children of a group', () => {
  it('come by tens, in the order of their names, with the number of their own', async () => {
    const first = await groups(`/groups/${flowers}/children`);
    expect(first).toHaveLength(10);
    expect(first[0]).toMatchObject({
      name: 'Rose',
      parentId: flowers,
      subGroupCount: 2,
      subGroups: [],
      attributes: { color: ['red'] },
      access: { view: true },
    });
    expect(outline(await groups(`/groups/${flowers}/children?first=12`))).toBe('weed-10 weed-11');
    expect(await groups(`/groups/${flowers}/children?max=100`)).toHaveLength(14);
    expect(await groups(`/groups/${flowers}/children?max=0`)).toEqual([]);
  });

  it('are found by a part of the name whatever the case, or by the whole name', async () => {
    expect(outline(await groups(`/groups/${flowers}/children?search=rOS`))).toBe('Rose');
    expect(await groups(`/groups/${flowers}/children?search=Ros&exact=true`)).toEqual([]);
    expect(outline(await groups(`/groups/${flowers}/children?search=Rose&exact=true`))).toBe('Rose');
    expect(await groups(`/groups/${flowers}/children?search=%25`)).toEqual([]);
  });

  it('come without attributes in the brief form', async () => {
    const [rose] = await groups(`/groups/${flowers}/children?briefRepresentation=true&max=1`);
    expect(rose).not.toHaveProperty('attributes');
    expect(rose).toMatchObject({ parentId: flowers, subGroupCount: 2 });
  });

  it('need the permission to view groups', async () => {
    expect((await read(`/groups/${flowers}/children`, searcher)).status).toBe(403);
    expect((await read('/groups/none/children')).status).toBe(404);
  });

  it('take as many statements as one child', async () => {
    const one = await countStatements(server, () => groups(`/groups/${flowers}/children?max=1`));
    const all = await countStatements(server, () => groups(`/groups/${flowers}/children?max=100`));
    expect(all).toBe(one);
  });
});

describe('a search with the parameters of version 26', () => {
  it('returns the matches below the groups above them, and no others', async () => {
    expect(outline(await groups('/groups?search=rose&populateHierarchy=true'))).toBe('flowers(Rose(rosehip))');
    expect(outline(await groups('/groups?search=rosehip&exact=true'))).toBe('flowers(Rose(rosehip))');
    expect(outline(await groups('/groups?search=ros&exact=true'))).toBe('');
  });

  it('returns a plain list on request', async () => {
    const found = await groups('/groups?search=rose&populateHierarchy=false');
    expect(outline(found)).toBe('Rose rosehip');
    expect(found[0]).toMatchObject({ parentId: flowers, subGroupCount: 2 });
    expect(outline(await groups('/groups?search=rose&populateHierarchy=false&first=1&max=1'))).toBe('rosehip');
  });

  it('finds groups by their attributes', async () => {
    expect(outline(await groups('/groups?q=color:red&populateHierarchy=false'))).toBe('Rose trees tulip');
    expect(outline(await groups('/groups?q=color:red%20origin:%22far%20away%22'))).toBe('flowers(tulip)');
    expect(await groups('/groups?q=color:re')).toEqual([]);
    const [tree] = await groups('/groups?q=color:red&search=tree&briefRepresentation=false');
    expect(tree).toMatchObject({ name: 'trees', attributes: { color: ['red'] }, subGroupCount: 0 });
    expect(tree).not.toHaveProperty('parentId');
  });

  it('is refused if it has more terms than a filter may have, or a longer text', async () => {
    const terms = (count: number) => Array.from({ length: count }, (_, at) => `a${at}:b`).join('%20');
    expect((await read(`/groups?q=${terms(600)}`)).status).toBe(400);
    expect((await read(`/groups?q=${terms(400)}`)).status).toBe(200);
    expect((await read(`/groups?exact=false&search=${'x'.repeat(5000)}`)).status).toBe(400);
    expect((await read(`/groups/${flowers}/children?search=${'x'.repeat(5000)}`)).status).toBe(400);
  });

  it('returns the top level if it asks for nothing', async () => {
    const top = await groups('/groups?populateHierarchy=false');
    expect(outline(top)).toBe('flowers trees');
    expect(top[0]?.subGroupCount).toBe(14);
    expect(outline(await groups('/groups?subGroupsCount=true&max=1'))).toBe('flowers');
  });

  it('shows names alone, and searches no attributes, for callers who may not view groups', async () => {
    const [top] = await groups('/groups?populateHierarchy=false&briefRepresentation=false', searcher);
    expect(top).not.toHaveProperty('attributes');
    expect((await read('/groups?q=color:red', searcher)).status).toBe(403);
  });
});

describe('a group', () => {
  it('is written with the fields of version 26 that are computed', async () => {
    const body = { name: 'moss', parentId: flowers, subGroupCount: 7 };
    expect((await admin.send('POST', `/${realm}/groups`, body)).status).toBe(201);
    expect(outline(await groups('/groups?search=moss&populateHierarchy=true'))).toBe('moss');
  });
});
