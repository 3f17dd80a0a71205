import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/rest/routes.js';
import { addressOf, type Parameters } from '../matrix/addresses.js';
import { type Answer, administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { recordedClass } from './conformance.js';
import { fillRealm, realmWithLists } from './realm.js';

// A provisioning tool applies, reads back and plans again: what was written is read, and writing what was read changes nothing.
let admin: Caller;
let params: Parameters;
const realm = 'plans';

beforeAll(async () => {
  admin = await administrator(await startServer());
  expect((await admin.send('POST', '/', realmWithLists(realm))).status).toBe(201);
  params = await fillRealm(admin, realm);
});

const readable = new Set(routes.filter(({ method }) => method === 'GET').map(({ path, admin: own }) => path || own));
const replaced = routes.filter(
  ({ method, takes, path, admin: own }) => method === 'PUT' && takes === 'json' && readable.has(path || own),
);
const table = replaced.map((route) => [route.path || route.admin, route] as const);

describe('what was read and is written again', () => {
  it('is every resource that can be replaced', () => {
    expect(table.length).toBeGreaterThan(20);
  });

  it.each(table)('%s stays as it is', async (_path, route) => {
    const address = addressOf(route, params);
    // as recorded, the first update of a realm keeps the lifespans of client sessions among its attributes
    if (route.path === '/{realm}') await admin.send('PUT', address, (await admin.send('GET', address)).body);
    const before = (await admin.send('GET', address)).body;
    for (const body of Array.isArray(before) ? before : [before]) {
      const answer = await admin.send('PUT', address, body);
      expect([answer.status >= 200 && answer.status < 300, answer.body]).toEqual([true, answer.body]);
    }
    expect((await admin.send('GET', address)).body).toEqual(before);
  });
});

/** A value of a recorded type; nothing for other resources, which have addresses of their own. */
const anyOf = (type: string, field: string): unknown =>
  ({
    string: `${field} text`,
    boolean: true,
    integer: 7,
    'string[]': [`${field} 1`, `${field} 2`],
    'map<string>': { one: 'first', two: '' },
    'map<string[]>': { one: ['first', 'second'], two: ['third'] },
  })[type];

/** Ids of what there is in the realm. */
type Ids = Record<'user' | 'role' | 'client' | 'group' | 'clientScope' | 'execution', string>;
let ids: Ids;

beforeAll(async () => {
  const one = async (path: string): Promise<string> => (await admin.send('GET', `/${realm}${path}`)).body.id;
  const executions = (await admin.send('GET', `/${realm}/authentication/flows/browser/executions`)).body;
  const configured = ({ providerId }: { providerId: string }) => providerId === 'identity-provider-redirector';
  ids = {
    user: (await admin.send('GET', `/${realm}/users?username=plain`)).body[0].id,
    role: await one('/roles/clerk'),
    client: params.client ?? '',
    group: await one('/group-by-path/staff'),
    clientScope: params.clientScopeId ?? '',
    execution: executions.find(configured).id,
  };
});

interface Kind {
  type: string;
  at: string;
  readAt?: string;
  /** values that are not just any of their type */
  values?: object | ((ids: Ids) => object);
  /** fields that are ids, that others own, or that stand for what has an address of its own */
  without: string[];
}

const resourceServer = '/clients/{client}/authz/resource-server';

/** What policies of a type have in common: what they apply to has addresses of its own. */
const policy = (type: string, representation: string, values: (ids: Ids) => object): Kind => ({
  type: representation,
  at: `${resourceServer}/policy/${type}`,
  values: (ids) => ({ name: `${type} policy`, type, logic: 'NEGATIVE', decisionStrategy: 'CONSENSUS', ...values(ids) }),
  without: ['id', 'owner', 'policies', 'resources', 'scopes', 'resourceType'],
});

const kinds: Record<string, Kind> = {
  role: {
    type: 'RoleRepresentation',
    at: '/roles',
    values: { clientRole: false, composite: false },
    without: ['id', 'containerId', 'scopeParamRequired'],
  },
  group: {
    type: 'GroupRepresentation',
    at: '/groups',
    values: { path: '/name text' },
    without: ['id', 'realmRoles', 'clientRoles', 'access'],
  },
  'client scope': {
    type: 'ClientScopeRepresentation',
    at: '/client-scopes',
    values: { name: 'scope', protocol: 'openid-connect' },
    without: ['id'],
  },
  'protocol mapper': {
    type: 'ProtocolMapperRepresentation',
    at: '/client-scopes/{scope}/protocol-mappers/models',
    // as recorded, empty settings are not kept
    values: {
      protocol: 'openid-connect',
      protocolMapper: 'oidc-hardcoded-claim-mapper',
      config: { 'claim.name': 'colour', 'claim.value': 'red' },
    },
    // the fields of consent are those of older versions
    without: ['id', 'consentRequired', 'consentText'],
  },
  client: {
    type: 'ClientRepresentation',
    at: '/clients',
    values: {
      protocol: 'openid-connect',
      clientAuthenticatorType: 'client-jwt',
      bearerOnly: false,
      publicClient: false,
      adminUrl: 'https://app.example.org/admin',
      baseUrl: '/base',
      rootUrl: 'https://app.example.org',
      redirectUris: ['https://app.example.org/one', '/two'],
      webOrigins: ['+', 'https://app.example.org'],
      defaultClientScopes: ['email', 'roles'],
      optionalClientScopes: ['address'],
      registeredNodes: { 'node.example.org': 5 },
      attributes: { one: 'first', 'pkce.code.challenge.method': 'S256' },
      authenticationFlowBindingOverrides: {},
    },
    without: [
      ...['id', 'access', 'origin', 'registrationAccessToken', 'secret', 'clientTemplate', 'directGrantsOnly'],
      ...[
        'useTemplateConfig',
        'useTemplateMappers',
        'useTemplateScope',
        'defaultRoles',
        'authorizationServicesEnabled',
      ],
    ],
  },
  user: {
    type: 'UserRepresentation',
    at: '/users',
    values: { email: 'text@example.org', username: 'written', requiredActions: ['VERIFY_EMAIL'], totp: false },
    without: [
      ...['id', 'access', 'origin', 'self', 'federationLink', 'serviceAccountClientId', 'disableableCredentialTypes'],
      ...['groups', 'realmRoles', 'clientRoles', 'applicationRoles', 'createdTimestamp', 'notBefore'],
    ],
  },
  'identity provider': {
    type: 'IdentityProviderRepresentation',
    at: '/identity-provider/instances',
    values: {
      alias: 'written',
      providerId: 'oidc',
      firstBrokerLoginFlowAlias: 'first broker login',
      postBrokerLoginFlowAlias: 'browser',
      updateProfileFirstLoginMode: 'on',
      config: { clientId: 'us', issuer: 'https://op.example.org', guiOrder: '3' },
    },
    without: ['internalId'],
  },
  'identity provider mapper': {
    type: 'IdentityProviderMapperRepresentation',
    at: '/identity-provider/instances/partner/mappers',
    values: { identityProviderAlias: 'partner', identityProviderMapper: 'hardcoded-attribute-idp-mapper' },
    without: ['id'],
  },
  component: {
    type: 'ComponentRepresentation',
    at: '/components',
    values: {
      providerId: 'aes-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: ['7'], enabled: ['true'], active: ['true'], secretSize: ['16'] },
    },
    without: ['id', 'parentId'],
  },
  'authentication flow': {
    type: 'AuthenticationFlowRepresentation',
    at: '/authentication/flows',
    values: { providerId: 'basic-flow', topLevel: true, builtIn: false },
    without: ['id'],
  },
  'authenticator config': {
    type: 'AuthenticatorConfigRepresentation',
    at: '/authentication/executions/{execution}/config',
    // as recorded, the address in the answer is one that nothing is at
    readAt: '/authentication/config',
    values: { config: { defaultProvider: 'partner' } },
    without: ['id'],
  },
  'authorization scope': { type: 'ScopeRepresentation', at: `${resourceServer}/scope`, without: ['id'] },
  'authorization resource': {
    type: 'ResourceRepresentation',
    at: `${resourceServer}/resource`,
    // resources give each value of their attributes as a list
    values: { attributes: { one: ['first', 'second'] }, scopes: [{ name: 'use' }] },
    without: ['_id'],
  },
  'user policy': policy('user', 'UserPolicyRepresentation', ({ user }) => ({ users: [user] })),
  'role policy': policy('role', 'RolePolicyRepresentation', ({ role }) => ({ roles: [{ id: role, required: true }] })),
  'client policy': policy('client', 'ClientPolicyRepresentation', ({ client }) => ({ clients: [client] })),
  'group policy': policy('group', 'GroupPolicyRepresentation', ({ group }) => ({
    groups: [{ id: group, extendChildren: true }],
  })),
  'client scope policy': policy('client-scope', 'ClientScopePolicyRepresentation', ({ clientScope }) => ({
    clientScopes: [{ id: clientScope, required: true }],
  })),
  'regex policy': policy('regex', 'RegexPolicyRepresentation', () => ({ pattern: 'a+' })),
  'time policy': policy('time', 'TimePolicyRepresentation', () => ({
    ...{
      dayMonth: '1',
      dayMonthEnd: '9',
      month: '2',
      monthEnd: '3',
      hour: '4',
      hourEnd: '5',
      minute: '6',
      minuteEnd: '7',
    },
    ...{ notBefore: '2020-01-01 00:00:00', notOnOrAfter: '2040-01-01 00:00:00' },
  })),
  'scope permission': {
    ...policy('scope', 'ScopePermissionRepresentation', () => ({})),
    at: `${resourceServer}/permission/scope`,
  },
  'resource permission': {
    ...policy('resource', 'ResourcePermissionRepresentation', () => ({ resourceType: 'machine' })),
    at: `${resourceServer}/permission/resource`,
  },
};

/** The fields that a tool may write, with a value for each. */
function described({ type, values = {}, without }: Kind): Record<string, unknown> {
  const { fields = {}, onlyInAnswers = [], onlyInRequests = [] } = recordedClass(type) ?? {};
  const left = [...without, ...onlyInAnswers, ...onlyInRequests];
  const own = Object.entries(fields).flatMap(([name, of]) => {
    const value = anyOf(of, name);
    return left.includes(name) || value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(own), ...(typeof values === 'function' ? values(ids) : values) };
}

/** Where a thing is that was created: its address or, as recorded of resource servers, its id is in the answer. */
function placeOf(path: string, { headers, body }: Answer): string {
  const location = headers.get('location');
  return location
    ? new URL(location).pathname.replace(/^\/auth(\/admin\/realms)?/, '')
    : `${path}/${body._id ?? body.id}`;
}

describe('what is written with all its fields', () => {
  it.each(Object.entries(kinds))('%s is read as it was written, and stays so', async (_name, kind) => {
    const written = described(kind);
    const at = kind.at.replace('{scope}', ids.clientScope).replace('{client}', ids.client);
    const path = `/${realm}${at.replace('{execution}', ids.execution)}`;
    const created = await admin.send('POST', path, written);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const place = placeOf(path, created);
    const location = kind.readAt ? `/${realm}${kind.readAt}/${place.split('/').at(-1)}` : place;
    const first = (await admin.send('GET', location)).body;
    expect(first).toMatchObject(written);
    const { status } = await admin.send('PUT', location, first);
    expect([201, 202, 204]).toContain(status);
    expect((await admin.send('GET', location)).body).toEqual(first);
  });

  it('a required action is read as it was written', async () => {
    const at = `/${realm}/authentication/required-actions/VERIFY_EMAIL`;
    const type = 'RequiredActionProviderRepresentation';
    const written = described({ type, at, without: ['alias', 'providerId'] });
    const before = (await admin.send('GET', at)).body;
    expect((await admin.send('PUT', at, { ...before, ...written })).status).toBe(204);
    const after = (await admin.send('GET', at)).body;
    expect(after).toEqual({ ...before, ...written });
    expect((await admin.send('PUT', at, before)).status).toBe(204);
    expect((await admin.send('GET', at)).body).toEqual(before);
  });
});
