// Ids of people who are not imported: they name the storage and the user name.
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
  user,
  users,
} from '../steps.mjs';

const quoted = 'o"neil';
const directory = [
  person('anna'),
  person('Bert'),
  { ...person(quoted, { mail: 'neil@example.org' }), dn: dnOf('o\\"neil') },
  group('staff', [dnOf('anna'), dnOf('Bert')]),
  role('cook', [dnOf('anna'), dnOf('Bert')]),
];
const byId = (id, below = '') => ({ op: `GET /{realm}/users/{id}${below}`, path: { id: `f:$ldap:${id}` } });

export default [
  {
    name: 'ids of people who are not imported, in any case',
    directory,
    steps: [
      storage({ importEnabled: 'false' }),
      groupMapper(),
      roleMapper(),
      byId('anna'),
      byId('ANNA'),
      byId('Anna', '/groups'),
      byId('Bert'),
      byId('bert'),
      byId('BERT', '/role-mappings/realm'),
      byId('nobody'),
      byId('nobody', '/groups'),
      users({ username: 'bert' }, { save: 'bert' }),
      user('bert'),
      groupsOf('bert'),
      rolesOf('bert'),
      login('bert', 'Bert'),
    ],
  },
  {
    name: 'names in capital letters, imported',
    directory,
    steps: [
      storage(),
      groupMapper(),
      users({ username: 'bert' }, { save: 'bert' }),
      user('bert'),
      groupsOf('bert'),
      login('bert', 'Bert'),
      login('BERT', 'Bert'),
    ],
  },
  ...['true', 'false'].map((importEnabled) => ({
    name: `a quotation mark in a name, importEnabled=${importEnabled}`,
    directory,
    steps: [
      storage({ importEnabled, editMode: 'WRITABLE' }),
      users({ username: quoted }, { save: 'neil' }),
      user('neil'),
      login(quoted),
      { op: 'POST /{realm}/users', json: { username: 'mc"donald', enabled: true }, save: { mac: 'location' } },
      users({ username: 'mc"donald' }),
      { ldap: 'list', dn: 'ou=people,$base' },
    ],
  })),
  ...['true', 'false'].map((importEnabled) => ({
    name: `a quotation mark in the name of a user who is created in the directory, importEnabled=${importEnabled}`,
    directory: [person('anna')],
    steps: [
      storage({ importEnabled, editMode: 'WRITABLE', syncRegistrations: 'true' }),
      {
        op: 'POST /{realm}/users',
        json: { username: 'mc"donald', enabled: true, email: 'mac@example.org', firstName: 'a', lastName: 'b' },
      },
      { op: 'POST /{realm}/users', json: { username: 'å % b', enabled: true, email: 'b@example.org' } },
      users({ username: 'mc"donald' }, { save: 'mac' }),
      user('mac'),
      { ldap: 'list', dn: 'ou=people,$base' },
    ],
  })),
];
