// Attributes that only a user storage sets.
import { person, phoneMapper, storage, storageModes, update, user, users } from '../steps.mjs';

const own = { firstName: 'Given anna', lastName: 'Family anna', email: 'anna@example.org' };
const names = ['LDAP_ID', 'LDAP_ENTRY_DN', 'createTimestamp', 'modifyTimestamp', 'KERBEROS_PRINCIPAL'];
const create = (json, more = {}) => ({ op: 'POST /{realm}/users', json: { enabled: true, ...json }, ...more });

export default [
  {
    name: 'a local user is not created with attributes of user storages',
    steps: [
      ...names.map((name) => create({ username: 'local', attributes: { [name]: ['x'] } })),
      create({ username: 'local', attributes: { LDAP_ID: ['x'], LDAP_ENTRY_DN: ['y'] } }),
      create({ username: 'local', attributes: { ldap_id: ['x'] } }),
      create({ username: 'local', attributes: { CREATED_TIMESTAMP: ['x'] } }),
      users({ username: 'local' }),
      create({ username: 'empty', attributes: { LDAP_ID: [] } }, { save: { empty: 'location' } }),
      create({ username: 'blank', attributes: { LDAP_ID: [''] } }),
      create({ username: 'near', attributes: { LDAP_IDS: ['x'], userCertificate: ['x'] } }),
      users({ username: 'near' }),
    ],
  },
  {
    name: 'a local user does not get attributes of user storages',
    steps: [
      create({ username: 'local', attributes: { color: ['red'] } }, { save: { local: 'location' } }),
      ...names.map((name) => update('local', { attributes: { [name]: ['x'] } })),
      update('local', {
        firstName: 'Changed',
        attributes: { LDAP_ID: ['x'], KERBEROS_PRINCIPAL: ['y'], color: ['blue'] },
      }),
      update('local', { attributes: { Ldap_Entry_Dn: ['x'] } }),
      user('local'),
      update('local', { attributes: { LDAP_ID: [] } }),
      user('local'),
    ],
  },
  {
    name: 'what a partial import gave a user stays',
    steps: [
      {
        op: 'POST /{realm}/partialImport',
        json: {
          ifResourceExists: 'FAIL',
          users: [{ username: 'local', enabled: true, attributes: { LDAP_ID: ['x'], color: ['red'] } }],
        },
      },
      users({ username: 'local' }, { save: 'local' }),
      update('local', { attributes: { color: ['blue'] } }),
      user('local'),
      update('local', { attributes: { LDAP_ID: ['x'] } }),
      user('local'),
      update('local', { attributes: { LDAP_ID: ['y'] } }),
      update('local', { attributes: { LDAP_ID: [] } }),
      update('local', { attributes: {} }),
      user('local'),
    ],
  },
  ...storageModes.map((config) => ({
    name: `the attributes of a user of a directory stay, editMode=${config.editMode}, importEnabled=${config.importEnabled}`,
    directory: [person('anna', { telephoneNumber: '1' })],
    steps: [
      storage(config),
      phoneMapper(),
      users({ username: 'anna' }, { save: 'anna' }),
      update('anna', { attributes: { LDAP_ID: ['x'] } }),
      update('anna', { attributes: { LDAP_ENTRY_DN: ['x'], createTimestamp: ['y'] } }),
      update('anna', { ...own, attributes: { phone: ['1'] } }),
      user('anna'),
      update('anna', { firstName: 'Given anna' }),
      user('anna'),
    ],
  })),
];
