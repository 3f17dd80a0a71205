// @both-databases
import { randomUUID } from 'node:crypto';
import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { policyKinds } from '../../src/graph/authorization/policy-kinds.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { realmFile } from './world.js';

// Every type with an ID is a node: objects of a realm that has one of everything are found by the ids that lists give them, by
// those who may view them and by nobody of another realm.
const schema = graphqlSchema();
const realm = 'world';

type Field = GraphQLField<unknown, unknown>;
type Composite = GraphQLObjectType | GraphQLInterfaceType;
const isComposite = (type: unknown): type is Composite => isObjectType(type) || isInterfaceType(type);
const identified = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType => isObjectType(type) && String(type.getFields().id?.type) === 'ID!',
);
const needsArguments = ({ args }: Field) =>
  args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);

/** The type of the objects that a field leads to, and the fields on the way there. */
function step(field: Field): { type: Composite; through: string[] } | undefined {
  const type = getNamedType(field.type);
  if (!isComposite(type) || type.name === 'Node') return undefined;
  if (!type.name.endsWith('Connection')) return { type, through: [field.name] };
  const edge = getNamedType(type.getFields().edges?.type);
  const node = isObjectType(edge) ? getNamedType(edge.getFields().node?.type) : undefined;
  return isComposite(node) ? { type: node, through: [`${field.name}(first: 100)`, 'edges', 'node'] } : undefined;
}

/** The shortest way from a realm to objects of each type. */
function ways(): Map<string, readonly string[]> {
  const start: Composite = schema.getType('Realm') as GraphQLObjectType;
  const known = new Map<string, readonly string[]>([['Realm', [`realm(name: "${realm}")`]]]);
  const open: Composite[] = [start];
  for (let type = open.shift(); type; type = open.shift()) {
    for (const field of Object.values(type.getFields())) {
      const next = needsArguments(field) ? undefined : step(field);
      if (!next || known.has(next.type.name)) continue;
      known.set(next.type.name, [...(known.get(type.name) ?? []), ...next.through]);
      open.push(next.type);
    }
  }
  return known;
}

/** What is at the end of a way, of every object on it. */
function atEnd(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => atEnd(one, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return [value];
  return atEnd((value as Record<string, unknown>)[name.replace(/\(.*/, '')], rest);
}

let database: TestServer['database'];
let admin: Caller;
let boss: Caller;
let stranger: Caller;
const ids = new Map<string, string[]>();

const administratorOf = {
  username: 'boss',
  enabled: true,
  credentials: [{ type: 'password', value: 'boss' }],
  clientRoles: { 'realm-management': ['realm-admin'] },
};
const run = async <D>(query: string, variables: object = {}): Promise<D> => {
  const { data, errors } = await admin.graphql<D>(query, variables);
  expect(errors, query).toBeUndefined();
  return data;
};

beforeAll(async () => {
  const server = await startServer();
  database = server.database;
  admin = await administrator(server);
  for (const name of [realm, 'other']) {
    const file = {
      ...(realmFile(name, name, {}) as { users: object[] }),
      eventsEnabled: true,
      adminEventsEnabled: true,
    };
    expect((await admin.send('POST', '/', { ...file, users: [...file.users, administratorOf] })).status).toBe(201);
  }
  boss = await userOf(server, realm, 'boss', 'boss');
  stranger = await userOf(server, 'other', 'boss', 'boss');
  await admin.send('POST', `/${realm}/clients-initial-access`, { count: 1, expiration: 0 });
  expect((await admin.send('POST', `/${realm}/apply`, { desired: { displayName: 'Applied' } })).status).toBe(200);
  const { realm: found } = await run<{ realm: { webhooks: { edges: { node: { id: string } }[] } } }>(
    `{ realm(name: "${realm}") { webhooks { edges { node { id } } } } }`,
  );
  // what no file and no list contains
  const resourceServer = await database.read.resourceServer.findFirstOrThrow({
    where: { client: { clientId: `${realm}-shop` } },
    select: { id: true },
  });
  const ping = 'mutation ($input: WebhookPingInput!) { webhookPing(input: $input) { userErrors { message } } }';
  const policies = policyKinds.map(({ type = 'unknown', name }) => ({
    id: randomUUID(),
    resourceServerId: resourceServer.id,
    name,
    type,
  }));
  await database.transaction((tx) => tx.authorizationPolicy.createMany({ data: policies }));
  for (const { id, name } of policies) ids.set(name, [btoa(`${name}:${id}`)]);
  await run(ping, { input: { id: found.webhooks.edges[0]?.node.id } });
  for (const [name, way] of ways()) {
    if (!('id' in (schema.getType(name) as Composite).getFields())) continue;
    const query = `{ ${way.map((field) => `${field} { `).join('')} id __typename ${'}'.repeat(way.length)} }`;
    for (const { id, __typename } of atEnd(await run(query), way) as { id: string; __typename: string }[]) {
      ids.set(__typename, [...(ids.get(__typename) ?? []), id]);
    }
  }
});

const idsOf = (name: string) => [...new Set(ids.get(name))].slice(0, 100);
const one = 'query ($id: ID!) { node(id: $id) { id __typename } }';
const many = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }';

/** Where the REST contract has objects by their ids. */
const addresses: Record<string, string> = {
  RealmApply: 'applies',
  AuthenticationFlow: 'authentication/flows',
  AuthenticatorConfig: 'authentication/config',
  Client: 'clients',
  ClientScope: 'client-scopes',
  Component: 'components',
  FlowExecution: 'authentication/executions',
  Group: 'groups',
  Role: 'roles-by-id',
  User: 'users',
  UserStorage: 'components',
  UserStorageMapper: 'components',
};

describe.each(identified.map((type) => [type.name, type] as const))('%s', (name, type) => {
  it('is a node', () => {
    expect(type.getInterfaces().map((of) => of.name)).toContain('Node');
  });

  it('is found by its ids', async () => {
    const known = idsOf(name);
    expect(known.length).toBeGreaterThan(0);
    for (const caller of [admin, boss]) {
      for (const id of known.slice(0, 3)) {
        expect(await caller.graphql(one, { id })).toMatchObject({ data: { node: { id, __typename: name } } });
      }
      const { data } = await caller.graphql<{ nodes: object[] }>(many, { ids: known });
      expect(data.nodes).toEqual(known.map((id) => ({ id, __typename: name })));
    }
  });

  it('has the id of the REST contract beside its own', async () => {
    const [id = ''] = idsOf(name);
    const { node } = await run<{ node: { uuid: string } }>('query ($id: ID!) { node(id: $id) { uuid } }', { id });
    expect(node.uuid).not.toBe('');
    // the sessions of a login have one id there, and one each here
    if (name !== 'UserSession') expect(btoa(`${name}:${node.uuid}`)).toBe(id);
    const address = addresses[name];
    if (address === undefined) return;
    const answer = await admin.send('GET', `/${realm}/${address}/${node.uuid}`);
    expect([answer.status, answer.body.id]).toEqual([200, node.uuid]);
  });

  it('is not found by administrators of another realm, as if it did not exist', async () => {
    const known = idsOf(name);
    const nobody = btoa(`${name}:nobody`);
    const answer = async (id: string) => {
      const { data, errors } = await stranger.graphql(one, { id });
      return { data, errors };
    };
    const none = await answer(nobody);
    expect(none).toEqual({ data: { node: null }, errors: undefined });
    for (const id of known.slice(0, 3)) expect(await answer(id)).toEqual(none);
    const { data, errors } = await stranger.graphql(many, { ids: known });
    expect({ data, errors }).toEqual({ data: { nodes: known.map(() => null) }, errors: undefined });
  });
});

it('every node is among them', () => {
  const node = schema.getType('Node');
  const nodes = node && 'getInterfaces' in node ? schema.getPossibleTypes(node as never).map(({ name }) => name) : [];
  expect(identified.map(({ name }) => name)).toEqual(expect.arrayContaining(nodes));
  expect(nodes.length).toBeGreaterThan(20);
});

it('an earlier password is no credential that anybody finds', async () => {
  const [{ id: boss }] = (await admin.send('GET', `/${realm}/users?username=boss`)).body;
  await admin.send('PUT', `/${realm}`, { passwordPolicy: 'passwordHistory(3)' });
  await admin.send('PUT', `/${realm}/users/${boss}/reset-password`, { type: 'password', value: 'later' });
  const rows = await database.read.credential.findMany({ where: { userId: boss }, select: { id: true, type: true } });
  expect(rows.map(({ type }) => type).sort()).toEqual(['password', 'password-history']);
  const { data } = await admin.graphql<{ nodes: object[] }>(many, {
    ids: rows.map(({ id }) => btoa(`Credential:${id}`)),
  });
  expect(data.nodes).toEqual(rows.map(({ type }) => (type === 'password' ? expect.anything() : null)));
});
