import { type GraphQLOutputType, getNamedType, isInterfaceType, isLeafType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { permitUser } from '../permissions/permit.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { slowClock, startServer } from '../support/server.js';
import { createCrowd, realm } from './crowd.js';
import { isConnection, type Place, placesBelow, queryAt } from './places.js';

// Every connection of the schema has its items as `nodes` and as `node` of `edges`: the same ones, for the same cost and in as
// many statements, for callers who see everything and for those who see a part.
const schema = graphqlSchema();
const places = placesBelow(realm).filter(({ field }) => isConnection(field));
/** Fields that differ each time: made by requests to other servers, with a new ID, or of events that the request itself causes. */
const beyond = new Set(['nodesAvailability', 'serviceProviderMetadata', 'adminEvents']);

let admin: Caller;
let delegate: Caller;

beforeAll(async () => {
  const server = await startServer({}, slowClock);
  admin = await administrator(server);
  await createCrowd(server.url, admin);
  await createDelegate();
  delegate = await userOf(server, realm, 'delegate', 'pw');
});

/** Creates a user who may view one client, one group, and its members. */
async function createDelegate(): Promise<void> {
  const idAt = async (path: string, key: string, name: string): Promise<string> => {
    const { body } = await admin.send('GET', `/${realm}${path}`);
    return body.find((one: Record<string, string>) => one[key] === name).id;
  };
  const credentials = [{ type: 'password', value: 'pw' }];
  await admin.send('POST', `/${realm}/users`, { username: 'delegate', enabled: true, credentials });
  const user = await idAt('/users?username=delegate', 'username', 'delegate');
  const administration = await idAt('/clients', 'clientId', 'realm-management');
  const roles = (await admin.send('GET', `/${realm}/clients/${administration}/roles`)).body;
  const queries = roles.filter(({ name }: { name: string }) => name.startsWith('query-'));
  await admin.send('POST', `/${realm}/users/${user}/role-mappings/clients/${administration}`, queries);
  const permitting = { admin, realm, administration };
  // switches on the permissions, and with them the authorization services that hold the policy
  await permitUser(permitting, '/users-management-permissions', 'delegate', []);
  const policy = { name: 'is delegate', users: [user], logic: 'POSITIVE' };
  await admin.send('POST', `/${realm}/clients/${administration}/authz/resource-server/policy/user`, policy);
  const client = await idAt('/clients', 'clientId', 'a-app-00');
  const group = await idAt('/groups', 'name', 'a-group-00');
  await permitUser(permitting, `/clients/${client}/management/permissions`, 'delegate', ['view']);
  await permitUser(permitting, `/groups/${group}/management/permissions`, 'delegate', ['view', 'view-members']);
}

/** What is asked of an item: its own values, and what the lists below it have. */
function selectionOf(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!isObjectType(named) && !isInterfaceType(named)) return '__typename';
  const fields = Object.values(named.getFields()).filter(({ name }) => !beyond.has(name));
  const leaves = fields.filter(({ type: of, args }) => isLeafType(getNamedType(of)) && args.length === 0);
  const below = fields.filter(isConnection);
  const lists = below.map(({ name }) => `${name}(first: 2) { nodes { __typename } }`);
  return ['__typename', ...leaves.map(({ name }) => name), ...lists].join(' ');
}

const itemOf = ({ field }: Place): GraphQLOutputType => {
  const connection = getNamedType(field.type);
  const nodes = isObjectType(connection) ? connection.getFields().nodes : undefined;
  if (!nodes) throw new Error(`${connection.name} has no nodes`);
  return nodes.type;
};

interface List {
  nodes?: unknown[];
  edges?: { node: unknown }[];
}

/** The lists of all objects of a place. */
function listsIn(value: unknown): List[] {
  if (Array.isArray(value)) return value.flatMap(listsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (key !== 'list') return listsIn(one);
    return one === null ? [] : [one as List];
  });
}

async function ask(caller: Caller, { field, before }: Place, selection: string) {
  const query = queryAt(before, `list: ${field.name}(first: 3) { ${selection} }`);
  // what a process knows from before is not read again, so that the second time is that of every later one
  await caller.graphql(query);
  const { data, errors, extensions } = await caller.graphql(query);
  return { lists: listsIn(data), errors: errors?.map(({ message }) => message) ?? [], cost: extensions?.cost };
}

describe('nodes', () => {
  it('is a field of every connection, with the type that `node` of its edges has', () => {
    const connections = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && type.name.endsWith('Connection'),
    );
    expect(connections.length).toBeGreaterThan(25);
    for (const connection of connections) {
      const { nodes, edges } = isObjectType(connection) ? connection.getFields() : {};
      const edge = edges && getNamedType(edges.type);
      const node = isObjectType(edge) ? edge.getFields().node : undefined;
      expect(String(nodes?.type), connection.name).toBe(`[${node?.type}!]!`.replace('!!', '!'));
    }
  });

  const partlyHidden = ['Realm.users', 'Realm.clients', 'Realm.groups'];
  const isPartlyHidden = ({ name }: { name: string }) => partlyHidden.includes(name);
  const asked = [
    ...places.filter(isPartlyHidden),
    ...sampled(
      places.filter((place) => !isPartlyHidden(place)),
      15,
    ),
  ];
  const filled = new Set<string>();
  const partial = new Set<string>();

  it.each(asked.map((place) => [place.name, place] as const))('%s: are the items of its edges', async (name, place) => {
    const selection = selectionOf(itemOf(place));
    const seen: string[] = [];
    for (const caller of [admin, delegate]) {
      const asEdges = await ask(caller, place, `edges { node { ${selection} } }`);
      const asNodes = await ask(caller, place, `nodes { ${selection} }`);
      expect(asNodes.lists.map(({ nodes }) => nodes)).toEqual(
        asEdges.lists.map(({ edges }) => edges?.map(({ node }) => node)),
      );
      expect(asNodes.errors).toEqual(asEdges.errors);
      expect(asNodes.cost?.requested).toBe(asEdges.cost?.requested);
      expect(asNodes.cost?.statements).toBe(asEdges.cost?.statements);
      const items = asNodes.lists.flatMap(({ nodes }) => nodes ?? []);
      if (items.length > 0) seen.push(JSON.stringify(items));
    }
    if (seen.length > 0) filled.add(name);
    if (new Set(seen).size > 1) partial.add(name);
  });

  it.each(asked.map((place) => [place.name, place] as const))(
    '%s: are read once and cost twice beside edges',
    async (_name, place) => {
      const selection = selectionOf(itemOf(place));
      const one = await ask(admin, place, `nodes { ${selection} }`);
      const both = await ask(admin, place, `edges { cursor node { ${selection} } } nodes { ${selection} }`);
      expect(both.lists.map(({ nodes }) => nodes)).toEqual(one.lists.map(({ nodes }) => nodes));
      expect(both.lists.map(({ edges }) => edges?.map(({ node }) => node))).toEqual(
        one.lists.map(({ nodes }) => nodes),
      );
      expect(both.cost?.statements).toBe(one.cost?.statements);
      expect(both.cost?.requested).toBeGreaterThan(one.cost?.requested ?? 0);
    },
  );

  it('have been compared in full lists and in lists of which a part is hidden', () => {
    expect(filled.size).toBeGreaterThan(asked.length * 0.6);
    expect([...partial]).toEqual(expect.arrayContaining(partlyHidden));
  });
});
