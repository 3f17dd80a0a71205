// WRITABLE: creating, changing and deleting users of the directory, and what mappers write.
import { dnOf, login, mapper, mapperType, person, storage, update, user, users } from '../steps.mjs';

const attribute = (name, ldap, more = {}) =>
  mapper(name, 'user-attribute-ldap-mapper', {
    'user.model.attribute': name,
    'ldap.attribute': ldap,
    'read.only': 'false',
    'always.read.value.from.ldap': 'false',
    'is.mandatory.in.ldap': 'false',
    ...more,
  });
const read = (uid = 'anna') => ({ ldap: 'read', dn: dnOf(uid) });
const list = { ldap: 'list', dn: 'ou=people,$base' };
const names = { firstName: 'Given anna', lastName: 'Family anna', email: 'anna@example.org' };
const both = (build) =>
  ['true', 'false'].flatMap((importEnabled) => build(importEnabled, `, importEnabled=${importEnabled}`));
const create = (json, more = {}) => ({ op: 'POST /{realm}/users', json, ...more });
const withoutMapper = (name) => [
  {
    op: 'GET /{realm}/components',
    query: { type: mapperType, parent: '$ldap' },
    save: { gone: `body[name=${name}].id` },
    compare: 'length',
  },
  { op: 'DELETE /{realm}/components/{id}', path: { id: '$gone' } },
];

export default both((importEnabled, named) => {
  const config = { editMode: 'WRITABLE', importEnabled };
  const registering = { ...config, syncRegistrations: 'true' };
  // a user that is not imported has the blank as an empty value
  const whatIsHere = importEnabled === 'true' ? [user('anna')] : [];
  const start = [storage(config), users({ username: 'anna' }, { save: 'anna' })];
  return [
    {
      name: `an attribute that is left out goes from the directory${named}`,
      directory: [person('anna', { telephoneNumber: ['1', '2'], employeeType: 'a', description: 'here' })],
      steps: [
        storage(config),
        attribute('phone', 'telephoneNumber'),
        attribute('kind', 'employeeType', { 'is.mandatory.in.ldap': 'true' }),
        attribute('about', 'description', { 'read.only': 'true' }),
        users({ username: 'anna' }, { save: 'anna' }),
        update('anna', { ...names, attributes: { phone: ['2', '3'], kind: ['b'], about: ['here'] } }),
        read(),
        update('anna', { ...names, attributes: { about: ['here'] } }),
        read(),
        ...whatIsHere,
      ],
    },
    {
      name: `a mapper that only reads${named}`,
      directory: [person('anna', { description: 'here' })],
      steps: [
        storage(config),
        attribute('about', 'description', { 'read.only': 'true' }),
        users({ username: 'anna' }, { save: 'anna' }),
        update('anna', { ...names, attributes: { about: ['changed'] } }),
        user('anna'),
        read(),
      ],
    },
    {
      name: `a default value stands where a mandatory attribute is taken away${named}`,
      directory: [person('anna', { employeeType: 'a' })],
      steps: [
        storage(config),
        attribute('kind', 'employeeType', { 'is.mandatory.in.ldap': 'true', 'attribute.default.value': 'none' }),
        users({ username: 'anna' }, { save: 'anna' }),
        update('anna', { ...names, attributes: {} }),
        read(),
        ...whatIsHere,
      ],
    },
    {
      name: `the full name is written from first and last name${named}`,
      directory: [person('anna', { cn: 'Anna Muster', sn: 'Muster' })],
      steps: [
        storage(config),
        ...withoutMapper('first name'),
        mapper('full name', 'full-name-ldap-mapper', {
          'ldap.full.name.attribute': 'cn',
          'read.only': 'false',
          'write.only': 'false',
        }),
        users({ username: 'anna' }, { save: 'anna' }),
        update('anna', { firstName: 'Hanna' }),
        read(),
        update('anna', { lastName: 'Huber' }),
        read(),
        user('anna'),
      ],
    },
    {
      name: `a new user is written to the directory${named}`,
      directory: [person('zoe')],
      steps: [
        storage(registering),
        attribute('phone', 'telephoneNumber'),
        create(
          {
            username: 'Hanna',
            email: 'hanna@example.org',
            firstName: 'Given',
            lastName: 'Family',
            enabled: true,
            attributes: { phone: ['1', '2'], color: ['red'] },
            credentials: [{ type: 'password', value: 'secret' }],
          },
          { save: { hanna: 'location' } },
        ),
        read('hanna'),
        { ldap: 'bind', dn: dnOf('hanna'), password: 'secret' },
        login('hanna', 'secret'),
        user('hanna'),
        { op: 'DELETE /{realm}/users/{id}', path: { id: '$hanna' } },
        list,
        user('hanna'),
      ],
    },
    {
      name: `a new user with nothing but a name${named}`,
      directory: [person('zoe')],
      steps: [
        storage(registering),
        create({ username: 'bare' }, { save: { bare: 'location' } }),
        read('bare'),
        user('bare'),
        create(
          { username: 'disabled', enabled: false, email: 'disabled@example.org' },
          { save: { disabled: 'location' } },
        ),
        read('disabled'),
        user('disabled'),
      ],
    },
    {
      name: `a new user with a name or address that somebody in the directory has${named}`,
      directory: [person('anna')],
      steps: [
        storage(registering),
        create({ username: 'anna', enabled: true }),
        create({ username: 'other', email: 'anna@example.org', enabled: true }),
        list,
      ],
    },
    {
      name: `new users stay here where the storage does not take them${named}`,
      directory: [person('zoe')],
      steps: [
        storage(config),
        create({ username: 'local', enabled: true }, { save: { local: 'location' } }),
        list,
        user('local'),
      ],
    },
    {
      name: `a user is renamed${named}`,
      realm: { editUsernameAllowed: true },
      directory: [person('anna')],
      steps: [
        ...start,
        update('anna', { username: 'hanna' }),
        list,
        read('hanna'),
        users({ username: 'hanna' }, { save: 'hanna' }),
        login('hanna', 'anna'),
        login('anna', 'anna'),
      ],
    },
    {
      name: `a user is deleted${named}`,
      directory: [person('anna'), person('bert')],
      steps: [
        ...start,
        { op: 'DELETE /{realm}/users/{id}', path: { id: '$anna' } },
        list,
        user('anna'),
        login('anna', 'anna', { compare: 'refused' }),
      ],
    },
    ...['READ_ONLY', ...(importEnabled === 'true' ? ['UNSYNCED'] : [])].map((editMode) => ({
      name: `deleting a user leaves the directory as it is, editMode=${editMode}${named}`,
      directory: [person('anna')],
      steps: [
        storage({ editMode, importEnabled }),
        users({ username: 'anna' }, { save: 'anna' }),
        { op: 'DELETE /{realm}/users/{id}', path: { id: '$anna' } },
        list,
        users({ username: 'anna' }),
        login('anna'),
      ],
    })),
  ];
});
