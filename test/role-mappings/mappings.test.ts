// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';

const realm = 'mappings';
let server: TestServer;
let admin: Caller;
let helper: Caller;
const ids = {} as Record<string, string>;

const rest = (method: string, path: string, body?: unknown, caller = admin) =>
  caller.send(method, `/${realm}${path}`, body);
const role = (name: string) => ({ id: ids[name], name });
const node = (type: string, name: string) => btoa(`${type}:${ids[name]}`);
const names = (roles: { name: string }[]) => roles.map(({ name }) => name).sort();
const directly = async (owner: string) => names((await rest('GET', `${owner}/role-mappings/realm`)).body);

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const user = (username: string, roles: string[] = []) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'secret-1' }],
    clientRoles: { 'realm-management': roles },
  });
  const { status } = await admin.send('POST', '/', {
    realm,
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    clients: [{ clientId: 'shop' }],
    roles: {
      realm: [
        { name: 'reader' },
        { name: 'writer' },
        { name: 'chief', composite: true, composites: { realm: ['reader', 'writer'] } },
        { name: 'trap', composite: true, composites: { realm: ['hidden'] } },
        { name: 'hidden', composite: true, composites: { client: { 'realm-management': ['manage-realm'] } } },
      ],
      client: { shop: [{ name: 'buyer' }] },
    },
    groups: [{ name: 'staff', subGroups: [{ name: 'night' }] }],
    users: [user('ann'), user('helper', ['manage-users']), user('viewer', ['view-users'])],
  });
  expect(status).toBe(201);
  for (const { id, username } of (await rest('GET', '/users')).body) ids[username] = id;
  for (const { id, clientId } of (await rest('GET', '/clients')).body) ids[clientId] = id;
  for (const { id, name } of (await rest('GET', '/roles')).body) ids[name] = id;
  for (const client of ['shop', 'realm-management']) {
    for (const { id, name } of (await rest('GET', `/clients/${ids[client]}/roles`)).body) ids[name] = id;
  }
  ids.staff = (await rest('GET', '/groups')).body[0].id;
  ids.unknown = '11111111-2222-3333-4444-555555555555';
  helper = await userOf(server, realm, 'helper', 'secret-1');
});

describe('adding and removing roles over REST', () => {
  it('leaves out what an earlier role of the list brings, and all of it when one role is wrong', async () => {
    const path = `/groups/${ids.staff}/role-mappings/realm`;
    expect((await rest('POST', path, [role('chief'), role('reader')])).status).toBe(204);
    expect(await directly(`/groups/${ids.staff}`)).toEqual(['chief']);
    expect((await rest('DELETE', path, [role('chief')])).status).toBe(204);
    expect((await rest('POST', path, [role('reader'), role('chief')])).status).toBe(204);
    expect(await directly(`/groups/${ids.staff}`)).toEqual(['chief', 'reader']);
    expect((await rest('POST', path, [role('writer'), { id: ids.unknown, name: 'x' }])).status).toBe(404);
    expect((await rest('DELETE', path, [role('reader'), role('buyer')])).status).toBe(404);
    expect(await directly(`/groups/${ids.staff}`)).toEqual(['chief', 'reader']);
    expect((await rest('DELETE', path, [role('chief'), role('reader')])).status).toBe(204);
  });

  it('is recorded with the roles that were sent', async () => {
    const resourcePath = `users/${ids.ann}/role-mappings/clients/${ids.shop}`;
    await rest('POST', `/${resourcePath}`, [role('buyer')]);
    const row = await server.database.read.adminEvent.findFirst({ where: { resourcePath } });
    expect(row).toMatchObject({ operationType: 'CREATE', resourceType: 'CLIENT_ROLE_MAPPING' });
    expect(JSON.parse(row?.representation ?? '')).toEqual([role('buyer')]);
    await rest('DELETE', `/users/${ids.ann}/role-mappings/clients/${ids.shop}`, [role('buyer')]);
  });

  it('costs the same number of statements whatever the number of roles', async () => {
    const counted = async (roles: object[]) => {
      // the realm and the caller's rights are remembered for a second, at most until the next write
      await rest('GET', `/groups/${ids.staff}/role-mappings`);
      const count = await countStatements(server, async () => {
        expect((await rest('POST', `/groups/${ids.staff}/role-mappings/realm`, roles)).status).toBe(204);
      });
      await rest('DELETE', `/groups/${ids.staff}/role-mappings/realm`, roles);
      return count;
    };
    const made = Array.from({ length: 40 }, (_, at) => `many-${at}`);
    for (const name of made) {
      await rest('POST', '/roles', { name });
      ids[name] = (await rest('GET', `/roles/${name}`)).body.id;
    }
    const two = await counted(made.slice(0, 2).map(role));
    expect(await counted(made.map(role))).toBe(two);
  });
});

describe('which roles may be handed out', () => {
  const give = (names: string[], caller = helper, owner = `/users/${ids.ann}`) =>
    caller.send('POST', `/${realm}${owner}/role-mappings/clients/${ids['realm-management']}`, names.map(role));

  it('are administration roles within the own rights', async () => {
    expect((await give(['view-users', 'query-clients'])).status).toBe(204);
    for (const name of ['realm-admin', 'manage-realm', 'view-clients', 'impersonation']) {
      expect(await give([name])).toMatchObject({ status: 403, body: { error: 'unknown_error' } });
      expect((await give([name], helper, `/groups/${ids.staff}`)).status).toBe(403);
    }
    expect((await give(['realm-admin'], admin)).status).toBe(204);
  });

  it('do not hide within composite roles', async () => {
    for (const name of ['hidden', 'trap']) {
      const path = `/users/${ids.ann}/role-mappings/realm`;
      expect((await rest('POST', path, [role(name)], helper)).status).toBe(403);
      expect(names((await rest('GET', `${path}/available`, undefined, helper)).body)).not.toContain(name);
      expect(names((await rest('GET', `${path}/available`)).body)).toContain(name);
    }
  });

  it('cannot be taken from others either, by name or all at once', async () => {
    const path = `/users/${ids.ann}/role-mappings/clients/${ids['realm-management']}`;
    expect((await rest('DELETE', path, [role('realm-admin')], helper)).status).toBe(403);
    const emptied = await helper.send('DELETE', `/${realm}${path}`, '', { 'content-type': 'application/json' });
    expect(emptied.status).toBe(403);
    expect(names((await rest('GET', path)).body)).toContain('realm-admin');
    expect((await rest('DELETE', path, [role('realm-admin')])).status).toBe(204);
  });

  it('are the own ones in the master realm', async () => {
    await admin.send('POST', '/master/users', {
      username: 'deputy',
      enabled: true,
      credentials: [{ type: 'password', value: 'secret-1' }],
    });
    const [deputy] = (await admin.send('GET', '/master/users?username=deputy')).body;
    const clientOf = async (id: string) => (await admin.send('GET', `/master/clients?clientId=${id}`)).body[0].id;
    const master = await clientOf('master-realm');
    const other = await clientOf(`${realm}-realm`);
    const roleOf = async (client: string, name: string) =>
      (await admin.send('GET', `/master/clients/${client}/roles/${name}`)).body;
    const mapping = `/master/users/${deputy.id}/role-mappings`;
    const manageUsers = await roleOf(master, 'manage-users');
    expect((await admin.send('POST', `${mapping}/clients/${master}`, [manageUsers])).status).toBe(204);
    const caller = await userOf(server, 'master', 'deputy', 'secret-1');
    const superior = (await admin.send('GET', '/master/roles/admin')).body;
    const maker = (await admin.send('GET', '/master/roles/create-realm')).body;
    expect((await caller.send('POST', `${mapping}/realm`, [superior])).status).toBe(403);
    expect((await caller.send('POST', `${mapping}/realm`, [maker])).status).toBe(403);
    for (const name of ['manage-users', 'view-realm']) {
      expect((await caller.send('POST', `${mapping}/clients/${other}`, [await roleOf(other, name)])).status).toBe(403);
    }
    for (const name of ['manage-users', 'view-users']) {
      expect((await caller.send('POST', `${mapping}/clients/${master}`, [await roleOf(master, name)])).status).toBe(
        204,
      );
    }
    expect(names((await caller.send('GET', `${mapping}/realm/available`)).body)).toEqual([]);
    expect(names((await admin.send('GET', `${mapping}/realm/available`)).body)).toEqual(['admin', 'create-realm']);
    expect((await admin.send('POST', `${mapping}/realm`, [superior])).status).toBe(204);
  });
});

describe('the mutations', () => {
  const change = (mutation: string, type: string, owner: string, roles: string[], caller = admin) =>
    caller.graphql<Record<string, { userErrors: { code: string; path: string[] | null }[]; adminEvents: object[] }>>(
      `mutation($input: ${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) {
        ${type.toLowerCase()} { id effectiveRoles(first: 100) { edges { isDirect node { name } } } }
        userErrors { code path } adminEvents { resourceType resourcePath } } }`,
      { input: { id: node(type, owner), roles: roles.map((name) => node('Role', name)) } },
    );
  const answer = async (...given: Parameters<typeof change>) => (await change(...given)).data[given[0]];

  it('take roles of the realm and of clients together, and give them also when they are in effect', async () => {
    expect(await answer('groupAddRoles', 'Group', 'staff', ['chief', 'reader', 'buyer'])).toMatchObject({
      userErrors: [],
      adminEvents: [{ resourceType: 'REALM_ROLE_MAPPING', resourcePath: `groups/${ids.staff}/role-mappings` }],
      group: {
        effectiveRoles: {
          edges: [
            { isDirect: true, node: { name: 'buyer' } },
            { isDirect: true, node: { name: 'chief' } },
            { isDirect: true, node: { name: 'reader' } },
            { isDirect: false, node: { name: 'writer' } },
          ],
        },
      },
    });
    expect(await answer('groupRemoveRoles', 'Group', 'staff', ['chief', 'buyer'])).toMatchObject({
      userErrors: [],
      group: { effectiveRoles: { edges: [{ node: { name: 'reader' } }] } },
    });
    expect(await answer('userAddRoles', 'User', 'ann', ['buyer'])).toMatchObject({
      userErrors: [],
      adminEvents: [
        {
          resourceType: 'CLIENT_ROLE_MAPPING',
          resourcePath: `users/${ids.ann}/role-mappings/clients/${ids.shop}`,
        },
      ],
    });
    expect((await answer('userRemoveRoles', 'User', 'ann', ['buyer']))?.userErrors).toEqual([]);
  });

  it('refuse as REST does', async () => {
    const errors = async (...given: Parameters<typeof change>) => (await answer(...given))?.userErrors;
    expect(await errors('userAddRoles', 'User', 'ann', ['unknown'])).toEqual([
      { code: 'INVALID', path: ['roles', '0'] },
    ]);
    expect(await errors('userAddRoles', 'User', 'unknown', ['reader'])).toEqual([{ code: 'NOT_FOUND', path: ['id'] }]);
    expect(await errors('userAddRoles', 'User', 'ann', ['trap'], helper)).toEqual([{ code: 'FORBIDDEN', path: null }]);
    const viewer = await userOf(server, realm, 'viewer', 'secret-1');
    expect(await errors('userAddRoles', 'User', 'ann', ['reader'], viewer)).toEqual([
      { code: 'FORBIDDEN', path: null },
    ]);
  });

  it('switch management permissions on and off', async () => {
    interface Switched {
      managementPermissionUpdate: { managementPermission: { resourceId: string; scopes: { scopeName: string }[] } };
    }
    const switchTo = async (enabled: boolean) => {
      const { data } = await admin.graphql<Switched>(
        `mutation($input: ManagementPermissionUpdateInput!) { managementPermissionUpdate(input: $input) {
          managementPermission { resourceId scopes { scopeName permissionId } } userErrors { code } } }`,
        { input: { target: node('Role', 'reader'), isEnabled: enabled } },
      );
      return data;
    };
    const { managementPermission: on } = (await switchTo(true)).managementPermissionUpdate;
    expect(on.scopes.map(({ scopeName }) => scopeName)).toEqual([
      'map-role',
      'map-role-client-scope',
      'map-role-composite',
    ]);
    const path = `/roles-by-id/${ids.reader}/management/permissions`;
    const [type, resource] = atob(on.resourceId).split(':');
    expect(type).toBe('AuthorizationResource');
    expect((await rest('GET', path)).body).toMatchObject({ enabled: true, resource });
    const { data } = await admin.graphql<{ node: unknown }>(
      'query($id: ID!) { node(id: $id) { ... on Role { managementPermission { resourceId } } } }',
      { id: node('Role', 'reader') },
    );
    expect(data.node).toEqual({ managementPermission: { resourceId: on.resourceId } });
    expect((await switchTo(false)).managementPermissionUpdate.managementPermission).toBeNull();
    expect((await rest('GET', path)).body).toEqual({ enabled: false });
  });
});
