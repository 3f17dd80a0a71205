// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';
import { delegate } from './delegate.js';

const realm = 'works';
let server: TestServer;
let admin: Caller;

interface Page<N> {
  totalCount: number;
  edges: { cursor: string; node: N }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
}
interface GroupNode {
  id: string;
  path: string;
  depth: number;
  parent: { id: string } | null;
  ancestors: Page<GroupNode>;
  childCount: number | null;
  descendantCount: number | null;
  memberCount: number | null;
  roleCount: number | null;
  children: Page<GroupNode>;
  descendants: Page<GroupNode>;
  members: Page<object>;
  roles: Page<object>;
}

const below = '/staff';
// a hyphen sorts before the slash: between a group and its subgroups
const paths = [
  '/staff/day',
  '/staff/night',
  '/staff/night-shift',
  '/staff/night/bar',
  '/staff/night/bar/counter',
  '/staff/night/bar/counter/till',
  '/staff/night/kitchen',
];
const counts = 'childCount descendantCount memberCount roleCount';
const lists = 'children { totalCount } descendants { totalCount } members { totalCount } roles { totalCount }';

const ask = <D>(caller: Caller, path: string, fields: string) =>
  caller.graphql<{ realm: { group: D } }>(
    `query ($path: String!) { realm(name: "${realm}") { group(path: $path) { ${fields} } } }`,
    { path },
  );
async function group(path: string, fields: string, caller = admin): Promise<GroupNode> {
  const { data, errors } = await ask<GroupNode>(caller, path, fields);
  expect(errors).toBeUndefined();
  return data.realm.group;
}
const pathsIn = ({ edges }: Page<GroupNode>) => edges.map(({ node }) => node.path);

beforeAll(async () => {
  const user = (username: string, groups: string[], roles: string[] = []) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'pw' }],
    groups,
    clientRoles: { 'realm-management': roles },
  });
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      roles: { realm: [{ name: 'clerk' }, { name: 'cook' }] },
      groups: [
        { name: 'other' },
        {
          name: 'staff',
          realmRoles: ['clerk'],
          subGroups: [
            {
              name: 'night',
              realmRoles: ['clerk', 'cook'],
              subGroups: [
                { name: 'kitchen' },
                { name: 'bar', subGroups: [{ name: 'counter', subGroups: [{ name: 'till' }] }] },
              ],
            },
            { name: 'day' },
            { name: 'night-shift' },
          ],
        },
      ],
      users: [
        user('ann', ['/staff', '/staff/night']),
        user('bob', ['/staff/night', '/staff/night/bar']),
        user('viewer', [], ['view-users']),
        user('nora', [], ['query-groups']),
      ],
    },
    {},
    slowClock,
  ));
});

describe('the tree of groups', () => {
  it('has each group after its parent, with its depth', async () => {
    const { id, descendants } = await group(
      below,
      'id descendants { totalCount edges { node { id path depth parent { id } } } }',
    );
    expect(pathsIn(descendants)).toEqual(paths);
    expect(descendants.totalCount).toBe(paths.length);
    const known = new Set([id]);
    for (const { node } of descendants.edges) {
      expect(known).toContain(node.parent?.id);
      known.add(node.id);
      expect(node.depth).toBe(node.path.split('/').length - 2);
    }
  });

  it('has the same pages forwards and backwards', async () => {
    const page = async (args: string) => {
      const fields = `descendants(first: ${args}) { totalCount pageInfo { hasNextPage hasPreviousPage } edges { cursor node { path } } }`;
      return (await group(below, fields.replace('first: last', 'last'))).descendants;
    };
    const forwards: string[] = [];
    let current = await page('3');
    for (; ; current = await page(`3, after: "${current.edges.at(-1)?.cursor}"`)) {
      forwards.push(...pathsIn(current));
      if (!current.pageInfo.hasNextPage) break;
    }
    expect(forwards).toEqual(paths);
    const backwards: string[] = [];
    for (current = await page('last: 3'); ; current = await page(`last: 3, before: "${current.edges[0]?.cursor}"`)) {
      backwards.unshift(...pathsIn(current));
      if (!current.pageInfo.hasPreviousPage) break;
    }
    expect(backwards).toEqual(paths);
  });

  it('is filtered and ordered', async () => {
    const of = async (args: string) =>
      (await group(below, `descendants(${args}) { totalCount edges { node { path } } }`)).descendants;
    const bars = await of('filter: { or: [{ name: { equals: "bar" } }, { hasMembers: true }] }');
    expect(pathsIn(bars)).toEqual(['/staff/night', '/staff/night/bar']);
    expect(bars.totalCount).toBe(2);
    expect(pathsIn(await of('first: 2, orderBy: { field: PATH, direction: DESC }'))).toEqual(
      paths.toReversed().slice(0, 2),
    );
    expect(pathsIn(await of('first: 3, orderBy: { field: NAME }'))).toEqual([
      '/staff/night/bar',
      '/staff/night/bar/counter',
      '/staff/day',
    ]);
  });

  it('has ancestors from the top level down', async () => {
    const { ancestors } = await group(
      '/staff/night/bar/counter/till',
      'ancestors { totalCount edges { node { path } } }',
    );
    expect(ancestors.totalCount).toBe(4);
    expect(pathsIn(ancestors)).toEqual(['/staff', '/staff/night', '/staff/night/bar', '/staff/night/bar/counter']);
    expect(await group(below, 'depth ancestors { edges { node { path } } }')).toEqual({
      depth: 0,
      ancestors: { edges: [] },
    });
  });

  it('is one list of the realm', async () => {
    const { data } = await admin.graphql<{ realm: { groups: Page<GroupNode> } }>(
      `{ realm(name: "${realm}") { groups(first: 500, orderBy: { field: PATH }) { edges { node { path depth ${counts} } } } } }`,
    );
    expect(pathsIn(data.realm.groups)).toEqual(['/other', below, ...paths]);
    expect(data.realm.groups.edges[1]?.node).toEqual({
      path: below,
      depth: 0,
      childCount: 3,
      descendantCount: 7,
      memberCount: 1,
      roleCount: 1,
    });
  });

  it('ends, were there a cycle', async () => {
    const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    const create = async (parent: string, name: string): Promise<string> => {
      const made = await admin.graphql<{ groupCreate: { group: { id: string } } }>(
        'mutation ($input: GroupCreateInput!) { groupCreate(input: $input) { group { id } } }',
        { input: { parent, name } },
      );
      return made.data.groupCreate.group.id;
    };
    const outer = await create(data.realm.id, 'outer');
    const inner = await create(outer, 'inner');
    const [outerId = '', innerId = ''] = [outer, inner].map((id) => atob(id).split(':')[1]);
    const hang = (parentId: string | null) =>
      server.database.transaction((tx) => tx.group.updateMany({ where: { id: outerId }, data: { parentId } }));
    await hang(innerId);
    const found = await group(
      '/outer',
      'depth descendantCount ancestors { edges { node { path } } } descendants { edges { node { path } } }',
    );
    expect(found).toMatchObject({ depth: 2, descendantCount: 2 });
    expect(pathsIn(found.ancestors)).toEqual(['/outer', '/outer/inner']);
    expect(pathsIn(found.descendants)).toEqual(['/outer', '/outer/inner']);
    await hang(null);
    const query = 'mutation ($id: ID!) { groupDelete(input: { id: $id }) { userErrors { code } } }';
    expect((await admin.graphql(query, { id: outer })).data).toEqual({ groupDelete: { userErrors: [] } });
  });
});

describe('the counts of a group', () => {
  const totals = (node: GroupNode) => ({
    childCount: node.children.totalCount,
    descendantCount: node.descendants.totalCount,
    memberCount: node.members.totalCount,
    roleCount: node.roles.totalCount,
  });

  it.each(['boss', 'viewer'])('are those of its lists, for %s', async (name) => {
    const caller = name === 'boss' ? admin : await userOf(server, realm, name, 'pw');
    for (const path of [below, ...paths]) {
      const node = await group(path, `${counts} ${lists}`, caller);
      expect([path, node]).toEqual([path, expect.objectContaining(totals(node))]);
    }
    expect(await group('/staff/night', counts, caller)).toEqual({
      childCount: 2,
      descendantCount: 4,
      memberCount: 2,
      roleCount: 2,
    });
  });

  it('are null where a caller may not see what is counted', async () => {
    const night = await group('/staff/night', 'id');
    const nightId = atob(night.id).split(':')[1] ?? '';
    await delegate(admin, realm, 'nora', [nightId], 'view');
    const nora = await userOf(server, realm, 'nora', 'pw');
    const node = await group(
      '/staff/night',
      `depth parent { id } ancestors { totalCount edges { node { path } } } ${counts} ${lists}`,
      nora,
    );
    expect(node).toMatchObject({
      depth: 1,
      parent: null,
      ancestors: { totalCount: 0, edges: [] },
      members: { totalCount: 0 },
    });
    expect(node).toMatchObject({ ...totals(node), roleCount: 2, memberCount: null });
    // as in REST, who reads a group reads the names of what is below it, and no more
    const { descendants } = await group('/staff/night', `descendants { edges { node { path ${counts} } } }`, nora);
    expect(descendants.edges.map(({ node }) => node)).toEqual(
      paths
        .filter((path) => path.startsWith('/staff/night/'))
        .map((path) => ({ path, childCount: null, descendantCount: null, memberCount: null, roleCount: null })),
    );
    const refused = await ask(nora, '/staff/night', 'descendants { edges { node { descendants { totalCount } } } }');
    expect(refused.errors?.map(({ extensions }) => extensions?.code)).toEqual(Array(4).fill('FORBIDDEN'));
    await delegate(admin, realm, 'nora', [nightId], 'view-members');
    const seen = await group('/staff/night', `${counts} ${lists}`, nora);
    expect(seen).toMatchObject({ ...totals(seen), memberCount: 2 });
  });
});
