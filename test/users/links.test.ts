// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';

let server: TestServer;
let admin: Caller;
let viewer: Caller;
let realm: string;
let ids: Record<string, string>;

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  await admin.send('POST', '/', {
    realm: 'links',
    enabled: true,
    adminEventsEnabled: true,
    groups: [{ name: 'one' }, { name: 'two' }],
    roles: { realm: [{ name: 'clerk' }], client: { account: [{ name: 'keeper' }] } },
    users: [
      ...Array.from({ length: 60 }, (_, at) => ({ username: `u${String(at).padStart(2, '0')}` })),
      {
        username: 'viewer',
        enabled: true,
        credentials: [{ type: 'password', value: 'pw' }],
        clientRoles: { 'realm-management': ['view-users'] },
      },
      {
        username: 'helper',
        enabled: true,
        credentials: [{ type: 'password', value: 'pw' }],
        clientRoles: { 'realm-management': ['manage-users', 'view-realm'] },
      },
    ],
  });
  viewer = await userOf(server, 'links', 'viewer', 'pw');
  const read = async (path: string) => (await admin.send('GET', `/links${path}`)).body;
  realm = node('Realm', (await read('')).id);
  const users = await read('/users?max=100');
  const groups = await read('/groups');
  const [account] = await read('/clients?clientId=account');
  const [management] = await read('/clients?clientId=realm-management');
  ids = Object.fromEntries([
    ...users.map((user: { id: string; username: string }) => [user.username, node('User', user.id)]),
    ...groups.map((group: { id: string; name: string }) => [group.name, node('Group', group.id)]),
    ['clerk', node('Role', (await read('/roles/clerk')).id)],
    ['keeper', node('Role', (await read(`/clients/${account.id}/roles/keeper`)).id)],
    ['manage-realm', node('Role', (await read(`/clients/${management.id}/roles/manage-realm`)).id)],
  ]);
});

interface Payload {
  users?: { username: string }[] | null;
  group?: { name: string } | null;
  userErrors: { code: string; path: string[] | null; message: string }[];
}

async function mutate(name: string, input: object, by = admin, directive = ''): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const group = name.startsWith('group') ? 'group { name }' : '';
  const { data, errors } = await by.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) ${directive} { ${name}(input: $input) {
      ${group} users { username } userErrors { code path message } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

const some = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => ids[`u${String(at + from).padStart(2, '0')}`] ?? '');

async function state(username: string) {
  const { data } = await admin.graphql<{ realm: { user: Record<string, { edges: { node: { name: string } }[] }> } }>(
    `{ realm(name: "links") { user(username: "${username}") { groups { edges { node { name } } } directRoles { edges { node { name } } } } } }`,
  );
  const names = (field: string) => data.realm.user[field]?.edges.map(({ node: { name } }) => name).sort();
  return { groups: names('groups'), roles: names('directRoles')?.filter((name) => !name.startsWith('default-roles')) };
}

const recorded = (resourceType: string) =>
  server.database.read.adminEvent.count({ where: { resourceType, operation: { startsWith: 'user.' } } });

describe('links of many users', () => {
  it('are written and removed, each with its event', async () => {
    const before = await recorded('GROUP_MEMBERSHIP');
    const joined = await mutate('usersJoinGroups', { realm, users: some(3), groups: [ids.one, ids.two] });
    expect(joined.userErrors).toEqual([]);
    expect(joined.users?.map(({ username }) => username)).toEqual(['u00', 'u01', 'u02']);
    expect(await recorded('GROUP_MEMBERSHIP')).toBe(before + 6);
    // what is there already is left as it is, and not recorded
    await mutate('usersJoinGroups', { realm, users: some(4), groups: [ids.one] });
    expect(await recorded('GROUP_MEMBERSHIP')).toBe(before + 7);
    expect((await state('u00')).groups).toEqual(['one', 'two']);
    await mutate('usersLeaveGroups', { realm, users: some(2), groups: [ids.one] });
    expect([await state('u00'), await state('u02')].map(({ groups }) => groups)).toEqual([['two'], ['one', 'two']]);

    const roles = [ids.clerk, ids.keeper];
    expect((await mutate('usersAddRoles', { realm, users: some(2), roles })).userErrors).toEqual([]);
    expect((await state('u01')).roles).toEqual(['clerk', 'keeper']);
    await mutate('usersRemoveRoles', { realm, users: some(2), roles: [ids.clerk] });
    expect((await state('u01')).roles).toEqual(['keeper']);
    expect(await recorded('REALM_ROLE_MAPPING')).toBe(4);
  });

  it('are written from the group', async () => {
    const added = await mutate('groupAddMembers', { id: ids.two, users: some(2, 10) });
    expect(added).toMatchObject({ group: { name: 'two' }, userErrors: [] });
    expect((await state('u11')).groups).toEqual(['two']);
    await mutate('groupRemoveMembers', { id: ids.two, users: some(1, 10) });
    expect([(await state('u10')).groups, (await state('u11')).groups]).toEqual([[], ['two']]);
  });

  it('take the same statements for few and for many', async () => {
    const statements = async (name: string, input: object) => {
      await mutate(name, { realm, ...input, users: some(1, 59) });
      return countStatements(server, () => mutate(name, input));
    };
    for (const [name, input] of [
      ['usersJoinGroups', { groups: [ids.one, ids.two] }],
      ['usersLeaveGroups', { groups: [ids.one, ids.two] }],
      ['usersAddRoles', { roles: [ids.clerk, ids.keeper] }],
      ['usersRemoveRoles', { roles: [ids.clerk, ids.keeper] }],
    ] as const) {
      const few = await statements(name, { realm, ...input, users: some(2, 20) });
      expect(await statements(name, { realm, ...input, users: some(30, 25) }), name).toBe(few);
    }
  });

  it('name what is wrong by its place, and change nothing', async () => {
    const unknown = node('User', 'unknown');
    const users = [...some(1, 15), unknown, ...some(1, 15)];
    const refused = await mutate('usersJoinGroups', { realm, users, groups: [ids.one] });
    const faults = [
      ['NOT_FOUND', ['users', '1']],
      ['REPEATED', ['users', '2']],
    ];
    expect(refused.userErrors.map(({ code, path }) => [code, path])).toEqual(faults);
    expect((await state('u15')).groups).toEqual([]);
    const rest = await mutate('usersJoinGroups', { realm, users, groups: [ids.one], onError: 'CONTINUE' });
    expect(rest.users).toEqual([{ username: 'u15' }]);
    expect(rest.userErrors.map(({ code, path }) => [code, path])).toEqual(faults);
    const group = await mutate('usersJoinGroups', { realm, users, groups: [ids.one, node('Group', 'unknown')] });
    expect(group.userErrors[0]).toMatchObject({ code: 'NOT_FOUND', path: ['groups', '1'] });
    const many = await mutate('usersAddRoles', { realm, users: Array(1001).fill(unknown), roles: [ids.clerk] });
    expect(many.userErrors[0]).toMatchObject({ code: 'INVALID', path: ['users'] });
  });

  it('are tried without being written', async () => {
    const dry = await mutate('usersJoinGroups', { realm, users: some(2, 16), groups: [ids.one] }, admin, '@dryRun');
    expect(dry.users).toHaveLength(2);
    expect((await state('u16')).groups).toEqual([]);
  });

  it('require permission, and give nobody more than the caller has', async () => {
    for (const [name, input] of [
      ['usersJoinGroups', { realm, groups: [ids.one] }],
      ['usersLeaveGroups', { realm, groups: [ids.one] }],
      ['usersAddRoles', { realm, roles: [ids.clerk] }],
      ['usersRemoveRoles', { realm, roles: [ids.clerk] }],
      ['groupAddMembers', { id: ids.one }],
      ['groupRemoveMembers', { id: ids.one }],
    ] as const) {
      const { userErrors } = await mutate(name, { ...input, users: some(1) }, viewer);
      expect(userErrors[0]?.code, name).toMatch(/FORBIDDEN|NOT_FOUND/);
    }
    const helper = await userOf(server, 'links', 'helper', 'pw');
    const risen = await mutate('usersAddRoles', { realm, users: some(1), roles: [ids['manage-realm']] }, helper);
    expect(risen.userErrors[0]?.code).toBe('FORBIDDEN');
    expect((await mutate('usersAddRoles', { realm, users: some(1), roles: [ids.clerk] }, helper)).userErrors).toEqual(
      [],
    );
  });
});
