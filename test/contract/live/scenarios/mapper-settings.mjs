// What settings of mappers are taken, with the texts of the refusals.
import { changedComponent, componentOf, mapper, mapperType, storage, titled } from '../steps.mjs';

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
            changedComponent('it', { providerId, providerType: mapperType }, config, more),
          ),
          ...Object.keys(good)
            .filter((name) => mandatory.test(name))
            .map((name) =>
              changedComponent(
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

export default [...checks, orphans];
