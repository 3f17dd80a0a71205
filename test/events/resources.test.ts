// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';

const realm = 'kinds';
let admin: Caller;
/** ids by the names that paths have for them */
const ids: Record<string, string> = {};

beforeAll(async () => {
  ({ admin } = await startWithRealm({
    realm,
    enabled: true,
    adminEventsEnabled: true,
    clients: [{ clientId: 'shop', serviceAccountsEnabled: true, authorizationServicesEnabled: true }],
    groups: [{ name: 'staff' }],
    users: [{ username: 'ann', enabled: true }],
    roles: { realm: [{ name: 'clerk' }], client: { shop: [{ name: 'seller' }] } },
    identityProviders: [{ alias: 'partner', providerId: 'oidc' }],
  }));
  const first = async (path: string) => (await admin.send('GET', `/${realm}/${path}`)).body[0];
  ids.client = (await first('clients?clientId=shop')).id;
  ids.scope = (await first('client-scopes')).id;
  ids.group = (await first('groups')).id;
  ids.user = (await first('users?username=ann')).id;
});

const mapper = {
  name: 'm',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-usermodel-attribute-mapper',
  config: { 'claim.name': 'm', 'user.attribute': 'm' },
};
const providerMapper = {
  name: 'm',
  identityProviderAlias: 'partner',
  identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
  config: { role: 'clerk' },
};
const key = {
  name: 'key',
  providerId: 'hmac-generated',
  providerType: 'org.keycloak.keys.KeyProvider',
  config: { priority: ['0'] },
};
const server = 'clients/{client}/authz/resource-server';

const cases: [method: string, path: string, body: unknown, typename: string][] = [
  ['POST', 'clients', { clientId: 'next' }, 'Client'],
  ['POST', 'clients/{client}/roles', { name: 'buyer' }, 'Role'],
  ['PUT', 'clients/{client}/roles/seller', { name: 'vendor' }, 'Role'],
  ['PUT', 'roles/clerk', { name: 'writer' }, 'Role'],
  ['POST', 'clients/{client}/protocol-mappers/models', mapper, 'ProtocolMapper'],
  ['POST', 'clients/{client}/client-secret', undefined, 'Client'],
  ['POST', 'client-scopes', { name: 'reading', protocol: 'openid-connect' }, 'ClientScope'],
  ['POST', 'client-scopes/{scope}/protocol-mappers/models', mapper, 'ProtocolMapper'],
  ['DELETE', 'default-optional-client-scopes/{scope}', undefined, 'ClientScope'],
  ['POST', `${server}/scope`, { name: 'read' }, 'AuthorizationScope'],
  ['POST', `${server}/resource`, { name: 'thing' }, 'AuthorizationResource'],
  ['POST', `${server}/policy/user`, { name: 'people', users: ['{user}'] }, 'UserAuthorizationPolicy'],
  [
    'POST',
    `${server}/permission/scope`,
    { name: 'reading', scopes: ['read'], policies: ['people'] },
    'ScopeAuthorizationPermission',
  ],
  ['POST', 'groups', { name: 'others' }, 'Group'],
  ['POST', 'groups/{group}/children', { name: 'inner' }, 'Group'],
  ['PUT', 'default-groups/{group}', undefined, 'Group'],
  ['POST', 'users', { username: 'bob' }, 'User'],
  ['PUT', 'users/{user}/groups/{group}', undefined, 'User'],
  ['POST', 'components', key, 'Component'],
  [
    'PUT',
    'identity-provider/instances/partner',
    { alias: 'partner', providerId: 'oidc', displayName: 'P' },
    'IdentityProvider',
  ],
  ['POST', 'identity-provider/instances/partner/mappers', providerMapper, 'IdentityProviderMapper'],
  ['POST', 'authentication/flows', { alias: 'own', providerId: 'basic-flow', topLevel: true }, 'AuthenticationFlow'],
  ['POST', 'authentication/flows/browser/copy', { newName: 'copied' }, 'AuthenticationFlow'],
  ['POST', 'authentication/flows/own/executions/execution', { provider: 'auth-cookie' }, 'AuthenticationFlow'],
  [
    'PUT',
    'authentication/required-actions/terms_and_conditions',
    { alias: 'terms_and_conditions', name: 'Terms', enabled: true },
    'RequiredAction',
  ],
  ['POST', 'clients-initial-access', { count: 1, expiration: 0 }, 'ClientInitialAccess'],
  ['PUT', '', { displayName: 'Kinds' }, 'Realm'],
  ['PUT', 'localization/en/key', 'Text', 'Realm'],
];

const filled = <T>(value: T): T =>
  value === undefined
    ? value
    : JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole));

interface Told {
  id: string;
  resourceId: string | null;
  resource: { __typename: string; id: string };
}

/** The events that there were before: two within one moment have no order. */
const seen = new Set<string>();

async function newEvents(): Promise<Told[]> {
  const { data, errors } = await admin.graphql<{ realm: { adminEvents: { edges: { node: Told }[] } } }>(
    `{ realm(name: "${realm}") { adminEvents(first: 100) { edges { node { id resourceId resource { __typename id } } } } } }`,
  );
  expect(errors).toBeUndefined();
  const found = data.realm.adminEvents.edges.map(({ node }) => node).filter(({ id }) => !seen.has(id));
  for (const { id } of found) seen.add(id);
  return found;
}

describe('the object of an admin event', () => {
  beforeAll(async () => void (await newEvents()));

  it.each(cases)('is found: %s %s', async (method, path, body, typename) => {
    const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'text/plain' } : {};
    const sent = await admin.send(method, `/${realm}/${filled(path)}`.replace(/\/$/, ''), filled(body), headers);
    expect(sent.status, JSON.stringify(sent.body)).toBeLessThan(300);
    const [node] = await newEvents();
    expect(node).toMatchObject({ resource: { __typename: typename, id: expect.any(String) } });
    // without details, the type of a policy is known only while it is there
    expect(node?.resourceId).toBe(/Policy$|Permission$/.test(typename) ? null : node?.resource.id);
  });
});
