import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/rest/routes.js';
import { addressOf, type Parameters, titleOf } from '../matrix/addresses.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

// Who administers by management permissions only is out of reach of those who may do less: whatever the policies name
// such users by, and whatever is done to them.
const realm = 'delegates';
let server: TestServer;
let admin: Caller;
let serverPath: string;
const ids: Record<string, string> = {};
const password = [{ type: 'password', value: 'pw' }];

const send = async (method: string, path: string, body?: object) => {
  const answer = await admin.send(method, `/${realm}${path}`, body);
  expect([method, path, answer.status < 300, answer.body]).toEqual([method, path, true, answer.body]);
  return answer;
};

/** Policies by the name of the user that they make a delegate. */
const policies: Record<string, { type: string; body: () => object; also?: string }> = {
  'by-user': { type: 'user', body: () => ({ users: [ids['by-user']] }) },
  'by-role': { type: 'role', body: () => ({ roles: [{ id: ids.keeper }] }) },
  'by-composite': { type: 'role', body: () => ({ roles: [{ id: ids.inner }] }) },
  'by-role-of-group': { type: 'role', body: () => ({ roles: [{ id: ids['of-group'] }] }) },
  'by-group': { type: 'group', body: () => ({ groups: [{ id: ids.keepers, extendChildren: false }] }) },
  'by-subgroup': { type: 'group', body: () => ({ groups: [{ id: ids.tree, extendChildren: true }] }) },
  'by-name': { type: 'regex', body: () => ({ targetClaim: 'preferred_username', pattern: 'by-name' }) },
  'by-hour': { type: 'user', body: () => ({ users: [ids['by-hour']] }), also: 'never' },
  'by-token': { type: 'user', body: () => ({ users: [ids['by-token']] }), also: 'of-portal' },
  'service-account-robot': { type: 'client', body: () => ({ clients: [ids.robot] }) },
};
const delegates = Object.keys(policies);
const others = ['plain', 'excluded'];

async function decide(path: string, scope: string, decisionStrategy: string, names: string[]): Promise<void> {
  const { body } = await send('PUT', path, { enabled: true });
  const at = `${serverPath}/permission/scope/${body.scopePermissions[scope]}`;
  const known = (await send('GET', at)).body;
  await send('PUT', at, { ...known, decisionStrategy, policies: names.map((name) => ids[`policy ${name}`]) });
}

const makePolicy = async (type: string, name: string, body: object) => {
  const made = await send('POST', `${serverPath}/policy/${type}`, { name, logic: 'POSITIVE', ...body });
  ids[`policy ${name}`] = made.body.id;
};

const user = (username: string, more: object = {}) => ({ username, enabled: true, credentials: password, ...more });

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const rm = (...names: string[]) => ({ clientRoles: { 'realm-management': names } });
  const made = await admin.send('POST', '/', {
    realm,
    enabled: true,
    roles: {
      realm: [
        { name: 'keeper' },
        { name: 'inner' },
        { name: 'outer', composite: true, composites: { realm: ['inner'] } },
        { name: 'of-group' },
        { name: 'harmless' },
      ],
    },
    groups: [
      { name: 'roles', realmRoles: ['of-group'], subGroups: [{ name: 'below' }] },
      { name: 'keepers' },
      { name: 'tree', subGroups: [{ name: 'leaf' }] },
      { name: 'harmless-group' },
    ],
    clients: [
      { clientId: 'vault', secret: 'vault-secret' },
      { clientId: 'portal', publicClient: true, directAccessGrantsEnabled: true },
      { clientId: 'robot', secret: 'robot-secret', serviceAccountsEnabled: true },
    ],
    users: [
      user('helper', rm('manage-users', 'impersonation')),
      user('manager', rm('manage-users', 'impersonation', 'manage-clients')),
      user('clerk', rm('view-clients')),
      user('by-role', { realmRoles: ['keeper'] }),
      user('by-composite', { realmRoles: ['outer'] }),
      user('by-role-of-group', { groups: ['/roles/below'] }),
      user('by-group', { groups: ['/keepers'] }),
      user('by-subgroup', { groups: ['/tree/leaf'] }),
      ...['by-user', 'by-name', 'by-hour', 'by-token', ...others].map((name) => user(name)),
    ],
  });
  expect(made.status).toBe(201);
  for (const { id, username } of (await send('GET', '/users?max=100')).body) ids[username] = id;
  for (const { id, clientId } of (await send('GET', '/clients')).body) ids[clientId] = id;
  for (const { id, name } of (await send('GET', '/roles')).body) ids[name] = id;
  interface Group {
    id: string;
    name: string;
    subGroups: Group[];
  }
  const note = (groups: Group[]) => {
    for (const { id, name, subGroups } of groups) {
      ids[name] = id;
      note(subGroups);
    }
  };
  note((await send('GET', '/groups')).body);
  ids['service-account-robot'] = (await send('GET', `/clients/${ids.robot}/service-account-user`)).body.id;
  serverPath = `/clients/${ids['realm-management']}/authz/resource-server`;
  await send('PUT', '/users-management-permissions', { enabled: true });
  await makePolicy('time', 'never', { notOnOrAfter: '2001-01-01 00:00:00' });
  await makePolicy('client', 'of-portal', { clients: [ids.portal] });
  await makePolicy('user', 'excluded', { users: [ids.excluded], logic: 'NEGATIVE' });
  for (const [name, { type, body, also }] of Object.entries(policies)) {
    const inner = also ? `one ${name}` : name;
    await makePolicy(type, inner, body());
    if (!also) continue;
    const applied = [ids[`policy ${inner}`], ids[`policy ${also}`]];
    await makePolicy('aggregate', name, { policies: applied, decisionStrategy: 'UNANIMOUS' });
  }
  await decide(`/clients/${ids.vault}/management/permissions`, 'manage', 'AFFIRMATIVE', delegates);
  // everybody but one may see the clients: this puts nobody above anybody
  await decide(`/clients/${ids.portal}/management/permissions`, 'view', 'AFFIRMATIVE', ['excluded']);
});

const as = (username: string) => userOf(server, realm, username, 'pw');
const setPassword = async (caller: Caller, username: string) =>
  (await caller.send('PUT', `/${realm}/users/${ids[username]}/reset-password`, { type: 'password', value: 'pw' }))
    .status;

describe('a user whom management permissions give rights', () => {
  it.each(delegates)('%s is not changed by who manages users and lacks these rights', async (username) => {
    const caller = await as('helper');
    expect(await setPassword(caller, username)).toBe(403);
    const { data } = await caller.graphql<{ userUpdate: { userErrors: { code: string }[] } }>(
      'mutation ($id: ID!) { userUpdate(input: { id: $id, firstName: "Eve" }) { userErrors { code } } }',
      { id: btoa(`User:${ids[username]}`) },
    );
    expect(data.userUpdate.userErrors[0]?.code).toBe('FORBIDDEN');
  });

  it.each(delegates)('%s is changed by who has these rights by roles', async (username) => {
    expect(await setPassword(await as('manager'), username)).toBe(204);
  });

  it.each(others)('is not %s, whom no permission gives anything beyond what everybody has', async (username) => {
    expect(await setPassword(await as('helper'), username)).toBe(204);
  });

  const params = (): Parameters => ({
    realm,
    'users:id': ids['by-user'] ?? '',
    userId: ids['by-user'] ?? '',
    credentialId: ids.credential ?? '',
    newPreviousCredentialId: 'null',
    groupId: ids['harmless-group'] ?? '',
    'consents:client': 'portal',
    client: ids.portal ?? '',
    provider: 'corporate',
  });
  const writes = routes
    .filter(({ path, operation }) => operation.kind === 'write' && /\/users\/(\{id\}|\{userId\})/.test(path))
    .filter(({ path }) => !path.includes('{provider}'))
    .map((route) => [titleOf(route), route] as const);

  it.each(writes)('is out of reach of %s', async (_title, route) => {
    ids.credential = (await send('GET', `/users/${ids['by-user']}/credentials`)).body[0].id;
    const caller = await as('helper');
    const headers: Record<string, string> =
      route.method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
    const answers = [];
    for (const body of [[], {}, { firstName: 'Eve' }, 'x'])
      answers.push((await caller.send(route.method, addressOf(route, params()), body, headers)).status);
    expect(answers.filter((status) => status < 300)).toEqual([]);
    expect(answers).toContain(403);
  });

  it('is not joined by who manages users only', async () => {
    const caller = await as('helper');
    const me = `/${realm}/users/${ids.helper}`;
    for (const group of ['keepers', 'tree', 'leaf', 'roles', 'below'])
      expect([group, (await caller.send('PUT', `${me}/groups/${ids[group]}`)).status]).toEqual([group, 403]);
    for (const name of ['keeper', 'inner', 'outer', 'of-group']) {
      const { status } = await caller.send('POST', `${me}/role-mappings/realm`, [{ id: ids[name], name }]);
      expect([name, status]).toEqual([name, 403]);
    }
    const created = await caller.send('POST', `/${realm}/users`, user('mole', { groups: ['/keepers'] }));
    expect(created.status).toBe(403);
    const harmless = [{ id: ids.harmless, name: 'harmless' }];
    expect((await caller.send('PUT', `${me}/groups/${ids['harmless-group']}`)).status).toBe(204);
    expect((await caller.send('POST', `${me}/role-mappings/realm`, harmless)).status).toBe(204);
  });

  it('is joined with the help of who has these rights', async () => {
    const caller = await as('manager');
    const path = `/${realm}/users/${ids.plain}/groups/${ids.keepers}`;
    expect((await caller.send('PUT', path)).status).toBe(204);
    expect(await setPassword(await as('helper'), 'plain')).toBe(403);
    expect((await caller.send('DELETE', path)).status).toBe(204);
  });

  it('keeps the secret of the client that acts as it from who only sees clients', async () => {
    const caller = await as('clerk');
    expect((await caller.send('GET', `/${realm}/clients/${ids.robot}/client-secret`)).status).toBe(403);
    expect((await caller.send('GET', `/${realm}/clients/${ids.portal}/client-secret`)).status).toBe(200);
  });

  it('costs a bounded number of statements, however many users are asked about', async () => {
    const caller = await as('helper');
    const statements = async (names: string[]) => {
      const input = {
        realm: btoa(`Realm:${(await send('GET', '')).body.id}`),
        ids: names.map((name) => btoa(`User:${ids[name]}`)),
      };
      const { data, extensions } = await caller.graphql<{ usersDelete: { userErrors: { code: string }[] } }>(
        'mutation ($input: UsersDeleteInput!) { usersDelete(input: $input) { userErrors { code } } }',
        { input },
      );
      expect(data.usersDelete.userErrors[0]?.code).toBe('FORBIDDEN');
      return extensions?.cost?.statements;
    };
    expect(await statements(['by-user', 'plain'])).toBe(await statements([...delegates, 'plain', 'excluded']));
  });
});
