import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// Administrators of the master realm, where the administration roles of all realms lie.
let server: TestServer;
let admin: Caller;

const found = async (path: string) => (await admin.send('GET', path)).body;
const roleOf = async (clientId: string, name: string) => {
  const [client] = await found(`/master/clients?clientId=${clientId}`);
  return { client: client.id as string, role: await found(`/master/clients/${client.id}/roles/${name}`) };
};

/** A user of the master realm with these roles of clients that stand for realms, as `clientId/name`, or of the realm. */
async function administratorWith(username: string, ...names: string[]): Promise<{ id: string; caller: Caller }> {
  const credentials = [{ type: 'password', value: 'pw' }];
  await admin.send('POST', '/master/users', { username, enabled: true, credentials });
  const [{ id }] = await found(`/master/users?username=${username}&exact=true`);
  for (const text of names) {
    const [client, name] = text.split('/');
    if (name === undefined) {
      await admin.send('POST', `/master/users/${id}/role-mappings/realm`, [await found(`/master/roles/${client}`)]);
    } else {
      const { client: container, role } = await roleOf(client ?? '', name);
      await admin.send('POST', `/master/users/${id}/role-mappings/clients/${container}`, [role]);
    }
  }
  return { id, caller: await userOf(server, 'master', username, 'pw') };
}

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  for (const realm of ['one', 'two']) await admin.send('POST', '/', { realm, enabled: true });
});

describe('an administrator of users of the master realm', () => {
  let id: string;
  let caller: Caller;
  beforeAll(async () => {
    ({ id, caller } = await administratorWith('users-only', 'master-realm/manage-users'));
  });

  it.each(['admin', 'create-realm'])('does not hand out %s', async (name) => {
    const role = await found(`/master/roles/${name}`);
    expect((await caller.send('POST', `/master/users/${id}/role-mappings/realm`, [role])).status).toBe(403);
  });

  it.each(['master-realm/manage-realm', 'one-realm/manage-users', 'two-realm/query-realms'])(
    'does not hand out %s',
    async (text) => {
      const [clientId = '', name = ''] = text.split('/');
      const { client, role } = await roleOf(clientId, name);
      expect((await caller.send('POST', `/master/users/${id}/role-mappings/clients/${client}`, [role])).status).toBe(
        403,
      );
    },
  );

  it('does not act on the administrator of everything', async () => {
    const [{ id: boss }] = await found('/master/users?username=admin&exact=true');
    const password = { type: 'password', value: 'mine' };
    expect((await caller.send('PUT', `/master/users/${boss}/reset-password`, password)).status).toBe(403);
    expect((await caller.send('PUT', `/master/users/${boss}`, { email: 'me@evil.example' })).status).toBe(403);
    expect((await caller.send('DELETE', `/master/users/${boss}`)).status).toBe(403);
    expect((await caller.send('PUT', `/master/users/${id}`, { firstName: 'Self' })).status).toBe(204);
  });
});

describe('the roles admin and create-realm', () => {
  it('keep their names, parts and existence, whoever manages the master realm', async () => {
    const { caller } = await administratorWith('realm-only', 'master-realm/manage-realm');
    for (const name of ['admin', 'create-realm']) {
      const path = `/master/roles/${name}`;
      const { role } = await roleOf('master-realm', 'manage-realm');
      expect((await caller.send('PUT', path, { name: `old-${name}` })).status).toBe(403);
      expect((await caller.send('DELETE', path)).status).toBe(403);
      expect((await caller.send('POST', `${path}/composites`, [role])).status).toBe(403);
      expect((await caller.send('DELETE', `${path}/composites`, [role])).status).toBe(403);
      expect((await admin.send('PUT', path, { name: `old-${name}` })).status).toBe(400);
      expect((await admin.send('DELETE', path)).status).toBe(400);
    }
  });

  it('are found by their ids when a realm is made', async () => {
    const { caller } = await administratorWith('maker', 'create-realm');
    expect((await caller.send('POST', '/', { realm: 'made', enabled: true })).status).toBe(201);
    const again = await userOf(server, 'master', 'maker', 'pw');
    expect((await again.send('GET', '/made/users')).status).toBe(200);
    expect((await again.send('GET', '/one/users')).status).toBe(403);
    expect((await admin.send('GET', '/made/users')).status).toBe(200);
  });
});

describe('rights', () => {
  it('stay with a realm that is renamed', async () => {
    await admin.send('POST', '/', {
      realm: 'before',
      enabled: true,
      users: [
        {
          username: 'inside',
          enabled: true,
          credentials: [{ type: 'password', value: 'pw' }],
          clientRoles: { 'realm-management': ['manage-users'] },
        },
      ],
    });
    await administratorWith('outside', 'before-realm/view-users');
    expect((await admin.send('PUT', '/before', { realm: 'after' })).status).toBe(204);
    expect((await (await userOf(server, 'master', 'outside', 'pw')).send('GET', '/after/users')).status).toBe(200);
    expect((await (await userOf(server, 'after', 'inside', 'pw')).send('GET', '/after/users')).status).toBe(200);
  });

  it('do not come from a client of the master realm that has the name of one for a realm', async () => {
    const { caller, id } = await administratorWith(
      'clients',
      'master-realm/manage-clients',
      'master-realm/manage-users',
    );
    await caller.send('POST', '/master/clients', { clientId: 'fake-realm' });
    const [client] = await found('/master/clients?clientId=fake-realm');
    await caller.send('POST', `/master/clients/${client.id}/roles`, { name: 'manage-users' });
    const role = await found(`/master/clients/${client.id}/roles/manage-users`);
    const mapped = await caller.send('POST', `/master/users/${id}/role-mappings/clients/${client.id}`, [role]);
    expect(mapped.status).toBe(204);
    const { body } = await caller.send('GET', '/admin/realms');
    expect(body.map(({ realm }: { realm: string }) => realm)).toEqual(['master']);
    // the realm of that name is not made where the client of its administrators would be theirs
    expect((await admin.send('POST', '/', { realm: 'fake', enabled: true })).status).toBe(409);
  });

  it('are not what a mapper writes into a token', async () => {
    const { caller: clients, id } = await administratorWith(
      'mapped',
      'master-realm/manage-clients',
      'one-realm/query-users',
    );
    await clients.send('POST', '/master/clients', {
      clientId: 'writer',
      publicClient: true,
      directAccessGrantsEnabled: true,
      protocolMappers: [
        'one-realm.view-realm',
        'one-realm.manage-users',
        'two-realm.view-realm',
        'create-realm',
        'admin',
      ].map((role, at) => ({
        name: `m${at}`,
        protocol: 'openid-connect',
        protocolMapper: 'oidc-hardcoded-role-mapper',
        config: { role },
      })),
    });
    const response = await fetch(`${server.url}/auth/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'writer', username: 'mapped', password: 'pw' }),
    });
    const caller = callerWith(server, ((await response.json()) as { access_token: string }).access_token);
    const { body } = await caller.send('GET', '/admin/realms');
    expect(body.find(({ realm }: { realm: string }) => realm === 'one')).toEqual({ realm: 'one' });
    expect(body.map(({ realm }: { realm: string }) => realm)).not.toContain('two');
    expect((await caller.send('GET', '/two')).status).toBe(403);
    expect((await caller.send('GET', '/one')).body).toEqual({ realm: 'one' });
    expect((await caller.send('POST', '/', { realm: 'three' })).status).toBe(403);
    expect((await caller.send('DELETE', `/master/users/${id}`)).status).toBe(403);
    const { data } = await caller.graphql<{ realms: { edges: { node: object }[] }; realm: object | null }>(
      '{ realms(first: 9) { edges { node { name } } } realm(name: "two") { name } }',
    );
    expect(data.realms.edges.map(({ node }) => node)).toEqual([{ name: 'master' }, { name: 'one' }]);
    expect(data.realm).toBeNull();
    const settings = await caller.graphql<{ realm: object | null }>(
      '{ realm(name: "one") { tokens { accessTokenLifespan } } }',
    );
    expect(settings.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });
});
