// What an update of a user changes here and in the directory, in each edit mode.
import { dnOf, modeName, person, phoneMapper, storage, storageModes, update, user, users } from '../steps.mjs';

const read = { ldap: 'read', dn: dnOf('anna') };
const directory = [person('anna', { telephoneNumber: ['1', '2'] })];
const start = (config) => [storage(config), phoneMapper(), users({ username: 'anna' }, { save: 'anna' })];

/** Each change with what is there afterwards. */
const changes = (list) => list.flatMap((json) => [update('anna', json), user('anna')]);

const names = { firstName: 'Given anna', lastName: 'Family anna', email: 'anna@example.org' };

export default storageModes.flatMap((config) => [
  {
    name: `names and address of a user, ${modeName(config)}`,
    directory,
    steps: [
      ...start(config),
      ...changes([
        names,
        { firstName: 'Changed' },
        { lastName: 'Changed' },
        { email: 'changed@example.org' },
        { firstName: '', lastName: '' },
        { email: '' },
      ]),
      read,
    ],
  },
  {
    name: `the user name, ${modeName(config)}`,
    realm: { editUsernameAllowed: true },
    directory,
    steps: [
      ...start(config),
      update('anna', { username: 'anna' }),
      update('anna', { username: 'hanna' }),
      users({ username: 'hanna' }),
      { ldap: 'list', dn: 'ou=people,$base' },
    ],
  },
  {
    name: `attributes of a user, ${modeName(config)}`,
    directory,
    steps: [
      ...start(config),
      ...changes([
        { ...names, attributes: { phone: ['1', '2'] } },
        { ...names, attributes: { phone: ['3'] } },
        { ...names, attributes: { phone: ['3', '4'], color: ['red'] } },
        { ...names, attributes: { phone: [''] } },
        { ...names, attributes: {} },
      ]),
      read,
    ],
  },
  {
    name: `account of a user, ${modeName(config)}`,
    directory,
    steps: [
      ...start(config),
      ...changes([
        { enabled: true },
        { emailVerified: true },
        { requiredActions: ['UPDATE_PROFILE'] },
        { requiredActions: [] },
        { enabled: false },
        { enabled: true },
      ]),
      read,
    ],
  },
  {
    name: `a refused update stores nothing, ${modeName(config)}`,
    directory,
    steps: [
      ...start(config),
      ...changes([
        ...(config.editMode === 'READ_ONLY'
          ? [{ enabled: false, emailVerified: true, firstName: 'Changed', attributes: { phone: ['9'] } }]
          : []),
        { enabled: false, requiredActions: ['UPDATE_PROFILE'], attributes: { LDAP_ID: ['x'], phone: ['9'] } },
      ]),
      read,
    ],
  },
]);
