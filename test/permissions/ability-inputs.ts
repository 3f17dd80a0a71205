/** Objects of the realm that inputs name, as node ids. */
export interface Named {
  realm: string;
  role: string;
  group: string;
  user: string;
  client: string;
  scope: string;
}

type Input = (id: string, named: Named) => Record<string, unknown>;

const plain: Input = (id) => ({ id });
const inRealm =
  (more: Record<string, unknown> = {}): Input =>
  (id) => ({ realm: id, ...more });

/** The input of a mutation that names authorization services by their client, whose ID they have. */
const ofClient =
  (more: Record<string, unknown>): Input =>
  (id) => ({ client: btoa(atob(id).replace('ResourceServer:', 'Client:')), ...more });

/** An input of each mutation about an object that is good but for what the caller may do; `{ id }` where there is none. */
const inputs: Readonly<Record<string, Input>> = {
  userCreate: inRealm({ username: 'new' }),
  groupCreate: (id) => ({ parent: id, name: 'new' }),
  roleCreate: (id) => ({ container: id, name: 'new' }),
  clientCreate: inRealm({ clientId: 'new' }),
  clientScopeCreate: inRealm({ name: 'new' }),
  clientInitialAccessCreate: inRealm(),
  identityProviderCreate: inRealm({ alias: 'new', type: 'GITHUB' }),
  authenticationFlowCreate: inRealm({ alias: 'new' }),
  componentCreate: inRealm({ name: 'new', providerId: 'scope', providerType: 'CLIENT_REGISTRATION_POLICY' }),
  webhookCreate: inRealm({ name: 'new', url: 'https://hooks.example/new' }),
  realmUpdate: (id) => ({ id, displayName: 'New' }),
  realmPartialImport: (id) => ({ id, representation: { json: { roles: { realm: [{ name: 'imported' }] } } } }),
  userUpdate: (id) => ({ id, firstName: 'New' }),
  userSetPassword: (id) => ({ id, value: 'new-password' }),
  userJoinGroups: (id, { group }) => ({ id, groups: [group] }),
  userAddRoles: (id, { role }) => ({ id, roles: [role] }),
  userAddFederatedIdentity: (id) => ({ id, identityProviderAlias: 'other', userId: 'there' }),
  userRevokeConsent: (id, { client }) => ({ id, client }),
  userSendActionsEmail: (id) => ({ id, actions: ['UPDATE_PASSWORD'] }),
  credentialSetLabel: (id) => ({ id, label: 'new' }),
  groupUpdate: (id) => ({ id, setAttributes: [{ name: 'new', values: ['1'] }] }),
  groupMove: (id, { realm }) => ({ id, parent: realm }),
  groupAddMembers: (id, { user }) => ({ id, users: [user] }),
  groupAddRoles: (id, { role }) => ({ id, roles: [role] }),
  roleUpdate: (id) => ({ id, description: 'New' }),
  managementPermissionUpdate: (id) => ({ target: id, isEnabled: true }),
  roleAddComposites: (id, { role }) => ({ id, roles: [role] }),
  clientUpdate: (id) => ({ id, description: 'New' }),
  clientAddClientScope: (id, { scope }) => ({ id, clientScope: scope }),
  protocolMapperCreate: (id) => ({ owner: id, name: 'new', type: 'FULL_NAME' }),
  scopeMappingAdd: (id, { role }) => ({ owner: id, roles: [role] }),
  clientScopeUpdate: (id) => ({ id, description: 'New' }),
  identityProviderUpdate: (id) => ({ id, displayName: 'New' }),
  identityProviderMapperCreate: (id) => ({ identityProvider: id, name: 'new', type: 'hardcoded-attribute-idp-mapper' }),
  identityProviderMapperUpdate: (id) => ({ id, settings: [{ name: 'other', value: 'x' }] }),
  authenticationFlowUpdate: (id) => ({ id, description: 'New' }),
  authenticationFlowCopy: (id) => ({ id, alias: 'new' }),
  flowExecutionCreate: (id) => ({ authenticationFlow: id, provider: 'auth-cookie' }),
  authenticationFlowCreateSubflow: (id) => ({ id, alias: 'new' }),
  flowExecutionUpdate: (id) => ({ id, requirement: 'REQUIRED' }),
  authenticatorConfigCreate: (id) => ({ flowExecution: id, alias: 'new', settings: [] }),
  authenticatorConfigUpdate: (id) => ({ id, alias: 'renamed' }),
  requiredActionUpdate: (id) => ({ id, name: 'renamed' }),
  componentUpdate: (id) => ({ id, name: 'renamed' }),
  realmAddClientScope: (id) => ({ clientScope: id }),
  userStorageSync: (id) => ({ id, kind: 'FULL' }),
  userStorageMapperSync: (id) => ({ id, direction: 'TO_REALM' }),
  authorizationResourceUpdate: (id) => ({ id, displayName: 'New' }),
  authorizationScopeUpdate: (id) => ({ id, displayName: 'New' }),
  authorizationPolicyUpdate: (id) => ({ id, description: 'New' }),
  resourceServerUpdate: ofClient({ allowsRemoteManagement: true }),
  resourceServerImport: ofClient({
    settings: { json: { policyEnforcementMode: 'ENFORCING', decisionStrategy: 'UNANIMOUS' } },
  }),
  authorizationResourceCreate: ofClient({ name: 'new' }),
  authorizationScopeCreate: ofClient({ name: 'new' }),
  authorizationPolicyCreate: (id, named) =>
    ofClient({ name: 'new', settings: { user: { users: [named.user] } } })(id, named),
  webhookReplay: (id) => ({ id, since: '2026-01-31T12:00:00Z' }),
  webhookUpdate: (id) => ({ id, url: 'https://hooks.example/other' }),
};

/** The input with which a mutation is tried on an object. */
export const inputOf = (mutation: string): Input => inputs[mutation] ?? plain;
