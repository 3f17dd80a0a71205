// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';
import { may, permissionNames, realmAdmin, roleNames, singleRoleUsers } from './rules.js';

// What `viewer` says of permissions: the table of rules, for an administrator with each role.
const realm = 'viewed';
let server: TestServer;
let admin: Caller;

interface Held {
  permission: string;
  roleNames: string[];
}
interface InRealm {
  realm: { name: string } | null;
  realmName: string;
  roleNames: string[];
  permissions: Held[];
}

const enumName = (permission: string) => permission.replaceAll(/[^a-z]+/g, '_').toUpperCase();

async function permissionsOf(caller: Caller, given = ''): Promise<InRealm[]> {
  const { data, errors } = await caller.graphql<{ viewer: { permissions: InRealm[] } }>(
    `{ viewer { permissions${given} { realm { name } realmName roleNames permissions { permission roleNames } } } }`,
  );
  expect(errors).toBeUndefined();
  return data.viewer.permissions;
}

beforeAll(async () => {
  const plain = { username: 'plain', enabled: true, credentials: [{ type: 'password', value: 'pw' }] };
  const created = { realm, enabled: true, users: [realmAdmin, plain, ...singleRoleUsers] };
  ({ server, admin } = await startWithRealm(created, {}, slowClock));
});

describe('the permissions of the caller', () => {
  it.each(roleNames)('are those of its role %s', async (role) => {
    const [one, ...others] = await permissionsOf(await userOf(server, realm, role, 'pw'));
    expect(others).toEqual([]);
    expect(one).toMatchObject({ realmName: realm, realm: may(role, 'any:admin') ? { name: realm } : null });
    expect(one?.permissions.map(({ permission }) => permission).sort()).toEqual(
      permissionNames
        .filter((name) => may(role, name))
        .map(enumName)
        .sort(),
    );
    const own = one?.permissions.filter(({ permission }) => permission !== 'ANY_CALLER') ?? [];
    // a role that views brings those that query
    for (const { permission, roleNames: roles } of own)
      expect([permission, roles.every((name) => one?.roleNames.includes(name))]).toEqual([permission, true]);
    expect(own.filter((held) => held.roleNames.length === 0)).toEqual([]);
    expect(one?.roleNames).toContain(role);
  });

  it('are none of a user without administration roles', async () => {
    expect(await permissionsOf(await userOf(server, realm, 'plain', 'pw'))).toEqual([]);
  });

  it('name the roles that each one comes from', async () => {
    const [one] = await permissionsOf(await userOf(server, realm, 'boss', 'pw'));
    const of = (permission: string) => one?.permissions.find((held) => held.permission === permission)?.roleNames;
    expect(of('VIEW_USERS')).toEqual(['view-users', 'manage-users']);
    expect(of('IMPERSONATE_USERS')).toEqual(['impersonation']);
    expect(of('ANY_CALLER')).toEqual([]);
    expect(of('CREATE_REALM')).toBeUndefined();
  });

  it('are those in each realm for an administrator of the master realm, or in the one that is asked for', async () => {
    const all = await permissionsOf(admin);
    expect(all.map(({ realmName }) => realmName)).toEqual(['master', realm]);
    const [master, shop] = all;
    expect(master?.permissions.find(({ permission }) => permission === 'CREATE_REALM')?.roleNames).toEqual([
      'create-realm',
    ]);
    expect(shop?.permissions.map(({ permission }) => permission)).not.toContain('CREATE_REALM');
    expect(await permissionsOf(admin, `(realm: "${realm}")`)).toEqual([shop]);
    expect(await permissionsOf(admin, '(realm: "nowhere")')).toEqual([]);
  });

  it('lead to the user itself, if the caller may view it', async () => {
    const user = async (name: string) =>
      (await (await userOf(server, realm, name, 'pw')).graphql<{ viewer: object }>('{ viewer { user { username } } }'))
        .data;
    expect(await user('view-users')).toEqual({ viewer: { user: { username: 'view-users' } } });
    expect(await user('view-clients')).toEqual({ viewer: { user: null } });
  });
});
