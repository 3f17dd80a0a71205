// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';

// Groups and roles that are created many at a time, and roles that many groups are given.
const realm = 'many-new';
let server: TestServer;
let admin: Caller;
const ids: Record<string, string> = {};

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');
const send = async (path: string) => (await admin.send('GET', `/${realm}${path}`)).body;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      groups: [{ name: 'parent', subGroups: [{ name: 'taken' }] }, ...numbered('g', 60).map((name) => ({ name }))],
      roles: { realm: [{ name: 'taken' }, { name: 'one' }, { name: 'two' }] },
      clients: [{ clientId: 'app' }],
      users: ['manage-users', 'manage-clients', 'manage-realm'].map((username) => ({
        username,
        enabled: true,
        credentials: [{ type: 'password', value: 'pw' }],
        clientRoles: { 'realm-management': [username] },
      })),
    },
    {},
    slowClock,
  ));
  ids.realm = node('Realm', (await send('')).id);
  for (const { id, name } of await send('/groups')) ids[name] = node('Group', id);
  for (const { id, name } of await send('/roles')) ids[name] = node('Role', id);
  for (const { id, clientId } of await send('/clients')) ids[clientId] = node('Client', id);
  const management = Buffer.from(ids['realm-management'] ?? '', 'base64')
    .toString()
    .split(':')[1];
  ids.admin = node('Role', (await send(`/clients/${management}/roles/realm-admin`)).id);
});

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

interface Payload {
  groups?: { path: string; version: number; roles: { totalCount: number } }[] | null;
  roles?: { name: string; isClientRole: boolean }[] | null;
  userErrors: { code: string; message: string; path: string[] | null }[];
  isReplayed: boolean;
}

async function mutate(name: string, input: object, caller = admin, directive = ''): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const result = name.startsWith('groups')
    ? 'groups { path version roles { totalCount } }'
    : 'roles { name isClientRole }';
  const { data, errors } = await caller.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) ${directive} { ${name}(input: $input) { ${result} userErrors { code message path } isReplayed } }`,
    { input: { realm: ids.realm, ...input } },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

const codes = ({ userErrors }: Payload) => userErrors.map(({ code, path }) => [code, path?.join('.')]);

describe('groupsCreate', () => {
  it('refuses each group at its place, and creates the others', async () => {
    const groups = [
      { parent: ids.parent, name: 'taken' },
      { parent: ids.parent, name: 'fine' },
      { parent: ids.parent, name: 'fine' },
      { parent: ids.realm, name: '' },
      { parent: node('Group', 'unknown'), name: 'x' },
    ];
    const faults = [
      ['NAME_TAKEN', 'groups.0.name'],
      ['NAME_TAKEN', 'groups.2.name'],
      ['NAME_INVALID', 'groups.3.name'],
      ['NOT_FOUND', 'groups.4.parent'],
    ];
    const refused = await mutate('groupsCreate', { groups });
    expect([codes(refused), refused.groups]).toEqual([faults, null]);
    const rest = await mutate('groupsCreate', { groups, onError: 'CONTINUE', idempotencyKey: 'groups' });
    expect([codes(rest), rest.groups?.map(({ path }) => path)]).toEqual([faults, ['/parent/fine']]);
    const again = await mutate('groupsCreate', { groups, onError: 'CONTINUE', idempotencyKey: 'groups' });
    expect(again).toEqual({ ...rest, isReplayed: true });
    const wrong = [{ parent: ids.app, name: 'x' }];
    expect(codes(await mutate('groupsCreate', { groups: wrong }))).toEqual([['BAD_ID', 'groups.0.parent']]);
  });
});

describe('rolesCreate', () => {
  it('refuses each role at its place, and creates the others', async () => {
    const roles = [
      { container: ids.realm, name: 'taken' },
      { container: ids.app, name: 'taken' },
      { container: ids.app, name: 'taken' },
      { container: ids.realm, name: '' },
      { container: node('Client', 'unknown'), name: 'x' },
      { container: node('Realm', 'unknown'), name: 'x' },
    ];
    const faults = [
      ['NAME_TAKEN', 'roles.0.name'],
      ['NAME_TAKEN', 'roles.2.name'],
      ['INVALID', 'roles.3.name'],
      ['NOT_FOUND', 'roles.4.container'],
      ['NOT_FOUND', 'roles.5.container'],
    ];
    expect(codes(await mutate('rolesCreate', { roles }))).toEqual(faults);
    const rest = await mutate('rolesCreate', { roles, onError: 'CONTINUE' });
    expect([codes(rest), rest.roles]).toEqual([faults, [{ name: 'taken', isClientRole: true }]]);
  });

  it('asks for the permission of each container', async () => {
    const roles = [
      { container: ids.realm, name: 'asked' },
      { container: ids.app, name: 'asked' },
      { container: ids['realm-management'], name: 'asked' },
    ];
    const refused = async (username: string) => {
      const caller = await userOf(server, realm, username, 'pw');
      return codes(await mutate('rolesCreate', { roles, onError: 'CONTINUE' }, caller, '@dryRun'));
    };
    expect(await refused('manage-realm')).toEqual([
      ['NOT_FOUND', 'roles.1.container'],
      ['NOT_FOUND', 'roles.2.container'],
    ]);
    expect(await refused('manage-clients')).toEqual([
      ['FORBIDDEN', 'roles.0'],
      ['FORBIDDEN', 'roles.2'],
    ]);
    expect(await refused('manage-users')).toEqual([['FORBIDDEN', undefined]]);
  });
});

describe.each([
  ['groupsCreate', 'groups', 'parent'],
  ['rolesCreate', 'roles', 'container'],
] as const)('%s', (mutation, list, place) => {
  it('refuses a name that is taken at its place, also where only this one is left', async () => {
    const container = list === 'groups' ? ids.parent : ids.realm;
    const taken = { [place]: container, name: 'taken' };
    const unknown = { [place]: node(list === 'groups' ? 'Group' : 'Client', 'unknown'), name: 'x' };
    for (const onError of ['ROLLBACK', 'CONTINUE']) {
      const alone = await mutate(mutation, { [list]: [taken], onError });
      expect(codes(alone)).toEqual([['NAME_TAKEN', `${list}.0.name`]]);
      expect(alone.userErrors[0]?.message).toContain('already exists');
      expect(codes(await mutate(mutation, { [list]: [unknown, taken], onError }))).toEqual([
        ['NOT_FOUND', `${list}.0.${place}`],
        ['NAME_TAKEN', `${list}.1.name`],
      ]);
    }
    expect((await mutate(mutation, { [list]: [taken], onError: 'CONTINUE' }))[list]).toEqual([]);
  });
});

describe('groupsAddRoles and groupsRemoveRoles', () => {
  it('refuse each group at its place, and all for a role that is not there', async () => {
    const input = { groups: [ids.g0, node('Group', 'unknown'), ids.g0, ids.g1], roles: [ids.one, ids.two, ids.one] };
    const faults = [
      ['NOT_FOUND', 'groups.1'],
      ['REPEATED', 'groups.2'],
    ];
    expect(codes(await mutate('groupsAddRoles', input))).toEqual(faults);
    const rest = await mutate('groupsAddRoles', { ...input, onError: 'CONTINUE' });
    expect([codes(rest), rest.groups?.map((group) => group.roles.totalCount)]).toEqual([faults, [2, 2]]);
    const unknown = { groups: [ids.g0], roles: [ids.one, node('Role', 'unknown')] };
    expect(codes(await mutate('groupsRemoveRoles', unknown))).toEqual([['NOT_FOUND', 'roles.1']]);
    const taken = await mutate('groupsRemoveRoles', { groups: [ids.g0, ids.g1], roles: [ids.one] });
    expect(taken.groups?.map((group) => group.roles.totalCount)).toEqual([1, 1]);
    const many = { groups: numbered('g', 60).map((name) => ids[name]), roles: Array(200).fill(ids.one) };
    expect(codes(await mutate('groupsAddRoles', many))).toEqual([['INVALID', 'roles']]);
  });

  it('give no group administration roles that the caller does not have', async () => {
    const caller = await userOf(server, realm, 'manage-users', 'pw');
    const input = { groups: [ids.g0, ids.g1] };
    for (const mutation of ['groupsAddRoles', 'groupsRemoveRoles']) {
      expect(codes(await mutate(mutation, { ...input, roles: [ids.one, ids.admin] }, caller))).toEqual([
        ['FORBIDDEN', 'groups.0'],
        ['FORBIDDEN', 'groups.1'],
      ]);
      expect(codes(await mutate(mutation, { ...input, roles: [ids.one] }, caller))).toEqual([]);
    }
  });
});

describe('the number of statements', () => {
  const attributes = [{ name: 'a', values: ['1', '2'] }];
  const inputs: Record<string, (names: string[]) => object> = {
    groupsCreate: (names) => ({
      groups: names.flatMap((name) => [
        { parent: ids.parent, name: `new ${name}`, attributes },
        { parent: ids.realm, name: `new ${name}` },
      ]),
    }),
    rolesCreate: (names) => ({
      roles: names.flatMap((name) => [
        { container: ids.app, name: `new ${name}`, attributes },
        { container: ids.realm, name: `new ${name}` },
      ]),
    }),
    groupsAddRoles: (names) => ({ groups: names.map((name) => ids[name]), roles: [ids.one, ids.two] }),
    groupsRemoveRoles: (names) => ({ groups: names.map((name) => ids[name]), roles: [ids.one, ids.two] }),
  };

  it.each(Object.entries(inputs))('is the same for 2 and for 50: %s', async (mutation, inputOf) => {
    const names = numbered('g', 60);
    for (const caller of [
      admin,
      await userOf(server, realm, mutation === 'rolesCreate' ? 'manage-realm' : 'manage-users', 'pw'),
    ]) {
      const directive = caller === admin ? '' : '@dryRun';
      const statements = (from: number, to: number) =>
        countStatements(server, () => mutate(mutation, inputOf(names.slice(from, to)), caller, directive));
      await statements(0, 2);
      const few = await statements(2, 4);
      expect(await statements(5, 55)).toBe(few);
    }
  });
});
