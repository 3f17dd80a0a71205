// People of a storage that is disabled, or gone.
import {
  dnOf,
  group,
  groupMapper,
  groupsOf,
  login,
  person,
  resetPassword,
  rolesOf,
  storage,
  update,
  user,
  users,
} from '../steps.mjs';

const directory = [person('anna'), person('bert')];
/** Requests with the tokens that somebody got before; what counts is the status and the reason of a refusal. */
const refresh = {
  url: 'POST /realms/{realm}/protocol/openid-connect/token',
  form: { grant_type: 'refresh_token', client_id: 'admin-cli', refresh_token: '$refresh' },
  as: null,
  compare: { only: ['error'] },
};
const userinfo = (compare) => ({
  url: 'POST /realms/{realm}/protocol/openid-connect/userinfo',
  form: {},
  as: 'held',
  compare,
});
const everyKind = ['true', 'false'];
const readStorage = { op: 'GET /{realm}/components/{id}', path: { id: '$ldap' }, compare: 'status' };
const set = (importEnabled, config) => ({
  ...storage({ importEnabled, editMode: 'WRITABLE', ...config }),
  op: 'PUT /{realm}/components/{id}',
  path: { id: '$ldap' },
  save: undefined,
});

export default everyKind.flatMap((importEnabled) => [
  {
    name: `a storage that is disabled, importEnabled=${importEnabled}`,
    directory,
    steps: [
      storage({ importEnabled, editMode: 'WRITABLE' }),
      users({ username: 'anna' }, { save: 'anna' }),
      set(importEnabled, { enabled: 'false' }),
      readStorage,
      user('anna'),
      rolesOf('anna'),
      users({ username: 'anna' }),
      users({ username: 'bert' }),
      login('anna'),
      login('anna', 'wrong'),
      login('bert'),
      update('anna', { firstName: 'Other' }),
      update('anna', { enabled: true }),
      resetPassword('anna', 'another', { compare: 'refused' }),
      user('anna'),
      set(importEnabled, { enabled: 'true' }),
      user('anna'),
      login('anna'),
      login('bert'),
    ],
  },
  {
    name: `a storage that is disabled, tokens and memberships of people, importEnabled=${importEnabled}`,
    directory: [...directory, group('choir', [dnOf('anna')])],
    steps: [
      storage({ importEnabled, editMode: 'WRITABLE' }),
      groupMapper(),
      users({ username: 'anna' }, { save: 'anna' }),
      groupsOf('anna'),
      login('anna', 'anna', { save: { held: 'body.access_token', refresh: 'body.refresh_token' } }),
      set(importEnabled, { enabled: 'false' }),
      refresh,
      userinfo(importEnabled === 'true' ? { only: ['error'] } : 'refused'),
      groupsOf('anna'),
      rolesOf('anna', { compare: 'length' }),
      { op: 'GET /{realm}/users/{id}/sessions', path: { id: '$anna' }, compare: 'length' },
      set(importEnabled, { enabled: 'true' }),
      refresh,
    ],
  },
  {
    name: `a storage that is disabled, what may be done with people, importEnabled=${importEnabled}`,
    directory,
    steps: [
      storage({ importEnabled, editMode: 'WRITABLE' }),
      { op: 'POST /{realm}/groups', json: { name: 'choir' }, save: { choir: 'location' } },
      { op: 'POST /{realm}/roles', json: { name: 'singer' } },
      { op: 'GET /{realm}/roles/{role-name}', path: { 'role-name': 'singer' }, save: { singer: 'body.id' } },
      users({ username: 'anna' }, { save: 'anna' }),
      set(importEnabled, { enabled: 'false' }),
      { op: 'PUT /{realm}/users/{id}/groups/{groupId}', path: { id: '$anna', groupId: '$choir' }, compare: 'refused' },
      {
        op: 'POST /{realm}/users/{id}/role-mappings/realm',
        path: { id: '$anna' },
        json: [{ id: '$singer', name: 'singer' }],
        compare: 'refused',
      },
      { op: 'POST /{realm}/users/{id}/logout', path: { id: '$anna' } },
      { op: 'GET /{realm}/users/{id}/credentials', path: { id: '$anna' } },
      { op: 'GET /{realm}/users/{id}/sessions', path: { id: '$anna' } },
      { op: 'DELETE /{realm}/users/{id}', path: { id: '$anna' } },
      { ldap: 'list', dn: 'ou=people,$base' },
    ],
  },
]);
