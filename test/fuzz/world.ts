export const realm = 'fuzz';

/** A realm with something of each kind. */
export const representation = {
  realm,
  enabled: true,
  passwordPolicy: 'hashIterations(1)',
  eventsEnabled: true,
  adminEventsEnabled: true,
  roles: {
    realm: [
      { name: 'clerk', attributes: { a: ['1', '2'] } },
      { name: 'chief', composite: true, composites: { realm: ['clerk'] } },
    ],
    client: { shop: [{ name: 'seller' }] },
  },
  groups: [{ name: 'staff', realmRoles: ['clerk'], subGroups: [{ name: 'night', attributes: { floor: ['2'] } }] }],
  clients: [
    {
      clientId: 'shop',
      secret: 'shop',
      serviceAccountsEnabled: true,
      authorizationServicesEnabled: true,
      authorizationSettings: {
        resources: [{ name: 'till', uris: ['/till'], scopes: [{ name: 'open' }] }],
        scopes: [{ name: 'open' }],
        policies: [
          { name: 'clerks', type: 'role', config: { roles: '[{"id":"clerk","required":false}]' } },
          { name: 'tills', type: 'scope', config: { scopes: '["open"]', applyPolicies: '["clerks"]' } },
        ],
      },
    },
    { clientId: 'page', publicClient: true, redirectUris: ['https://page.example/*'] },
  ],
  identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { clientId: 'us' } }],
  identityProviderMappers: [
    { name: 'm', identityProviderAlias: 'partner', identityProviderMapper: 'any', config: { a: 'b' } },
  ],
  components: {
    'org.keycloak.storage.UserStorageProvider': [
      {
        name: 'directory',
        providerId: 'ldap',
        // nobody listens there
        config: {
          enabled: ['true'],
          connectionUrl: ['ldap://127.0.0.1:9'],
          usersDn: ['ou=people,dc=example'],
          authType: ['none'],
          vendor: ['other'],
          editMode: ['UNSYNCED'],
          usernameLDAPAttribute: ['uid'],
          rdnLDAPAttribute: ['uid'],
          uuidLDAPAttribute: ['entryUUID'],
          userObjectClasses: ['person'],
        },
      },
    ],
  },
  localizationTexts: { de: { hello: 'Hallo' } },
  users: ['ann', 'bob', 'eve'].map((username) => ({
    username,
    enabled: true,
    email: `${username}@mail.example`,
    attributes: { shoe: ['42', '43'] },
    credentials: [{ type: 'password', value: username }],
    realmRoles: ['clerk'],
    clientRoles: { shop: ['seller'] },
    groups: ['/staff/night'],
    federatedIdentities: [{ identityProvider: 'partner', userId: `there-${username}`, userName: username }],
  })),
};
