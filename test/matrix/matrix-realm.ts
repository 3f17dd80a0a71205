import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

/** A realm that has an object of each type, with the IDs of these by their types. */
export interface MatrixRealm {
  server: TestServer;
  admin: Caller;
  ids: Readonly<Record<string, string>>;
}

interface Policies {
  edges: { node: { id: string; __typename: string } }[];
}

interface List {
  edges: { node: { id: string } }[];
}

const applyPolicies = '["clerks"]';
const policies = [
  { name: 'clerks', type: 'role', config: { roles: '[{"id":"clerk"}]' } },
  { name: 'users', type: 'user', config: { users: '["plain"]' } },
  { name: 'clients', type: 'client', config: { clients: '["shop"]' } },
  { name: 'groups', type: 'group', config: { groups: '[{"path":"/staff"}]' } },
  { name: 'client scopes', type: 'client-scope', config: { clientScopes: '[{"id":"email"}]' } },
  { name: 'all', type: 'aggregate', config: { applyPolicies } },
  { name: 'resources', type: 'resource', config: { resources: '["album"]', applyPolicies } },
  { name: 'scopes', type: 'scope', config: { scopes: '["view"]', applyPolicies } },
];

/** Starts a server with the realm `matrix`, which has an object of each type, and a user `plain` with a session. */
export async function makeMatrixRealm(): Promise<MatrixRealm> {
  const { server, admin } = await startWithRealm({
    realm: 'matrix',
    enabled: true,
    roles: { realm: [{ name: 'clerk' }] },
    groups: [{ name: 'staff' }],
    clients: [
      {
        clientId: 'shop',
        serviceAccountsEnabled: true,
        authorizationServicesEnabled: true,
        authorizationSettings: {
          scopes: [{ name: 'view' }],
          resources: [{ name: 'album' }],
          policies,
        },
      },
    ],
    components: {
      'org.keycloak.storage.UserStorageProvider': [
        {
          name: 'people',
          providerId: 'ldap',
          config: { enabled: ['false'] },
          subComponents: {
            'org.keycloak.storage.ldap.mappers.LDAPStorageMapper': [
              { name: 'mail', providerId: 'user-attribute-ldap-mapper' },
            ],
          },
        },
      ],
    },
    identityProviders: [{ alias: 'partner', providerId: 'oidc' }],
    identityProviderMappers: [{ name: 'one', identityProviderAlias: 'partner', identityProviderMapper: 'any' }],
    users: [{ username: 'plain', enabled: true, credentials: [{ type: 'password', value: 'secret-1' }] }],
  });
  await userOf(server, 'matrix', 'plain', 'secret-1');
  const { data } = await admin.graphql<{ realm: Record<string, never> }>(`{
    realm(name: "matrix") {
      id
      roles(first: 1) { edges { node { id } } }
      group(path: "/staff") { id }
      client(clientId: "shop") { id authorizationPolicies(first: 50) { edges { node { id __typename } } }
        authorizationResources(first: 1) { edges { node { id } } } authorizationScopes(first: 1) { edges { node { id } } } }
      clientScope(name: "email") { id protocolMappers(first: 1) { edges { node { id } } } }
      authenticationFlow(alias: "browser") { id executions { id } }
      authenticatorConfigs(first: 1) { edges { node { id } } }
      identityProvider(alias: "partner") { id mappers { id } }
      components(first: 1) { edges { node { id } } }
      userStorages { id mappers { id } }
      requiredActions(first: 1) { edges { node { id } } }
      user(username: "plain") { id credentials { id } sessions(first: 1) { edges { node { id } } } }
    }
  }`);
  const realm = data.realm as never as {
    id: string;
    roles: List;
    group: { id: string };
    client: { id: string; authorizationPolicies: Policies; authorizationResources: List; authorizationScopes: List };
    clientScope: { id: string; protocolMappers: List };
    authenticationFlow: { id: string; executions: { id: string }[] };
    authenticatorConfigs: List;
    identityProvider: { id: string; mappers: { id: string }[] };
    components: List;
    userStorages: { id: string; mappers: { id: string }[] }[];
    requiredActions: List;
    user: { id: string; credentials: { id: string }[]; sessions: List };
  };
  const input = `{ realm: "${realm.id}", name: "hook", url: "https://hooks.example/one", isEnabled: false }`;
  const made = await admin.graphql<{ webhookCreate: { webhook: { id: string } } }>(
    `mutation { webhookCreate(input: ${input}) { webhook { id } } }`,
  );
  const hook = made.data.webhookCreate.webhook.id;
  const pinged = await admin.graphql<{ webhookPing: { webhook: { deliveries: List } } }>(
    `mutation { webhookPing(input: { id: "${hook}" }) { webhook { deliveries(first: 1) { edges { node { id } } } } } }`,
  );
  const access = await admin.graphql<{ clientInitialAccessCreate: { clientInitialAccess: { id: string } } }>(
    `mutation { clientInitialAccessCreate(input: { realm: "${realm.id}" }) { clientInitialAccess { id } } }`,
  );
  const file = '{ json: { roles: { realm: [{ name: "applied" }] } } }, modes: { roles: KEEP }';
  const applied = await admin.graphql<{ realmApply: { realm: { applies: { edges: { node: { id: string } }[] } } } }>(
    `mutation { realmApply(input: { id: "${realm.id}", desired: ${file} }) {
      realm { applies(first: 1) { edges { node { id } } } } } }`,
  );
  const ids = {
    Realm: realm.id,
    RealmApply: applied.data.realmApply.realm.applies.edges[0]?.node.id ?? '',
    Role: realm.roles.edges[0]?.node.id ?? '',
    Group: realm.group.id,
    Client: realm.client.id,
    ...Object.fromEntries(realm.client.authorizationPolicies.edges.map(({ node }) => [node.__typename, node.id])),
    AuthorizationResource: realm.client.authorizationResources.edges[0]?.node.id ?? '',
    AuthorizationScope: realm.client.authorizationScopes.edges[0]?.node.id ?? '',
    ClientInitialAccess: access.data.clientInitialAccessCreate.clientInitialAccess.id,
    ClientScope: realm.clientScope.id,
    ProtocolMapper: realm.clientScope.protocolMappers.edges[0]?.node.id ?? '',
    AuthenticationFlow: realm.authenticationFlow.id,
    FlowExecution: realm.authenticationFlow.executions[0]?.id ?? '',
    AuthenticatorConfig: realm.authenticatorConfigs.edges[0]?.node.id ?? '',
    IdentityProvider: realm.identityProvider.id,
    IdentityProviderMapper: realm.identityProvider.mappers[0]?.id ?? '',
    Component: realm.components.edges[0]?.node.id ?? '',
    UserStorage: realm.userStorages[0]?.id ?? '',
    UserStorageMapper: realm.userStorages[0]?.mappers[0]?.id ?? '',
    RequiredAction: realm.requiredActions.edges[0]?.node.id ?? '',
    User: realm.user.id,
    Credential: realm.user.credentials[0]?.id ?? '',
    UserSession: realm.user.sessions.edges[0]?.node.id ?? '',
    Webhook: hook,
    WebhookDelivery: pinged.data.webhookPing.webhook.deliveries.edges[0]?.node.id ?? '',
  };
  return { server, admin, ids };
}
