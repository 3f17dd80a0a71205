// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';
import { asRealm, clientId, generate, type Model } from './model.js';

// What the server computes, against a plain model of the same roles, groups and users.

const realm = 'effective';
let server: TestServer;
let admin: Caller;
let model: Model;
let ids: { users: Map<string, string>; groups: Map<string, string>; client: string };

interface Named {
  name: string;
}
interface Connection<N> {
  totalCount: number;
  edges: { isDirect: boolean; cursor: string; node: N }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const sorted = (names: Iterable<string>) => [...names].sort();
const namesOf = (roles: Named[]) => sorted(roles.map(({ name }) => name));
/** Without the roles that every realm has. */
const ofModel = (names: string[]) => names.filter((name) => model.composites.has(name));
const isClientRole = (name: string) => name.startsWith(clientId);

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  model = generate(7, { roles: 60, groups: 40, users: 60 });
  const created = await admin.send('POST', '/', asRealm(realm, model));
  expect(created.status).toBe(201);
  const users = (await admin.send('GET', `/${realm}/users?max=1000`)).body as { id: string; username: string }[];
  const clients = (await admin.send('GET', `/${realm}/clients?clientId=${clientId}`)).body as { id: string }[];
  const groups = new Map<string, string>();
  for (const path of model.groups.keys()) {
    groups.set(path, (await admin.send('GET', `/${realm}/group-by-path${path}`)).body.id);
  }
  ids = {
    users: new Map(users.map(({ id, username }) => [username, id])),
    groups,
    client: clients[0]?.id ?? '',
  };
});

/** The answers of the REST contract for an owner, by the end of the path. */
async function answered(owner: string, path: string): Promise<string[]> {
  const { status, body } = await admin.send('GET', `/${realm}/${owner}/role-mappings/${path}`);
  expect(status).toBe(200);
  return ofModel(namesOf(body));
}

describe('effective and available roles over REST', () => {
  it('are those of the model for every user', async () => {
    const all = [...model.composites.keys()];
    for (const [name, id] of ids.users) {
      const held = model.rolesOf(name);
      const owner = `users/${id}`;
      const expected = (client: boolean, inEffect: boolean) =>
        sorted(all.filter((role) => isClientRole(role) === client && held.has(role) === inEffect));
      expect(await answered(owner, 'realm/composite')).toEqual(expected(false, true));
      expect(await answered(owner, 'realm/available')).toEqual(expected(false, false));
      expect(await answered(owner, `clients/${ids.client}/composite`)).toEqual(expected(true, true));
      expect(await answered(owner, `clients/${ids.client}/available`)).toEqual(expected(true, false));
    }
  });

  it('leave out what a group has through its parents', async () => {
    for (const [path, id] of ids.groups) {
      const held = [...model.rolesThrough(path, false)].filter((role) => !isClientRole(role));
      expect(await answered(`groups/${id}`, 'realm/composite')).toEqual(sorted(held));
    }
  });

  it('take one statement besides that of the owner', async () => {
    const path = `/${realm}/users/${ids.users.get('u001')}/role-mappings/realm/composite`;
    await admin.send('GET', path);
    expect(await countStatements(server, () => admin.send('GET', path))).toBe(2);
  });
});

const roleFields = 'totalCount edges { isDirect node { id name } }';

describe('effective roles over GraphQL', () => {
  it('are those of the model for users, and tell the direct ones', async () => {
    const { data } = await admin.graphql<{
      realm: { users: { edges: { node: { username: string; effectiveRoles: Connection<Named> } }[] } };
    }>(`{ realm(name: "${realm}") { users(first: 100) { edges { node {
      username effectiveRoles(first: 100) { ${roleFields} } } } } } }`);
    expect(data.realm.users.edges).toHaveLength(60);
    for (const { node } of data.realm.users.edges) {
      const { edges, totalCount } = node.effectiveRoles;
      expect(ofModel(edges.map((edge) => edge.node.name))).toEqual(sorted(model.rolesOf(node.username)));
      expect(totalCount).toBe(edges.length);
      const direct = ofModel(edges.filter((edge) => edge.isDirect).map((edge) => edge.node.name));
      expect(direct).toEqual(sorted(direct));
      for (const name of direct) expect(model.users.get(node.username)?.roles).toContain(name);
    }
  });

  it('include what groups have through their parents', async () => {
    const { data } = await admin.graphql<{
      realm: { groups: { edges: { node: { path: string; effectiveRoles: Connection<Named> } }[] } };
    }>(`{ realm(name: "${realm}") { groups(first: 100) { edges { node {
      path effectiveRoles(first: 100) { ${roleFields} } } } } } }`);
    expect(data.realm.groups.edges).toHaveLength(40);
    for (const { node } of data.realm.groups.edges) {
      const names = node.effectiveRoles.edges.map((edge) => edge.node.name);
      expect(names).toEqual(sorted(model.rolesThrough(node.path, true)));
    }
  });

  it('have the users who have a role', async () => {
    type Page = {
      realm: { roles: { edges: { node: Named & { effectiveUsers: Connection<{ username: string }> } }[] } };
    };
    const { data } = await admin.graphql<Page>(`{ realm(name: "${realm}") { roles(first: 100) { edges { node {
      name effectiveUsers(first: 100) { totalCount edges { isDirect node { username } } } } } } } }`);
    for (const { node } of data.realm.roles.edges) {
      if (!model.composites.has(node.name)) continue;
      const holders = [...model.users.keys()].filter((user) => model.rolesOf(user).has(node.name));
      const { edges, totalCount } = node.effectiveUsers;
      expect(edges.map((edge) => edge.node.username)).toEqual(sorted(holders));
      expect(totalCount).toBe(holders.length);
      for (const edge of edges) {
        if (edge.isDirect) expect(model.users.get(edge.node.username)?.roles).toContain(node.name);
      }
    }
  });

  it('come in pages that add up to the whole', async () => {
    type Page = { node: { effectiveUsers: Connection<{ username: string }> } };
    const name = [...model.composites.keys()].find(
      (role) => [...model.users.keys()].filter((user) => model.rolesOf(user).has(role)).length > 12,
    );
    const path = isClientRole(name as string) ? `clients/${ids.client}/roles` : 'roles';
    const { id } = (await admin.send('GET', `/${realm}/${path}/${name}`)).body as { id: string };
    const query = `query($id: ID!, $after: String) { node(id: $id) { ... on Role {
      effectiveUsers(first: 5, after: $after) { edges { cursor node { username } } pageInfo { hasNextPage endCursor } } } } }`;
    const found: string[] = [];
    let after: string | null = null;
    do {
      const page: { data: Page } = await admin.graphql<Page>(query, { id: btoa(`Role:${id}`), after });
      const { edges, pageInfo } = page.data.node.effectiveUsers;
      found.push(...edges.map((edge) => edge.node.username));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(found).toEqual(sorted([...model.users.keys()].filter((user) => model.rolesOf(user).has(name as string))));
  });

  it('come in pages from either end, filtered, and in other orders', async () => {
    type Users = Pick<Connection<{ username: string }>, 'edges' | 'pageInfo'> & {
      pageInfo: { hasPreviousPage: boolean; startCursor: string | null };
    };
    const roles = [...model.composites.keys()].filter((role) => !isClientRole(role));
    const query = `query($realm: String!, $page: String, $back: String, $filter: UserFilter, $order: UserOrder) {
      realm(name: $realm) { roles(first: 70) { edges { node { name
        next: effectiveUsers(first: 3, after: $page, filter: $filter, orderBy: $order) { ...users }
        last: effectiveUsers(last: 3, before: $back, filter: $filter, orderBy: $order) { ...users } } } } } }
      fragment users on EffectiveUserConnection { edges { isDirect node { username } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
    const isEven = (name: string) => Number(name.slice(1)) % 2 === 0;
    const even = [...model.users.keys()].filter(isEven);
    for (const filter of [undefined, { username: { in: even } }]) {
      for (const direction of ['ASC', 'DESC']) {
        for (const at of [undefined, 'u020', 'u059']) {
          const order = { field: 'USERNAME', direction };
          const id = at && ids.users.get(at);
          const cursor = id && Buffer.from(JSON.stringify([at, id])).toString('base64url');
          const variables = { realm, page: cursor, back: cursor, filter, order };
          const { data } = await admin.graphql<{
            realm: { roles: { edges: { node: Named & { next: Users; last: Users } }[] } };
          }>(query, variables);
          const named = new Map(data.realm.roles.edges.map(({ node }) => [node.name, node]));
          for (const role of roles) {
            const held = sorted(
              [...model.users.keys()].filter((user) => model.rolesOf(user).has(role) && (!filter || isEven(user))),
            );
            const all = direction === 'ASC' ? held : held.toReversed();
            const isBeyond = (user: string) => (direction === 'ASC' ? user > (at ?? '') : user < (at ?? ''));
            const after = at === undefined ? all : all.filter(isBeyond);
            const before = at === undefined ? all : all.filter((user) => user !== at && !isBeyond(user));
            const names = ({ edges }: Users) => edges.map(({ node }) => node.username);
            const found = named.get(role) as { next: Users; last: Users };
            expect([role, names(found.next)]).toEqual([role, after.slice(0, 3)]);
            expect([role, names(found.last)]).toEqual([role, before.slice(-3)]);
            expect([found.next.pageInfo.hasNextPage, found.last.pageInfo.hasPreviousPage]).toEqual([
              after.length > 3,
              before.length > 3,
            ]);
          }
        }
      }
    }
  });

  it('leave the others available', async () => {
    type Page = { realm: { users: { edges: { node: { username: string; availableRoles: Connection<Named> } }[] } } };
    const { data } = await admin.graphql<Page>(`{ realm(name: "${realm}") { users(first: 100) { edges { node {
      username availableRoles(first: 100, filter: { name: { contains: "r" } }) { edges { node { name } } } } } } } }`);
    for (const { node } of data.realm.users.edges) {
      const held = model.rolesOf(node.username);
      const rest = [...model.composites.keys()].filter((role) => !held.has(role));
      expect(ofModel(node.availableRoles.edges.map((edge) => edge.node.name))).toEqual(sorted(rest));
    }
  });

  it('cost the same number of statements whatever the number of users', async () => {
    const counted = async (first: number) => {
      const { extensions, errors } =
        await admin.graphql(`{ realm(name: "${realm}") { users(first: ${first}) { edges { node {
        effectiveRoles(first: 5) { totalCount edges { isDirect node { name effectiveUsers(first: 3) { totalCount edges { node { username } } } } } }
        availableRoles(first: 5) { totalCount edges { node { name } } } } } } } }`);
      expect(errors).toBeUndefined();
      return extensions?.cost?.statements;
    };
    await counted(1);
    expect(await counted(50)).toBe(await counted(2));
    expect(await counted(50)).toBeLessThanOrEqual(6);
  });
});
