// Synchronisation: what is done, how it is counted, and the sentences about it.
import {
  dnOf,
  group,
  groupDn,
  groupMapper,
  groupsOf,
  login,
  mapper,
  person,
  role,
  roleMapper,
  storage,
  sync,
  user,
  users,
} from '../steps.mjs';

// The reference server counts an entry as changed in the second of the last synchronisation.
const changedSync = (more) => sync('triggerChangedUsersSync', '$ldap', { wait: 1500, ...more });
const everybody = users({ max: 50 }, { note: 'everybody' });
const count = { op: 'GET /{realm}/users/count' };
const local = (json) => ({
  op: 'POST /{realm}/users',
  json: { enabled: true, ...json },
  save: { [json.username]: 'location' },
});
const nameless = (cn) => ({
  dn: `cn=${cn},ou=people,$base`,
  attributes: { objectClass: ['inetOrgPerson'], cn: [cn], sn: ['Nameless'], mail: [`${cn}@example.org`] },
});
const mapperSync = (name, direction = 'fedToKeycloak') => ({
  op: 'POST /{realm}/user-storage/{parentId}/mappers/{id}/sync',
  path: { parentId: '$ldap', id: `$${name}` },
  query: { direction },
});
const allGroups = { op: 'GET /{realm}/groups', query: { briefRepresentation: false } };
const allRoles = { op: 'GET /{realm}/roles' };

const counts = ['READ_ONLY', 'WRITABLE', 'UNSYNCED'].map((editMode) => ({
  name: `what a synchronisation counts, ${editMode}`,
  directory: [person('anna'), person('bert'), person('cleo', { mail: null })],
  steps: [
    storage({ editMode }),
    changedSync({ note: 'the first time' }),
    sync('triggerFullSync', '$ldap', { note: 'nothing changed' }),
    changedSync({ note: 'nothing changed' }),
    { ...everybody, wait: 1500 },
    { ldap: 'modify', dn: dnOf('anna'), changes: { sn: ['Other'], mail: ['other@example.org'] } },
    { ldap: 'add', ...person('dora') },
    changedSync({ note: 'one changed, one new' }),
    everybody,
    { ldap: 'delete', dn: dnOf('cleo') },
    changedSync({ note: 'one gone' }),
    sync('triggerFullSync', '$ldap', { note: 'one gone' }),
    everybody,
    count,
  ],
}));

const batches = [
  { batchSizeForSync: '1' },
  { batchSizeForSync: '2', pagination: 'true' },
  { batchSizeForSync: '2', pagination: 'false' },
].map((config) => ({
  name: `synchronisation in batches, ${JSON.stringify(config)}`,
  directory: ['anna', 'bert', 'cleo', 'dora', 'emil'].map((uid) => person(uid)),
  steps: [storage(config), sync(), sync(), count],
}));

const renames = {
  name: 'synchronisation after an entry is renamed',
  directory: [person('anna'), person('bert')],
  steps: [
    storage(),
    sync(),
    users({ username: 'anna' }, { save: 'anna' }),
    { ldap: 'rename', dn: dnOf('anna'), to: dnOf('anne') },
    sync(),
    user('anna'),
    everybody,
    { ldap: 'modify', dn: dnOf('bert'), changes: { mail: ['anna@example.org'] } },
    { ldap: 'modify', dn: dnOf('anne'), changes: { mail: ['bert@example.org'] } },
    sync('triggerFullSync', '$ldap', { note: 'two addresses are exchanged' }),
    everybody,
  ],
};

const failures = ['true', 'false'].map((duplicates) => ({
  name: `people whom a synchronisation cannot take, duplicateEmailsAllowed=${duplicates}`,
  realm: { duplicateEmailsAllowed: duplicates === 'true', loginWithEmailAllowed: duplicates !== 'true' },
  directory: [person('anna'), person('bert'), person('cleo'), nameless('nobody')],
  steps: [
    local({ username: 'bert', email: 'local@example.org' }),
    local({ username: 'cleo2', email: 'cleo@example.org' }),
    storage(),
    sync(),
    everybody,
    sync('triggerFullSync', '$ldap', { note: 'again' }),
    { op: 'DELETE /{realm}/users/{id}', path: { id: '$bert' } },
    sync('triggerFullSync', '$ldap', { note: 'a name is free again' }),
    everybody,
  ],
}));
const twins = {
  name: 'synchronisation of two people with one mail address',
  directory: [person('anna', { mail: 'twin@example.org' }), person('bert', { mail: 'twin@example.org' })],
  steps: [storage(), sync(), count, sync('triggerFullSync', '$ldap', { note: 'again' })],
};

const twoStorages = {
  name: 'two storages with the same people',
  directory: [person('anna')],
  steps: [
    storage({ priority: '1' }),
    storage({ priority: '2' }, { name: 'second' }),
    sync(),
    sync('triggerFullSync', '$second'),
    everybody,
  ],
};

const mappersToo = {
  name: 'a synchronisation of the users brings groups and roles',
  directory: [person('anna'), person('bert'), group('staff', [dnOf('anna')]), role('cook', [dnOf('bert')])],
  steps: [
    storage(),
    groupMapper(),
    roleMapper(),
    sync(),
    allGroups,
    allRoles,
    users({ username: 'anna' }, { save: 'anna' }),
    groupsOf('anna'),
    { ldap: 'modify', dn: groupDn('staff'), changes: { member: [dnOf('anna'), dnOf('bert')] } },
    sync('triggerFullSync', '$ldap', { note: 'a membership changed' }),
    { ldap: 'delete', dn: groupDn('staff') },
    sync('triggerFullSync', '$ldap', { note: 'a group is gone' }),
    allGroups,
  ],
};

const hardcoded = {
  name: 'a synchronisation with hard-coded attributes',
  directory: [person('anna')],
  steps: [
    storage(),
    mapper('town', 'hardcoded-attribute-mapper', { 'user.model.attribute': 'town', 'attribute.value': 'Ghent' }),
    sync(),
    everybody,
    sync(),
  ],
};

const groupEntries = [
  person('anna'),
  group('staff', [dnOf('anna'), groupDn('night')]),
  group('night', [dnOf('anna')]),
  group('lonely', [dnOf('anna')]),
];
const groupsIn = ['true', 'false'].flatMap((inherit) =>
  ['true', 'false'].map((drop) => ({
    name: `groups into the realm, inheritance=${inherit}, drop=${drop}`,
    directory: groupEntries,
    steps: [
      { op: 'POST /{realm}/groups', json: { name: 'local' } },
      storage(),
      groupMapper({ 'preserve.group.inheritance': inherit, 'drop.non.existing.groups.during.sync': drop }),
      mapperSync('groups'),
      allGroups,
      mapperSync('groups'),
      { ldap: 'delete', dn: groupDn('lonely') },
      { ldap: 'add', ...group('new', [dnOf('anna')]) },
      mapperSync('groups'),
      allGroups,
      mapperSync('groups', 'keycloakToFed'),
    ],
  })),
);
const groupFaults = [
  {
    name: 'groups into the realm: a child that is missing is ignored',
    directory: [person('anna'), group('a', [groupDn('missing'), dnOf('anna')])],
    steps: [storage(), groupMapper({ 'ignore.missing.groups': 'true' }), mapperSync('groups'), allGroups],
  },
];
const groupsOut = ['READ_ONLY', 'LDAP_ONLY', 'IMPORT'].flatMap((mode) =>
  ['true', 'false'].map((drop) => ({
    name: `groups into the directory, ${mode}, drop=${drop}`,
    directory: [person('anna'), group('staff', [dnOf('anna')])],
    steps: [
      { op: 'POST /{realm}/groups', json: { name: 'local' }, save: { local: 'location' } },
      { op: 'POST /{realm}/groups/{id}/children', path: { id: '$local' }, json: { name: 'child' }, compare: 'status' },
      storage({ editMode: 'WRITABLE' }),
      groupMapper({ mode, 'drop.non.existing.groups.during.sync': drop }),
      mapperSync('groups', 'keycloakToFed'),
      { ldap: 'list', dn: 'ou=groups,$base' },
      mapperSync('groups', 'keycloakToFed'),
      mapperSync('groups', 'fedToKeycloak'),
      allGroups,
    ],
  })),
);
const rolesBoth = ['READ_ONLY', 'LDAP_ONLY', 'IMPORT'].map((mode) => ({
  name: `roles into the realm and the directory, ${mode}`,
  directory: [person('anna'), role('cook', [dnOf('anna')]), role('guard', [dnOf('anna')])],
  steps: [
    { op: 'POST /{realm}/roles', json: { name: 'local' } },
    storage({ editMode: 'WRITABLE' }),
    roleMapper({ mode }),
    mapperSync('roles'),
    allRoles,
    mapperSync('roles'),
    { ldap: 'delete', dn: 'cn=guard,ou=roles,$base' },
    mapperSync('roles'),
    mapperSync('roles', 'keycloakToFed'),
    { ldap: 'list', dn: 'ou=roles,$base' },
    mapperSync('roles', 'keycloakToFed'),
  ],
}));
const clientRoles = {
  name: 'roles into a client and the directory',
  directory: [person('anna'), role('cook', [dnOf('anna')])],
  steps: [
    storage({ editMode: 'WRITABLE' }),
    roleMapper({ mode: 'LDAP_ONLY', 'use.realm.roles.mapping': 'false', 'client.id': 'account-console' }),
    mapperSync('roles'),
    mapperSync('roles', 'keycloakToFed'),
    { ldap: 'list', dn: 'ou=roles,$base' },
  ],
};
const noSync = {
  name: 'synchronising mappers that have nothing to synchronise',
  directory: [person('anna')],
  steps: [
    storage(),
    mapper('town', 'hardcoded-attribute-mapper', { 'user.model.attribute': 'town', 'attribute.value': 'Ghent' }),
    mapperSync('town'),
    mapperSync('town', 'keycloakToFed'),
    mapperSync('town', 'sideways'),
  ],
};

const ends = ['unlink-users', 'remove-imported-users'].flatMap((action) =>
  ['true', 'false'].map((importEnabled) => ({
    name: `${action}, importEnabled=${importEnabled}`,
    directory: [person('anna'), person('bert')],
    steps: [
      local({ username: 'local' }),
      storage({ importEnabled }),
      sync(),
      users({ username: 'anna' }, { save: 'anna' }),
      { op: `POST /{realm}/user-storage/{id}/${action}`, path: { id: '$ldap' } },
      count,
      user('anna', { note: 'who was found before' }),
      login('anna'),
      users({ username: 'bert' }, { note: 'who may be found again' }),
      sync(),
      count,
    ],
  })),
);

export default [
  ...counts,
  ...batches,
  renames,
  ...failures,
  twins,
  twoStorages,
  mappersToo,
  hardcoded,
  ...groupsIn,
  ...groupFaults,
  ...groupsOut,
  ...rolesBoth,
  clientRoles,
  noSync,
  ...ends,
];
