import { randomUUID } from 'node:crypto';

/** By the name of a representation: the field that has its id. */
export type Ids = Readonly<Record<string, string | undefined>>;

/** One of everything that a file of a realm can bring, each with the id that `ids` has for its representation. */
export function realmFile(realm: string, mark: string, ids: Ids): Record<string, unknown> {
  const id = (kind: string, field = 'id') => (ids[kind] === undefined ? {} : { [field]: ids[kind] });
  const mapper = (name: string) => ({
    name,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-hardcoded-claim-mapper',
    config: { 'claim.name': name, 'claim.value': mark },
  });
  return {
    realm,
    enabled: true,
    displayName: mark,
    ...id('RealmRepresentation'),
    roles: {
      realm: [
        { name: `${mark}-clerk`, ...id('RoleRepresentation') },
        { name: `${mark}-chief`, composites: { realm: [`${mark}-clerk`] } },
      ],
      client: { [`${mark}-shop`]: [{ name: `${mark}-buyer` }] },
    },
    groups: [
      {
        name: `${mark}-staff`,
        ...id('GroupRepresentation'),
        realmRoles: [`${mark}-clerk`],
        subGroups: [{ name: 'night' }],
      },
    ],
    users: [
      {
        username: `${mark}-ann`,
        enabled: true,
        ...id('UserRepresentation'),
        credentials: [{ type: 'password', value: 'ann', ...id('CredentialRepresentation') }],
        realmRoles: [`${mark}-clerk`],
        groups: [`/${mark}-staff`],
      },
      ...(ids.ComponentExportRepresentation
        ? [{ username: `${mark}-ute`, enabled: true, federationLink: ids.ComponentExportRepresentation }]
        : []),
    ],
    clients: [
      {
        clientId: `${mark}-shop`,
        secret: mark,
        serviceAccountsEnabled: true,
        authorizationServicesEnabled: true,
        ...id('ClientRepresentation'),
        protocolMappers: [{ ...mapper(`${mark}-claim`), ...id('ProtocolMapperRepresentation') }],
        ...(ids.AuthenticationFlowRepresentation && {
          authenticationFlowBindingOverrides: { browser: ids.AuthenticationFlowRepresentation },
        }),
        authorizationSettings: {
          ...id('ResourceServerRepresentation'),
          scopes: [{ name: `${mark}-open`, ...id('ScopeRepresentation') }],
          resources: [
            {
              name: `${mark}-till`,
              ...id('ResourceRepresentation', '_id'),
              scopes: [{ name: `${mark}-open` }],
              ...(ids.ResourceOwnerRepresentation && { owner: { id: ids.ResourceOwnerRepresentation } }),
            },
          ],
          policies: [
            {
              name: `${mark}-clerks`,
              type: 'role',
              ...id('PolicyRepresentation'),
              config: { roles: JSON.stringify([{ id: ids.RoleRepresentation ?? `${mark}-clerk` }]) },
            },
          ],
        },
      },
    ],
    clientScopes: [
      {
        name: `${mark}-scope`,
        protocol: 'openid-connect',
        ...id('ClientScopeRepresentation'),
        protocolMappers: [mapper(mark)],
      },
    ],
    identityProviders: [
      { alias: `${mark}-partner`, providerId: 'oidc', ...id('IdentityProviderRepresentation', 'internalId') },
    ],
    identityProviderMappers: [
      {
        name: `${mark}-import`,
        identityProviderAlias: `${mark}-partner`,
        identityProviderMapper: 'hardcoded-attribute-idp-mapper',
        ...id('IdentityProviderMapperRepresentation'),
      },
    ],
    components: {
      'org.keycloak.storage.UserStorageProvider': [
        {
          name: `${mark}-people`,
          providerId: 'ldap',
          config: { enabled: ['false'] },
          ...id('ComponentExportRepresentation'),
          subComponents: {
            'org.keycloak.storage.ldap.mappers.LDAPStorageMapper': [
              { name: `${mark}-mail`, providerId: 'user-attribute-ldap-mapper' },
            ],
          },
        },
      ],
    },
    authenticationFlows: [
      {
        alias: `${mark}-flow`,
        providerId: 'basic-flow',
        topLevel: true,
        builtIn: false,
        ...id('AuthenticationFlowRepresentation'),
        authenticationExecutions: [
          {
            authenticator: 'identity-provider-redirector',
            requirement: 'REQUIRED',
            authenticatorConfig: `${mark}-config`,
          },
        ],
      },
    ],
    authenticatorConfig: [
      { alias: `${mark}-config`, config: { defaultProvider: mark }, ...id('AuthenticatorConfigRepresentation') },
    ],
    webhooks: [{ name: mark, url: 'https://hooks.example/', ...id('WebhookExportRepresentation') }],
    applications: [{ name: `${mark}-application`, ...id('ApplicationRepresentation') }],
    oauthClients: [{ name: `${mark}-third-party`, ...id('OAuthClientRepresentation') }],
    clientTemplates: [{ name: `${mark}-template`, ...id('ClientTemplateRepresentation') }],
    userFederationProviders: [
      {
        displayName: `${mark}-directory`,
        providerName: 'ldap',
        config: { enabled: 'false' },
        ...id('UserFederationProviderRepresentation'),
      },
    ],
    userFederationMappers: [
      {
        name: `${mark}-name`,
        federationProviderDisplayName: `${mark}-directory`,
        federationMapperType: 'user-attribute-ldap-mapper',
        ...id('UserFederationMapperRepresentation'),
      },
    ],
  };
}

/** Ids for these representations, each of its own; resources belong to the user. */
export function freshIds(kinds: readonly string[]): Ids {
  const ids = Object.fromEntries(kinds.map((kind) => [kind, randomUUID()]));
  return { ...ids, ResourceOwnerRepresentation: ids.UserRepresentation };
}

interface Creation {
  operation: string;
  method: 'POST' | 'PUT';
  path: string;
  body: (id: string, name: string) => unknown;
}

const ldap = { providerId: 'ldap', providerType: 'org.keycloak.storage.UserStorageProvider' };
const mapper = (id: string, name: string) => ({
  id,
  name,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-claim-mapper',
});

/** By operation: every request that creates something in a realm with a client whose body may give an id. */
export const creations = (client: string, scope: string): Creation[] => {
  const server = `/clients/${client}/authz/resource-server`;
  const post = (operation: string, path: string, body: Creation['body']): Creation => ({
    operation,
    method: 'POST',
    path,
    body,
  });
  return [
    post('client.create', '/clients', (id, name) => ({ id, clientId: name, protocolMappers: [mapper(id, name)] })),
    post('clientScope.create', '/client-scopes', (id, name) => ({ id, name, protocol: 'openid-connect' })),
    post('protocolMapper.create', `/clients/${client}/protocol-mappers/models`, mapper),
    post('protocolMapper.create', `/client-scopes/${scope}/protocol-mappers/models`, mapper),
    post('protocolMapper.createMany', `/clients/${client}/protocol-mappers/add-models`, (id, name) => [
      mapper(id, name),
    ]),
    post('role.create', '/roles', (id, name) => ({ id, name, containerId: id })),
    post('role.create', `/clients/${client}/roles`, (id, name) => ({ id, name, containerId: id })),
    post('group.create', '/groups', (id, name) => ({ id, name })),
    post('user.create', '/users', (id, username) => ({ id, username, federationLink: id })),
    post('component.create', '/components', (id, name) => ({ ...ldap, id, name, parentId: id })),
    post('identityProvider.create', '/identity-provider/instances', (internalId, alias) => ({
      internalId,
      alias,
      providerId: 'oidc',
    })),
    post('identityProviderMapper.create', '/identity-provider/instances/partner/mappers', (id, name) => ({
      id,
      name,
      identityProviderAlias: 'partner',
      identityProviderMapper: 'hardcoded-attribute-idp-mapper',
    })),
    post('flow.create', '/authentication/flows', (id, alias) => ({
      id,
      alias,
      providerId: 'basic-flow',
      topLevel: true,
    })),
    post('execution.create', '/authentication/executions', (id) => ({
      id,
      parentFlow: id,
      flowId: id,
      authenticatorConfig: id,
      requirement: 'REQUIRED',
    })),
    post('authorizationScope.create', `${server}/scope`, (id, name) => ({ id, name })),
    post('authorizationResource.create', `${server}/resource`, (_id, name) => ({
      _id,
      name,
      scopes: [{ id: _id, name }],
    })),
    post('authorizationResource.create', `${server}/resource`, (_id, name) => ({ _id, name, owner: { id: _id } })),
    post('policy.create.role', `${server}/policy/role`, (id, name) => ({ id, name, roles: [{ id }] })),
    post('policy.create.client', `${server}/policy/client`, (id, name) => ({ id, name, clients: [id] })),
    post('policy.create.user', `${server}/policy/user`, (id, name) => ({ id, name, users: [id] })),
    post('policy.create.group', `${server}/policy/group`, (id, name) => ({ id, name, groups: [{ id }] })),
    post('policy.create.client-scope', `${server}/policy/client-scope`, (id, name) => ({
      id,
      name,
      clientScopes: [{ id }],
    })),
    post('policy.create.aggregate', `${server}/policy/aggregate`, (id, name) => ({ id, name, policies: [id] })),
    post('permission.create.resource', `${server}/permission/resource`, (id, name) => ({ id, name, resources: [id] })),
    post('permission.create.scope', `${server}/permission/scope`, (id, name) => ({ id, name, scopes: [id] })),
    post('resourceServer.import', `${server}/import`, (id, name) => ({
      id,
      scopes: [{ id, name }],
      resources: [{ _id: id, name, owner: { id } }],
      policies: [{ id, name, type: 'role', config: { roles: JSON.stringify([{ id }]) } }],
    })),
    post('realm.partialImport', '/partialImport', (id, name) => ({
      ...realmFile('', name, Object.fromEntries(partial.map((kind) => [kind, id]))),
      policy: 'OVERWRITE',
    })),
    // references by the same id
    post('component.create', '/components', (id, name) => ({ ...ldap, name, parentId: id })),
    post('client.create', '/clients', (id, clientId) => ({
      clientId,
      authenticationFlowBindingOverrides: { browser: id, direct_grant: id },
    })),
    post('user.create', '/users', (id, username) => ({ username, federationLink: id, groups: [id] })),
    post('role.addComposites', '/roles/clerk/composites', (id, name) => [{ id, name }]),
    post('scopeMapping.add', `/clients/${client}/scope-mappings/realm`, (id, name) => [{ id, name }]),
    post('group.move', '/groups', (id, name) => ({ id, name })),
  ];
};

const partial = [
  'ClientRepresentation',
  'RoleRepresentation',
  'GroupRepresentation',
  'UserRepresentation',
  'CredentialRepresentation',
].concat([
  'ProtocolMapperRepresentation',
  'ScopeRepresentation',
  'ResourceRepresentation',
  'PolicyRepresentation',
  'IdentityProviderRepresentation',
  'ResourceServerRepresentation',
]);
