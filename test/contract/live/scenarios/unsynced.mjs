// UNSYNCED: what is changed here stays here.
import { dnOf, login, mapper, person, resetPassword, storage, sync, update, user, users } from '../steps.mjs';

const attribute = (name, ldap, more = {}) =>
  mapper(name, 'user-attribute-ldap-mapper', {
    'user.model.attribute': name,
    'ldap.attribute': ldap,
    'read.only': 'true',
    'always.read.value.from.ldap': 'false',
    'is.mandatory.in.ldap': 'false',
    ...more,
  });
const anna = dnOf('anna');
const directory = [person('anna', { telephoneNumber: '1', employeeType: 'a' })];
const start = [
  storage({ editMode: 'UNSYNCED' }),
  attribute('phone', 'telephoneNumber'),
  attribute('kind', 'employeeType', { 'always.read.value.from.ldap': 'true' }),
  users({ username: 'anna' }, { save: 'anna' }),
];
const changed = {
  firstName: 'Changed',
  lastName: 'Changed',
  email: 'changed@example.org',
  attributes: { phone: ['2'], kind: ['b'], color: ['red'] },
};
const kept = [
  { name: 'a search', steps: [users({ username: 'anna' })] },
  { name: 'a search for the old name', steps: [users({ search: 'Given' }), user('anna')] },
  { name: 'a full synchronisation', steps: [sync('triggerFullSync', '$ldap', { compare: 'status' }), user('anna')] },
  {
    name: 'a synchronisation of changed users',
    steps: [
      sync('triggerChangedUsersSync', '$ldap', { compare: 'status' }),
      {
        ldap: 'modify',
        dn: anna,
        changes: { telephoneNumber: ['3'], employeeType: ['c'], sn: ['There'], mail: ['there@example.org'] },
      },
      sync('triggerChangedUsersSync', '$ldap', { compare: 'status' }),
      user('anna'),
    ],
  },
  { name: 'a login', steps: [login('anna'), user('anna')] },
];

export default [
  ...kept.map(({ name, steps }) => ({
    name: `what is changed here of a user survives ${name}`,
    directory,
    steps: [...start, update('anna', changed), user('anna'), ...steps, { ldap: 'read', dn: anna }],
  })),
  {
    name: 'what was not changed here follows the directory when it is synchronised',
    directory,
    steps: [
      ...start,
      {
        ldap: 'modify',
        dn: anna,
        changes: { telephoneNumber: ['3'], employeeType: ['c'], sn: ['There'], mail: ['there@example.org'] },
      },
      sync('triggerFullSync', '$ldap', { compare: 'status' }),
      user('anna'),
    ],
  },
  {
    name: 'a password that is set here replaces the one of the directory',
    directory,
    steps: [
      storage({ editMode: 'UNSYNCED' }),
      users({ username: 'anna' }, { save: 'anna' }),
      login('anna'),
      resetPassword('anna', 'local'),
      login('anna', 'local'),
      login('anna', 'anna'),
      { ldap: 'bind', dn: anna, password: 'anna' },
      sync('triggerFullSync', '$ldap', { compare: 'status' }),
      login('anna', 'anna'),
      {
        op: 'GET /{realm}/users/{id}/credentials',
        path: { id: '$anna' },
        save: { credential: 'body[0].id' },
      },
      {
        op: 'DELETE /{realm}/users/{id}/credentials/{credentialId}',
        path: { id: '$anna', credentialId: '$credential' },
      },
      login('anna', 'local'),
      login('anna', 'anna'),
    ],
  },
];
