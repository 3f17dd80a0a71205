// @both-databases
import { getNamedType, isInputObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { permitUser } from './permit.js';

// A filter names an object by its ID: what is listed must not tell of links to objects that the caller may not view.
const realm = 'filtered';
let server: TestServer;
let admin: Caller;
const ids: Record<string, string> = {};
const nodeId = (typename: string, id = '') => btoa(`${typename}:${id}`);
const storage = '5f0c6f6e-6d53-4f3a-9a43-2c7c1f8d5a10';
const serverPath = () => `/${realm}/clients/${ids['realm-management']}/authz/resource-server`;
const password = { enabled: true, credentials: [{ type: 'password', value: 'pw' }] };
const rights = (...roles: string[]) => ({ clientRoles: { 'realm-management': roles } });

const permit = (path: string, username: string, ...scopes: string[]) =>
  permitUser({ admin, realm, administration: ids['realm-management'] }, path, username, scopes);

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const made = await admin.send('POST', '/', {
    realm,
    enabled: true,
    eventsEnabled: true,
    roles: { realm: [{ name: 'clerk' }] },
    groups: [{ name: 'team', realmRoles: ['clerk'] }, { name: 'others' }],
    users: [
      { username: 'helper', ...password, ...rights('query-users', 'query-groups') },
      { username: 'auditor', ...password, ...rights('view-events') },
      { username: 'viewer', ...password, ...rights('view-realm') },
      { username: 'ann', enabled: true, groups: ['/team', '/others'], realmRoles: ['clerk'] },
      { username: 'bob', enabled: true, groups: ['/team'] },
      { username: 'eve', enabled: true, federationLink: storage },
    ],
    components: {
      'org.keycloak.storage.UserStorageProvider': [
        { id: storage, name: 'staff', providerId: 'ldap', config: { editMode: ['UNSYNCED'] } },
      ],
    },
  });
  expect(made.status).toBe(201);
  for (const { id, username } of (await admin.send('GET', `/${realm}/users`)).body) ids[username] = id;
  for (const { id, name } of (await admin.send('GET', `/${realm}/groups`)).body) ids[name] = id;
  for (const { id, clientId } of (await admin.send('GET', `/${realm}/clients`)).body) ids[clientId] = id;
  for (const { id, name } of (await admin.send('GET', `/${realm}/roles`)).body) ids[name] = id;
  ids.realm = (await admin.send('GET', `/${realm}`)).body.id;
  ids.admin = (await admin.send('GET', '/master/users?username=admin')).body[0].id;
  expect((await admin.send('PUT', `/${realm}/users/${ids.ann}`, { firstName: 'Ann' })).status).toBe(204);
  await userOf(server, realm, 'auditor', 'pw');
  await admin.send('PUT', `/${realm}/users-management-permissions`, { enabled: true });
  const policy = { name: 'is helper', users: [ids.helper], logic: 'POSITIVE' };
  expect((await admin.send('POST', `${serverPath()}/policy/user`, policy)).status).toBe(201);
  await permit('/users-management-permissions', 'helper', 'view', 'manage');
  await permit(`/groups/${ids.team}/management/permissions`, 'helper', 'view', 'view-members');
});

const list = (field: string, row: string) => (filter: string) =>
  `{ realm(name: "${realm}") { ${field}(first: 100, filter: ${filter}) { totalCount edges { node { ${row} } } } } }`;
const within = (typename: string, name: () => string | undefined, field: string) => (filter: string) =>
  `{ node(id: "${nodeId(typename, name())}") { ... on ${typename} { ${field}(filter: ${filter}) { totalCount edges { node { id } } } } } }`;

interface Case {
  /** who may list the rows, but not view the object */
  caller: string;
  /** the type and the ID of the object */
  object: () => readonly [typename: string, id: string | undefined];
  /** all documents that take the filter */
  documents: readonly ((filter: string) => string)[];
}

const hidden: Record<string, Case> = {
  'UserFilter.group': {
    caller: 'helper',
    object: () => ['Group', ids.others],
    documents: [
      list('users', 'username groups { totalCount edges { node { name } } }'),
      within('Group', () => ids.team, 'members'),
      (filter) => `{ realm(name: "${realm}") { userFacets(filter: ${filter}) { total isEnabled { yes } } } }`,
      (
        filter,
      ) => `mutation { usersUpdateMatching(input: { realm: "${nodeId('Realm', ids.realm)}", filter: ${filter}, limit: 100,
        changes: { isEnabled: true } }) { users { username } userErrors { message code } } }`,
      (
        filter,
      ) => `mutation @dryRun { usersDeleteMatching(input: { realm: "${nodeId('Realm', ids.realm)}", filter: { and: [
        { username: { equals: "ann" } }, ${filter}] }, limit: 100 }) { deletedIds userErrors { message code } } }`,
    ],
  },
};

/** Filters on what every row shows to all callers who may list it. */
const shown: Record<string, Case & { shownBy: string }> = {
  'UserFilter.role': {
    caller: 'helper',
    object: () => ['Role', ids.clerk],
    documents: [list('users', 'directRoles { edges { node { id } } }')],
    shownBy: 'directRoles',
  },
  'UserFilter.userStorage': {
    caller: 'helper',
    object: () => ['UserStorage', storage],
    documents: [list('users', 'federationLinkId')],
    shownBy: 'federationLinkId',
  },
  'GroupFilter.role': {
    caller: 'helper',
    object: () => ['Role', ids.clerk],
    documents: [list('groups', 'roles { edges { node { id } } }')],
    shownBy: 'roles',
  },
  'AdminEventFilter.actor': {
    caller: 'auditor',
    object: () => ['User', ids.admin],
    documents: [list('adminEvents', 'actorId')],
    shownBy: 'actorId',
  },
  'AdminEventFilter.resource': {
    caller: 'auditor',
    object: () => ['User', ids.ann],
    documents: [list('adminEvents', 'resourceId')],
    shownBy: 'resourceId',
  },
  'LoginEventFilter.user': {
    caller: 'auditor',
    object: () => ['User', ids.auditor],
    documents: [list('loginEvents', 'userId')],
    shownBy: 'userId',
  },
};

/** Filters on objects that everybody may view who may list the rows. */
const alwaysVisible: Record<string, Case> = {
  'ComponentFilter.parent': {
    caller: 'viewer',
    object: () => ['Realm', ids.realm],
    documents: [list('components', 'name')],
  },
};

const filters = Object.values(graphqlSchema().getTypeMap()).flatMap((type) =>
  isInputObjectType(type) && type.name.endsWith('Filter')
    ? Object.values(type.getFields())
        .filter((field) => getNamedType(field.type).name === 'ID')
        .map((field) => `${type.name}.${field.name}`)
    : [],
);
const forms: Record<string, (condition: string) => string> = {
  alone: (condition) => `{ ${condition} }`,
  negated: (condition) => `{ not: { ${condition} } }`,
  'as an alternative': (condition) => `{ or: [{ ${condition} }] }`,
  'within a negated conjunction': (condition) => `{ not: { and: [{ ${condition} }] } }`,
};
const conditionOf = (name: string, id: string) => `${name.split('.')[1]}: "${id}"`;
const as = (username: string) => userOf(server, realm, username, 'pw');
const visible = async (caller: Caller, id: string) =>
  (await caller.graphql<{ node: object | null }>(`{ node(id: "${id}") { id } }`)).data.node !== null;

it('every filter by an ID is covered here', () => {
  expect(Object.keys({ ...hidden, ...shown, ...alwaysVisible }).toSorted()).toEqual(filters.toSorted());
});

describe.each(Object.entries(hidden))('%s', (name, { caller, object, documents }) => {
  it.each(Object.keys(forms))(
    'treats an object that the caller may not view like one that does not exist: %s',
    async (form) => {
      const [typename, id] = object();
      const asker = await as(caller);
      expect(await visible(asker, nodeId(typename, id))).toBe(false);
      for (const document of documents) {
        const ask = async (who: Caller, wanted: string) => {
          const { data, errors } = await who.graphql(document(forms[form]?.(conditionOf(name, wanted)) ?? ''));
          expect(errors).toBeUndefined();
          return data;
        };
        const [found, unknown] = [nodeId(typename, id), nodeId(typename, 'nothing')];
        expect(await ask(asker, found)).toEqual(await ask(asker, unknown));
        expect(await ask(admin, found)).not.toEqual(await ask(admin, unknown));
      }
    },
  );
});

describe.each(Object.entries(shown))('%s', (name, { caller, object, documents, shownBy }) => {
  it(`matches what ${shownBy} of the rows shows`, async () => {
    const id = nodeId(...object());
    const asker = await as(caller);
    for (const document of documents) {
      const { data, errors } = await asker.graphql<{
        realm: Record<string, { edges: { node: Record<string, unknown> }[] }>;
      }>(document(`{ ${conditionOf(name, id)} }`));
      expect(errors).toBeUndefined();
      const edges = Object.values(data.realm).flatMap((value) => value.edges);
      expect(edges.length).toBeGreaterThan(0);
      for (const { node } of edges) expect(JSON.stringify(node[shownBy])).toContain(id);
    }
  });
});

describe.each(Object.entries(alwaysVisible))('%s', (name, { caller, object, documents }) => {
  it('finds what is linked to the object, which all callers may view who may list the rows', async () => {
    const asker = await as(caller);
    const id = nodeId(...object());
    expect(await visible(asker, id)).toBe(true);
    for (const document of documents) {
      const { data } = await asker.graphql(document(`{ ${conditionOf(name, id)} }`));
      const { data: none } = await asker.graphql(document(`{ ${conditionOf(name, nodeId('Component', 'nothing'))} }`));
      expect(data).not.toEqual(none);
    }
  });
});

it('a filter by an ID costs callers who may view all objects no statement, and others as many for one ID as for two', async () => {
  const statements = async (caller: Caller, filter: string) => {
    const document = list(
      'users',
      'id',
    )(filter)
      .replace(/first: 100, /, '')
      .replace('totalCount ', '');
    await caller.graphql(document);
    const { extensions, errors } = await caller.graphql(document);
    expect(errors).toBeUndefined();
    return extensions?.cost?.statements as number;
  };
  const one = `{ group: "${nodeId('Group', ids.others)}" }`;
  const two = `{ or: [${one}, { group: "${nodeId('Group', ids.team)}" }] }`;
  expect(await statements(admin, one)).toBe(await statements(admin, '{ isEnabled: true }'));
  const helper = await as('helper');
  expect(await statements(helper, two)).toBe(await statements(helper, one));
});
