// @both-databases
import { type GraphQLObjectType, isInterfaceType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';
import { slowClock, startServer } from '../support/server.js';
import { createCrowd } from './crowd.js';
import { placesOf } from './listed-types.js';
import { beyond, fewerOnPostgresql, fieldsOf, grouped } from './selections.js';

// Every field of every object of several realms at once, in a list of realms or by IDs: the same number of statements for 2 and
// for all realms, although nothing is in a cache, and the answers that each realm gives by itself.
const schema = graphqlSchema();
const realmType = schema.getType('Realm') as GraphQLObjectType;
const names = Array.from({ length: isThorough ? 6 : 4 }, (_, at) => `a-crowd-${at}`);
const few = 2;
const many = names.length;
/** A realm behind the list, so that none of its pages ends at a realm that the viewer may not see. */
const next = 'a-next';
/** Objects of each type that are asked for in each realm. */
const ofEach = 2;

/** Types of which the realms have no objects: they are made by other programs, and by requests to other servers. */
const unmade = ['OtherAuthorizationPolicy', 'UmaAuthorizationPermission', 'WebhookDelivery'];

const places = placesOf(names[0] ?? '').filter(
  ({ type }) =>
    !isInterfaceType(type) && type.getInterfaces().some(({ name }) => name === 'Node') && !unmade.includes(type.name),
);
const realmFields = fieldsOf(realmType);

let admin: Caller;
let viewer: Caller;
const idsOf = new Map<string, string[][]>();

beforeAll(async () => {
  const server = await startServer({}, slowClock);
  admin = await administrator(server);
  await Promise.all(names.map((name) => createRealm(server.url, name)));
  expect((await admin.send('POST', '/', { realm: next })).status).toBe(201);
  await createViewer();
  viewer = await userOf(server, 'master', 'viewer', 'pw');
  for (const { type } of places) idsOf.set(type.name, []);
  for (const name of names) await findIds(name);
});

/** Creates a realm with an apply, and with a directory that is switched off, whose users lists leave out. */
async function createRealm(url: string, name: string): Promise<void> {
  await createCrowd(url, admin, name, 3);
  const made = await admin.send('POST', `/${name}/components`, {
    name: 'a-directory',
    providerId: 'ldap',
    providerType: 'org.keycloak.storage.UserStorageProvider',
    config: {
      enabled: ['false'],
      importEnabled: ['false'],
      connectionUrl: ['ldap://directory.example'],
      usersDn: ['ou=people'],
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const applied = await admin.send('POST', `/admin/realms/${name}/apply`, { desired: { displayName: name } });
  expect(applied.status, JSON.stringify(applied.body)).toBe(200);
}

/** Creates an administrator in the master realm who may view users in every realm, and the rest in every other one. */
async function createViewer(): Promise<void> {
  const credentials = [{ type: 'password', value: 'pw' }];
  await admin.send('POST', '/master/users', { username: 'viewer', enabled: true, credentials });
  const [user] = (await admin.send('GET', '/master/users?username=viewer')).body;
  for (const [at, name] of [...names, next].entries()) {
    const [client] = (await admin.send('GET', `/master/clients?clientId=${name}-realm`)).body;
    const roles = (await admin.send('GET', `/master/clients/${client.id}/roles`)).body;
    const given = roles.filter(({ name: role }: { name: string }) =>
      at % 2 === 0 ? role === 'view-users' : role.startsWith('view-'),
    );
    const path = `/master/users/${user.id}/role-mappings/clients/${client.id}`;
    expect((await admin.send('POST', path, given)).status).toBe(204);
  }
}

/** Finds objects of every type in a realm. */
async function findIds(name: string): Promise<void> {
  const found = new Map<string, Set<string>>();
  const find = async (query: string): Promise<void> => {
    const { data, errors } = await admin.graphql(query);
    expect(errors, query).toBeUndefined();
    JSON.stringify(data, (_key, value) => {
      if (value?.__typename) found.set(value.__typename, (found.get(value.__typename) ?? new Set()).add(value.id));
      return value;
    });
  };
  for (const { type, query } of placesOf(name)) if (idsOf.has(type.name)) await find(query(20, '__typename id'));
  await find(`{ realm(name: "${name}") { userStorages { __typename id mappers { __typename id } } } }`);
  for (const [type, ids] of idsOf) ids.push([...(found.get(type) ?? [])].slice(0, ofEach));
}

/** Writes in every realm, so that nothing of them is in a cache. */
async function forget(): Promise<void> {
  for (const name of ['master', next, ...names]) expect((await admin.send('PUT', `/${name}`, {})).status).toBe(204);
}

const listOf = (length: number, selection: string): string => `{ realms(first: ${length}) { nodes { ${selection} } } }`;
const nodesOf = (type: string, length: number, selection: string): string => {
  const ids = (idsOf.get(type) ?? []).slice(0, length).flat();
  return `{ nodes(ids: ${JSON.stringify(ids)}) { ... on ${type} { ${selection} } } }`;
};

async function statements(caller: Caller, query: string): Promise<number> {
  await forget();
  const { extensions, errors } = await caller.graphql(query);
  // a field that the caller may not view in some of the realms is an error there
  if (caller === admin) expect(errors, query).toBeUndefined();
  return extensions?.cost?.statements ?? 0;
}

describe('a list of realms', () => {
  it('is asked for every field of a realm', () => {
    const asked = [...realmFields.map(([name]) => name), ...beyond];
    expect(Object.keys(realmType.getFields()).filter((name) => !asked.includes(`Realm.${name}`))).toEqual([]);
  });

  it.each(fewerOnPostgresql(grouped(realmFields), 5))(
    'costs a fixed number of statements: %s',
    async (_name, selection) => {
      for (const caller of [admin, viewer]) {
        const two = await statements(caller, listOf(few, selection));
        expect(await statements(caller, listOf(many, selection)), selection).toBe(two);
      }
    },
  );

  it.each(fewerOnPostgresql(grouped(realmFields), 5))(
    'answers as each realm by itself: %s',
    async (_name, selection) => {
      for (const caller of [admin, viewer]) {
        const together = await caller.graphql<{ realms: { nodes: object[] } }>(listOf(many, selection));
        const each = await Promise.all(
          names.map((name) => caller.graphql<{ realm: object }>(`{ realm(name: "${name}") { ${selection} } }`)),
        );
        expect(together.data.realms.nodes).toEqual(each.map(({ data }) => data.realm));
        expect(together.errors?.length ?? 0).toBe(each.flatMap(({ errors }) => errors ?? []).length);
      }
    },
  );
});

describe('what is made for one realm', () => {
  it.each(['export', 'plan(desired: { json: {} }) { digest }'])(
    'is refused in a long list of realms: %s',
    async (field) => {
      const { errors } = await admin.graphql(listOf(100, field));
      expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['TOO_COSTLY']);
    },
  );
});

describe('objects of several realms by their IDs', () => {
  it('are asked for of every type', () => {
    const without = places.filter(({ type }) => !(idsOf.get(type.name) ?? []).every((ids) => ids.length > 0));
    expect(without.map(({ type }) => type.name)).toEqual([]);
    expect(places.length).toBeGreaterThan(30);
  });

  it.each(
    fewerOnPostgresql(
      places.flatMap(({ type }) =>
        grouped(fieldsOf(type)).map(([name, selection]) => [name, type.name, selection] as const),
      ),
      15,
    ),
  )('cost a fixed number of statements: %s', async (_name, type, selection) => {
    const two = await statements(admin, nodesOf(type, few, selection));
    expect(await statements(admin, nodesOf(type, many, selection)), selection).toBe(two);
  });
});
