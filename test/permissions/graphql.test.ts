import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { isSemanticNonNull } from '../../src/graph/core/directive.js';
import { requirementsIn } from '../../src/graph/core/requires.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { parametersOf, realmWithEverything } from '../matrix/addresses.js';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';
import { slowClock } from '../support/server.js';
import { type FieldRule, fields } from './fields.js';
import { may, realmAdmin, roleNames, singleRoleUsers } from './rules.js';

// Every field of the schema as an administrator with one role, on every way to its object.
const schema = graphqlSchema();
const objects = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
);
const isNode = (type: GraphQLObjectType) => type.getInterfaces().some(({ name }) => name === 'Node');
const isConnection = (type: GraphQLOutputType) => getNamedType(type).name.endsWith('Connection');
const fieldsOf = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter(({ name }) => !name.startsWith('viewerCan'));

let boss: Caller;
let stranger: Caller;
const callers = new Map<string, Caller>();
let ids: Record<string, string>;
const nodeId = (typename: string, id: string) => Buffer.from(`${typename}:${id}`).toString('base64');

beforeAll(async () => {
  const { server, admin } = await startWithRealm(
    realmWithEverything('one', { users: [realmAdmin, ...singleRoleUsers] }),
    {},
    slowClock,
  );
  await admin.send('POST', '/', realmWithEverything('other', { users: [realmAdmin] }));
  for (const role of roleNames) callers.set(role, await userOf(server, 'one', role, 'pw'));
  boss = await userOf(server, 'one', 'boss', 'pw');
  stranger = await userOf(server, 'other', 'boss', 'pw');
  await userOf(server, 'one', 'plain', 'secret-1');
  const params = await parametersOf(admin, 'one');
  const seller = (await admin.send('GET', `/one/clients/${params['clients:id']}/roles/seller`)).body;
  const sessions = (await admin.send('GET', `/one/users/${params['users:id']}/sessions`)).body;
  const partner = (await admin.send('GET', '/one/identity-provider/instances/partner')).body;
  const clerk = (await admin.send('GET', '/one/roles/clerk')).body;
  // both are part of composites of either kind
  await boss.send('POST', '/one/roles/offline_access/composites', [clerk, seller]);
  const row = await server.database.read.userSession.findFirst({
    where: { sid: sessions[0].id },
    select: { id: true },
  });
  const realm = (await admin.send('GET', '/one')).body.id;
  const event = { where: { realmId: realm }, orderBy: { time: 'desc' }, select: { id: true } } as const;
  const told = await server.database.read.adminEvent.findFirst({
    ...event,
    where: { realmId: realm, operation: 'role.addComposites' },
  });
  const login = await server.database.read.loginEvent.findFirst(event);
  const action = (await server.database.read.requiredAction.findFirst({
    where: { realmId: realm },
    select: { id: true },
  })) as { id: string };
  const input = `{ realm: "${nodeId('Realm', realm)}", name: "hook", url: "https://hooks.example/one", isEnabled: false }`;
  const { data } = await admin.graphql<{ webhookCreate: { webhook: { id: string } } }>(
    `mutation { webhookCreate(input: ${input}) { webhook { id } } }`,
  );
  const { id: hook } = data.webhookCreate.webhook;
  await admin.graphql(`mutation { webhookPing(input: { id: "${hook}" }) { userErrors { message } } }`);
  const delivery = await server.database.read.webhookDelivery.findFirst({ select: { id: true } });
  ids = {
    Realm: nodeId('Realm', realm),
    User: nodeId('User', params['users:id'] ?? ''),
    Group: nodeId('Group', params['groups:id'] ?? ''),
    Client: nodeId('Client', params['clients:id'] ?? ''),
    ClientScope: nodeId('ClientScope', params['client-scopes:id'] ?? ''),
    Role: nodeId('Role', params['role-id'] ?? ''),
    'Role of a client': nodeId('Role', seller.id),
    IdentityProvider: nodeId('IdentityProvider', partner.internalId),
    IdentityProviderMapper: nodeId('IdentityProviderMapper', params['mappers:id'] ?? ''),
    UserSession: nodeId('UserSession', row?.id ?? ''),
    AdminEvent: nodeId('AdminEvent', told?.id ?? ''),
    LoginEvent: nodeId('LoginEvent', login?.id ?? ''),
    Webhook: hook,
    RealmApply: nodeId('RealmApply', params['applies:id'] ?? ''),
    WebhookDelivery: nodeId('WebhookDelivery', delivery?.id ?? ''),
    ProtocolMapper: nodeId('ProtocolMapper', params.scopeMapperId ?? ''),
    Credential: nodeId('Credential', params.credentialId ?? ''),
    Component: nodeId('Component', params.id ?? ''),
    UserStorage: nodeId('UserStorage', params.id ?? ''),
    UserStorageMapper: nodeId('UserStorageMapper', params.storageMapperId ?? ''),
    AuthenticationFlow: nodeId('AuthenticationFlow', params['flows:id'] ?? ''),
    FlowExecution: nodeId('FlowExecution', params.executionId ?? ''),
    AuthenticatorConfig: nodeId('AuthenticatorConfig', params['config:id'] ?? ''),
    RoleAuthorizationPolicy: nodeId('RoleAuthorizationPolicy', params['policy-id'] ?? ''),
    RequiredAction: nodeId('RequiredAction', action.id),
  };
  argumentsOf.user = JSON.stringify(ids.User);
});

const argumentsOf: Record<string, string> = {
  desired: '{ json: {} }',
  format: 'KEYCLOAK_OIDC_KEYCLOAK_JSON',
  username: '"plain"',
  path: '"/staff"',
  clientId: '"shop"',
  type: 'OIDC',
  alias: '"partner"',
  name: '"one"',
  connection: '{ url: "ldap://127.0.0.1:1" }',
  providerType: 'KEY_PROVIDER',
  from: '"2026-01-01T00:00:00Z"',
  interval: 'DAY',
  count: '1',
  document: '{ text: "{\\"clientId\\":\\"shop\\"}" }',
};

/** A field with its required arguments and enough of what is in it to tell whether anything is. */
function selection({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const given = args
    .filter((arg) => isNonNullType(arg.type))
    .map((arg) => `${arg.name}: ${argumentsOf[arg.name] ?? '"x"'}`);
  return `${name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${inside(type)}`;
}

function inside(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isConnection(named)) return '{ totalCount edges { cursor node { __typename } } pageInfo { hasNextPage } }';
  const plain = Object.values((named as GraphQLObjectType).getFields()).filter(({ type: of }) =>
    isLeafType(getNamedType(of)),
  );
  const own = isNode(named as GraphQLObjectType) ? ['id'] : plain.map(({ name }) => name);
  return `{ __typename ${own.filter((name) => !/^lastAccess/.test(name)).join(' ')} }`;
}

interface Way {
  /** what the object is called in the table */
  of: string;
  title: string;
  /** permissions without which there is no object */
  base: readonly string[];
  query: (selected: string) => string;
  /** where the object is in the answer */
  path: (string | number)[];
}

const byNode = (of: string, base: string): Way => ({
  of,
  title: `${of} by its id`,
  base: [base],
  query: (selected) => `{ node(id: "${ids[of]}") { ... on ${of.split(' ')[0]} { ${selected} } } }`,
  path: ['node'],
});
const along = (of: string, title: string, base: string[], before: string, path: Way['path'], after: string): Way => ({
  of,
  title: `${of} ${title}`,
  base,
  query: (selected) => `{ realm(name: "one") { ${before} ${selected} ${after} }`,
  path: ['realm', ...path],
});
const roleNamed = (name: string) => `(filter: { name: { equals: "${name}" } }) { edges { node {`;
const ofUser = 'user(username: "plain") {';

const ways: Way[] = [
  along('Realm', 'by its name', ['any:admin'], '', [], '}'),
  byNode('Realm', 'any:admin'),
  byNode('User', 'view:users'),
  byNode('Group', 'view:groups'),
  byNode('Client', 'view:clients'),
  byNode('ClientScope', 'view:clients'),
  byNode('ProtocolMapper', 'view:clients'),
  along(
    'ProtocolMapper',
    'of a client scope',
    ['view:clients'],
    'clientScope(name: "email") { protocolMappers(first: 1) { edges { node {',
    ['clientScope', 'protocolMappers', 'edges', 0, 'node'],
    '} } } } }',
  ),
  byNode('Credential', 'manage:users'),
  byNode('Component', 'view:realm'),
  byNode('UserStorage', 'view:realm'),
  byNode('UserStorageMapper', 'view:realm'),
  byNode('WebhookDelivery', 'view:events'),
  byNode('Role', 'view:realm'),
  byNode('Role of a client', 'view:clients'),
  byNode('UserSession', 'view:users'),
  byNode('Webhook', 'view:events'),
  byNode('RealmApply', 'view:events'),
  byNode('AdminEvent', 'view:events'),
  byNode('LoginEvent', 'view:events'),
  byNode('AuthenticationFlow', 'view:realm'),
  byNode('FlowExecution', 'view:realm'),
  byNode('AuthenticatorConfig', 'view:realm'),
  byNode('RequiredAction', 'view:required-actions'),
  byNode('RoleAuthorizationPolicy', 'view:authorization'),
  along(
    'AuthenticationFlow',
    'in the list',
    ['view:flows'],
    'authenticationFlows(first: 1) { edges { node {',
    ['authenticationFlows', 'edges', 0, 'node'],
    '} } } }',
  ),
  along(
    'FlowExecution',
    'of a flow',
    ['view:flows'],
    'authenticationFlows(first: 6) { edges { node { executions {',
    ['authenticationFlows', 'edges', 4, 'node', 'executions', 0],
    '} } } } }',
  ),
  byNode('IdentityProvider', 'view:identity-providers'),
  byNode('IdentityProviderMapper', 'view:identity-providers'),
  along('Role', 'in the list', ['query:realm'], `roles${roleNamed('clerk')}`, ['roles', 'edges', 0, 'node'], '} } } }'),
  ...(['Role', 'Role of a client'] as const).map((of) =>
    along(
      of,
      'of a user',
      ['view:users'],
      `${ofUser} directRoles${roleNamed(of === 'Role' ? 'clerk' : 'seller')}`,
      ['user', 'directRoles', 'edges', 0, 'node'],
      '} } } } }',
    ),
  ),
  along(
    'UserSession',
    'of a user',
    ['view:users'],
    `${ofUser} sessions(first: 1) { edges { node {`,
    ['user', 'sessions', 'edges', 0, 'node'],
    '} } } } }',
  ),
  along(
    'ClientSession',
    'of a user',
    ['view:users'],
    `${ofUser} sessions(first: 1) { edges { node { clients {`,
    ['user', 'sessions', 'edges', 0, 'node', 'clients', 0],
    '} } } } } }',
  ),
  along(
    'LoginEvent',
    'in the list',
    ['view:events'],
    'loginEvents(first: 1) { edges { node {',
    ['loginEvents', 'edges', 0, 'node'],
    '} } } }',
  ),
];

const at = (value: unknown, path: Way['path']): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value);

/** The field of a directory that does not answer, which is an error of its own. */
const noDirectory = 'ldapCapabilities';

/** Fields that are asked for together: each alone in a thorough run. */
const together = isThorough ? 1 : 15;

interface FieldAnswer {
  refused: boolean;
  codes: (string | undefined)[];
  value: unknown;
}

/** What a caller gets of the fields of an object, by their names: whether they are refused, and their values. */
async function ask(caller: Caller, way: Way): Promise<Record<string, FieldAnswer>> {
  const asked = fieldsOf(typeNamed(way.of));
  const answers: Record<string, FieldAnswer> = {};
  for (let start = 0; start < asked.length; start += together) {
    const part = asked.slice(start, start + together);
    const { data, errors = [] } = await caller.graphql(way.query(part.map(selection).join(' ')));
    for (const { name } of part) {
      // a refusal of what leads to the object is one of each of its fields
      const own = errors.filter(({ path = [] }) => [undefined, name].includes(path[way.path.length] as string));
      const all = own.map(({ extensions }) => extensions?.code);
      const codes = name === noDirectory ? all.filter((code) => code !== 'INVALID') : all;
      answers[name] = { refused: codes.includes('FORBIDDEN'), codes, value: at(data, [...way.path, name]) };
    }
  }
  return answers;
}

const asked = new Map<string, Promise<Record<string, FieldAnswer>>>();

/** What a caller gets of a field. All fields of the object are asked for at once, when the first is. */
async function answerOf(caller: Caller, way: Way, { name }: GraphQLField<unknown, unknown>): Promise<FieldAnswer> {
  const key = `${caller.token} ${way.title}`;
  const answers = asked.get(key) ?? ask(caller, way);
  asked.set(key, answers);
  return (await answers)[name] as FieldAnswer;
}

const empty = { totalCount: 0, edges: [], pageInfo: { hasNextPage: false } };

/** What the rule says that a caller with one role gets, where a caller with all of them gets `whole`. */
function expected(role: string, rule: FieldRule, whole: unknown) {
  const lacks = (permission: string) => !may(role, permission);
  if (rule.takes?.some(lacks)) return { refused: true, value: null };
  if (rule.shows && lacks(rule.shows))
    return { refused: false, value: rule.empty ? { ...(whole as object), ...rule.empty } : empty };
  if (rule.hides?.some(lacks)) return { refused: false, value: null };
  return { refused: false, value: whole ?? null };
}

const typeNamed = (of: string) => schema.getType(of.split(' ')[0] ?? '') as GraphQLObjectType;
const table = ways.flatMap((way) =>
  fieldsOf(typeNamed(way.of)).map((field) => [`${way.title}: ${field.name}`, way, field] as const),
);

describe('every field as an administrator with one role', () => {
  it.each(table)('%s', async (_title, way, field) => {
    const rule = fields[way.of]?.[field.name];
    if (!rule) throw new Error(`Add ${way.of}.${field.name} to test/permissions/fields.ts: who may read it`);
    const { value: whole, codes: none } = await answerOf(boss, way, field);
    expect(none).toEqual([]);
    const isWhole = isSemanticNonNull(field.type, requirementsIn(field.extensions)) && field.name !== noDirectory;
    if (isWhole) expect(whole).not.toBeNull();
    const read = async (role: string) => {
      const { refused, codes, value } = await answerOf(callers.get(role) as Caller, way, field);
      const reaches = way.base.every((permission) => may(role, permission));
      const ruled = reaches ? expected(role, rule, whole) : { refused, value: null };
      for (const code of codes) expect(code).toBe('FORBIDDEN');
      expect({ role, refused, told: value ?? null }).toEqual({ role, refused: ruled.refused, told: ruled.value });
    };
    await Promise.all(roleNames.map(read));
  });

  it('has a rule for each type that leads to others', () => {
    const parts = objects.filter(
      ({ name }) => !/^(Query|Mutation|Subscription)$|Payload$|Message$|Connection$|Edge$/.test(name),
    );
    const leads = parts.filter(
      (type) =>
        isNode(type) ||
        fieldsOf(type).some(
          ({ type: of }) => isObjectType(getNamedType(of)) && isNode(getNamedType(of) as GraphQLObjectType),
        ),
    );
    for (const type of leads) {
      const ruled = Object.keys(fields[type.name] ?? {}).sort();
      expect([type.name, ruled], 'The fields of a type and its rules in test/permissions/fields.ts').toEqual([
        type.name,
        fieldsOf(type)
          .map(({ name }) => name)
          .sort(),
      ]);
    }
  });
});

describe('an administrator of another realm', () => {
  it('finds nothing by its id', async () => {
    for (const [name, id] of Object.entries(ids)) {
      const { data, errors } = await stranger.graphql<{ node: unknown }>(`{ node(id: "${id}") { id __typename } }`);
      expect([name, data, errors]).toEqual([name, { node: null }, undefined]);
    }
  });

  it('finds no realm by its name, nor in the list, its count, its order or by a filter', async () => {
    const page = '{ totalCount edges { node { name } } pageInfo { hasNextPage hasPreviousPage } }';
    const { data, errors } = await stranger.graphql(`{
      realm(name: "one") { id }
      all: realms ${page}
      ordered: realms(first: 1, orderBy: { field: DISPLAY_NAME, direction: DESC }) ${page}
      filtered: realms(filter: { name: { startsWith: "o" } }) ${page}
      gone: realms(filter: { name: { equals: "one" } }) ${page}
    }`);
    const only = {
      totalCount: 1,
      edges: [{ node: { name: 'other' } }],
      pageInfo: { hasNextPage: false, hasPreviousPage: false },
    };
    expect(errors).toBeUndefined();
    const gone = { ...only, totalCount: 0, edges: [] };
    expect(data).toEqual({ realm: null, all: only, ordered: only, filtered: only, gone });
  });
});

describe('lists that a caller may not see', () => {
  const page = '{ totalCount edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage endCursor } }';
  const nothing = {
    totalCount: 0,
    edges: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false, endCursor: null },
  };

  it('tell nothing by filters, orders, counts or cursors', async () => {
    const asked: [role: string, query: string][] = [
      ['query-users', 'users(filter: { username: { equals: "plain" } })'],
      ['query-users', 'users(filter: { not: { role: "ROLE" } }, first: 1)'],
      ['query-users', 'users(filter: { group: "GROUP" }, orderBy: { field: EMAIL, direction: DESC })'],
      ['query-users', 'clients(filter: { clientId: { startsWith: "s" } })'],
      ['query-groups', 'groups(filter: { role: "ROLE" }, orderBy: { field: PATH, direction: ASC })'],
      ['query-groups', 'groups(filter: { hasMembers: true }, last: 1)'],
      ['query-clients', 'clients(filter: { clientScopeName: "email" }, orderBy: { field: NAME, direction: ASC })'],
    ];
    for (const [role, query] of asked) {
      const given = query.replace('ROLE', ids.Role ?? '').replace('GROUP', ids.Group ?? '');
      const caller = callers.get(role) as Caller;
      const { data, errors } = await caller.graphql(`{ realm(name: "one") { found: ${given} ${page} } }`);
      expect([query, errors, data]).toEqual([query, undefined, { realm: { found: nothing } }]);
    }
  });

  it('cost the same whether or not there is something', async () => {
    const cost = async (id: string) => {
      const { extensions } = await stranger.graphql(`{ node(id: "${id}") { id } }`);
      return extensions?.cost?.statements;
    };
    const nowhere = await cost(nodeId('User', '00000000-0000-4000-8000-000000000000'));
    for (const name of ['User', 'Group', 'Client', 'ClientScope', 'Role', 'UserSession'])
      expect(await cost(ids[name] ?? '')).toBe(nowhere);
  });
});
