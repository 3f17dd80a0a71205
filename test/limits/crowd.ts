import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';

/** A realm with many objects of each kind, each with objects of its own. */
export const realm = 'crowd';
/** How many there are of each kind. */
export const crowdSize = isThorough ? 52 : 14;

const numberedUpTo =
  (count: number) =>
  <T>(make: (name: string, at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => make(String(at).padStart(2, '0'), at));

const mapper = (name: string) => ({
  name: `a-mapper-${name}`,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-usermodel-attribute-mapper',
  config: { 'claim.name': name, 'user.attribute': name },
});

const password = { type: 'password', value: 'secret-1' };

const client = (name: string) => ({
  clientId: `a-app-${name}`,
  name: `App ${name}`,
  secret: 'secret-1',
  directAccessGrantsEnabled: true,
  serviceAccountsEnabled: true,
  authorizationServicesEnabled: true,
  fullScopeAllowed: false,
  attributes: { 'saml.signing.certificate': 'AAAA', kept: '1' },
  protocolMappers: [mapper(name)],
  registeredNodes: { [`node-${name}`]: 1 },
  authenticationFlowBindingOverrides: {},
  authorizationSettings: {
    resources: [{ name: 'thing', scopes: [{ name: 'read' }] }],
    scopes: [{ name: 'read' }],
    policies: [
      { name: 'clerks', type: 'role', config: { roles: '[{"id":"a-role-00"}]' } },
      { name: 'people', type: 'user', config: { users: '["a-user-00"]' } },
      { name: 'apps', type: 'client', config: { clients: '["a-app-00"]' } },
      { name: 'members', type: 'group', config: { groups: '[{"path":"/a-group-00"}]' } },
      { name: 'scopes', type: 'client-scope', config: { clientScopes: '[{"id":"a-scope-00"}]' } },
      { name: 'hours', type: 'time', config: { hour: '9' } },
      { name: 'claims', type: 'regex', config: { targetClaim: 'sub', pattern: '^a' } },
      { name: 'script', type: 'js', config: { code: '1' } },
      { name: 'all', type: 'aggregate', config: { applyPolicies: '["clerks"]' } },
      { name: 'viewing', type: 'resource', config: { resources: '["thing"]', applyPolicies: '["clerks"]' } },
      { name: 'reading', type: 'scope', config: { scopes: '["read"]', applyPolicies: '["clerks"]' } },
    ],
  },
});

/** The file of a realm with so many objects of each kind. */
function fileOf(named: string, count: number) {
  const numbered = numberedUpTo(count);
  const clients = numbered(client);
  return {
    realm: named,
    enabled: true,
    bruteForceProtected: true,
    eventsEnabled: true,
    enabledEventTypes: ['LOGIN', 'LOGIN_ERROR'],
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    roles: {
      realm: numbered((name, at) => ({
        name: `a-role-${name}`,
        attributes: { kept: ['1'] },
        ...(at < count - 1 && {
          composite: true,
          composites: { realm: [`a-role-${String(count - 1).padStart(2, '0')}`] },
        }),
      })),
      client: Object.fromEntries(clients.map(({ clientId }) => [clientId, [{ name: 'own' }]])),
    },
    groups: numbered((name) => ({
      name: `a-group-${name}`,
      attributes: { kept: ['1'] },
      realmRoles: ['a-role-00'],
      subGroups: [{ name: 'inner', realmRoles: ['a-role-01'] }],
    })),
    clients,
    clientScopes: numbered((name) => ({
      name: `a-scope-${name}`,
      protocol: 'openid-connect',
      attributes: { kept: '1' },
      protocolMappers: [mapper(name)],
    })),
    scopeMappings: [
      ...numbered((name) => ({ client: `a-app-${name}`, roles: ['a-role-00'] })),
      ...numbered((name) => ({ clientScope: `a-scope-${name}`, roles: ['a-role-00'] })),
    ],
    identityProviders: numbered((name) => ({
      alias: `a-partner-${name}`,
      providerId: 'saml',
      firstBrokerLoginFlowAlias: 'first broker login',
      postBrokerLoginFlowAlias: 'browser',
      config: { singleSignOnServiceUrl: 'https://partner.example/login' },
    })),
    identityProviderMappers: numbered((name) => ({
      name: 'one',
      identityProviderAlias: `a-partner-${name}`,
      identityProviderMapper: 'saml-user-attribute-idp-mapper',
      config: { 'attribute.name': 'kept' },
    })),
    users: numbered((name, at) => ({
      username: `a-user-${name}`,
      email: `a-user-${name}@mail.example`,
      enabled: true,
      createdTimestamp: 1,
      attributes: { kept: ['1'] },
      // the others can log in
      requiredActions: at === 0 ? ['VERIFY_EMAIL'] : [],
      realmRoles: ['a-role-00'],
      groups: ['/a-group-00', `/a-group-${name}`, `/a-group-${name}/inner`],
      credentials: [password],
      federatedIdentities: [{ identityProvider: 'a-partner-00', userId: name, userName: name }],
      clientConsents: [{ clientId: 'a-app-00', grantedClientScopes: ['a-scope-00'] }],
    })),
  };
}

/** Creates a realm with so many objects of each kind, and with what no file holds: sessions, events, and webhooks. */
export async function createCrowd(url: string, admin: Caller, named = realm, count = crowdSize): Promise<void> {
  const made = await admin.send('POST', '/', fileOf(named, count));
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${named}") { id } }`);
  const login = (name: string, given: string) =>
    fetch(`${url}/auth/realms/${named}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'password', client_id: `a-app-${name}`, client_secret: 'secret-1' },
        ...{ username: `a-user-${name}`, password: given },
      }),
    });
  for (const name of numberedUpTo(count)((text) => text)) {
    // a session, and a failed login
    for (const given of ['secret-1', 'wrong']) await login(name, given);
    await admin.send('POST', `/${named}/clients-initial-access`, { count: 1, expiration: 0 });
    await admin.send('POST', `/${named}/components`, {
      name: `a-key-${name}`,
      providerId: 'hmac-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: ['0'] },
    });
    await admin.send('POST', `/${named}/authentication/flows`, {
      alias: `a-flow-${name}`,
      providerId: 'basic-flow',
      topLevel: true,
    });
    await admin.send('POST', `/${named}/authentication/flows/flow-${name}/executions/execution`, {
      provider: 'auth-cookie',
    });
  }
  for (const name of ['one', 'two', 'three']) {
    const input = { realm: data.realm.id, name, url: 'https://hooks.example/', isEnabled: false };
    const query = 'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { userErrors { message } } }';
    await admin.graphql(query, { input });
  }
  // keys are made when they are first read
  await admin.graphql(`{ realm(name: "${named}") { keys { kid } } }`);
  // the newest events have sessions: those of the same millisecond, which the slow clock makes of 600, have no order
  await sleep(700);
  for (const name of ['00', '01']) await login(name, 'secret-1');
}
