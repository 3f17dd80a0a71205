type Item = Record<string, unknown>;

/** Where the objects of each kind are in a file, and what is called by which field. */
export const places: Record<
  string,
  { list: (file: Item) => Item[]; name: string; make: (name: string, pick: Pick) => Item }
> = {
  role: {
    list: (file) => (file.roles as { realm: Item[] }).realm,
    name: 'name',
    make: (name, { some }) => ({ name, attributes: { of: [name, 'x'] }, composites: { realm: some('role', 2) } }),
  },
  clientRole: {
    list: (file) => (file.roles as { client: Record<string, Item[]> }).client.account as Item[],
    name: 'name',
    make: (name, { some }) => ({
      name,
      composites: { realm: some('role', 1), client: { account: some('clientRole', 1) } },
    }),
  },
  client: {
    list: (file) => file.clients as Item[],
    name: 'clientId',
    make: (clientId, { some }) => ({
      clientId,
      enabled: true,
      protocol: 'openid-connect',
      redirectUris: [`https://${clientId}.example/*`],
      attributes: { 'post.logout': 'yes', 'jwt.private.key': `key of ${clientId}` },
      secret: `secret of ${clientId}`,
      serviceAccountsEnabled: clientId.endsWith('3'),
      defaultClientScopes: some('clientScope', 2),
      protocolMappers: [mapper(`${clientId}-mapper`)],
      optionalClientScopes: [],
      ...(/[37]$/.test(clientId) && {
        serviceAccountsEnabled: true,
        authorizationServicesEnabled: true,
        authorizationSettings: authorization(clientId, some),
      }),
    }),
  },
  group: {
    list: (file) => file.groups as Item[],
    name: 'name',
    make: (name, { some }) => ({
      name,
      attributes: { size: ['L', 'XL'] },
      realmRoles: some('role', 2),
      subGroups: [
        {
          name: `${name}-below`,
          realmRoles: some('role', 1),
          subGroups: [{ name: 'deep', attributes: { at: ['3'] }, subGroups: [] }],
        },
      ],
    }),
  },
  clientScope: {
    list: (file) => file.clientScopes as Item[],
    name: 'name',
    make: (name) => ({
      name,
      protocol: 'openid-connect',
      attributes: { 'display.on.consent.screen': 'true' },
      protocolMappers: [mapper(`${name}-mapper`)],
    }),
  },
  flow: {
    list: (file) => file.authenticationFlows as Item[],
    name: 'alias',
    make: (alias, { one, some }) => ({
      alias,
      description: 'made by a test',
      providerId: 'basic-flow',
      topLevel: true,
      builtIn: false,
      authenticationExecutions: [
        { authenticator: 'auth-cookie', requirement: 'ALTERNATIVE', priority: 10 },
        { authenticator: 'auth-cookie', requirement: 'DISABLED', priority: 20 },
        ...some('config', 2).map((authenticatorConfig, step) => ({
          authenticator: 'identity-provider-redirector',
          authenticatorConfig,
          requirement: 'ALTERNATIVE',
          priority: 21 + step,
        })),
        { flowAlias: one('flow'), autheticatorFlow: true, requirement: 'ALTERNATIVE', priority: 30 },
      ],
    }),
  },
  config: {
    list: (file) => listIn(file, 'authenticatorConfig'),
    name: 'alias',
    make: (alias) => ({ alias, config: { defaultProvider: alias, secret: `secret of ${alias}` } }),
  },
  requiredAction: {
    list: (file) => file.requiredActions as Item[],
    name: 'alias',
    make: (alias) => ({
      alias,
      providerId: alias,
      name: 'made by a test',
      enabled: true,
      defaultAction: false,
      priority: 500,
      config: {},
    }),
  },
  provider: {
    list: (file) => file.identityProviders as Item[],
    name: 'alias',
    make: (alias) => ({
      alias,
      providerId: 'oidc',
      enabled: true,
      config: {
        clientId: alias,
        clientSecret: `secret of ${alias}`,
        tokenUrl: 'https://idp.example/token',
        authorizationUrl: 'https://idp.example/auth',
      },
    }),
  },
  providerMapper: {
    list: (file) => file.identityProviderMappers as Item[],
    name: 'name',
    make: (name, { one }) => ({
      name,
      identityProviderAlias: one('provider'),
      identityProviderMapper: 'oidc-user-attribute-idp-mapper',
      config: { syncMode: 'INHERIT', claim: name, 'user.attribute': 'made' },
    }),
  },
  user: {
    list: (file) => file.users as Item[],
    name: 'username',
    make: (username, { one, some }) => ({
      username,
      enabled: true,
      email: `${username}@made.example`,
      attributes: { made: [username, 'by a test'] },
      requiredActions: ['UPDATE_PROFILE', ...some('requiredAction', 1)],
      realmRoles: some('role', 2),
      groups: [...new Set(some('group', 2).map((name) => `/${name}`))],
      federatedIdentities: [{ identityProvider: one('provider'), userId: username, userName: username }],
      clientConsents: [{ clientId: one('client'), grantedClientScopes: some('clientScope', 1) }],
      credentials: [
        {
          type: 'password',
          secretData: JSON.stringify({ value: 'aGFzaA==', salt: 'c2FsdA==' }),
          credentialData: JSON.stringify({ hashIterations: 1000, algorithm: 'pbkdf2-sha256' }),
        },
      ],
    }),
  },
  webhook: {
    list: (file) => listIn(file, 'webhooks'),
    name: 'name',
    make: (name) => ({
      name,
      url: `https://hooks.example/${name}`,
      enabled: true,
      loginEvents: true,
      loginEventTypes: ['LOGIN'],
      adminEvents: false,
      secret: `secret of ${name}`,
    }),
  },
  component: {
    list: (file) => (file.components as Record<string, Item[]>)['org.keycloak.keys.KeyProvider'] as Item[],
    name: 'name',
    make: (name) => ({
      name,
      providerId: 'hmac-generated',
      config: { priority: ['5'], algorithm: ['HS512'] },
      subComponents: {},
    }),
  },
  storage: {
    list: (file) => listIn(file.components as Item, storageType),
    name: 'name',
    make: (name) => ({
      name,
      providerId: 'ldap',
      // nothing asks a directory that is not there
      config: { enabled: ['false'], vendor: ['other'], bindCredential: [`secret of ${name}`] },
      subComponents: { [storageMapperType]: [storageMapper(`${name}-mapper`), storageMapper(`${name}-other`)] },
    }),
  },
};

/** A list of a file, which an export leaves out if it is empty. */
function listIn(file: Item, name: string): Item[] {
  file[name] ??= [];
  return file[name] as Item[];
}

/** The provider types of directories, and of what is below them. */
export const storageType = 'org.keycloak.storage.UserStorageProvider';
export const storageMapperType = 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper';

/** A component below a directory. */
export const storageMapper = (name: string): Item => ({
  name,
  providerId: 'user-attribute-ldap-mapper',
  config: { 'ldap.attribute': [name], 'user.model.attribute': ['made'] },
  subComponents: {},
});

/** Authorization services with a policy of each kind, and permissions of them. */
function authorization(clientId: string, some: Pick['some']): Item {
  const policy = (name: string, type: string, config: Record<string, unknown>): Item => ({
    name,
    type,
    config: Object.fromEntries(
      Object.entries(config).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  });
  const scopes = some('clientScope', 1);
  const groups = some('group', 1);
  return {
    scopes: [{ name: 'read' }, { name: 'write' }],
    resources: [
      { name: 'books', uris: ['/books/*', '/b'], scopes: [{ name: 'read' }], attributes: { shelf: ['1', '2'] } },
      { name: 'films', scopes: [{ name: 'read' }, { name: 'write' }], ownerManagedAccess: true },
    ],
    policies: [
      policy('of roles', 'role', { roles: some('role', 2).map((id) => ({ id, required: true })) }),
      policy('of users', 'user', { users: some('user', 1) }),
      policy('of clients', 'client', { clients: [clientId] }),
      ...(groups.length > 0
        ? [policy('of groups', 'group', { groups: groups.map((name) => ({ path: `/${name}`, extendChildren: true })) })]
        : []),
      policy('of scopes', 'client-scope', { clientScopes: scopes.map((id) => ({ id, required: false })) }),
      policy('of hours', 'time', { hour: '8', hourEnd: '17' }),
      policy('of a pattern', 'regex', { targetClaim: 'email', pattern: '.*@made.example' }),
      policy('of all', 'aggregate', { applyPolicies: ['of roles', 'of hours'] }),
      policy('of books', 'resource', { resources: ['books'], applyPolicies: ['of all'] }),
      policy('of writers', 'scope', { scopes: ['write'], applyPolicies: ['of users', 'of clients'] }),
    ],
  };
}

const mapper = (name: string): Item => ({
  name,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-claim-mapper',
  config: { 'claim.name': name, 'claim.value': 'x', 'jsonType.label': 'String' },
});

/** Chooses names of objects of a kind that the file has. */
export interface Pick {
  one: (kind: string) => string;
  some: (kind: string, most: number) => string[];
}
