// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

const realm = 'orchard';
let server: TestServer;
let admin: Caller;
let viewer: Caller;
let searcher: Caller;
let realmId: string;

interface GroupNode {
  id: string;
  name: string;
  path: string;
  version: number;
  isDefault: boolean;
  children?: { totalCount: number; edges: { node: GroupNode }[] };
}
interface Payload {
  group: GroupNode | null;
  deletedId: string | null;
  userErrors: { code: string; path: string[] | null }[];
  adminEvents: { operation: string }[];
}

async function mutate(name: string, input: object, caller = admin): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const own = name === 'groupDelete' ? 'deletedId' : 'group { id name path version isDefault }';
  const query = `mutation($input: ${type}!) { ${name}(input: $input) { ${own} userErrors { code path } adminEvents { operation } } }`;
  const { data, errors } = await caller.graphql<Record<string, Payload>>(query, { input });
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}
const make = async (name: string, parent = realmId, attributes?: object[]): Promise<GroupNode> => {
  const { group, userErrors } = await mutate('groupCreate', { parent, name, attributes });
  expect(userErrors).toEqual([]);
  return group as GroupNode;
};
const refusal = async (name: string, input: object, caller = admin) =>
  (await mutate(name, input, caller)).userErrors[0];

interface Listed {
  realm: {
    groups: { totalCount: number; edges: { cursor: string; node: GroupNode }[]; pageInfo: { hasNextPage: boolean } };
  };
}
const list = (args: string, fields = 'id name', caller = admin) =>
  caller.graphql<Listed>(
    `{ realm(name: "${realm}") { groups(${args}) { totalCount pageInfo { hasNextPage } edges { cursor node { ${fields} } } } } }`,
  );
const found = async (filter: string, order = ''): Promise<string[]> => {
  const { data, errors } = await list(`first: 50, filter: ${filter} ${order}`, 'path');
  expect(errors).toBeUndefined();
  return data.realm.groups.edges.map(({ node }) => node.path);
};
const byPath = async (path: string, fields: string, caller = admin) => {
  const query = `query($path: String!) { realm(name: "${realm}") { group(path: $path) { ${fields} } } }`;
  const { data, errors } = await caller.graphql<{ realm: { group: GroupNode | null } }>(query, { path });
  expect(errors).toBeUndefined();
  return data.realm.group;
};

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
    roles: { realm: [{ name: 'picker' }, { name: 'sorter' }] },
    users: [user('viewer', 'view-users'), user('searcher', 'query-groups')],
    groups: [
      {
        name: 'Apple',
        attributes: { colour: ['red', 'green'] },
        realmRoles: ['sorter', 'picker'],
        subGroups: [{ name: 'Gala' }, { name: 'Jonagold', subGroups: [{ name: 'Red Prince' }] }],
      },
      { name: 'Pear', realmRoles: ['picker'], subGroups: [{ name: 'Gala' }] },
    ],
  });
  expect(status).toBe(201);
  viewer = await userOf(server, realm, 'viewer', 'secret-1');
  searcher = await userOf(server, realm, 'searcher', 'secret-1');
  const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
  realmId = data.realm.id;
});

describe('reading groups over GraphQL', () => {
  it('filters and orders', async () => {
    expect(await found('{ isTopLevel: true }')).toEqual(['/Apple', '/Pear']);
    expect(await found('{ search: "GALA" }', ', orderBy: { field: PATH, direction: DESC }')).toEqual([
      '/Pear/Gala',
      '/Apple/Gala',
    ]);
    expect(await found('{ path: { startsWith: "/Apple/" } }', ', orderBy: { field: PATH }')).toEqual([
      '/Apple/Gala',
      '/Apple/Jonagold',
      '/Apple/Jonagold/Red Prince',
    ]);
    expect(await found('{ attribute: { name: "colour", value: { equals: "green" } } }')).toEqual(['/Apple']);
    expect(await found('{ not: { name: { contains: "a" } } }')).toEqual(['/Apple', '/Apple/Jonagold/Red Prince']);
    expect(
      await found('{ or: [{ name: { equals: "Pear" } }, { name: { equals: "Jonagold" } }], isDefault: false }'),
    ).toEqual(['/Apple/Jonagold', '/Pear']);
    const { data } = await admin.graphql<{ realm: { roles: { edges: { node: { id: string; groups: unknown } }[] } } }>(
      `{ realm(name: "${realm}") { roles(filter: { name: { equals: "picker" } }) { edges { node { id groups { totalCount edges { node { name } } } } } } } }`,
    );
    const [picker] = data.realm.roles.edges;
    expect(picker?.node.groups).toEqual({
      totalCount: 2,
      edges: [{ node: { name: 'Apple' } }, { node: { name: 'Pear' } }],
    });
    expect(await found(`{ role: "${picker?.node.id}" }`)).toEqual(['/Apple', '/Pear']);
  });

  it('goes through pages without gaps', async () => {
    const seen: string[] = [];
    let after = '';
    for (;;) {
      const { data } = await list(`first: 2 ${after}`);
      const { edges, pageInfo, totalCount } = data.realm.groups;
      expect(totalCount).toBe(6);
      seen.push(...edges.map(({ node }) => node.id));
      if (!pageInfo.hasNextPage) break;
      after = `, after: "${edges.at(-1)?.cursor}"`;
    }
    expect(new Set(seen).size).toBe(6);
  });

  it('finds a group by its path, with what is above and below', async () => {
    const fields =
      'name parent { name parent { name } } roles { edges { node { name } } } children { totalCount edges { node { name } } }';
    expect(await byPath('/Apple/Jonagold', fields)).toEqual({
      name: 'Jonagold',
      parent: { name: 'Apple', parent: null },
      roles: { edges: [] },
      children: { totalCount: 1, edges: [{ node: { name: 'Red Prince' } }] },
    });
    expect(
      await byPath(
        '/Apple',
        'roles { edges { node { name } } } attributes { name values } viewerCan { update { isAllowed } }',
      ),
    ).toEqual({
      roles: { edges: [{ node: { name: 'picker' } }, { node: { name: 'sorter' } }] },
      attributes: [{ name: 'colour', values: ['red', 'green'] }],
      viewerCan: { update: { isAllowed: true } },
    });
    expect(await byPath('/Cherry', 'name')).toBeNull();
    expect(await byPath('/Apple', 'viewerCan { update { isAllowed } }', viewer)).toEqual({
      viewerCan: { update: { isAllowed: false } },
    });
  });

  it('takes as many statements for many groups as for one', async () => {
    const fields =
      'name parent { name } attributes { name } roles { edges { node { name } } } children(first: 3) { edges { node { name children { edges { node { name } } } } } }';
    await list('first: 1', fields);
    const one = await list('first: 1', fields);
    const many = await list('first: 50', fields);
    expect(many.errors).toBeUndefined();
    expect(many.data.realm.groups.edges.length).toBeGreaterThan(5);
    expect(many.extensions?.cost?.statements).toBe(one.extensions?.cost?.statements);
    expect(many.extensions?.cost?.statements).toBeLessThanOrEqual(3);
  });

  it('shows nothing to callers who may not look at groups', async () => {
    const { data } = await list('first: 5', 'name', searcher);
    expect(data.realm.groups).toMatchObject({ totalCount: 0, edges: [] });
    expect(await byPath('/Apple', 'name', searcher)).toBeNull();
    const apple = (await byPath('/Apple', 'id')) as GroupNode;
    const node = (caller: Caller) =>
      caller.graphql<{ node: unknown }>('query($id: ID!) { node(id: $id) { id } }', { id: apple.id });
    expect((await node(searcher)).data.node).toBeNull();
    expect((await node(viewer)).data.node).toEqual({ id: apple.id });
  });
});

describe('changing groups over GraphQL', () => {
  it('creates, changes, moves and deletes', async () => {
    const top = await make('Plum', realmId, [{ name: 'stone', values: ['one'] }]);
    const below = await make('Mirabelle', top.id);
    expect(below).toMatchObject({ path: '/Plum/Mirabelle', version: 0 });
    const renamed = await mutate('groupUpdate', { id: top.id, name: 'Prune', expectedVersion: 0 });
    expect(renamed).toMatchObject({
      group: { name: 'Prune', path: '/Prune', version: 1 },
      adminEvents: [{ operation: 'group.update' }],
    });
    expect(await byPath('/Prune/Mirabelle', 'id')).toEqual({ id: below.id });
    await mutate('groupUpdate', { id: top.id, attributes: [] });
    expect(await byPath('/Prune', 'name attributes { name }')).toEqual({ name: 'Prune', attributes: [] });
    expect((await mutate('groupMove', { id: below.id, parent: realmId })).group).toMatchObject({ path: '/Mirabelle' });
    expect((await mutate('groupMove', { id: top.id, parent: below.id })).group).toMatchObject({
      path: '/Mirabelle/Prune',
    });
    expect(await mutate('groupDelete', { id: below.id })).toMatchObject({ deletedId: below.id, userErrors: [] });
    expect(await byPath('/Mirabelle/Prune', 'id')).toBeNull();
  });

  it('adds and removes default groups', async () => {
    const group = await make('Cherry');
    expect((await mutate('realmAddDefaultGroup', { group: group.id })).group).toMatchObject({
      isDefault: true,
      version: 1,
    });
    expect(await found('{ isDefault: true }')).toEqual(['/Cherry']);
    expect((await mutate('realmAddDefaultGroup', { group: group.id })).group).toMatchObject({ version: 1 });
    expect((await mutate('realmRemoveDefaultGroup', { group: group.id })).group).toMatchObject({ isDefault: false });
    await mutate('groupDelete', { id: group.id });
  });

  it('says what is wrong with the input', async () => {
    const top = await make('Quince');
    const below = await make('Below', top.id);
    expect(await refusal('groupCreate', { parent: realmId, name: 'Quince' })).toEqual({
      code: 'NAME_TAKEN',
      path: ['name'],
    });
    expect(await refusal('groupCreate', { parent: top.id, name: 'Below' })).toEqual({
      code: 'NAME_TAKEN',
      path: ['name'],
    });
    expect(await refusal('groupCreate', { parent: realmId, name: '' })).toEqual({
      code: 'NAME_INVALID',
      path: ['name'],
    });
    expect(await refusal('groupUpdate', { id: top.id, name: 'Pear' })).toMatchObject({ code: 'NAME_TAKEN' });
    expect(await refusal('groupUpdate', { id: top.id, name: '' })).toEqual({ code: 'NAME_INVALID', path: ['name'] });
    expect(await refusal('groupUpdate', { id: top.id, name: 'X', expectedVersion: 7 })).toMatchObject({
      code: 'STALE',
    });
    expect(await refusal('groupMove', { id: top.id, parent: below.id })).toEqual({ code: 'CYCLE', path: ['parent'] });
    expect(await refusal('groupMove', { id: below.id, parent: realmId, expectedVersion: 7 })).toMatchObject({
      code: 'STALE',
    });
    await make('Quince', top.id);
    const inner = (await byPath('/Quince/Quince', 'id')) as GroupNode;
    expect(await refusal('groupMove', { id: inner.id, parent: realmId })).toMatchObject({ code: 'NAME_TAKEN' });
    expect(await refusal('groupDelete', { id: realmId })).toMatchObject({ path: ['id'] });
    expect(await refusal('groupCreate', { parent: realmId, name: 'Mine' }, viewer)).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await refusal('groupMove', { id: below.id, parent: realmId }, viewer)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refusal('realmAddDefaultGroup', { group: top.id }, viewer)).toMatchObject({ code: 'FORBIDDEN' });
    expect((await byPath('/Quince/Below', 'version'))?.version).toBe(0);
    await mutate('groupDelete', { id: top.id });
  });
});
