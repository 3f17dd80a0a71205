// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { slowClock } from '../support/server.js';
import { delegate } from './delegate.js';

const realm = 'wide';
let admin: Caller;
const callers: Record<string, Caller> = {};

const fields = `id name path depth parent { id } ancestors(first: 5) { edges { node { id } } }
  childCount descendantCount memberCount roleCount`;
const tree = (first: number, below: number) => `{ realm(name: "${realm}") {
  groups(first: ${first}, filter: { isTopLevel: true }) { totalCount edges { node { ${fields}
    descendants(first: ${below}) { totalCount pageInfo { endCursor } edges { node { ${fields} } } } } } } } }`;
const list = (first: number) => `{ realm(name: "${realm}") {
  groups(first: ${first}, orderBy: { field: PATH }) { totalCount edges { node { ${fields} } } } } }`;

type Seen = { realm: { groups: { edges: { node: { descendantCount: number; memberCount: number } }[] } } };

beforeAll(async () => {
  const user = (username: string, roles: string[]) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'pw' }],
    groups: Array.from({ length: 100 }, (_, at) => `/g-${at}`),
    clientRoles: { 'realm-management': roles },
  });
  const made = await startWithRealm(
    {
      realm,
      enabled: true,
      roles: { realm: [{ name: 'clerk' }] },
      groups: Array.from({ length: 100 }, (_, at) => ({
        name: `g-${at}`,
        realmRoles: ['clerk'],
        subGroups: [{ name: 'one', subGroups: [{ name: 'inner' }] }, { name: 'two' }],
      })),
      users: [user('viewer', ['view-users']), user('delegate', ['query-groups'])],
    },
    {},
    slowClock,
  );
  admin = made.admin;
  Object.assign(callers, { admin, viewer: await userOf(made.server, realm, 'viewer', 'pw') });
  callers.delegate = await userOf(made.server, realm, 'delegate', 'pw');
  const top: { id: string }[] = (await admin.send('GET', `/${realm}/groups`)).body;
  const some = top.slice(0, 60).map(({ id }) => id);
  await delegate(admin, realm, 'delegate', some, 'view', 'view-members');
});

/** Writes in both realms, so that nothing of them is in a cache. */
async function forget(): Promise<void> {
  for (const name of ['master', realm]) expect((await admin.send('PUT', `/${name}`, {})).status).toBe(204);
}

describe('reading the tree of groups', () => {
  it.each(['admin', 'viewer', 'delegate'])('takes as many statements for 50 groups as for 2, as %s', async (name) => {
    const ask = async (count: number) => {
      await forget();
      const answer = await (callers[name] as Caller).graphql<Seen>(tree(count, 3));
      expect(answer.errors).toBeUndefined();
      const { edges } = answer.data.realm.groups;
      expect(edges).toHaveLength(count);
      for (const { node } of edges) expect(node).toMatchObject({ descendantCount: 3, memberCount: 2 });
      return answer.extensions?.cost?.statements;
    };
    const few = await ask(2);
    expect(few).toBeGreaterThan(0);
    expect(await ask(50)).toBe(few);
  });

  it.each([
    ['trees', tree(100, 20), 60_000],
    ['a list', list(100), 3_000],
    ['the largest page of a list', list(500), 15_000],
  ])('costs, as %s, far less than a request may cost', async (_form, query, most) => {
    const { data, errors, extensions } = await admin.graphql<Seen>(query);
    expect(errors).toBeUndefined();
    expect(data.realm.groups.edges.length).toBeGreaterThanOrEqual(100);
    expect(extensions?.cost?.requested).toBeLessThan(most);
  });

  it('costs no more than was stated, however deep the groups are', async () => {
    const depth = 150;
    let parent = '';
    for (let at = 0; at < depth; at += 1) {
      const path = parent === '' ? `/${realm}/groups` : `/${realm}/groups/${parent}/children`;
      const { headers, body } = await admin.send('POST', path, { name: `d${at}` });
      parent = body?.id ?? headers.get('location')?.split('/').at(-1) ?? '';
    }
    const { errors, extensions, data } = await admin.graphql<{
      realm: { groups: { edges: { node: { depth: number; ancestors: { totalCount: number; edges: object[] } } }[] } };
    }>(`{ realm(name: "${realm}") { groups(first: 500, filter: { path: { startsWith: "/d0" } }) {
      edges { node { depth ancestors { totalCount edges { node { id path } } } } } } } }`);
    expect(errors).toBeUndefined();
    const found = data.realm.groups.edges.map(({ node }) => node);
    expect(found).toHaveLength(depth);
    for (const { depth: above, ancestors } of found) {
      expect(ancestors.totalCount).toBe(above);
      expect(ancestors.edges).toHaveLength(Math.min(above, 20));
    }
    expect(extensions?.cost?.actual).toBeLessThanOrEqual(extensions?.cost?.requested ?? 0);
  });
});
