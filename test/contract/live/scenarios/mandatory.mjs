// Attributes that entries of the directory must have, when they are taken away here.
import { dnOf, login, mapper, person, storage, update, user, users } from '../steps.mjs';

const attribute = (name, ldap, more = {}) =>
  mapper(name, 'user-attribute-ldap-mapper', {
    'user.model.attribute': name,
    'ldap.attribute': ldap,
    'read.only': 'false',
    'always.read.value.from.ldap': 'false',
    'is.mandatory.in.ldap': 'true',
    ...more,
  });
const read = { ldap: 'read', dn: dnOf('anna') };
const names = { firstName: 'Given anna', lastName: 'Family anna', email: 'anna@example.org' };

export default ['true', 'false'].flatMap((importEnabled) => [
  {
    name: `blank values in the directory, importEnabled=${importEnabled}`,
    directory: [person('anna', { employeeType: [' '], description: ['a', ' '], sn: ' ' })],
    steps: [
      storage({ editMode: 'WRITABLE', importEnabled }),
      attribute('kind', 'employeeType'),
      attribute('about', 'description', { 'is.mandatory.in.ldap': 'false' }),
      users({ username: 'anna' }, { save: 'anna' }),
      user('anna'),
      login('anna'),
    ],
  },
  {
    name: `a mandatory attribute is taken away, importEnabled=${importEnabled}`,
    directory: [person('anna', { employeeType: 'a' })],
    steps: [
      storage({ editMode: 'WRITABLE', importEnabled }),
      attribute('kind', 'employeeType'),
      users({ username: 'anna' }, { save: 'anna' }),
      update('anna', { ...names, attributes: {} }),
      read,
      user('anna'),
      users({ username: 'anna' }),
      update('anna', { ...names, attributes: { kind: ['b'] } }),
      user('anna'),
      update('anna', { ...names, attributes: { kind: [''] } }),
      user('anna'),
      read,
    ],
  },
  {
    name: `a mandatory attribute with a default value is taken away, importEnabled=${importEnabled}`,
    directory: [person('anna', { employeeType: 'a' })],
    steps: [
      storage({ editMode: 'WRITABLE', importEnabled }),
      attribute('kind', 'employeeType', { 'attribute.default.value': 'none' }),
      users({ username: 'anna' }, { save: 'anna' }),
      update('anna', { ...names, attributes: {} }),
      read,
      user('anna'),
      users({ username: 'anna' }),
    ],
  },
  {
    name: `a name that the directory must have is taken away, importEnabled=${importEnabled}`,
    directory: [person('anna')],
    steps: [
      storage({ editMode: 'WRITABLE', importEnabled }),
      users({ username: 'anna' }, { save: 'anna' }),
      update('anna', { ...names, lastName: '' }),
      read,
      user('anna'),
      users({ username: 'anna' }),
      login('anna'),
    ],
  },
]);
