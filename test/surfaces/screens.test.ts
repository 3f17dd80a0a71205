// @both-databases
import { readdirSync, readFileSync } from 'node:fs';
import { type OperationDefinitionNode, parse, print } from 'graphql';
import { createClient } from 'graphql-ws';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

// Each screen of an admin console in examples/screens is one request to load and one to save.
const folder = new URL('../../examples/screens/', import.meta.url);

const operations = new Map(
  readdirSync(folder).flatMap((file) =>
    parse(readFileSync(new URL(file, folder), 'utf8')).definitions.map((definition) => {
      const operation = definition as OperationDefinitionNode;
      return [operation.name?.value ?? '', print(operation)] as const;
    }),
  ),
);

interface Change {
  path: string[];
  before: string | null;
  after: string | null;
}
type Ids = Record<string, string>;

let server: TestServer;
let admin: Caller;
let ids: Ids;

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');
const named = (type: string, rows: { id: string }[], key: string): Ids =>
  Object.fromEntries(rows.map((row) => [(row as unknown as Ids)[key], node(type, row.id)]));

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const made = await admin.send('POST', '/', {
    realm: 'screens',
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    eventsEnabled: true,
    roles: { realm: ['clerk', 'chief'].map((name) => ({ name })) },
    groups: Array.from({ length: 20 }, (_, at) => ({
      name: `team-${String(at).padStart(2, '0')}`,
      subGroups: [{ name: 'day' }, { name: 'night', subGroups: [{ name: 'late' }] }],
    })),
    users: Array.from({ length: 30 }, (_, at) => ({
      username: `user-${String(at).padStart(2, '0')}`,
      enabled: at % 2 > 0,
      requiredActions: ['VERIFY_EMAIL'],
      groups: ['/team-00', '/team-01/night/late'],
      realmRoles: ['clerk'],
      credentials: [{ type: 'password', value: 'pw' }],
    })),
    clients: [{ clientId: 'shop', redirectUris: ['https://shop.example/*'] }],
  });
  expect(made.status).toBe(201);
  const read = async (path: string) => (await admin.send('GET', `/screens${path}`)).body;
  ids = {
    realm: node('Realm', (await read('')).id),
    ...named('User', await read('/users?max=50'), 'username'),
    ...named('Role', await read('/roles'), 'name'),
    ...named('Group', await read('/groups'), 'name'),
    ...named('Client', await read('/clients'), 'clientId'),
  };
});

interface Cost {
  requested: number;
  statements: number;
}

/** Sends an operation of a screen. Returns its data, which has no errors, and what it cost. */
async function request<T>(name: string, variables: object): Promise<{ data: T; cost: Cost }> {
  const text = operations.get(name);
  if (!text) throw new Error(`No screen has the operation ${name}`);
  const { data, errors, extensions } = await admin.graphql<T>(text, variables as Record<string, unknown>);
  expect(errors).toBeUndefined();
  const { requested, statements } = (extensions as { cost: Cost }).cost;
  return { data, cost: { requested, statements } };
}

/** Requires that no mutation of an answer was refused. */
function requireDone(data: Record<string, { userErrors: unknown[] }>): void {
  for (const payload of Object.values(data)) expect(payload.userErrors).toEqual([]);
}

/** The cost that each request states before it is executed, and the most statements that it takes. */
const budget: Readonly<Record<string, Cost>> = {
  UserListLoad: { requested: 1770, statements: 8 },
  UserListSave: { requested: 247, statements: 34 },
  UserDetailLoad: { requested: 3438, statements: 10 },
  UserDetailSave: { requested: 560, statements: 48 },
  GroupTreeLoad: { requested: 3203, statements: 4 },
  GroupTreeSave: { requested: 997, statements: 44 },
  ClientEditorLoad: { requested: 1552, statements: 5 },
  ClientEditorSave: { requested: 126, statements: 15 },
  RealmSettingsLoad: { requested: 38, statements: 4 },
  RealmSettingsPreview: { requested: 123, statements: 12 },
  RealmSettingsSave: { requested: 126, statements: 11 },
  AuditLogLoad: { requested: 4351, statements: 22 },
};

/** `more`: statements by which an answer that is refused may look for further errors. */
async function within<T>(name: string, variables: object, more = 0): Promise<T> {
  const { data, cost } = await request<T>(name, variables);
  const { requested, statements = 0 } = budget[name] ?? {};
  expect({ name, requested: cost.requested }).toEqual({ name, requested });
  expect(cost.statements, name).toBeLessThanOrEqual(statements + more);
  return data;
}

describe('the screens of an admin console', () => {
  it('have a budget each', () => {
    expect(Object.keys(budget).sort()).toEqual([...operations.keys()].filter((name) => !name.endsWith('Live')).sort());
  });

  it('list users, and change those that are marked', async () => {
    interface Loaded {
      realm: {
        users: { totalCount: number; edges: { node: { id: string; isEnabled: boolean; version: number } }[] };
        userFacets: { isEnabled: object };
      };
    }
    const variables = { realm: 'screens', filter: { isEnabled: false }, orderBy: { field: 'USERNAME' } };
    const { realm } = await within<Loaded>('UserListLoad', variables);
    expect(realm.userFacets.isEnabled).toEqual({ yes: 0, no: 15 });
    const marked = realm.users.edges.map((edge) => edge.node);
    expect([marked.length, realm.users.totalCount]).toEqual([15, 15]);
    const changes = marked.map(({ id, version }) => ({ id, expectedVersion: version, isEnabled: true }));
    const users = marked.map(({ id }) => id);
    const input = { realm: ids.realm, users, changes, groups: [ids['team-05']], roles: [ids.chief] };
    requireDone(await within('UserListSave', input));
    expect((await within<Loaded>('UserListLoad', variables)).realm.users.totalCount).toBe(0);
  });

  it('show a user, and save the form with the memberships and roles', async () => {
    interface Loaded {
      node: { version: number; groups: { edges: { node: { path: string } }[] }; adminEvents: { edges: object[] } };
    }
    const user = ids['user-01'];
    const { node: before } = await within<Loaded>('UserDetailLoad', { user });
    const saved = await within<Record<string, { userErrors: unknown[]; changes?: Change[] }>>('UserDetailSave', {
      changes: { id: user, expectedVersion: before.version, lastName: 'Miller' },
      join: { id: user, groups: [ids['team-07']] },
      leave: { id: user, groups: [ids['team-00']] },
      roles: { id: user, roles: [ids.chief] },
    });
    requireDone(saved);
    expect(saved.userUpdate?.changes).toEqual([{ path: ['lastName'], before: null, after: '"Miller"' }]);
    const { node: after } = await within<Loaded>('UserDetailLoad', { user });
    expect(after.groups.edges.map((edge) => edge.node.path)).toEqual(['/team-01/night/late', '/team-07']);
    expect(after.adminEvents.edges.length).toBeGreaterThanOrEqual(4);
  });

  it('draw the tree of groups, and move a group', async () => {
    interface Loaded {
      realm: {
        groups: { totalCount: number; edges: { node: { path: string; depth: number; memberCount: number } }[] };
      };
    }
    const { realm } = await within<Loaded>('GroupTreeLoad', { realm: 'screens' });
    const groups = realm.groups.edges.map((edge) => edge.node);
    expect([groups.length, realm.groups.totalCount]).toEqual([80, 80]);
    expect(groups.find(({ path }) => path === '/team-01/night/late')).toMatchObject({ depth: 2, memberCount: 30 });
    const saved = await within<Record<string, { group: { path: string }; userErrors: unknown[] }>>('GroupTreeSave', {
      move: { id: ids['team-03'], parent: ids['team-02'] },
      rename: { id: ids['team-03'], name: 'moved' },
    });
    requireDone(saved);
    expect(saved.groupUpdate?.group.path).toBe('/team-02/moved');
  });

  it('edit a client', async () => {
    interface Loaded {
      realm: { client: { id: string; version: number; defaultClientScopes: { edges: object[] } } };
    }
    const { realm } = await within<Loaded>('ClientEditorLoad', { realm: 'screens', clientId: 'shop' });
    expect(realm.client.defaultClientScopes.edges.length).toBeGreaterThan(2);
    const { id, version } = realm.client;
    const changes = {
      id,
      expectedVersion: version,
      consent: { isRequired: true },
      addRedirectUris: ['https://two.example/'],
    };
    const saved = await within<Record<string, { changes: Change[]; userErrors: unknown[] }>>('ClientEditorSave', {
      changes,
    });
    requireDone(saved);
    expect(saved.clientUpdate?.changes.map(({ path }) => path.join('.'))).toEqual([
      'consent.isRequired',
      'redirectUris',
    ]);
  });

  it('show what the settings of a realm would become, and save them', async () => {
    interface Saved {
      realmUpdate: { changes: Change[]; userErrors: { path: string[] }[]; realm?: { version: number } };
    }
    const { realm } = await within<{ realm: { id: string; version: number } }>('RealmSettingsLoad', {
      realm: 'screens',
    });
    const changes = {
      id: realm.id,
      expectedVersion: realm.version,
      displayName: 'Screens',
      login: { allowsRegistration: true },
    };
    const preview = await within<Saved>('RealmSettingsPreview', { changes });
    expect(preview.realmUpdate.changes).toEqual([
      { path: ['displayName'], before: null, after: '"Screens"' },
      { path: ['login', 'allowsRegistration'], before: 'false', after: 'true' },
    ]);
    const saved = await within<Saved>('RealmSettingsSave', { changes });
    requireDone({ ...saved });
    expect(saved.realmUpdate.changes).toEqual(preview.realmUpdate.changes);
    expect(saved.realmUpdate.realm?.version).toBe(realm.version + 1);
    const late = await within<Saved>('RealmSettingsSave', { changes }, 4);
    expect(late.realmUpdate.userErrors).toMatchObject([{ code: 'STALE' }]);
  });

  it('show who did what, and what is done from now on', async () => {
    interface Loaded {
      adminEvents: { edges: { node: { actor: { username: string }; changes: Change[] | null } }[] };
    }
    const { adminEvents } = await within<Loaded>('AuditLogLoad', { first: 50 });
    expect(adminEvents.edges.length).toBeGreaterThan(20);
    expect(adminEvents.edges[0]?.node.actor.username).toBe('admin');
    const client = createClient({
      url: `${server.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${admin.token}` },
    });
    const query = operations.get('AuditLogLive') ?? '';
    const messages = client.iterate<{ adminEvents: { event: { changes: Change[] } | null } }>({
      query,
      variables: { realm: ids.realm },
    });
    // the first message says where the list begins
    await messages.next();
    await admin.graphql('mutation ($input: RoleUpdateInput!) { roleUpdate(input: $input) { userErrors { code } } }', {
      input: { id: ids.clerk, description: 'New' },
    });
    const { value } = await messages.next();
    expect(value.data?.adminEvents.event?.changes).toContainEqual({
      path: ['description'],
      before: null,
      after: '"New"',
    });
    await messages.return?.();
    await client.dispose();
  });
});
