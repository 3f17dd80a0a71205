// People whom the service has not seen before: what they have as soon as they are found.
import {
  dnOf,
  group,
  groupMapper,
  groupsOf,
  login,
  mapper,
  person,
  role,
  roleMapper,
  rolesOf,
  storage,
  user,
  users,
} from '../steps.mjs';

const directory = [person('anna'), person('bert'), group('staff', [dnOf('anna')]), role('cook', [dnOf('anna')])];
const everyKind = ['true', 'false'];
const everyMode = ['READ_ONLY', 'LDAP_ONLY', 'IMPORT'];
const effective = (id) => ({ op: 'GET /{realm}/users/{id}/role-mappings/realm/composite', path: { id: `$${id}` } });
const mappings = (id) => ({ op: 'GET /{realm}/users/{id}/role-mappings', path: { id: `$${id}` } });
const groups = { op: 'GET /{realm}/groups', query: { briefRepresentation: false } };

const seenByASearch = everyKind.map((importEnabled) => ({
  name: `first seen by a search, importEnabled=${importEnabled}`,
  directory,
  steps: [
    storage({ importEnabled }),
    groupMapper(),
    roleMapper(),
    users({ username: 'anna' }, { save: 'anna' }),
    groupsOf('anna'),
    rolesOf('anna'),
    user('anna'),
    { ldap: 'read', dn: dnOf('anna') },
    { ldap: 'bind', dn: dnOf('anna'), password: 'anna' },
    login('anna'),
    login('bert'),
    users({ search: 'bert' }, { save: 'bert' }),
    groupsOf('bert'),
  ],
}));

const byMode = everyKind.flatMap((importEnabled) =>
  everyMode.map((mode) => ({
    name: `first seen by a search, mappers ${mode}, importEnabled=${importEnabled}`,
    directory,
    steps: [
      storage({ importEnabled, editMode: 'WRITABLE' }),
      groupMapper({ mode }),
      roleMapper({ mode }),
      users({ search: 'anna' }, { save: 'anna' }),
      groupsOf('anna'),
      groups,
      rolesOf('anna'),
      effective('anna'),
      users({ search: 'bert' }, { save: 'bert' }),
      rolesOf('bert'),
      effective('bert'),
    ],
  })),
);

const byLogin = everyKind.flatMap((importEnabled) =>
  everyMode.map((mode) => ({
    name: `first seen by a login, mappers ${mode}, importEnabled=${importEnabled}`,
    directory,
    steps: [
      storage({ importEnabled, editMode: 'WRITABLE' }),
      groupMapper({ mode }),
      roleMapper({ mode }),
      login('anna'),
      users({ username: 'anna' }, { save: 'anna' }),
      groupsOf('anna'),
      rolesOf('anna'),
    ],
  })),
);

const clientRoles = everyKind.map((importEnabled) => ({
  name: `first seen by a search, roles of a client, importEnabled=${importEnabled}`,
  directory,
  steps: [
    storage({ importEnabled }),
    { op: 'POST /{realm}/clients', json: { clientId: 'kitchen' }, save: { kitchen: 'location' } },
    roleMapper({ 'use.realm.roles.mapping': 'false', 'client.id': 'kitchen' }),
    users({ search: 'anna' }, { save: 'anna' }),
    mappings('anna'),
    { op: 'GET /{realm}/clients/{id}/roles', path: { id: '$kitchen' } },
  ],
}));

const hardCoded = everyKind.map((importEnabled) => ({
  name: `first seen by a search, hard-coded, importEnabled=${importEnabled}`,
  directory,
  steps: [
    storage({ importEnabled }),
    { op: 'POST /{realm}/groups', json: { name: 'everybody' } },
    { op: 'POST /{realm}/roles', json: { name: 'guest' } },
    { op: 'POST /{realm}/clients', json: { clientId: 'kitchen' }, save: { kitchen: 'location' } },
    { op: 'POST /{realm}/clients/{id}/roles', path: { id: '$kitchen' }, json: { name: 'eater' } },
    mapper('hardGroup', 'hardcoded-ldap-group-mapper', { group: '/everybody' }),
    mapper('hardRole', 'hardcoded-ldap-role-mapper', { role: 'guest' }),
    mapper('hardClientRole', 'hardcoded-ldap-role-mapper', { role: 'kitchen.eater' }),
    mapper('hardAttribute', 'hardcoded-attribute-mapper', {
      'user.model.attribute': 'origin',
      'attribute.value': 'directory',
    }),
    users({ search: 'anna' }, { save: 'anna' }),
    groupsOf('anna'),
    mappings('anna'),
    user('anna'),
  ],
}));

const within = everyKind.map((importEnabled) => ({
  name: `first seen by a search, a group within a group, importEnabled=${importEnabled}`,
  directory: [person('anna'), group('inner', [dnOf('anna')]), group('outer', ['cn=inner,ou=groups,$base'])],
  steps: [
    storage({ importEnabled }),
    groupMapper({ 'preserve.group.inheritance': 'true' }),
    users({ search: 'anna' }, { save: 'anna' }),
    groupsOf('anna'),
    groups,
  ],
}));

const below = everyKind.map((importEnabled) => ({
  name: `first seen by a search, groups below a path, importEnabled=${importEnabled}`,
  directory,
  steps: [
    storage({ importEnabled }),
    { op: 'POST /{realm}/groups', json: { name: 'ldap' } },
    groupMapper({ 'groups.path': '/ldap' }),
    users({ search: 'anna' }, { save: 'anna' }),
    groupsOf('anna'),
    groups,
  ],
}));

const defaults = everyMode.map((mode) => ({
  name: `default roles and groups under mappers ${mode}`,
  directory,
  steps: [
    storage({ editMode: 'WRITABLE' }),
    { op: 'POST /{realm}/groups', json: { name: 'newcomers' }, save: { newcomers: 'location' } },
    { op: 'PUT /{realm}/default-groups/{groupId}', path: { groupId: '$newcomers' } },
    groupMapper({ mode }),
    roleMapper({ mode }),
    users({ search: 'bert' }, { save: 'bert' }),
    groupsOf('bert'),
    rolesOf('bert'),
    effective('bert'),
    { ldap: 'list', dn: 'ou=roles,$base' },
    { ldap: 'list', dn: 'ou=groups,$base' },
  ],
}));

export default [
  ...seenByASearch,
  ...byMode,
  ...byLogin,
  ...clientRoles,
  ...hardCoded,
  ...within,
  ...below,
  ...defaults,
];
