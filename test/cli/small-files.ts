/** A file that changes one thing of the realm of `small-files.test.ts`. */
export interface SmallFile {
  /** what it changes */
  name: string;
  /** fields of a realm; written as YAML or JSON by turns */
  content: object;
  /** the changes that a plan has: action, kind, key */
  changes: readonly string[];
  /** the fields of updates, in the form `path: before → after` */
  fields?: readonly string[];
  deletes?: number;
}

/** The realm that all files start from. */
export const baseRealm = {
  realm: 'small',
  enabled: true,
  displayName: 'Small',
  attributes: { owner: 'ann' },
  smtpServer: { host: 'mail.example', from: 'a@mail.example', password: 'mail-secret' },
  roles: {
    realm: [{ name: 'reader', description: 'Reads' }, { name: 'writer' }],
    client: { shop: [{ name: 'seller', description: 'Sells' }] },
  },
  groups: [{ name: 'staff', attributes: { floor: ['1'] }, realmRoles: ['reader'], subGroups: [{ name: 'night' }] }],
  clientScopes: [{ name: 'address-book', protocol: 'openid-connect', description: 'Contacts' }],
  clients: [
    {
      clientId: 'shop',
      enabled: true,
      secret: 'shop-secret',
      redirectUris: ['https://shop.example/*'],
      protocolMappers: [
        {
          name: 'floor',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-usermodel-attribute-mapper',
          config: { 'claim.name': 'floor', 'user.attribute': 'floor', 'jsonType.label': 'String' },
        },
      ],
    },
    { clientId: 'app', enabled: true, publicClient: true },
  ],
  identityProviders: [
    {
      alias: 'partner',
      providerId: 'oidc',
      enabled: true,
      config: {
        clientId: 'small',
        clientSecret: 'partner-secret',
        authorizationUrl: 'https://partner.example/auth',
        tokenUrl: 'https://partner.example/token',
      },
    },
  ],
  identityProviderMappers: [
    {
      name: 'all-readers',
      identityProviderAlias: 'partner',
      identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
      config: { role: 'reader' },
    },
  ],
  users: [{ username: 'ann', enabled: true, email: 'ann@small.example', groups: ['/staff'] }],
  localizationTexts: { en: { hello: 'Hello' } },
  webhooks: [{ name: 'audit', url: 'https://hooks.example/audit', enabled: true }],
};

const keep = (kind: string) => ({ $realmgate: { modes: { [kind]: 'KEEP' } } });
const mapper = (config: object) => ({
  clients: [{ clientId: 'shop', protocolMappers: [{ ...baseRealm.clients[0]?.protocolMappers?.[0], config }] }],
  ...keep('clients'),
});

/** Forty files. Each is planned, applied, and planned again. */
export const smallFiles: readonly SmallFile[] = [
  {
    name: 'display name',
    content: { displayName: 'Large' },
    changes: ['UPDATE REALM small'],
    fields: ['displayName: Small → Large'],
  },
  {
    name: 'token lifetime',
    content: { accessTokenLifespan: 120 },
    changes: ['UPDATE REALM small'],
    fields: ['accessTokenLifespan: 300 → 120'],
  },
  {
    name: 'switch',
    content: { registrationAllowed: true },
    changes: ['UPDATE REALM small'],
    fields: ['registrationAllowed: false → true'],
  },
  {
    name: 'realm attribute',
    content: { attributes: { owner: 'bob' } },
    changes: ['UPDATE REALM small'],
    fields: ['attributes.owner: ann → bob'],
  },
  {
    name: 'password policy',
    content: { passwordPolicy: 'length(12)' },
    changes: ['UPDATE REALM small'],
    fields: ['passwordPolicy: absent → length(12)'],
  },
  {
    name: 'mail server',
    content: { smtpServer: { host: 'mail.example', from: 'b@mail.example', password: '**********' } },
    changes: ['UPDATE REALM small'],
    fields: ['smtpServer.from: a@mail.example → b@mail.example'],
  },
  {
    name: 'realm role',
    content: { roles: { realm: [{ name: 'auditor' }] }, ...keep('roles') },
    changes: ['CREATE REALM_ROLE auditor'],
  },
  {
    name: 'role description',
    content: { roles: { realm: [{ name: 'reader', description: 'Reads all' }] }, ...keep('roles') },
    changes: ['UPDATE REALM_ROLE reader'],
    fields: ['description: Reads → Reads all'],
  },
  {
    name: 'renamed role',
    content: { roles: { realm: [{ name: 'editor', renamedFrom: 'writer' }] }, ...keep('roles') },
    changes: ['UPDATE REALM_ROLE editor'],
    fields: ['name: writer → editor'],
  },
  {
    name: 'composite',
    content: { roles: { realm: [{ name: 'editor', composites: { realm: ['reader'] } }] }, ...keep('roles') },
    changes: ['UPDATE REALM_ROLE editor'],
    fields: ['composites.reader: absent → true'],
  },
  {
    name: 'client role',
    content: { roles: { client: { shop: [{ name: 'buyer' }] } }, ...keep('clientRoles') },
    changes: ['CREATE CLIENT_ROLE shop/buyer'],
  },
  {
    name: 'client role description',
    content: { roles: { client: { shop: [{ name: 'seller', description: 'Sells all' }] } }, ...keep('clientRoles') },
    changes: ['UPDATE CLIENT_ROLE shop/seller'],
    fields: ['description: Sells → Sells all'],
  },
  {
    name: 'deleted client role',
    content: { roles: { client: { shop: [{ name: 'seller' }] } } },
    changes: ['DELETE CLIENT_ROLE shop/buyer'],
    deletes: 1,
  },
  { name: 'group', content: { groups: [{ name: 'board' }], ...keep('groups') }, changes: ['CREATE GROUP /board'] },
  {
    name: 'subgroup',
    content: { groups: [{ name: 'staff', subGroups: [{ name: 'day' }] }], ...keep('groups') },
    changes: ['CREATE GROUP /staff/day'],
  },
  {
    name: 'group attribute',
    content: { groups: [{ name: 'staff', attributes: { floor: ['2'] } }], ...keep('groups') },
    changes: ['UPDATE GROUP /staff'],
    fields: ['attributes.floor.0: 1 → 2'],
  },
  {
    name: 'group role',
    content: { groups: [{ name: 'board', realmRoles: ['reader'] }], ...keep('groups') },
    changes: ['UPDATE GROUP /board'],
    fields: ['roles.reader: absent → true'],
  },
  {
    name: 'default group',
    content: { defaultGroups: ['/board'] },
    changes: ['UPDATE GROUP /board'],
    fields: ['isDefault: false → true'],
  },
  {
    name: 'deleted group',
    content: { groups: [{ name: 'staff' }], defaultGroups: [] },
    changes: ['DELETE GROUP /board'],
    deletes: 1,
  },
  {
    name: 'client',
    content: { clients: [{ clientId: 'kiosk', enabled: true, publicClient: true }], ...keep('clients') },
    changes: ['CREATE CLIENT kiosk'],
  },
  {
    name: 'redirect URIs',
    content: {
      clients: [{ clientId: 'shop', redirectUris: ['https://shop.example/*', 'https://two.example/*'] }],
      ...keep('clients'),
    },
    changes: ['UPDATE CLIENT shop'],
    fields: ['redirectUris: ["https://shop.example/*"] → ["https://shop.example/*","https://two.example/*"]'],
  },
  {
    name: 'client secret',
    content: { clients: [{ clientId: 'shop', secret: 'another-secret' }], ...keep('clients') },
    changes: ['UPDATE CLIENT shop'],
    fields: ['secret: ********** → **********'],
  },
  {
    name: 'disabled client',
    content: { clients: [{ clientId: 'kiosk', enabled: false }], ...keep('clients') },
    changes: ['UPDATE CLIENT kiosk'],
    fields: ['enabled: true → false'],
  },
  {
    name: 'mapper of a client',
    content: mapper({ 'claim.name': 'level', 'user.attribute': 'floor', 'jsonType.label': 'String' }),
    changes: ['UPDATE CLIENT shop'],
    fields: ['protocolMappers.floor.config.claim.name: floor → level'],
  },
  {
    name: 'renamed client',
    content: { clients: [{ clientId: 'stand', renamedFrom: 'kiosk' }], ...keep('clients') },
    changes: ['UPDATE CLIENT stand'],
    fields: ['clientId: kiosk → stand'],
  },
  {
    name: 'deleted client',
    content: { clients: [{ clientId: 'shop' }, { clientId: 'app' }] },
    changes: ['DELETE CLIENT stand'],
    deletes: 1,
  },
  {
    name: 'client scope',
    content: { clientScopes: [{ name: 'orders', protocol: 'openid-connect' }], ...keep('clientScopes') },
    changes: ['CREATE CLIENT_SCOPE orders'],
  },
  {
    name: 'scope description',
    content: { clientScopes: [{ name: 'address-book', description: 'All contacts' }], ...keep('clientScopes') },
    changes: ['UPDATE CLIENT_SCOPE address-book'],
    fields: ['description: Contacts → All contacts'],
  },
  {
    name: 'scope of a client',
    content: { clients: [{ clientId: 'app', optionalClientScopes: ['orders'] }], ...keep('clients') },
    changes: ['UPDATE CLIENT app'],
  },
  {
    name: 'scope mapping',
    content: { scopeMappings: [{ client: 'app', roles: ['reader'] }], ...keep('scopeMappings') },
    changes: ['UPDATE CLIENT app'],
    fields: ['scopeMappings.reader: absent → true'],
  },
  {
    name: 'identity provider',
    content: { identityProviders: [{ alias: 'partner', displayName: 'Partner' }], ...keep('identityProviders') },
    changes: ['UPDATE IDENTITY_PROVIDER partner'],
    fields: ['displayName: absent → Partner'],
  },
  {
    name: 'mapper of an identity provider',
    content: {
      identityProviderMappers: [{ name: 'all-readers', identityProviderAlias: 'partner', config: { role: 'editor' } }],
      ...keep('identityProviderMappers'),
    },
    changes: ['UPDATE IDENTITY_PROVIDER_MAPPER partner/all-readers'],
    fields: ['config.role: reader → editor'],
  },
  {
    name: 'deleted mapper',
    content: { identityProviderMappers: [] },
    changes: ['DELETE IDENTITY_PROVIDER_MAPPER partner/all-readers'],
    deletes: 1,
  },
  {
    name: 'flow',
    content: {
      authenticationFlows: [
        {
          alias: 'kiosk',
          providerId: 'basic-flow',
          topLevel: true,
          builtIn: false,
          authenticationExecutions: [{ authenticator: 'auth-cookie', requirement: 'ALTERNATIVE', priority: 10 }],
        },
      ],
      ...keep('authenticationFlows'),
    },
    changes: ['CREATE AUTH_FLOW kiosk'],
  },
  {
    name: 'execution',
    content: {
      authenticationFlows: [
        {
          alias: 'kiosk',
          authenticationExecutions: [{ authenticator: 'auth-cookie', requirement: 'REQUIRED', priority: 10 }],
        },
      ],
      ...keep('authenticationFlows'),
    },
    changes: ['UPDATE AUTH_FLOW kiosk'],
    fields: ['authenticationExecutions.auth-cookie.requirement: ALTERNATIVE → REQUIRED'],
  },
  {
    name: 'required action',
    content: { requiredActions: [{ alias: 'CONFIGURE_TOTP', enabled: false }], ...keep('requiredActions') },
    changes: ['UPDATE REQUIRED_ACTION CONFIGURE_TOTP'],
    fields: ['enabled: true → false'],
  },
  {
    name: 'key provider',
    content: {
      components: {
        'org.keycloak.keys.KeyProvider': [{ name: 'spare', providerId: 'hmac-generated', config: { priority: ['5'] } }],
      },
      ...keep('components'),
    },
    changes: ['CREATE COMPONENT spare'],
  },
  {
    name: 'user',
    content: { users: [{ username: 'ann', firstName: 'Ann' }] },
    changes: ['UPDATE USER ann'],
    fields: ['firstName: absent → Ann'],
  },
  {
    name: 'text',
    content: { localizationTexts: { en: { hello: 'Hi' } } },
    changes: ['UPDATE REALM small'],
    fields: ['localizationTexts.en.hello: Hello → Hi'],
  },
  {
    name: 'webhook',
    content: { webhooks: [{ name: 'audit', enabled: false }], ...keep('webhooks') },
    changes: ['UPDATE REALM small'],
    fields: ['webhooks.audit.enabled: true → false'],
  },
];
