// People of a storage that is disabled, or gone.
import { login, person, resetPassword, rolesOf, storage, update, user, users } from '../steps.mjs';

const directory = [person('anna'), person('bert')];
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
