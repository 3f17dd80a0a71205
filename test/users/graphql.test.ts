import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, login, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';

const realm = 'crowd';
let server: TestServer;
let admin: Caller;
let viewer: Caller;
let realmId: string;

interface Payload {
  user?: { id: string; username: string; version: number } & Record<string, never>;
  users?: { id: string; username: string }[];
  deletedIds?: string[];
  userErrors: { code: string; path: string[] | null; message: string }[];
  adminEvents: { operation: string }[];
}

const mutate = async (name: string, input: object, fields: string, caller = admin): Promise<Payload> => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${name}(input: $input) { ${fields} userErrors { code path message } adminEvents { operation } } }`;
  const { data, errors } = await caller.graphql<Record<string, Payload>>(query, { input });
  expect(errors).toBeUndefined();
  return data[name] as Payload;
};

interface Page {
  realm: {
    users: { totalCount: number; edges: { node: { id: string; username: string } & Record<string, unknown> }[] };
  };
}
const page = (args: string, fields = 'id username', caller = admin) =>
  caller.graphql<Page>(`{ realm(name: "${realm}") { users(${args}) { totalCount edges { node { ${fields} } } } } }`);
const names = async (filter: string) =>
  (await page(`first: 100, filter: ${filter}`)).data.realm.users.edges.map(({ node }) => node.username);

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const { status } = await admin.send('POST', '/', {
    realm,
    enabled: true,
    adminEventsEnabled: true,
    roles: { realm: [{ name: 'reader' }], client: { shop: [{ name: 'buyer' }] } },
    clients: [{ clientId: 'shop', consentRequired: true }],
    groups: [{ name: 'staff' }, { name: 'night' }],
    users: [
      {
        username: 'viewer',
        enabled: true,
        createdTimestamp: 1,
        credentials: [{ type: 'password', value: 'secret-1' }],
        clientRoles: { 'realm-management': ['view-users'] },
        clientConsents: [{ clientId: 'shop', grantedClientScopes: ['email'] }],
      },
      ...Array.from({ length: 60 }, (_, at) => ({
        username: `u${String(at).padStart(2, '0')}`,
        firstName: at % 2 ? 'Odd' : 'Even',
        ...(at < 10 && { email: `u${at}@example.org` }),
        enabled: at < 30,
        attributes: { number: [String(at)] },
        requiredActions: at === 3 ? ['VERIFY_EMAIL'] : [],
        realmRoles: ['reader'],
        clientRoles: { shop: ['buyer'] },
        groups: ['/staff', '/night'],
        credentials: [
          {
            type: 'password',
            secretData: '{"value":"AAAA","salt":"AAAA"}',
            credentialData: '{"algorithm":"pbkdf2-sha256","hashIterations":5}',
          },
        ],
      })),
    ],
  });
  expect(status).toBe(201);
  viewer = await userOf(server, realm, 'viewer', 'secret-1');
  const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
  realmId = data.realm.id;
});

describe('reading users over GraphQL', () => {
  const details = `username credentials { id type algorithm hashIterations }
    groups(first: 20) { edges { node { name } } }
    realmRoles: directRoles(filter: { isClientRole: false }) { edges { node { name } } }
    clientRoles: directRoles(filter: { isClientRole: true }) { edges { node { name } } }`;

  it('fetches a page with groups, roles and credentials in few statements, whatever its size', async () => {
    await page('first: 1', details);
    const small = await page('first: 2', details);
    const large = await page('first: 50', details);
    expect(large.errors).toBeUndefined();
    expect(large.data.realm.users.edges).toHaveLength(50);
    expect(large.data.realm.users.edges[0]?.node).toMatchObject({
      username: 'u00',
      credentials: [{ type: 'password', algorithm: 'pbkdf2-sha256', hashIterations: 5 }],
      groups: { edges: [{ node: { name: 'night' } }, { node: { name: 'staff' } }] },
      realmRoles: { edges: [{ node: { name: 'reader' } }] },
      clientRoles: { edges: [{ node: { name: 'buyer' } }] },
    });
    expect(large.extensions?.cost?.statements).toBe(small.extensions?.cost?.statements);
    expect(large.extensions?.cost?.statements).toBeLessThanOrEqual(6);
  });

  it('lists the roles of the realm with those of its clients', async () => {
    const { data } = await admin.graphql<{ realm: { allRoles: { nodes: { name: string }[] } } }>(
      `{ realm(name: "${realm}") { allRoles(filter: { name: { in: ["reader", "buyer"] } }) { nodes { name } } } }`,
    );
    expect(data.realm.allRoles.nodes).toEqual([{ name: 'buyer' }, { name: 'reader' }]);
  });

  it('filters by everything that a user has', async () => {
    expect(await names('{ username: { startsWith: "U0" }, isEnabled: true }')).toHaveLength(10);
    expect(await names('{ firstName: { equals: "Odd" }, isEnabled: false }')).toHaveLength(15);
    expect(await names('{ email: { endsWith: "@EXAMPLE.org" } }')).toHaveLength(10);
    expect(await names('{ attribute: { name: "number", value: { equals: "7" } } }')).toEqual(['u07']);
    expect(await names('{ requiredAction: "VERIFY_EMAIL" }')).toEqual(['u03']);
    expect(await names('{ createdAt: { before: "1990-01-01T00:00:00Z" } }')).toEqual(['viewer']);
    expect(
      await names('{ or: [{ username: { in: ["u01", "u02"] } }, { not: { username: { startsWith: "u" } } }] }'),
    ).toEqual(['u01', 'u02', 'viewer']);
    expect(await names('{ and: [{ search: "even u1" }, { isEnabled: true }] }')).toEqual([
      'u10',
      'u12',
      'u14',
      'u16',
      'u18',
    ]);
    expect(await names('{ search: "u0_" }')).toEqual([]);
    expect(await names('{ username: { contains: "%" } }')).toEqual([]);
    expect(await names('{ identityProviderAlias: "nobody" }')).toEqual([]);
  });

  it('pages in any order, users without a value last', async () => {
    const query = `query($after: String) { realm(name: "${realm}") {
      users(first: 7, after: $after, orderBy: { field: EMAIL }) { edges { node { username } } pageInfo { endCursor hasNextPage } }
    } }`;
    interface Part {
      realm: {
        users: {
          edges: { node: { username: string } }[];
          pageInfo: { endCursor: string; hasNextPage: boolean };
        };
      };
    }
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const answer: { data: Part } = await admin.graphql<Part>(query, { after });
      const { edges, pageInfo } = answer.data.realm.users;
      seen.push(...edges.map(({ node }) => node.username));
      after = pageInfo.endCursor;
      more = pageInfo.hasNextPage;
    }
    expect(new Set(seen).size).toBe(61);
    expect(seen.slice(0, 10).every((name) => name.startsWith('u0'))).toBe(true);
  });

  it('looks up users by name and shows members, consents and roles of users', async () => {
    const { data, errors } = await admin.graphql<Record<string, never>>(`{ realm(name: "${realm}") {
      user(username: "VIEWER") { username consents { clientId grantedScopes { name } grantedScopeNames client { clientId } } serviceAccountClient { clientId } }
      nobody: user(username: "nobody") { id }
      groups(first: 1) { edges { node { name members(first: 2) { totalCount edges { node { username } } } } } }
      roles(filter: { name: { equals: "reader" } }) { edges { node { users(first: 1) { totalCount edges { node { username } } } } } }
    } }`);
    expect(errors).toBeUndefined();
    expect(data.realm).toMatchObject({
      user: {
        username: 'viewer',
        consents: [
          {
            clientId: 'shop',
            grantedScopes: [{ name: 'email' }],
            grantedScopeNames: ['email'],
            client: { clientId: 'shop' },
          },
        ],
        serviceAccountClient: null,
      },
      nobody: null,
      groups: { edges: [{ node: { name: 'night', members: { totalCount: 60 } } }] },
      roles: { edges: [{ node: { users: { totalCount: 60, edges: [{ node: { username: 'u00' } }] } } }] },
    });
  });

  it('keeps credentials and clients from those who may only see users', async () => {
    const { data, errors } = await page('first: 2', 'username credentials { type }', viewer);
    expect(errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    expect(data.realm.users.edges[0]?.node.credentials).toBeNull();
    const own = await viewer.graphql<Record<string, never>>(
      `{ realm(name: "${realm}") { user(username: "viewer") { consents { clientId client { id } grantedScopes { id } grantedScopeNames } viewerCan { update { isAllowed } } } } }`,
    );
    expect(own.data.realm).toEqual({
      user: {
        consents: [{ clientId: 'shop', client: null, grantedScopes: null, grantedScopeNames: ['email'] }],
        viewerCan: { update: { isAllowed: false } },
      },
    });
  });
});

describe('changing users over GraphQL', () => {
  const find = async (username: string) =>
    (
      await page(
        `filter: { username: { equals: "${username}" } }`,
        'id username credentials { id type label } federatedIdentities { identityProviderAlias userId } groups { edges { node { id name } } }',
      )
    ).data.realm.users.edges[0]?.node as never as {
      id: string;
      credentials: { id: string; type: string; label: string }[];
      federatedIdentities: object[];
      groups: { edges: { node: { id: string; name: string } }[] };
    };

  it('does what REST can do', async () => {
    const staff = (await find('u00')).groups.edges.map(({ node }) => node.id);
    const otp = { type: 'recovery', label: 'phone', credentialData: '{}', secretData: '{"value":"x"}' };
    const made = await mutate(
      'userCreate',
      {
        realm: realmId,
        username: 'Ann',
        email: 'ann@crowd.org',
        isEnabled: true,
        password: { value: 'first' },
        credentials: [otp],
        groups: staff.slice(0, 1),
        attributes: [{ name: 'a', values: ['1'] }],
      },
      'user { id username version }',
    );
    expect(made.userErrors).toEqual([]);
    expect(made.adminEvents[0]?.operation).toBe('user.create');
    const id = made.user?.id as string;
    expect(await login(server, realm, 'ann', 'first')).toBeTruthy();

    expect((await mutate('userSetPassword', { id, value: 'second' }, 'user { id }')).userErrors).toEqual([]);
    expect(await login(server, realm, 'ann', 'second')).toBeTruthy();
    expect((await mutate('userJoinGroups', { id, groups: staff }, 'user { id }')).adminEvents[0]?.operation).toBe(
      'user.joinGroups',
    );
    expect((await mutate('userJoinGroups', { id, groups: staff }, 'user { id }')).adminEvents).toEqual([]);
    expect((await mutate('userLeaveGroups', { id, groups: staff.slice(0, 1) }, 'user { id }')).userErrors).toEqual([]);
    expect((await find('ann')).groups.edges).toHaveLength(1);

    const link = { id, identityProviderAlias: 'partner' };
    expect((await mutate('userAddFederatedIdentity', { ...link, userId: 'x' }, 'user { id }')).userErrors).toEqual([]);
    expect(
      (await mutate('userAddFederatedIdentity', { ...link, userId: 'y' }, 'user { id }')).userErrors[0]?.code,
    ).toBe('IDENTITY_TAKEN');
    expect((await find('ann')).federatedIdentities).toEqual([{ identityProviderAlias: 'partner', userId: 'x' }]);
    expect((await mutate('userRemoveFederatedIdentity', link, 'user { id }')).userErrors).toEqual([]);

    const [phone, password] = (await find('ann')).credentials.toSorted((one, other) =>
      other.type.localeCompare(one.type),
    );
    await mutate('credentialMove', { id: password?.id }, 'user { id }');
    await mutate('credentialMove', { id: password?.id, after: phone?.id }, 'user { id }');
    await mutate('credentialSetLabel', { id: phone?.id, label: 'Téléphone ☎' }, 'credential { label } user { id }');
    expect((await find('ann')).credentials.map(({ label, type }) => label ?? type)).toEqual([
      'Téléphone ☎',
      'password',
    ]);
    await mutate('credentialDelete', { id: phone?.id }, 'deletedId user { id }');
    expect((await find('ann')).credentials).toHaveLength(1);

    const changed = await mutate(
      'userUpdate',
      { id, firstName: 'Ann', email: null },
      'user { firstName email username }',
    );
    expect(changed.user).toEqual({ firstName: 'Ann', email: null, username: 'ann' });
    const stale = await mutate('userUpdate', { id, lastName: 'x', expectedVersion: 0 }, 'user { id }');
    expect(stale.userErrors[0]?.code).toBe('STALE');
    expect((await mutate('userDelete', { id }, 'deletedId')).userErrors).toEqual([]);
    expect(await find('ann')).toBeUndefined();
  });

  it('refuses viewers', async () => {
    const { id } = await find('u00');
    for (const [name, input] of [
      ['userUpdate', { id, firstName: 'x' }],
      ['userSetPassword', { id, value: 'x' }],
      ['userDelete', { id }],
      ['userCreate', { realm: realmId, username: 'x' }],
      ['usersDelete', { realm: realmId, ids: [id] }],
    ] as const) {
      const { userErrors } = await mutate(name, input, '', viewer);
      expect(userErrors[0]?.code, name).toBe('FORBIDDEN');
    }
  });

  it('names the field at fault', async () => {
    const taken = await mutate('userCreate', { realm: realmId, username: 'U00' }, 'user { id }');
    expect(taken.userErrors).toEqual([
      { code: 'USERNAME_TAKEN', path: ['username'], message: 'User exists with same username' },
    ]);
    expect((await mutate('userCreate', { realm: realmId }, 'user { id }')).userErrors[0]?.path).toEqual(['username']);
  });
});

describe('batches of users', () => {
  const batch = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      username: `batch${from + at}`,
      attributes: [{ name: 'a', values: ['1'] }],
    }));

  it('creates any number in the same number of statements', async () => {
    const run = (users: object[]) => async () => {
      const { users: made, userErrors } = await mutate('usersCreate', { realm: realmId, users }, 'users { username }');
      expect(userErrors).toEqual([]);
      expect(made).toHaveLength(users.length);
    };
    const few = await countStatements(server, run(batch(0, 2)));
    expect(await countStatements(server, run(batch(100, 300)))).toBe(few);
  });

  it('undoes all or does the rest', async () => {
    const users = [{ username: 'fine1' }, { username: 'u00' }, { username: 'fine2' }, { username: 'FINE1' }];
    const fields = 'users { username }';
    const refused = [
      { code: 'USERNAME_TAKEN', path: ['users', '1', 'username'], message: 'User exists with same username' },
      { code: 'USERNAME_TAKEN', path: ['users', '3', 'username'], message: 'User exists with same username' },
    ];
    const undone = await mutate('usersCreate', { realm: realmId, users }, fields);
    expect(undone.userErrors).toEqual(refused);
    expect([undone.users, undone.adminEvents]).toEqual([null, []]);
    expect(await names('{ username: { startsWith: "fine" } }')).toEqual([]);
    const done = await mutate('usersCreate', { realm: realmId, users, onError: 'CONTINUE' }, fields);
    expect(done.userErrors).toEqual(refused);
    expect(done.users).toEqual([{ username: 'fine1' }, { username: 'fine2' }]);
    expect(done.adminEvents).toHaveLength(2);
  });

  it('changes and deletes', async () => {
    const made = await mutate('usersCreate', { realm: realmId, users: batch(900, 3) }, 'users { id username }');
    const ids = (made.users ?? []).map(({ id }) => id);
    const changes = [
      { id: ids[0], firstName: 'New', password: { value: 'changed-1' }, isEnabled: true },
      { id: ids[1], lastName: 'New', expectedVersion: 0, attributes: [] },
      { id: ids[2], lastName: 'New', expectedVersion: 7 },
      { id: btoa('User:unknown'), lastName: 'New' },
    ];
    const changed = await mutate(
      'usersUpdate',
      { realm: realmId, users: changes, onError: 'CONTINUE' },
      'users { username firstName lastName attributes { name } }',
    );
    expect(changed.users).toEqual([
      { username: 'batch900', firstName: 'New', lastName: null, attributes: [{ name: 'a' }] },
      { username: 'batch901', firstName: null, lastName: 'New', attributes: [] },
    ]);
    expect(changed.userErrors.map(({ code, path }) => [code, path])).toEqual([
      ['STALE', ['users', '2', 'expectedVersion']],
      ['NOT_FOUND', ['users', '3']],
    ]);
    expect(await login(server, realm, 'batch900', 'changed-1')).toBeTruthy();
    const events = await server.database.read.adminEvent.count({ where: { operation: 'user.updateMany' } });
    expect(events).toBe(2);
    const gone = await mutate('usersDelete', { realm: realmId, ids: [...ids, ids[0]] }, 'deletedIds');
    expect(gone.userErrors).toMatchObject([{ code: 'REPEATED', path: ['ids', '3'] }]);
    const really = await mutate('usersDelete', { realm: realmId, ids }, 'deletedIds');
    expect(really.deletedIds).toEqual(ids);
    expect(await names('{ username: { startsWith: "batch90" } }')).toEqual([]);
  });

  it('writes nothing of what is refused because it names a user again', async () => {
    const made = await mutate('usersCreate', { realm: realmId, users: [{ username: 'again' }] }, 'users { id }');
    const [id = ''] = (made.users ?? []).map((user) => String(user.id));
    const users = [
      { id, firstName: 'New' },
      { id, password: { value: 'not-set-1' } },
    ];
    const changed = await mutate('usersUpdate', { realm: realmId, users, onError: 'CONTINUE' }, 'users { firstName }');
    expect(changed.users).toEqual([{ firstName: 'New' }]);
    expect(changed.userErrors.map(({ code, path }) => [code, path?.[1]])).toEqual([['REPEATED', '1']]);
    const [, userId = ''] = atob(id).split(':');
    expect(await server.database.read.credential.count({ where: { userId } })).toBe(0);
  });
});
