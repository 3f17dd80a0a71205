// Members by name, roles of clients, certificates, and the account control of Active Directory.
import {
  dnOf,
  groupDn,
  groupMapper,
  groupsOf,
  login,
  mapper,
  person,
  role,
  roleDn,
  roleMapper,
  storage,
  sync,
  update,
  user,
  users,
} from '../steps.mjs';

const imports = ['true', 'false'];

/** The fields of a person that an update without them would empty. */
const named = (uid) => ({ firstName: `Given ${uid}`, lastName: `Family ${uid}`, email: `${uid}@example.org` });

const posixGroup = (name, number, members) => ({
  dn: groupDn(name),
  attributes: { objectClass: ['posixGroup'], cn: [name], gidNumber: [String(number)], memberUid: members },
});
const byUid = {
  'group.object.classes': 'posixGroup',
  'membership.ldap.attribute': 'memberUid',
  'membership.attribute.type': 'UID',
  'preserve.group.inheritance': 'false',
};
const counts = { compare: { only: ['ignored', 'added', 'updated', 'removed', 'failed'] } };
const syncMapper = (id) => ({
  op: 'POST /{realm}/user-storage/{parentId}/mappers/{id}/sync',
  path: { parentId: '$ldap', id: `$${id}` },
  query: { direction: 'fedToKeycloak' },
  ...counts,
});
const syncUsers = sync('triggerFullSync', '$ldap', counts);
const membership = (method, id, groupId) => ({
  op: `${method} /{realm}/users/{id}/groups/{groupId}`,
  path: { id: `$${id}`, groupId: `$${groupId}` },
});

const members = imports.map((importEnabled) => ({
  name: `members of posixGroup by memberUid, importEnabled=${importEnabled}`,
  directory: [person('anna'), person('bert'), posixGroup('staff', 1, ['anna']), posixGroup('guests', 2, ['bert'])],
  steps: [
    storage({ importEnabled, editMode: 'WRITABLE' }),
    groupMapper({ ...byUid, mode: 'LDAP_ONLY' }),
    syncMapper('groups'),
    syncUsers,
    { op: 'GET /{realm}/groups', query: { search: 'guests' }, save: { guests: 'body[0].id' } },
    users({ username: 'anna' }, { save: 'anna' }),
    groupsOf('anna'),
    membership('PUT', 'anna', 'guests'),
    { ldap: 'read', dn: groupDn('guests') },
    groupsOf('anna'),
    membership('DELETE', 'anna', 'guests'),
    { ldap: 'read', dn: groupDn('guests') },
    groupsOf('anna'),
  ],
}));

const clientRoles = imports.map((importEnabled) => ({
  name: `roles of a client, importEnabled=${importEnabled}`,
  directory: [person('anna'), role('clerk', [dnOf('anna')]), role('judge', [dnOf('nobody')])],
  steps: [
    storage({ importEnabled, editMode: 'WRITABLE' }),
    { op: 'POST /{realm}/clients', json: { clientId: 'court' }, save: { court: 'location' } },
    roleMapper({ 'use.realm.roles.mapping': 'false', 'client.id': 'court', mode: 'LDAP_ONLY' }),
    syncMapper('roles'),
    syncUsers,
    { op: 'GET /{realm}/clients/{id}/roles', path: { id: '$court' } },
    {
      op: 'GET /{realm}/clients/{id}/roles/{role-name}',
      path: { id: '$court', 'role-name': 'judge' },
      save: { judge: 'body.id' },
    },
    users({ username: 'anna' }, { save: 'anna' }),
    { op: 'GET /{realm}/users/{id}/role-mappings/clients/{client}', path: { id: '$anna', client: '$court' } },
    {
      op: 'POST /{realm}/users/{id}/role-mappings/clients/{client}',
      path: { id: '$anna', client: '$court' },
      json: [{ id: '$judge', name: 'judge' }],
    },
    { ldap: 'read', dn: roleDn('judge') },
    { op: 'GET /{realm}/users/{id}/role-mappings/clients/{client}', path: { id: '$anna', client: '$court' } },
  ],
}));

const pem = '-----BEGIN CERTIFICATE-----MIIBszCCAVmgAwIBAgIUEjRWeJCrze8=-----END CERTIFICATE-----';
const certificates = imports.map((importEnabled) => ({
  name: `a certificate in PEM, importEnabled=${importEnabled}`,
  directory: [person('anna', { description: pem }), person('bert')],
  steps: [
    storage({ importEnabled, editMode: 'WRITABLE' }),
    mapper('certificate', 'certificate-ldap-mapper', {
      'user.model.attribute': 'certificate',
      'ldap.attribute': 'description',
      'is.der.formatted': 'false',
      'is.binary.attribute': 'false',
      'is.mandatory.in.ldap': 'false',
      'always.read.value.from.ldap': 'true',
      'read.only': 'false',
    }),
    users({ username: 'anna' }, { save: 'anna' }),
    user('anna'),
    users({ username: 'bert' }, { save: 'bert' }),
    update('bert', { ...named('bert'), attributes: { certificate: [pem] } }),
    { ldap: 'read', dn: dnOf('bert') },
  ],
}));

const adUser = (name, more) => person(name, { objectClass: ['inetOrgPerson', 'adUser'], ...more });
const set = '133000000000000000';
const accounts = [
  adUser('anna', { userAccountControl: '512', pwdLastSet: set }),
  adUser('bert', { userAccountControl: '514', pwdLastSet: set }),
  adUser('carl', { userAccountControl: '512', pwdLastSet: '0' }),
  adUser('dora', { userAccountControl: String(512 + 0x800000), pwdLastSet: set }),
];
const readControls = imports.flatMap((importEnabled) =>
  ['READ_ONLY', 'WRITABLE'].map((editMode) => ({
    name: `account control of Active Directory is read, ${editMode}, importEnabled=${importEnabled}`,
    directory: accounts,
    steps: [
      storage({ importEnabled, editMode }),
      mapper('control', 'msad-user-account-control-mapper', {}),
      ...['anna', 'bert', 'carl', 'dora'].map((username) => users({ username }, { save: username })),
      ...['anna', 'bert', 'carl', 'dora'].map((username) => login(username)),
    ],
  })),
);
const writtenControls = {
  name: 'account control of Active Directory is written',
  directory: accounts,
  steps: [
    storage({ editMode: 'WRITABLE' }),
    mapper('control', 'msad-user-account-control-mapper', {}),
    users({ username: 'anna' }, { save: 'anna' }),
    update('anna', { ...named('anna'), enabled: false }),
    { ldap: 'read', dn: dnOf('anna') },
    login('anna'),
    update('anna', { ...named('anna'), enabled: true }),
    { ldap: 'read', dn: dnOf('anna') },
    update('anna', { ...named('anna'), requiredActions: ['UPDATE_PASSWORD'] }),
    { ldap: 'read', dn: dnOf('anna') },
    user('anna'),
    login('anna'),
  ],
};

const lightweight = {
  name: 'account control of the lightweight services',
  directory: [
    adUser('anna', { 'msDS-UserAccountDisabled': 'FALSE', pwdLastSet: set }),
    adUser('bert', { 'msDS-UserAccountDisabled': 'TRUE', pwdLastSet: set }),
  ],
  steps: [
    storage({ editMode: 'WRITABLE' }),
    mapper('control', 'msad-lds-user-account-control-mapper', {}),
    users({ username: 'anna' }, { save: 'anna' }),
    users({ username: 'bert' }, { save: 'bert' }),
    login('bert'),
    update('anna', { ...named('anna'), enabled: false }),
    { ldap: 'read', dn: dnOf('anna') },
    update('anna', { ...named('anna'), enabled: true }),
    { ldap: 'read', dn: dnOf('anna') },
  ],
};

const kerberos = {
  name: 'settings for Kerberos stay as they were saved',
  directory: [person('anna')],
  steps: [
    storage({
      allowKerberosAuthentication: 'true',
      kerberosRealm: 'EXAMPLE.ORG',
      serverPrincipal: 'HTTP/id.example.org@EXAMPLE.ORG',
      keyTab: '/etc/id.keytab',
      useKerberosForPasswordAuthentication: 'false',
      debug: 'true',
    }),
    { op: 'GET /{realm}/components/{id}', path: { id: '$ldap' } },
  ],
};

export default [...members, ...clientRoles, ...certificates, ...readControls, writtenControls, lightweight, kerberos];
