import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../support/fixture.js';
import { startWithRealm } from '../../support/fixture.js';

// Names in a file: objects that change names or places, names of prototypes, and what is named by nothing or by itself.
const realm = 'names';
let admin: Caller;

const modes = { roles: 'KEEP', clientRoles: 'KEEP', clients: 'KEEP', clientScopes: 'KEEP', groups: 'KEEP' };
const plan = (desired: object, more: object = {}) =>
  admin.send('POST', `/admin/realms/${realm}/plan`, { desired, modes, ...more });
const apply = (desired: object, more: object = {}) =>
  admin.send('POST', `/admin/realms/${realm}/apply`, { desired, modes, ...more });
type Item = Record<string, never> & { id: string; name: string };
const read = async <T = Item[]>(path: string): Promise<T> => (await admin.send('GET', `/${realm}${path}`)).body as T;

async function expectApplied(desired: object, more: object = {}): Promise<void> {
  const { status, body } = await apply(desired, more);
  expect([status, body.summary ?? body]).toEqual([200, expect.anything()]);
  const again = await plan(desired, more);
  expect([again.status, again.body.changes ?? again.body]).toEqual([200, []]);
}

beforeAll(async () => {
  ({ admin } = await startWithRealm({
    realm,
    enabled: true,
    roles: {
      realm: [{ name: 'left', composites: { client: { shop: ['buy'] } } }, { name: 'right' }, { name: 'a/b' }],
      client: { shop: [{ name: 'buy' }], till: [{ name: 'sell' }] },
    },
    groups: [{ name: 'one', subGroups: [{ name: 'below', subGroups: [{ name: 'deep' }] }] }, { name: 'two' }],
    clients: [{ clientId: 'shop' }, { clientId: 'till' }],
    users: [{ username: 'ann', groups: ['/one/below/deep'], realmRoles: ['left'] }, { username: 'bob' }],
  }));
});

describe('a file by IDs', () => {
  it('has two roles, clients, groups and users change names', async () => {
    const [left, right] = [await read<Item>('/roles/left'), await read<Item>('/roles/right')];
    const [shop] = await read('/clients?clientId=shop');
    const [till] = await read('/clients?clientId=till');
    const [one, two] = await read('/groups');
    const [ann] = await read('/users?username=ann');
    const [bob] = await read('/users?username=bob');
    await expectApplied({
      roles: {
        realm: [
          { id: left.id, name: 'right' },
          { id: right.id, name: 'left' },
        ],
      },
      clients: [
        { id: shop?.id, clientId: 'till' },
        { id: till?.id, clientId: 'shop' },
      ],
      groups: [
        { id: one?.id, name: 'two' },
        { id: two?.id, name: 'one' },
      ],
      users: [
        { id: ann?.id, username: 'bob' },
        { id: bob?.id, username: 'ann' },
      ],
    });
    expect((await read<Item>('/roles/right')).id).toBe(left.id);
    expect((await read('/clients?clientId=till'))[0]?.id).toBe(shop?.id);
    // roles of clients stay with their clients, and links with what they link
    expect((await read(`/clients/${shop?.id}/roles`)).map(({ name }) => name)).toEqual(['buy']);
    expect((await read('/roles/right/composites')).map(({ name }) => name)).toEqual(['buy']);
    expect((await read(`/users/${ann?.id}/groups`)).map(({ path }) => path)).toEqual(['/two/below/deep']);
  });

  it('renames a client together with its role', async () => {
    const [client] = await read('/clients?clientId=till');
    const [role] = await read(`/clients/${client?.id}/roles`);
    await expectApplied({
      clients: [{ id: client?.id, clientId: 'stall' }],
      roles: { client: { stall: [{ id: role?.id, name: 'order' }] } },
    });
    expect((await read('/roles/right/composites')).map(({ name }) => name)).toEqual(['order']);
  });

  it('gives an object the name of one that goes, and makes another with its old one', async () => {
    const role = await read<Item>('/roles/left');
    await expectApplied({
      roles: {
        realm: [
          { name: 'left', description: 'new' },
          { id: role.id, name: 'middle' },
        ],
      },
    });
    const now = await read<Item>('/roles/left');
    expect([now.id === role.id, now.description]).toEqual([false, 'new']);
    const all = await read('/roles');
    const kept = all.filter(({ name }) => !['left', 'middle'].includes(name)).map(({ id, name }) => ({ id, name }));
    const desired = { roles: { realm: [...kept, { id: role.id, name: 'left' }] } };
    await expectApplied(desired, { modes: { roles: 'FULL' }, allowDeletes: 1 });
    expect((await read<Item>('/roles/left')).id).toBe(role.id);
  });

  it('moves a group with its members, and turns a tree around', async () => {
    const [user] = await read('/users?username=bob');
    const groups = await read<(Item & { subGroups: Item[] })[]>('/groups');
    const outer = groups.find(({ name }) => name === 'two');
    const inner = outer?.subGroups[0];
    await expectApplied({
      groups: [{ id: inner?.id, name: 'below', subGroups: [{ id: outer?.id, name: 'two', subGroups: [] }] }],
    });
    expect((await read(`/users/${user?.id}/groups`)).map(({ path }) => path)).toEqual(['/below/deep']);
    expect((await read<Item>(`/groups/${outer?.id}`)).path).toBe('/below/two');
  });
});

describe('names of prototypes', () => {
  it('are not those of clients, by which files list roles', async () => {
    const refusal = expect.objectContaining({
      errorMessage: expect.stringContaining('`__proto__` is not allowed'),
    });
    const client = { clientId: '__proto__' };
    const made = await admin.send('POST', `/${realm}/clients`, client);
    const planned = await plan({ clients: [client] });
    expect([made.status, planned.status, planned.body]).toEqual([400, 400, refusal]);
  });

  it('are names like others', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const { status, body } = await apply({
      roles: { realm: names.map((name) => ({ name, attributes: { constructor: ['x'], toString: ['y'] } })) },
      clientScopes: names.map((name) => ({ name, protocol: 'openid-connect' })),
      groups: names.map((name) => ({ name, realmRoles: names })),
      clients: [
        {
          clientId: 'constructor',
          serviceAccountsEnabled: true,
          authorizationServicesEnabled: true,
          defaultClientScopes: names,
          authorizationSettings: {
            scopes: names.map((name) => ({ name })),
            resources: names.map((name) => ({ name, scopes: names.map((scope) => ({ name: scope })) })),
            policies: names.map((name) => ({ name, type: 'role', config: { roles: JSON.stringify([{ id: name }]) } })),
          },
        },
      ],
    });
    expect([status, body.summary ?? body]).toEqual([200, expect.anything()]);
    expect(({} as { scopes?: unknown; subjects?: unknown }).scopes).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    const file = await read<object>('/export?secrets=true');
    const again = await plan(file, { modes: {} });
    expect([again.status, again.body.changes ?? again.body]).toEqual([200, []]);
    const [account] = await read('/users?username=service-account-constructor');
    const mappings = await admin.send('GET', `/${realm}/users/${account?.id}/role-mappings`);
    expect([mappings.status, Object.keys(mappings.body.clientMappings)]).toEqual([200, ['constructor']]);
  });
});

describe('the former name of an object', () => {
  it('is its name alone, where others have a part in what it is found by', async () => {
    const ldap = (name: string, more: object = {}) => ({
      components: { 'org.keycloak.storage.UserStorageProvider': [{ name, providerId: 'ldap', ...more }] },
    });
    await expectApplied(ldap('directory', { config: { enabled: ['false'] } }));
    const type = 'org.keycloak.storage.UserStorageProvider';
    const [before] = await read(`/components?type=${type}`);
    await expectApplied(ldap('people', { renamedFrom: 'directory' }));
    expect((await read(`/components?type=${type}`)).map(({ id, name }) => [id, name])).toEqual([
      [before?.id, 'people'],
    ]);
  });

  it('can be the name of an attribute', async () => {
    await expectApplied({ roles: { realm: [{ name: 'described', attributes: { renamedFrom: ['x'] } }] } });
    expect(await read<object>('/roles/described')).toMatchObject({ attributes: { renamedFrom: ['x'] } });
  });

  it('finds a group whose subgroups move', async () => {
    await expectApplied({ groups: [{ name: 'old', subGroups: [{ name: 'part' }] }, { name: 'other' }] });
    const groups = await read<(Item & { subGroups: Item[] })[]>('/groups');
    const part = groups.find(({ name }) => name === 'old')?.subGroups[0];
    await expectApplied({
      groups: [
        { name: 'old', subGroups: [] },
        { name: 'new', renamedFrom: 'other', subGroups: [{ id: part?.id, name: 'part' }] },
      ],
    });
    expect((await read<Item>(`/groups/${part?.id}`)).path).toBe('/new/part');
  });
});

describe('policies', () => {
  const client = (policies: object[]) => ({
    clientId: 'guarded',
    serviceAccountsEnabled: true,
    authorizationServicesEnabled: true,
    authorizationSettings: { policies },
  });
  const all = (name: string, ...applied: string[]) => ({
    name,
    type: 'aggregate',
    config: { applyPolicies: JSON.stringify(applied) },
  });
  const ring = [
    all('p', 'q'),
    all('q', 'r'),
    all('r', 'p', 'below'),
    all('above', 'p'),
    all('below', 'last'),
    all('last'),
  ];

  it('that apply themselves through others are refused by a plan and an import', async () => {
    const refusal = expect.objectContaining({
      errorMessage: expect.stringMatching(/^Policy "[pqr]" would apply itself, directly or through other policies$/),
    });
    for (const file of [ring, [all('p', 'p')]]) {
      const answer = await plan({ clients: [client(file)] });
      expect([answer.status, answer.body]).toEqual([400, refusal]);
      const imported = await admin.send('POST', '/admin/realms', { realm: 'circular', clients: [client(file)] });
      expect([imported.status, imported.body]).toEqual([400, refusal]);
    }
    // policies that two others apply are no circle
    await expectApplied({ clients: [client([all('p', 'q', 'r'), all('q', 's'), all('r', 's'), all('s')])] });
  });

  it('follow resources and scopes that get other names, unless the file has the policies', async () => {
    const library = (authorizationSettings: object) => ({
      clients: [
        {
          clientId: 'library',
          serviceAccountsEnabled: true,
          authorizationServicesEnabled: true,
          authorizationSettings,
        },
      ],
    });
    const permission = {
      name: 'permission',
      type: 'scope',
      config: { resources: JSON.stringify(['books']), scopes: JSON.stringify(['read']) },
    };
    const books = { name: 'books', scopes: [{ name: 'read' }] };
    await expectApplied(library({ scopes: [{ name: 'read' }], resources: [books], policies: [permission] }));
    await expectApplied(
      library({
        scopes: [{ name: 'view', renamedFrom: 'read' }],
        resources: [{ ...books, scopes: [{ name: 'view' }] }],
      }),
    );
    await expectApplied(library({ scopes: [{ name: 'look', renamedFrom: 'view' }] }));
    await expectApplied(library({ resources: [{ name: 'films', renamedFrom: 'books', scopes: [{ name: 'look' }] }] }));
    const { clients } = await read<{ clients: { clientId: string; authorizationSettings?: unknown }[] }>('/export');
    expect(clients.find(({ clientId }) => clientId === 'library')?.authorizationSettings).toMatchObject({
      scopes: [{ name: 'look' }],
      resources: [{ name: 'films', scopes: [{ name: 'look' }] }],
      policies: [{ name: 'permission', config: { resources: '["films"]', scopes: '["look"]' } }],
    });
  });

  it('whose role was deleted are no obstacle', async () => {
    await expectApplied({
      roles: { realm: [{ name: 'short-lived' }] },
      clients: [client([{ name: 'lonely', type: 'group', config: { groups: '[{"path":"/below"}]' } }])],
    });
    const [group] = await read('/groups?search=below');
    expect((await admin.send('DELETE', `/${realm}/groups/${group?.id}`)).status).toBe(204);
    const again = await plan(await read<object>('/export?secrets=true'), { modes: {} });
    expect([again.status, again.body.changes ?? again.body]).toEqual([200, []]);
  });
});
