// @both-databases
import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';
import { startServer } from '../support/server.js';
import { comparableConditions, type Node, RandomFilters } from './random-filter.js';

// Random filters of every list of a realm, held against a plain evaluation over all nodes of the list.
// REALMGATE_SEED=N begins at another seed, REALMGATE_FILTERS=N makes more of them.
const firstSeed = Number(process.env.REALMGATE_SEED ?? 1);
const wanted = Number(process.env.REALMGATE_FILTERS ?? (isThorough ? 10_000 : 400));

interface List {
  name: string;
  filter: GraphQLInputObjectType;
  node: GraphQLObjectType;
  /** fields of a node without arguments or parts */
  fields: string[];
}

const schema = graphqlSchema();
const realmFields = (schema.getType('Realm') as GraphQLObjectType).getFields();

/** The type of the nodes of a connection; of an interface, that it has. */
function nodeType(connection: GraphQLObjectType): GraphQLObjectType {
  const edge = getNamedType(connection.getFields().edges?.type) as GraphQLObjectType;
  const node = getNamedType(edge.getFields().node?.type);
  if (!isObjectType(node) && !isInterfaceType(node)) throw new Error(`${connection.name} has no nodes`);
  return node as GraphQLObjectType;
}

const lists: List[] = Object.values(realmFields).flatMap(({ name, type, args }) => {
  const filter = getNamedType(args.find((arg) => arg.name === 'filter')?.type) as GraphQLInputObjectType | undefined;
  const connection = getNamedType(type) as GraphQLObjectType;
  if (!filter || !connection.name.endsWith('Connection')) return [];
  const node = nodeType(connection);
  const names = comparableConditions(filter, node);
  const isIdentified = 'id' in node.getFields();
  const keys = Object.values(node.getFields()).filter(
    (field) => field.args.length === 0 && isLeafType(getNamedType(field.type)),
  );
  const fields = isIdentified ? ['id', ...names] : keys.map((field) => field.name);
  return names.length > 0 ? [{ name, filter, node, fields: [...new Set(fields)] }] : [];
});

let admin: Caller;

beforeAll(async () => {
  const server = await startServer();
  admin = await administrator(server);
  const password = { enabled: true, credentials: [{ type: 'password', value: 'pw' }] };
  await admin.send('POST', '/', {
    realm: 'filters',
    enabled: true,
    eventsEnabled: true,
    adminEventsEnabled: true,
    internationalizationEnabled: true,
    supportedLocales: ['en', 'de'],
    users: [
      { username: 'ann', email: 'Ann@x.org', firstName: 'Ann', ...password },
      { username: 'bob', lastName: 'Bo' },
      { username: 'cyd', email: 'cyd@x.org', firstName: 'Cyd', lastName: 'Ann', emailVerified: true },
      { username: 'dan', firstName: '', enabled: true },
    ],
    roles: {
      realm: [
        { name: 'one', description: 'First' },
        { name: 'two', description: '' },
        { name: 'both', composite: true, composites: { realm: ['one', 'two'] } },
      ],
    },
    groups: [{ name: 'staff', subGroups: [{ name: 'eu' }] }, { name: 'guests' }],
    clients: [
      { clientId: 'shop', name: 'Shop', publicClient: true },
      { clientId: 'api', name: '', bearerOnly: true },
      {
        clientId: 'resources',
        serviceAccountsEnabled: true,
        authorizationServicesEnabled: true,
        authorizationSettings: {
          policies: [
            {
              name: 'some roles',
              type: 'role',
              config: { roles: '[{"id":"one"},{"id":"two"},{"id":"both","required":true}]' },
            },
          ],
        },
      },
      { clientId: 'legacy', protocol: 'saml', name: 'Legacy shop', consentRequired: true, enabled: false },
    ],
    identityProviders: [
      { alias: 'partner', providerId: 'oidc', displayName: 'Partner' },
      { alias: 'other', providerId: 'saml', enabled: false, displayName: '' },
    ],
  });
  for (const [locale, key] of [
    ['en', 'hello'],
    ['de', 'hello'],
    ['de', 'bye'],
  ]) {
    await admin.send('PUT', `/filters/localization/${locale}/${key}`, `${key} in ${locale}`, {
      'content-type': 'text/plain',
    });
  }
  await userOf(server, 'filters', 'ann', 'pw');
  await expect(userOf(server, 'filters', 'ann', 'wrong')).rejects.toThrow();
  const found = await admin.graphql<{ realm: { id: string } }>('{ realm(name: "filters") { id } }');
  const realm = found.data.realm.id;
  const changes = ['bob', 'cyd'].map(
    (name) => `${name}: userCreate(input: { realm: "${realm}", username: "new-${name}" }) { userErrors { code } }`,
  );
  const hooks = [true, false].map(
    (isEnabled) =>
      `hook${isEnabled}: webhookCreate(input: { realm: "${realm}", name: "hook ${isEnabled}", url: "https://hooks.example/one", isEnabled: ${isEnabled} }) { userErrors { code } }`,
  );
  const accesses = [1, 2].map(
    (at) => `access${at}: clientInitialAccessCreate(input: { realm: "${realm}" }) { userErrors { code } }`,
  );
  const file = 'desired: { json: { roles: { realm: [{ name: "applied" }] } } }, modes: { roles: KEEP }';
  const apply = `apply: realmApply(input: { id: "${realm}", ${file} }) { userErrors { code } }`;
  const { errors } = await admin.graphql(`mutation { ${[...changes, ...hooks, ...accesses, apply].join('\n')} }`);
  expect(errors).toBeUndefined();
});

async function nodesOf({ name, filter: type, fields }: List, filter: object): Promise<string[]> {
  const query = `query ($filter: ${type.name}) { realm(name: "filters") {
    ${name}(first: 500, filter: $filter) { edges { node { ${fields.join(' ')} } } } } }`;
  const { data, errors } = await admin.graphql<{ realm: Record<string, { edges: { node: Node }[] }> }>(query, {
    filter,
  });
  expect(errors, JSON.stringify(filter)).toBeUndefined();
  return data.realm[name]?.edges.map(({ node }) => JSON.stringify(node)).toSorted() ?? [];
}

it('every list has a filter and an order', () => {
  const connections = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ of: `${type.name}.${field.name}`, field })))
    .filter(({ field }) => getNamedType(field.type).name.endsWith('Connection'));
  const lacking = connections.filter(({ field }) => {
    const names = field.args.map(({ name }) => name);
    return !names.includes('filter') || !names.includes('orderBy');
  });
  expect(connections.length).toBeGreaterThan(100);
  // its order is the one in which the changes are made
  expect(lacking.map(({ of }) => of)).toEqual(['RealmPlan.changes']);
});

it('the lists of a policy can be filtered and ordered', async () => {
  const list = '(filter: { not: { name: { equals: "two" } } }, orderBy: { field: NAME, direction: DESC })';
  const { data, errors } = await admin.graphql(`{ realm(name: "filters") { client(clientId: "resources") {
    authorizationPolicies(filter: { name: { equals: "some roles" } }) { nodes {
      ... on RoleAuthorizationPolicy { roles${list} { totalCount edges { isRequired node { name } } } } } } } } }`);
  expect(errors).toBeUndefined();
  const edges = [
    { isRequired: false, node: { name: 'one' } },
    { isRequired: true, node: { name: 'both' } },
  ];
  expect(data).toEqual({
    realm: { client: { authorizationPolicies: { nodes: [{ roles: { totalCount: 2, edges } }] } } },
  });
});

it('most lists of a realm have conditions that can be evaluated', () => {
  expect(lists.length).toBeGreaterThan(14);
});

describe.each(lists)('random filters of $name', (list) => {
  it('match what a plain evaluation matches', async () => {
    const all = await nodesOf(list, {});
    expect(all.length).toBeGreaterThan(0);
    const nodes = all.map((text) => JSON.parse(text) as Node);
    for (let at = 0; at < wanted / lists.length; at += 1) {
      const seed = firstSeed + at;
      const { filter, matches } = new RandomFilters(seed, list.filter, list.node, nodes).tree();
      const expected = all.filter((_, index) => matches(nodes[index] as Node));
      expect(await nodesOf(list, filter), `seed ${seed}: ${JSON.stringify(filter)}`).toEqual(expected);
    }
  });
});
