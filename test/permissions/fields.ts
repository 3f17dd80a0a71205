/** What a field takes besides what its object takes. Permissions are those of `rules.ts`. */
export interface FieldRule {
  /** refused without one of each */
  takes?: readonly string[];
  /** there, but without anything in it: an empty list, where `empty` says nothing else */
  shows?: string;
  empty?: object;
  /** null without one of each */
  hides?: readonly string[];
  /** whether the permission is that of the object that it leads to, which can be of any type */
  isOfObject?: true;
}

const open: FieldRule = {};
const takes = (...permissionRoles: string[]): FieldRule => ({ takes: permissionRoles });
const list = (permission: string, shows: string): FieldRule => ({ takes: [permission], shows });
const hides = (...permissionRoles: string[]): FieldRule => ({ hides: permissionRoles });

const all = (names: string): Record<string, FieldRule> =>
  Object.fromEntries(names.split(' ').map((name) => [name, open]));

const settings =
  'attributes displayNameHtml clientProfiles clientPolicies bruteForce events flows internationalization login loginPages ' +
  'loginPagePreview otpPolicy securityHeaders sessions smtp themes tokens webAuthn webAuthnPasswordless keys usersManagementPermission';

const policy = all(
  'id uuid name description type logic decisionStrategy resources scopes policies dependentPolicies version',
);

/**
 * The rule for every field of every type that has one, without those that say what the viewer may do. Where two kinds of
 * a type differ, `Role of a client` is the one that is not of the realm.
 */
export const fields: Record<string, Record<string, FieldRule>> = {
  Realm: {
    ...all('id uuid name'),
    isEnabled: hides('view:realm'),
    displayName: hides('view:realm'),
    version: hides('view:realm'),
    ...Object.fromEntries(settings.split(' ').map((name) => [name, takes('view:realm')])),
    users: list('query:users', 'view:users'),
    userSessions: takes('view:users'),
    user: hides('view:users'),
    userFacets: { ...list('query:users', 'view:users'), empty: { total: 0 } },
    groups: list('query:groups', 'view:groups'),
    group: hides('view:groups'),
    clients: list('query:clients', 'view:clients'),
    client: hides('view:clients'),
    clientScopes: list('list:client-scopes', 'view:clients'),
    clientScope: hides('view:clients'),
    roles: takes('query:realm'),
    allRoles: takes('query:realm', 'list:client-roles'),
    adminEvents: takes('view:events'),
    loginEvents: takes('view:events'),
    loginEventCounts: takes('view:events'),
    webhooks: takes('view:events'),
    clientInitialAccesses: takes('view:clients'),
    clientRegistrationPolicyTypes: takes('any:admin'),
    clientDescriptionConvert: takes('manage:clients'),
    identityProviders: takes('view:identity-providers'),
    identityProvider: hides('view:identity-providers'),
    identityProviderSettings: takes('manage:identity-providers'),
    export: takes('view:realm', 'view:groups', 'view:clients', 'view:identity-providers', 'view:events', 'view:users'),
    plan: takes('view:realm', 'view:groups', 'view:clients', 'view:identity-providers', 'view:events'),
    applies: takes('view:events'),
    managed: takes('view:realm'),
    components: takes('view:realm'),
    componentTypes: takes('view:realm'),
    userStorages: takes('view:realm'),
    ldapCapabilities: takes('manage:realm'),
    localizedLocales: takes('any:admin'),
    standardTexts: takes('any:admin'),
    localizationTexts: takes('any:admin'),
    authenticationFlows: takes('view:flows'),
    authenticationFlow: hides('view:realm'),
    authenticatorConfigs: takes('view:realm'),
    authenticationProviders: takes('view:realm'),
    requiredActions: takes('view:required-actions'),
    unregisteredRequiredActions: takes('view:realm'),
  },
  User: {
    isManaged: open,
    ...all('id uuid username email isEmailVerified firstName lastName isEnabled createdAt version realm attributes'),
    requiredActionAliases: open,
    requiredActions: hides('view:required-actions'),
    ...all('isServiceAccount federatedIdentities consents groups directRoles effectiveRoles availableRoles sessions'),
    ...all('loginFailures federationLinkId originId'),
    federationLink: hides('view:realm'),
    origin: hides('view:realm'),
    credentials: takes('manage:users'),
    loginEvents: takes('view:events'),
    lastLoginAt: takes('view:events'),
    adminEvents: takes('view:events'),
    serviceAccountClient: hides('view:clients'),
  },
  Group: {
    isManaged: open,
    ...all('id uuid name path isDefault version realm parent attributes children members roles'),
    ...all('effectiveRoles availableRoles managementPermission'),
    ...all('ancestors depth descendants childCount descendantCount memberCount roleCount'),
    adminEvents: takes('view:events'),
  },
  Client: {
    isManaged: open,
    adminEvents: takes('view:events'),
    ...all(
      'id uuid clientId name description isEnabled protocol kind flows urls redirectUris webOrigins authentication',
    ),
    ...all('tokens authorizationRequests logout consent ciba saml notBefore nodeReRegistrationTimeout loginTheme'),
    ...all('attributes allowsFullScope isAlwaysDisplayedInConsole hasAuthorizationServices requiresSurrogateAuth'),
    ...all('flowOverrides previousSecretExpiresAt secretVersion'),
    ...all('version realm roles sessions managementPermission'),
    ...all('defaultClientScopes optionalClientScopes protocolMappers scopeRoles effectiveScopeRoles'),
    ...all('certificate certificates nodes evaluateScopes'),
    availableScopeRoles: { shows: 'manage:clients' },
    nodesAvailability: takes('manage:clients'),
    installation: takes('manage:clients'),
    secret: takes('manage:clients'),
    resourceServer: takes('view:authorization'),
    authorizationResources: takes('view:authorization'),
    authorizationScopes: takes('view:authorization'),
    authorizationPolicies: takes('view:authorization'),
    evaluatePolicies: takes('view:authorization', 'view:users'),
    serviceAccountUser: hides('view:users'),
  },
  RealmFlows: all('browser registration directGrant resetCredentials clientAuthentication dockerAuthentication'),
  ClientFlowOverrides: { browser: hides('view:realm'), directGrant: hides('view:realm') },
  ClientScope: {
    isManaged: open,
    ...all(
      'id uuid name description protocol isInTokenScope isOnConsentScreen consentText attributes newClients version',
    ),
    ...all('realm defaultClients optionalClients protocolMappers scopeRoles effectiveScopeRoles'),
    availableScopeRoles: { shows: 'manage:clients' },
  },
  AuthenticationFlow: {
    isManaged: open,
    ...all('id uuid alias description kind isTopLevel isBuiltIn version realm executions'),
    uses: takes('view:realm'),
    clients: takes('view:clients'),
    identityProviders: takes('view:identity-providers'),
  },
  FlowExecution: {
    ...all('id uuid requirement requirementChoices priority displayName providerId provider flow'),
    config: hides('view:realm'),
    subflow: hides('view:realm'),
  },
  AuthenticatorConfig: all('id uuid alias settings version realm'),
  RequiredAction: all('id uuid alias name providerId isEnabled isDefault isManaged priority version realm'),
  ClientScopeEvaluation: all('protocolMappers grantedRoles notGrantedRoles accessToken idToken userInfo'),
  ClientInitialAccess: all('id uuid createdAt expiresAt count remainingCount'),
  ClientProfile: all('name description isGlobal executors'),
  ClientPolicy: all('name description isEnabled conditions profiles'),
  ClientPolicyExecutor: all('type settings config'),
  ClientPolicyCondition: all('type settings config'),
  IdentityProvider: {
    isManaged: open,
    ...all(
      'id uuid version alias displayName type isEnabled storesToken trustsEmail isLinkOnly grantsReadTokenRole isTriedByDefault redirectUri',
    ),
    ...all('firstLoginFlowAlias postLoginFlowAlias settings mappers mapperTypes serviceProviderMetadata'),
    ...all('managementPermission'),
    firstLoginFlow: hides('view:realm'),
    postLoginFlow: hides('view:realm'),
  },
  IdentityProviderMapper: all('id uuid name type settings version'),
  IdentityProviderMapperType: all('type name category helpText properties'),
  IdentityProviderSetting: all('name value'),
  Viewer: all('userId user realm displayName locale canCreateRealms permissions account'),
  RealmPermissions: all('realm realmName roleNames permissions'),
  Component: all('id uuid name providerType providerId subType settings version isManaged'),
  ComponentSetting: all('name values'),
  ComponentType: all('providerId helpText properties'),
  UserStorage: {
    isManaged: open,
    ...all('id uuid name kind version component isEnabled importsUsers editMode priority isSynchronising sync mappers'),
    ...all('fullSyncAt changedSyncAt lastSync'),
  },
  UserStorageSync: all('status isFinished kind startedAt endedAt done total added updated removed failed error'),
  UserStorageMapper: all('id uuid name kind version component'),
  LastUserSync: all('kind endedAt added updated removed failed error'),
  LdapCapability: all('oid type'),
  UserSyncResult: all('isIgnored added updated removed failed'),
  ProviderProperty: all('name label helpText type defaultValue options isSecret'),
  ServerInfo: all('version contractVersion uptime process memory themes passwordRules providers disabledFeatures'),
  LocalizationText: all('locale key value'),
  Credential: all('id uuid type label createdAt priority algorithm hashIterations digits period'),
  ProtocolMapperInEffect: { ...all('name type clientScopeName'), mapper: hides('view:clients') },
  ProtocolMapper: all('id uuid name protocol type settings config client clientScope'),
  Role: {
    isManaged: open,
    ...all('id uuid name description isClientRole isComposite version realm client'),
    adminEvents: takes('view:events'),
    attributes: takes('query:realm'),
    composites: takes('view:realm'),
    compositeOf: takes('view:realm', 'view:clients'),
    users: list('view:realm', 'view:users'),
    groups: list('view:realm', 'view:groups'),
    effectiveUsers: list('query:users', 'view:users'),
    scopedClients: list('view:realm', 'view:clients'),
    scopedClientScopes: list('view:realm', 'view:clients'),
    managementPermission: takes('view:realm'),
  },
  'Role of a client': {
    isManaged: open,
    ...all('id uuid name description isClientRole isComposite version realm'),
    adminEvents: takes('view:events'),
    client: hides('view:clients'),
    attributes: takes('list:client-roles'),
    composites: takes('view:clients'),
    compositeOf: takes('view:realm', 'view:clients'),
    users: list('view:clients', 'view:users'),
    groups: list('view:clients', 'view:groups'),
    effectiveUsers: list('query:users', 'view:users'),
    scopedClients: takes('view:clients'),
    scopedClientScopes: takes('view:clients'),
    managementPermission: takes('view:clients'),
  },
  UserSession: {
    ...all('id uuid sessionId isOffline ipAddress isRemembered startedAt lastAccessAt clients'),
    user: hides('view:users'),
  },
  ClientSession: { ...all('startedAt lastAccessAt'), client: hides('view:clients') },
  SearchHit: all('type match matchedField matchedValue node realm'),
  Webhook: {
    isManaged: open,
    ...all(
      'id uuid name url isEnabled loginEventTypes resourceTypes failures nextAttemptAt disabledReason createdAt version',
    ),
    ...all('deliveries'),
  },
  RealmApply: {
    ...all('id uuid number reverts source revision digest created updated deleted appliedAt appliedBy revertibleUntil'),
    revertPlan: takes('view:realm', 'view:groups', 'view:clients', 'view:identity-providers', 'view:users'),
  },
  ChangeAuthor: { ...all('actorId actorRealmId clientId'), actor: hides('view:users') },
  ResourceServer: all('id uuid allowsRemoteManagement enforcement decisionStrategy version'),
  AuthorizationScope: all('id uuid name displayName iconUri version'),
  AuthorizationResource: all('id uuid name displayName type iconUri allowsOwnerManagedAccess uris scopes version'),
  RoleAuthorizationPolicy: { ...policy, roles: hides('query:realm', 'list:client-roles') },
  UserAuthorizationPolicy: { ...policy, users: hides('query:users') },
  ClientAuthorizationPolicy: { ...policy, clients: hides('query:clients') },
  GroupAuthorizationPolicy: { ...policy, groups: hides('query:groups'), groupsClaim: open },
  ClientScopeAuthorizationPolicy: { ...policy, clientScopes: hides('list:client-scopes') },
  TimeAuthorizationPolicy: { ...policy, ...all('notBefore notOnOrAfter dayOfMonth month year hour minute') },
  RegexAuthorizationPolicy: { ...policy, ...all('targetClaim pattern') },
  AggregatedAuthorizationPolicy: policy,
  ScriptAuthorizationPolicy: { ...policy, code: open },
  ResourceAuthorizationPermission: { ...policy, resourceType: open },
  ScopeAuthorizationPermission: { ...policy, resourceType: open },
  UmaAuthorizationPermission: {
    ...policy,
    owner: hides('view:users'),
    roles: hides('query:realm', 'list:client-roles'),
    users: hides('query:users'),
    groups: hides('query:groups'),
    clients: hides('query:clients'),
  },
  OtherAuthorizationPolicy: { ...policy, typeName: open },
  Explanation: all('user object isAllowed permission refusal message reasons neededOneOf hasHidden hasMore'),
  NeededRole: { ...all('roleName clientId'), role: hides('view:realm', 'view:clients') },
  RoleExplanation: {
    ...all('permission isGranting hasHidden roleName origin'),
    groups: { shows: 'view:groups' },
    roles: hides('view:realm', 'view:clients'),
  },
  ExceedingRoleExplanation: {
    ...all('permission isGranting hasHidden roleName'),
    role: hides('view:realm', 'view:clients'),
  },
  PolicyEvaluation: all('isPermitted permissions results'),
  PolicyEvaluationResult: all('resource isPermitted scopeNames grantedScopeNames permissions'),
  PermissionResult: all('permission isPermitted policies'),
  PolicyResult: all('policy isPermitted'),
  GrantedPermission: all('resourceName scopeNames'),
  WebhookDelivery: all('id uuid eventId eventType hasSucceeded responseStatus error duration at'),
  LoginEvent: {
    ...all('id uuid type time clientId userId sessionId ipAddress error details realm'),
    user: hides('view:users'),
    session: hides('view:users'),
    client: hides('view:clients'),
  },
  AdminEvent: {
    ...all('id uuid time operation operationType resourceType resourcePath resourceId before after changes isListed'),
    ...all('actorId actorRealmId actorRealm clientId ipAddress realm'),
    // that of a role
    resource: { ...hides('view:realm'), isOfObject: true },
    actor: hides('view:users'),
    client: hides('view:clients'),
  },
  UserStorageFacet: { ...all('storageId count'), storage: hides('view:realm') },
  Consent: {
    ...all('clientId grantedScopeNames createdAt lastUpdatedAt'),
    client: hides('view:clients'),
    grantedScopes: hides('view:clients'),
  },
};
