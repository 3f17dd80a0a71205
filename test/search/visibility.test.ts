import { beforeAll, describe, expect, it } from 'vitest';
import { permitUser } from '../permissions/permit.js';
import { realmAdmin, roleNames, singleRoleUsers } from '../permissions/rules.js';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';

// What a search finds is held against the lists of the realm, as callers with one role and with fine-grained permissions.
const realm = 'held';
let server: TestServer;
let admin: Caller;

/** The list that shows what a search for a type finds. */
const lists: Record<string, string> = {
  USER: 'users(first: 50, filter: { search: "cedar" })',
  GROUP: 'groups(first: 50, filter: { search: "cedar" })',
  ROLE: 'roles(first: 50, filter: { search: "cedar" })',
  CLIENT: 'clients(first: 50, filter: { search: "cedar" })',
  CLIENT_SCOPE: 'clientScopes(first: 50, filter: { name: { contains: "cedar" } })',
  IDENTITY_PROVIDER: 'identityProviders(first: 50, filter: { alias: { contains: "cedar" } })',
};

interface Lists {
  realm:
    | (Record<string, { nodes: { id: string }[] } | null> & {
        clients: { nodes: { roles: { nodes: { id: string }[] } | null }[] } | null;
      })
    | null;
}

/** The IDs that the lists show, by types. */
async function listed(caller: Caller): Promise<Record<string, string[]>> {
  const fields = Object.entries(lists).map(([type, list]) => `${type}: ${list} { nodes { id } }`);
  const { data } = await caller.graphql<Lists>(`{ realm(name: "${realm}") { ${fields.join('\n')}
    clients(first: 50) { nodes { roles(filter: { search: "cedar" }) { nodes { id } } } }
    all: allRoles(filter: { search: "cedar" }) { nodes { id } } } }`);
  const { clients = null, all = null, ...own } = data.realm ?? ({} as Partial<NonNullable<Lists['realm']>>);
  const ofClients = [...(clients?.nodes.flatMap(({ roles }) => roles?.nodes ?? []) ?? []), ...(all?.nodes ?? [])];
  return Object.fromEntries(
    Object.keys(lists).map((type) => {
      const rows = [...(own[type]?.nodes ?? []), ...(type === 'ROLE' ? ofClients : [])];
      return [type, [...new Set(rows.map(({ id }) => id))].sort()];
    }),
  );
}

/** The IDs that a search finds, by types. */
async function searched(caller: Caller): Promise<Record<string, string[]>> {
  const { data, errors } = await caller.graphql<{ search: { type: string; node: { id: string } }[] }>(
    '{ search(query: "cedar", first: 50) { type node { id } } }',
  );
  expect(errors).toBeUndefined();
  const ids = (type: string) => data.search.filter((hit) => hit.type === type).map(({ node }) => node.id);
  return Object.fromEntries(Object.keys(lists).map((type) => [type, ids(type).sort()]));
}

const as = (username: string) => userOf(server, realm, username, 'pw');
const helper = (username: string, roles: string[]) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'pw' }],
  clientRoles: { 'realm-management': roles },
});

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      displayName: 'Under cedars',
      roles: {
        realm: [{ name: 'cedar' }],
        client: { 'cedar-shop': [{ name: 'cedar-seller' }], bank: [{ name: 'cedar-teller' }] },
      },
      groups: [{ name: 'cedar-team' }, { name: 'cedar-others' }],
      clients: [{ clientId: 'cedar-shop' }, { clientId: 'bank', name: 'Cedar bank' }],
      clientScopes: [{ name: 'cedar-scope', protocol: 'openid-connect' }],
      identityProviders: [{ alias: 'cedar-partner', providerId: 'oidc' }],
      users: [
        realmAdmin,
        ...singleRoleUsers,
        { username: 'cedar', groups: ['/cedar-team'] },
        { username: 'ann', email: 'ann@cedar.org' },
        helper('keeper', ['query-users', 'query-groups']),
        helper('owner', ['query-users']),
        helper('nobody', []),
      ],
    },
    {},
    slowClock,
  ));
  const users = (await admin.send('GET', `/${realm}/users?max=100`)).body;
  const groups = (await admin.send('GET', `/${realm}/groups`)).body;
  const clients = (await admin.send('GET', `/${realm}/clients`)).body;
  const client = (clientId: string) => clients.find((one: { clientId: string }) => one.clientId === clientId).id;
  const [{ id: team }] = groups.filter(({ name }: { name: string }) => name === 'cedar-team');
  const administration = client('realm-management');
  await admin.send('PUT', `/${realm}/users-management-permissions`, { enabled: true });
  for (const name of ['keeper', 'owner']) {
    const [{ id }] = users.filter(({ username }: { username: string }) => username === name);
    const policy = { name: `is ${name}`, users: [id], logic: 'POSITIVE' };
    await admin.send('POST', `/${realm}/clients/${administration}/authz/resource-server/policy/user`, policy);
  }
  const permit = (path: string, username: string, ...scopes: string[]) =>
    permitUser({ admin, realm, administration }, `${path}/management/permissions`, username, scopes);
  await permit(`/groups/${team}`, 'keeper', 'view', 'view-members');
  await permit(`/clients/${client('cedar-shop')}`, 'owner', 'view');
});

describe('a search finds what the lists show', () => {
  it.each(roleNames)('to a caller with the role %s', async (role) => {
    const caller = await as(role);
    expect(await searched(caller)).toEqual(await listed(caller));
  });

  it('to an administrator of the realm, of every type', async () => {
    const boss = await as('boss');
    const found = await searched(boss);
    expect(found).toEqual(await listed(boss));
    expect(Object.values(found).map(({ length }) => length)).toEqual([2, 2, 3, 2, 1, 1]);
  });

  it.each([
    ['keeper', { USER: 1, GROUP: 1, CLIENT: 0, ROLE: 1 }],
    ['owner', { USER: 0, GROUP: 0, CLIENT: 1, ROLE: 2 }],
  ])('to %s, by fine-grained permissions', async (username, numbers) => {
    const caller = await as(username);
    const found = await searched(caller);
    expect(found).toEqual(await listed(caller));
    expect(Object.fromEntries(Object.entries(found).map(([type, ids]) => [type, ids.length]))).toMatchObject(numbers);
  });

  it('to nobody without a permission, whatever there is', async () => {
    const nobody = await as('nobody');
    const ask = (query: string) => nobody.graphql(`{ search(query: "${query}") { type node { id } } }`);
    await ask('cedar');
    const hidden = await ask('cedar');
    expect(hidden.data).toEqual({ search: [] });
    expect(await ask('birch')).toEqual(hidden);
  });

  it('a display name of the realm only to those who may view its settings', async () => {
    const realms = async (username: string) => {
      const caller = await as(username);
      const { data } = await caller.graphql('{ search(query: "cedars", types: [REALM]) { matchedField } }');
      return data;
    };
    expect(await realms('view-realm')).toEqual({ search: [{ matchedField: 'displayName' }] });
    expect(await realms('view-users')).toEqual({ search: [] });
  });
});
