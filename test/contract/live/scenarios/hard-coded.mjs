// What cannot be taken from people of a directory: hard-coded groups and roles, and those that are only read.
import {
  dnOf,
  group,
  groupMapper,
  groupsOf,
  mapper,
  person,
  role,
  roleMapper,
  rolesOf,
  storage,
  users,
} from '../steps.mjs';

const directory = [person('anna'), group('staff', [dnOf('anna')]), role('cook', [dnOf('anna')])];
const everyKind = ['true', 'false'];
const inGroup = (method, name, note) => ({
  op: `${method} /{realm}/users/{id}/groups/{groupId}`,
  path: { id: '$anna', groupId: `$${name}` },
  ...(note && { note }),
});
const withRole = (method, roles, note) => ({
  op: `${method} /{realm}/users/{id}/role-mappings/realm`,
  path: { id: '$anna' },
  ...(roles && { json: roles.map((name) => ({ id: `$${name}`, name })) }),
  ...(note && { note }),
});
// the reference server gives people who are not imported no groups and roles but those of the directory
const own = (importEnabled, steps) => (importEnabled === 'true' ? steps : []);
const createGroup = (name) => ({ op: 'POST /{realm}/groups', json: { name }, save: { [name]: 'location' } });
const createRole = (name) => [
  { op: 'POST /{realm}/roles', json: { name } },
  { op: 'GET /{realm}/roles/{role-name}', path: { 'role-name': name }, save: { [name]: 'body.id' } },
];
const findGroup = (name) => ({
  op: 'GET /{realm}/groups',
  query: { search: name },
  save: { [name]: 'body[0].id' },
});
const findRole = (name) => ({
  op: 'GET /{realm}/roles/{role-name}',
  path: { 'role-name': name },
  save: { [name]: 'body.id' },
});

const hard = everyKind.map((importEnabled) => ({
  name: `losing what is hard-coded, importEnabled=${importEnabled}`,
  directory,
  steps: [
    storage({ importEnabled }),
    createGroup('everybody'),
    createGroup('choir'),
    ...createRole('guest'),
    ...createRole('singer'),
    mapper('hardGroup', 'hardcoded-ldap-group-mapper', { group: '/everybody' }),
    mapper('hardRole', 'hardcoded-ldap-role-mapper', { role: 'guest' }),
    users({ search: 'anna' }, { save: 'anna' }),
    inGroup('PUT', 'everybody', 'is in it already'),
    inGroup('DELETE', 'everybody'),
    ...own(importEnabled, [inGroup('PUT', 'choir'), inGroup('DELETE', 'choir')]),
    withRole('POST', ['guest'], 'has it already'),
    withRole('DELETE', ['guest']),
    ...own(importEnabled, [withRole('POST', ['singer']), withRole('DELETE', ['singer'])]),
    rolesOf('anna'),
    groupsOf('anna'),
  ],
}));

const clientRole = {
  name: 'losing a hard-coded role of a client',
  directory,
  steps: [
    storage(),
    { op: 'POST /{realm}/clients', json: { clientId: 'kitchen' }, save: { kitchen: 'location' } },
    { op: 'POST /{realm}/clients/{id}/roles', path: { id: '$kitchen' }, json: { name: 'eater' } },
    {
      op: 'GET /{realm}/clients/{id}/roles/{role-name}',
      path: { id: '$kitchen', 'role-name': 'eater' },
      save: { eater: 'body.id' },
    },
    mapper('hardRole', 'hardcoded-ldap-role-mapper', { role: 'kitchen.eater' }),
    users({ search: 'anna' }, { save: 'anna' }),
    {
      op: 'DELETE /{realm}/users/{id}/role-mappings/clients/{client}',
      path: { id: '$anna', client: '$kitchen' },
      json: [{ id: '$eater', name: 'eater' }],
    },
    {
      op: 'GET /{realm}/users/{id}/role-mappings/clients/{client}',
      path: { id: '$anna', client: '$kitchen' },
    },
  ],
};

const readOnly = everyKind.flatMap((importEnabled) =>
  ['READ_ONLY', 'LDAP_ONLY', 'IMPORT'].map((mode) => ({
    name: `losing what the directory says, mappers ${mode}, importEnabled=${importEnabled}`,
    directory,
    steps: [
      storage({ importEnabled, editMode: 'WRITABLE' }),
      createGroup('choir'),
      ...createRole('singer'),
      groupMapper({ mode }),
      roleMapper({ mode }),
      users({ search: 'anna' }, { save: 'anna' }),
      groupsOf('anna'),
      rolesOf('anna'),
      findGroup('staff'),
      findRole('cook'),
      inGroup('PUT', 'staff', 'is in it already'),
      inGroup('DELETE', 'staff'),
      ...own(importEnabled, [inGroup('PUT', 'choir'), inGroup('DELETE', 'choir')]),
      withRole('POST', ['cook'], 'has it already'),
      withRole('DELETE', ['cook']),
      ...own(importEnabled, [withRole('POST', ['singer']), withRole('DELETE', ['singer'])]),
      groupsOf('anna'),
      rolesOf('anna'),
    ],
  })),
);

export default [...hard, clientRole, ...readOnly];
