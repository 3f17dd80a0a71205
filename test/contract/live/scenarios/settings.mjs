// What settings of storages and mappers are taken, with the texts of the refusals.
import { listed, mapper, mapperType, person, storage, storageConfig, storageType, sync } from '../steps.mjs';

// as an administrator sends them: without the switch, which is on by itself
const { enabled: _, ...base } = storageConfig;
const componentOf = (id) => ({ op: 'GET /{realm}/components/{id}', path: { id: `$${id}` } });
const componentsBelow = (id) => ({ op: 'GET /{realm}/components', query: { parent: `$${id}` } });
const changed = (id, kind, config, more = {}) => ({
  op: 'PUT /{realm}/components/{id}',
  path: { id: `$${id}` },
  json: { ...kind, config: listed(config) },
  ...more,
});
const storageKind = { providerId: 'ldap', providerType: storageType };
const change = (id, config, more) => changed(id, storageKind, config, more);

const storageSettings = [
  [{ startTls: 'true', connectionPooling: 'true' }],
  [{ startTls: 'true', connectionPooling: 'false' }],
  [{ connectionTimeout: 'soon' }],
  [{ connectionTimeout: '1.5' }],
  [{ connectionTimeout: '-1' }],
  [{ connectionTimeout: '99999999999' }],
  [{ readTimeout: 'later' }],
  [{ readTimeout: '', connectionTimeout: '' }],
  [{ priority: 'high' }],
  [{ batchSizeForSync: 'many' }],
  [{ batchSizeForSync: '0' }],
  [{ fullSyncPeriod: '-1', changedSyncPeriod: '-1' }],
  [{ customUserSearchFilter: 'uid=anna' }],
  [{ customUserSearchFilter: '(uid=anna' }],
  [{ customUserSearchFilter: ' (uid=anna) ' }],
  [{ editMode: 'UNSYNCED', importEnabled: 'false' }],
  [{ editMode: '' }],
  [{ editMode: 'SOMETIMES' }, { compare: 'refused' }],
  [{ fullSyncPeriod: 'often' }, { compare: 'refused' }],
  [{ connectionUrl: '' }],
  [{ usersDn: '' }],
  [{ uuidLDAPAttribute: '' }],
  [{ userObjectClasses: '' }],
  [{ searchScope: '7' }],
  [{ vendor: 'unheard-of' }],
];
const titled = (config) =>
  Object.entries(config)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

const storages = {
  name: 'settings of a new storage',
  directory: [],
  steps: storageSettings.map(([config, more]) => ({ ...storage(config), save: {}, note: titled(config), ...more })),
};

const changes = {
  name: 'settings of a storage that is changed',
  directory: [],
  steps: [
    storage(),
    ...storageSettings.map(([config, more]) =>
      change('ldap', { ...base, ...config }, { note: titled(config), ...more }),
    ),
    componentOf('ldap'),
  ],
};

const withoutConfig = {
  name: 'storages and mappers without config',
  directory: [],
  steps: [
    { ...storage(), json: { name: 'bare', ...storageKind }, save: { bare: 'location' } },
    componentOf('bare'),
    componentsBelow('bare'),
    storage(),
    ...[
      'msad-user-account-control-mapper',
      'msad-lds-user-account-control-mapper',
      'user-attribute-ldap-mapper',
      'certificate-ldap-mapper',
      'full-name-ldap-mapper',
      'group-ldap-mapper',
      'role-ldap-mapper',
      'hardcoded-attribute-mapper',
      'hardcoded-ldap-attribute-mapper',
      'hardcoded-ldap-role-mapper',
      'hardcoded-ldap-group-mapper',
    ].map((providerId) => {
      const { json, ...step } = mapper(providerId.replaceAll('-', '_'), providerId, {});
      const { config, ...bare } = json;
      return { ...step, json: bare, note: providerId, save: {} };
    }),
  ],
};

const shapes = {
  other: [{}],
  ad: [
    { usernameLDAPAttribute: 'cn', rdnLDAPAttribute: 'cn' },
    { usernameLDAPAttribute: 'sAMAccountName', rdnLDAPAttribute: 'cn' },
    { usernameLDAPAttribute: 'sAMAccountName', rdnLDAPAttribute: 'uid' },
  ],
  rhds: [{}],
  edirectory: [{}],
  tivoli: [{}],
};
const defaults = Object.entries(shapes).map(([vendor, all]) => ({
  name: `mappers of a new storage, vendor ${vendor}`,
  directory: [],
  steps: all.flatMap((shape) =>
    [
      { editMode: 'READ_ONLY' },
      { editMode: 'WRITABLE' },
      { editMode: 'WRITABLE', syncRegistrations: 'true' },
      { editMode: 'WRITABLE', importEnabled: 'false' },
      { editMode: 'UNSYNCED' },
      { editMode: 'UNSYNCED', syncRegistrations: 'true' },
    ]
      .filter(
        ({ editMode, importEnabled }) =>
          vendor === 'other' || vendor === 'ad' || (editMode === 'UNSYNCED' && !importEnabled),
      )
      .flatMap((config) => {
        const note = titled({ ...shape, ...config });
        return [
          { ...storage({ vendor, ...shape, ...config }), note },
          { ...componentsBelow('ldap'), note },
        ];
      }),
  ),
}));
const otherRdns = {
  name: 'mappers of a new storage, by its RDN and user name',
  directory: [],
  steps: [
    { rdnLDAPAttribute: 'cn' },
    { rdnLDAPAttribute: 'cn', usernameLDAPAttribute: 'cn' },
    { rdnLDAPAttribute: 'CN', usernameLDAPAttribute: 'uid', editMode: 'WRITABLE' },
    { rdnLDAPAttribute: 'uid', usernameLDAPAttribute: 'mail' },
    { rdnLDAPAttribute: '', usernameLDAPAttribute: 'cn' },
    { rdnLDAPAttribute: '', usernameLDAPAttribute: '', vendor: 'ad' },
  ].flatMap((config) => [{ ...storage(config), note: titled(config) }, componentsBelow('ldap')]),
};

const attributeMapper = {
  'user.model.attribute': 'town',
  'ldap.attribute': 'l',
  'always.read.value.from.ldap': 'false',
  'read.only': 'true',
  'is.mandatory.in.ldap': 'false',
};
const certificateMapper = {
  ...attributeMapper,
  'ldap.attribute': 'userCertificate',
  'user.model.attribute': 'certificate',
};
const groups = {
  'groups.dn': 'ou=groups,$base',
  'group.name.ldap.attribute': 'cn',
  'group.object.classes': 'groupOfNames',
  'membership.ldap.attribute': 'member',
  'membership.attribute.type': 'DN',
  'preserve.group.inheritance': 'true',
  'groups.path': '/',
  mode: 'READ_ONLY',
};
const roles = {
  'roles.dn': 'ou=roles,$base',
  'role.name.ldap.attribute': 'cn',
  'role.object.classes': 'groupOfNames',
  'membership.ldap.attribute': 'member',
  'membership.attribute.type': 'DN',
  'use.realm.roles.mapping': 'true',
  mode: 'READ_ONLY',
};
/** By kind of mapper: good settings, and what is changed of them in turn. */
const mappers = {
  'user-attribute-ldap-mapper': [
    attributeMapper,
    [
      { 'is.binary.attribute': 'true' },
      { 'is.binary.attribute': 'true', 'always.read.value.from.ldap': 'true' },
      { 'is.binary.attribute': 'TRUE', 'always.read.value.from.ldap': 'yes' },
      { 'user.model.attribute': '  ' },
      { 'read.only': 'false' },
      { 'read.only': 'perhaps' },
      { 'user.model.attribute': 'nonsense', 'ldap.attribute': 'nonsense' },
    ],
  ],
  'certificate-ldap-mapper': [
    certificateMapper,
    [
      { 'is.der.formatted': 'true' },
      { 'is.der.formatted': 'true', 'is.binary.attribute': 'true' },
      { 'is.der.formatted': 'true', 'is.binary.attribute': 'true', 'always.read.value.from.ldap': 'true' },
      { 'is.binary.attribute': 'true' },
    ],
  ],
  'full-name-ldap-mapper': [
    { 'ldap.full.name.attribute': 'cn', 'read.only': 'true', 'write.only': 'false' },
    [
      { 'write.only': 'true' },
      { 'read.only': 'false', 'write.only': 'true' },
      { 'read.only': 'false', 'write.only': 'false' },
    ],
  ],
  'group-ldap-mapper': [
    groups,
    [
      { 'membership.attribute.type': 'UID' },
      { 'membership.attribute.type': 'UID', 'preserve.group.inheritance': 'false' },
      { 'membership.attribute.type': '' },
      { 'membership.attribute.type': 'NAME', compare: 'refused' },
      { 'groups.path': '/nowhere' },
      { 'groups.path': 'nowhere' },
      { 'groups.path': '' },
      { 'groups.path': '/staff' },
      { 'groups.path': '/staff/night/' },
      { 'groups.ldap.filter': 'cn=a' },
      { 'groups.ldap.filter': '(cn=a' },
      { 'groups.ldap.filter': '(cn=a)' },
      { mode: 'IMPORT' },
      { mode: 'LDAP_ONLY' },
      { 'user.roles.retrieve.strategy': 'SOMEHOW' },
      { 'group.object.classes': '' },
    ],
  ],
  'role-ldap-mapper': [
    roles,
    [
      { 'use.realm.roles.mapping': 'false' },
      { 'use.realm.roles.mapping': 'false', 'client.id': ' ' },
      { 'use.realm.roles.mapping': 'false', 'client.id': 'account' },
      { 'use.realm.roles.mapping': '' },
      { 'use.realm.roles.mapping': 'perhaps' },
      { 'roles.ldap.filter': 'cn=a' },
      { 'membership.attribute.type': 'UID' },
      { mode: 'IMPORT' },
      { mode: 'LDAP_ONLY' },
    ],
  ],
  'hardcoded-attribute-mapper': [
    { 'user.model.attribute': 'town', 'attribute.value': 'Ghent' },
    [
      { 'user.model.attribute': 'username' },
      { 'user.model.attribute': 'EMAIL' },
      { 'user.model.attribute': 'firstName' },
      { 'user.model.attribute': 'enabled' },
      { 'attribute.value': ' ' },
    ],
  ],
  'hardcoded-ldap-attribute-mapper': [
    { 'ldap.attribute.name': 'l', 'ldap.attribute.value': 'Ghent' },
    [{ 'ldap.attribute.value': ' ' }],
  ],
  'hardcoded-ldap-role-mapper': [
    { role: 'offline_access' },
    [
      { role: 'nothing' },
      { role: 'account.view-profile' },
      { role: 'account.nothing' },
      { role: 'nothing.nothing' },
      { role: ' ' },
    ],
  ],
  'hardcoded-ldap-group-mapper': [
    { group: '/staff' },
    [{ group: '/nothing' }, { group: 'staff/night' }, { group: ' ' }],
  ],
  'msad-user-account-control-mapper': [
    { 'ldap.password.policy.hints.enabled': 'false' },
    [{ 'ldap.password.policy.hints.enabled': 'perhaps' }],
  ],
  'msad-lds-user-account-control-mapper': [{}, []],
};
const mandatory =
  /^(groups\.dn|roles\.dn|mode|user\.model\.attribute|ldap\.attribute|ldap\.full\.name\.attribute|attribute\.value|ldap\.attribute\.(name|value)|role|group)$/;
const without = (config, name) => Object.fromEntries(Object.entries(config).filter(([key]) => key !== name));
/** Good settings, then each with something wrong or different. */
const variants = ([config, differences]) => [
  { config, note: 'good' },
  ...Object.keys(config)
    .filter((name) => mandatory.test(name))
    .flatMap((name) => [
      { config: without(config, name), note: `without ${name}` },
      { config: { ...config, [name]: '' }, note: `${name} is empty` },
    ]),
  ...differences.map(({ compare, ...different }) => ({
    config: { ...config, ...different },
    note: titled(different),
    ...(compare && { compare }),
  })),
];
const staff = [
  { op: 'POST /{realm}/groups', json: { name: 'staff' }, save: { staff: 'location' } },
  { op: 'POST /{realm}/groups/{id}/children', path: { id: '$staff' }, json: { name: 'night' }, compare: 'status' },
];
const modes = { 'full-name-ldap-mapper': ['READ_ONLY', 'WRITABLE', 'UNSYNCED'] };
const checks = Object.entries(mappers).flatMap(([providerId, kind]) =>
  (modes[providerId] ?? ['READ_ONLY']).flatMap((editMode) => {
    const places = /group/.test(providerId) ? staff : [];
    const { config: good } = variants(kind)[0];
    return [
      {
        name: `settings of a new ${providerId}, ${editMode}`,
        directory: [],
        steps: [
          ...places,
          storage({ editMode }),
          ...variants(kind).map(({ config, ...more }, at) => ({
            ...mapper(`mapper${at}`, providerId, config),
            ...more,
            save: {},
          })),
        ],
      },
      {
        name: `settings of a ${providerId} that is changed, ${editMode}`,
        directory: [],
        steps: [
          ...places,
          storage({ editMode }),
          { ...mapper('it', providerId, good) },
          ...variants(kind).map(({ config, ...more }) =>
            changed('it', { providerId, providerType: mapperType }, config, more),
          ),
          ...Object.keys(good)
            .filter((name) => mandatory.test(name))
            .map((name) =>
              changed(
                'it',
                { providerId, providerType: mapperType },
                { [name]: [] },
                { note: `${name} is an empty list` },
              ),
            ),
          componentOf('it'),
        ],
      },
    ];
  }),
);
const orphans = {
  name: 'mappers whose parent is no storage',
  directory: [],
  steps: [
    { op: 'GET /{realm}', compare: 'status', save: { realmId: 'body.id' } },
    mapper('attribute', 'user-attribute-ldap-mapper', attributeMapper, { parent: 'realmId' }),
    {
      ...mapper('name', 'full-name-ldap-mapper', { 'ldap.full.name.attribute': 'cn' }, { parent: 'realmId' }),
      save: {},
    },
  ],
};

const subTypes = {
  name: 'kinds of mappers below a storage, by vendor and edit mode',
  directory: [],
  steps: [
    { vendor: 'other', editMode: 'WRITABLE' },
    { vendor: 'other', editMode: 'UNSYNCED' },
    { vendor: 'other', editMode: '' },
    { vendor: 'ad', editMode: 'READ_ONLY' },
    { vendor: 'ad', editMode: 'WRITABLE' },
    { vendor: 'rhds', editMode: 'WRITABLE' },
    { vendor: 'edirectory', editMode: 'UNSYNCED', usernameLDAPAttribute: 'cn' },
    { vendor: 'tivoli', editMode: 'READ_ONLY', userObjectClasses: 'account' },
    { vendor: 'ad', editMode: 'WRITABLE', importEnabled: 'false', usernameLDAPAttribute: 'sAMAccountName' },
  ].flatMap((config) => [
    { ...storage(config), note: titled(config) },
    {
      op: 'GET /{realm}/components/{id}/sub-component-types',
      path: { id: '$ldap' },
      query: { type: mapperType },
      note: titled(config),
    },
  ]),
};

const settings = {
  action: 'testAuthentication',
  connectionUrl: '$directory',
  authType: 'simple',
  bindDn: 'cn=admin,dc=example,dc=org',
  bindCredential: 'directory-secret',
  useTruststoreSpi: 'ldapsOnly',
  connectionTimeout: '',
  startTls: '',
};
const tests = [
  {},
  { action: 'testConnection' },
  { bindCredential: 'wrong' },
  { bindCredential: '' },
  { bindCredential: null },
  { bindDn: 'cn=nobody,dc=example,dc=org' },
  { bindDn: 'nonsense' },
  { bindDn: '' },
  { bindDn: null },
  { authType: 'none' },
  { authType: 'none', bindDn: null, bindCredential: null },
  { authType: 'none', action: 'testConnection' },
  { authType: 'magic' },
  { authType: null },
  { startTls: 'true' },
  { startTls: 'true', action: 'testConnection' },
  { startTls: 'perhaps' },
  { connectionTimeout: 'soon' },
  { connectionTimeout: 'soon', action: 'testConnection' },
  { connectionTimeout: '5000' },
  { connectionTimeout: '-1' },
  { connectionUrl: 'ldap://127.0.0.1:1' },
  { connectionUrl: 'ldap://127.0.0.1:1', action: 'testConnection' },
  { connectionUrl: 'http://127.0.0.1:1', action: 'testConnection' },
  { connectionUrl: 'nonsense' },
  { connectionUrl: '' },
  { connectionUrl: '', action: 'testConnection' },
  { connectionUrl: 'ldap://127.0.0.1:1 $directory' },
  { connectionUrl: '$directory/dc=example,dc=org', action: 'testConnection' },
  { useTruststoreSpi: 'sometimes' },
  { action: 'testNothing' },
  { action: null },
  { action: 'TESTAUTHENTICATION' },
  { bindCredential: '**********' },
  { bindCredential: '**********', componentId: '$ldap' },
  { bindCredential: '**********', componentId: 'nothing' },
];
const filled = (given) =>
  Object.fromEntries(Object.entries({ ...settings, ...given }).filter(([, value]) => value !== null));
const tried = (op, name, action = {}) => ({
  name,
  directory: [],
  steps: [
    storage(),
    ...tests.map((given) => ({
      op,
      json: filled({ ...action, ...given }),
      note: titled(given) || 'good',
      // with an unknown component the reference server stumbles
      ...(given.componentId === 'nothing' && { compare: 'refused' }),
    })),
  ],
});

const lastSync = {
  name: 'the time of the last synchronisation is among the settings of the storage',
  directory: [person('anna')],
  steps: [
    storage({ fullSyncPeriod: '-1', changedSyncPeriod: '-1' }),
    componentOf('ldap'),
    sync('triggerChangedUsersSync'),
    componentOf('ldap'),
    sync(),
    componentOf('ldap'),
    { op: 'GET /{realm}/components', query: { parent: '$realm', name: 'ldap' } },
    change('ldap', { lastSync: '0' }),
    componentOf('ldap'),
    change('ldap', { lastSync: [] }),
    componentOf('ldap'),
    change('ldap', { priority: '3' }),
    componentOf('ldap'),
    storage({ lastSync: '1234567890' }, { name: 'other' }),
    componentOf('other'),
  ],
};
const lastSyncOff = {
  name: 'a storage without imports, and one that is disabled, are not synchronised',
  directory: [person('anna')],
  steps: [
    storage({ importEnabled: 'false' }),
    sync(),
    sync('triggerChangedUsersSync'),
    componentOf('ldap'),
    change('ldap', { importEnabled: 'true', enabled: 'false' }),
    sync(),
    componentOf('ldap'),
  ],
};

export default [
  storages,
  changes,
  withoutConfig,
  ...defaults,
  otherRdns,
  ...checks,
  orphans,
  subTypes,
  tried('POST /{realm}/testLDAPConnection', 'trying a connection'),
  tried('POST /{realm}/ldap-server-capabilities', 'the capabilities of a directory', {
    action: 'queryServerCapabilities',
  }),
  lastSync,
  lastSyncOff,
];
