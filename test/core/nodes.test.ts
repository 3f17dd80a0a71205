// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer } from '../support/server.js';

// Many nodes by their ids at once: each at its place, and all of a type in as many statements as two of it.
const count = 50;
const names = Array.from({ length: count }, (_, at) => `n${String(at).padStart(2, '0')}`);
const password = { type: 'password', value: 'pw' };
const helper = (username: string, right: string) => ({
  username,
  enabled: true,
  credentials: [password],
  clientRoles: { 'realm-management': [right] },
});
const large = {
  realm: 'large',
  enabled: true,
  users: [...names.map((username) => ({ username })), helper('keeper', 'view-users'), helper('seller', 'view-clients')],
  clients: names.map((clientId) => ({
    clientId,
    authorizationServicesEnabled: true,
    serviceAccountsEnabled: true,
    authorizationSettings: { scopes: [{ name: clientId }] },
  })),
  roles: { realm: names.map((name) => ({ name })) },
  groups: names.map((name) => ({ name })),
  // users of a storage that is switched off and does not import them are not shown: another statement
  components: {
    'org.keycloak.storage.UserStorageProvider': [
      { name: 'off', providerId: 'ldap', config: { enabled: ['false'], importEnabled: ['false'] } },
    ],
  },
};

let admin: Caller;
let keeper: Caller;
let seller: Caller;
const ids: Record<string, string[]> = {};

interface Node {
  id: string;
  __typename: string;
}

const ask = (caller: Caller, given: readonly string[], selection = 'id __typename') =>
  caller.graphql<{ nodes: (Node | null)[] | null; viewer: { realm: string } }>(
    `query ($ids: [ID!]!) { viewer { realm } nodes(ids: $ids) { ${selection} } }`,
    { ids: given },
  );

beforeAll(async () => {
  const server = await startServer({}, slowClock);
  admin = await administrator(server);
  expect((await admin.send('POST', '/', large)).status).toBe(201);
  for (const realm of names) expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
  keeper = await userOf(server, 'large', 'keeper', 'pw');
  seller = await userOf(server, 'large', 'seller', 'pw');
  type List = { edges: { node: Node }[] };
  const { data } = await admin.graphql<{ realms: List; realm: Record<string, List> }>(`{
    realms(first: ${count}, filter: { name: { startsWith: "n" } }) { edges { node { id __typename } } }
    realm(name: "large") {
      ${['users', 'clients', 'roles', 'groups']
        .map((field) => `${field}(first: ${count}) { edges { node { id __typename } } }`)
        .join(' ')}
      authorized: clients(first: ${count}, filter: { clientId: { startsWith: "n" } }) {
        edges { node { authorizationScopes(first: 1) { edges { node { id __typename } } } } }
      }
    }
  }`);
  const { authorized, ...lists } = data.realm as Record<string, List> & { authorized: { edges: { node: object }[] } };
  const scopes = authorized.edges.flatMap(
    ({ node }) => (node as { authorizationScopes: List }).authorizationScopes.edges,
  );
  for (const list of [...Object.values(lists), data.realms, { edges: scopes }]) {
    ids[list.edges[0]?.node.__typename ?? ''] = list.edges.map(({ node }) => node.id);
  }
});

const some = (type: string, at = 0): string => ids[type]?.[at] ?? '';

describe('nodes', () => {
  it('are answered in the order of their ids, also one that is named twice', async () => {
    const given = [some('Group'), some('User', 3), some('Realm'), some('User', 1), some('Group')];
    const { data, errors } = await ask(admin, given);
    expect(errors).toBeUndefined();
    expect(data.nodes?.map((node) => node?.id)).toEqual(given);
    expect(data.nodes?.map((node) => node?.__typename)).toEqual(['Group', 'User', 'Realm', 'User', 'Group']);
    expect((await ask(admin, [])).data.nodes).toEqual([]);
  });

  it('are null where there is none or the caller may not view it', async () => {
    const given = [some('User'), some('Client'), some('Realm'), btoa('User:nobody'), btoa('Nothing:at-all')];
    const shown = async (caller: Caller) => {
      const { data, errors } = await ask(caller, given);
      expect(errors).toBeUndefined();
      return data.nodes?.map((node) => node?.id);
    };
    expect(await shown(admin)).toEqual([given[0], given[1], given[2], undefined, undefined]);
    expect(await shown(keeper)).toEqual([given[0], undefined, undefined, undefined, undefined]);
    expect(await shown(seller)).toEqual([undefined, given[1], undefined, undefined, undefined]);
  });

  it('have an error at the place of a text that is no id', async () => {
    const { data, errors } = await ask(admin, [some('User'), 'nonsense', some('Group'), btoa('User:a\0b')]);
    expect(data.viewer).toEqual({ realm: 'master' });
    expect(data.nodes?.map((node) => node?.id)).toEqual([some('User'), undefined, some('Group'), undefined]);
    expect(errors).toMatchObject([
      { path: ['nodes', 1], extensions: { code: 'BAD_ID', field: 'ids.1' } },
      { path: ['nodes', 3], extensions: { code: 'BAD_ID', field: 'ids.3' } },
    ]);
  });

  it('are at most 100', async () => {
    const given = Array.from({ length: 101 }, () => some('User'));
    const { data, errors } = await ask(admin, given);
    expect(data).toEqual({ viewer: { realm: 'master' }, nodes: null });
    expect(errors).toMatchObject([{ path: ['nodes'], extensions: { code: 'LIMIT', field: 'ids' } }]);
    expect((await ask(admin, given.slice(1))).data.nodes).toHaveLength(100);
  });

  it.each(['User', 'Client', 'Role', 'Group', 'Realm', 'AuthorizationScope'])(
    'of the type %s take as many statements for 50 as for 2',
    async (type) => {
      const fields: Record<string, string> = {
        User: 'username roles: directRoles { totalCount }',
        Realm: 'name displayName isEnabled',
      };
      const selection = `id ... on ${type} { ${fields[type] ?? 'name'} }`;
      const statements = async (length: number) => {
        // nothing of either realm is in a cache then
        for (const realm of ['master', 'large']) expect((await admin.send('PUT', `/${realm}`, {})).status).toBe(204);
        const given = ids[type]?.slice(0, length) ?? [];
        const { data, errors, extensions } = await ask(admin, given, selection);
        expect(errors).toBeUndefined();
        expect(data.nodes?.map((node) => node?.id)).toEqual(given);
        return extensions?.cost?.statements;
      };
      const few = await statements(2);
      expect(await statements(count)).toBe(few);
      expect(few).toBeLessThan(12);
    },
  );

  it('of several types take the statements of each type', async () => {
    const given = ['User', 'Client', 'Role', 'Group'].flatMap((type) => ids[type]?.slice(0, 25) ?? []);
    const { data, extensions } = await ask(admin, given);
    expect(data.nodes?.map((node) => node?.id)).toEqual(given);
    expect(extensions?.cost?.statements).toBeLessThan(15);
    expect(extensions?.cost?.requested).toBeGreaterThan(100);
  });
});
