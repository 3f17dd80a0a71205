import { settingGroups, smtpGroup } from '../../graph/realms/settings.js';

/**
 * Descriptions of fields for editors, by the name of the shape. Realm settings have the descriptions of the GraphQL
 * schema.
 */
export const descriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  RealmRepresentation: {
    ...Object.fromEntries(
      settingGroups
        .filter(({ within }) => within === undefined)
        .flatMap(({ settings }) => settings.map(({ wire, description }) => [wire, description])),
    ),
    realm: 'Name of the realm. Part of its addresses.',
    enabled: 'Whether users and clients can log in.',
    displayName: 'Name of the realm on login pages.',
    attributes: 'Custom attributes, and settings that have no field of their own.',
    roles: 'Realm roles, and the roles of each client.',
    groups: 'Top-level groups with their subgroups.',
    defaultGroups: 'Paths of the groups that new users join, such as `/staff/night`.',
    users: 'Users with their credentials, roles, and groups.',
    clients: 'Applications that authenticate users or call services.',
    clientScopes: 'Client scopes: protocol mappers and roles that several clients share.',
    defaultDefaultClientScopes: 'Names of the client scopes that new clients always use.',
    defaultOptionalClientScopes: 'Names of the client scopes that new clients use on request.',
    scopeMappings: 'Realm roles in the scope of clients and client scopes.',
    clientScopeMappings: 'Client roles in the scope of clients and client scopes, by the client ID of their owner.',
    identityProviders: 'Identity providers of other organizations.',
    identityProviderMappers: 'Mappers from claims of identity providers to attributes, roles, and groups.',
    components: 'Key providers, user storages, and registration policies, by provider type.',
    authenticationFlows: 'Flows of a login or another authentication, with their executions.',
    authenticatorConfig: 'Configurations of executions, which refer to them by alias.',
    requiredActions: 'Actions that a user can be required to complete during a login.',
    localizationTexts: 'Texts of login pages, by locale and message key.',
    webhooks: 'URLs that receive events of the realm. Only this service has them.',
    smtpServer: smtpGroup.description,
    clientPolicies: 'Policies that restrict how clients are configured and used.',
    clientProfiles: 'Lists of executors that client policies apply.',
  },
  ClientRepresentation: {
    clientId: 'Natural key: the ID that the client sends in requests.',
    secret: 'Client secret. A mask (`**********`) or a missing field leaves it unchanged.',
    publicClient: 'Whether the client has no secret, as applications in a browser.',
    bearerOnly: 'Whether the client only verifies tokens and never logs in users.',
    redirectUris: 'Allowed redirect URIs after a login. A trailing `*` is a wildcard.',
    webOrigins: 'Origins that may call the service from a browser. `+` stands for the origins of the redirect URIs.',
    standardFlowEnabled: 'Whether the authorization code flow is enabled.',
    implicitFlowEnabled: 'Whether the implicit flow is enabled.',
    directAccessGrantsEnabled: 'Whether the client can exchange a username and password for tokens.',
    serviceAccountsEnabled: 'Whether the client can get tokens for its own service account.',
    fullScopeAllowed: 'Whether tokens have all roles of the user, and not only those in the scope of the client.',
    defaultClientScopes: 'Names of the client scopes that the client always uses.',
    optionalClientScopes: 'Names of the client scopes that the client uses on request.',
    protocolMappers: 'Mappers that add claims to tokens of the client.',
    authorizationSettings: 'Resources, scopes, policies, and permissions of the authorization services.',
  },
  ClientScopeRepresentation: { name: 'Natural key: the name that requests have in the parameter `scope`.' },
  ProtocolMapperRepresentation: {
    name: 'Natural key: the name of the mapper in its client or client scope.',
    protocolMapper: 'ID of the provider, such as `oidc-usermodel-attribute-mapper`.',
    config: 'Settings of the provider. All values are texts.',
  },
  RoleRepresentation: {
    name: 'Natural key: the name of the role in its realm or client.',
    composites: 'Roles that the role contains.',
  },
  GroupRepresentation: {
    name: 'Natural key: the name of the group in its parent.',
    path: 'Path of the group. Computed from the tree of groups.',
    realmRoles: 'Names of the realm roles that members have.',
    clientRoles: 'Names of the client roles that members have, by client ID.',
  },
  UserRepresentation: {
    username: 'Natural key: the username, in any case of letters.',
    groups: 'Paths of the groups that the user is a member of.',
  },
  IdentityProviderRepresentation: {
    alias: 'Natural key: the alias, which is part of the redirect URI.',
    config: 'Settings of the provider, such as `clientSecret`. A mask leaves a secret unchanged.',
  },
  IdentityProviderMapperRepresentation: { name: 'Natural key: the name of the mapper in its identity provider.' },
  ComponentExportRepresentation: {
    name: 'Name of the component: its natural key with `providerId` and `subType`.',
    config: 'Settings of the provider: lists of texts by name.',
  },
  AuthenticationFlowRepresentation: {
    alias: 'Natural key: the name of the flow.',
    authenticationExecutions: 'Executions and subflows in the order of their priority.',
  },
  AuthenticatorConfigRepresentation: { alias: 'Natural key: the name that executions refer to.' },
  RequiredActionProviderRepresentation: { alias: 'Natural key: the alias, such as `UPDATE_PASSWORD`.' },
  WebhookExportRepresentation: { name: 'Natural key: the name of the webhook.' },
};
