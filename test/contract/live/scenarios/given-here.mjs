// Groups and roles that are given here to people who are not imported, and to those who are.
import {
  dnOf,
  group,
  groupMapper,
  groupsOf,
  login,
  person,
  role,
  roleMapper,
  rolesOf,
  storage,
  users,
} from '../steps.mjs';

const directory = [person('anna'), group('staff', [dnOf('anna')]), role('cook', [dnOf('anna')])];
const joins = (method) => ({
  op: `${method} /{realm}/users/{id}/groups/{groupId}`,
  path: { id: '$anna', groupId: '$local' },
});
const given = (method) => ({
  op: `${method} /{realm}/users/{id}/role-mappings/realm`,
  path: { id: '$anna' },
  json: [{ id: '$guard', name: 'guard' }],
});
const ofClient = (method) => ({
  op: `${method} /{realm}/users/{id}/role-mappings/clients/{client}`,
  path: { id: '$anna', client: '$court' },
  ...(method !== 'GET' && { json: [{ id: '$judge', name: 'judge' }] }),
});
const start = [
  { op: 'POST /{realm}/groups', json: { name: 'local' }, save: { local: 'location' } },
  { op: 'POST /{realm}/roles', json: { name: 'guard' } },
  { op: 'GET /{realm}/roles/{role-name}', path: { 'role-name': 'guard' }, save: { guard: 'body.id' } },
  { op: 'POST /{realm}/clients', json: { clientId: 'court' }, save: { court: 'location' } },
  { op: 'POST /{realm}/clients/{id}/roles', path: { id: '$court' }, json: { name: 'judge' } },
  {
    op: 'GET /{realm}/clients/{id}/roles/{role-name}',
    path: { id: '$court', 'role-name': 'judge' },
    save: { judge: 'body.id' },
  },
];
const mappers = {
  none: [],
  READ_ONLY: [groupMapper(), roleMapper()],
  IMPORT: [groupMapper({ mode: 'IMPORT' }), roleMapper({ mode: 'IMPORT' })],
};
const seen = users({ username: 'anna' }, { save: 'anna' });

const imported = Object.entries(mappers).map(([mode, made]) => ({
  name: `groups and roles given here, mappers ${mode}, importEnabled=true`,
  directory,
  steps: [
    storage(),
    ...start,
    ...made,
    seen,
    joins('PUT'),
    groupsOf('anna'),
    given('POST'),
    rolesOf('anna'),
    ofClient('POST'),
    ofClient('GET'),
    login('anna'),
    joins('DELETE'),
    groupsOf('anna'),
    given('DELETE'),
    rolesOf('anna'),
    ofClient('DELETE'),
    ofClient('GET'),
  ],
}));
const notImported = {
  name: 'groups and roles given here, importEnabled=false',
  directory,
  steps: [
    storage({ importEnabled: 'false' }),
    ...start,
    ...mappers.READ_ONLY,
    seen,
    joins('PUT'),
    given('POST'),
    ofClient('POST'),
    login('anna'),
    joins('DELETE'),
    given('DELETE'),
    ofClient('DELETE'),
    groupsOf('anna'),
    rolesOf('anna'),
    ofClient('GET'),
  ],
};

export default [...imported, notImported];
