// Setting passwords of users of a directory, in each edit mode.
import { dnOf, login, modeName, person, resetPassword, storage, storageModes, update, user, users } from '../steps.mjs';

const directory = [person('anna')];
const bind = (password) => ({ ldap: 'bind', dn: dnOf('anna'), password });
const ofAnna = (op, more = {}) => ({ op, path: { id: '$anna' }, ...more });
const start = (config) => [storage(config), users({ username: 'anna' }, { save: 'anna' })];
const credential = (value, temporary = false) => ({ credentials: [{ type: 'password', value, temporary }] });

const each = storageModes.flatMap((config) => [
  {
    name: `a new password, ${modeName(config)}`,
    directory,
    steps: [
      ...start(config),
      ofAnna('GET /{realm}/users/{id}/configured-user-storage-credential-types'),
      resetPassword('anna', 'second'),
      bind('anna'),
      bind('second'),
      login('anna', 'second'),
      login('anna', 'anna'),
      ofAnna('GET /{realm}/users/{id}/credentials'),
      ofAnna('GET /{realm}/users/{id}/configured-user-storage-credential-types'),
    ],
  },
  {
    name: `a password in an update, ${modeName(config)}`,
    directory,
    steps: [
      ...start(config),
      update('anna', credential('second')),
      bind('anna'),
      bind('second'),
      login('anna', 'second'),
    ],
  },
  {
    name: `disabling the password, ${modeName(config)}`,
    directory,
    steps: [
      ...start(config),
      ofAnna('PUT /{realm}/users/{id}/disable-credential-types', { json: ['password'] }),
      bind('anna'),
      login('anna'),
      user('anna'),
    ],
  },
]);

// a required action of a user that is not imported is an error of the reference server's own
const temporary = storageModes
  .filter(({ editMode, importEnabled }) => editMode === 'READ_ONLY' || importEnabled === 'true')
  .map((config) => ({
    name: `a temporary password, ${modeName(config)}`,
    directory,
    steps: [
      ...start(config),
      ofAnna('PUT /{realm}/users/{id}/reset-password', {
        json: { type: 'password', value: 'second', temporary: true },
      }),
      bind('second'),
      user('anna'),
      login('anna', 'second'),
    ],
  }));

const written = ['true', 'false'].flatMap((importEnabled) => [
  ...['true', 'false'].map((validatePasswordPolicy) => ({
    name: `a password that breaks the policy, validatePasswordPolicy=${validatePasswordPolicy}, importEnabled=${importEnabled}`,
    realm: { passwordPolicy: 'length(8)' },
    directory,
    steps: [
      ...start({ editMode: 'WRITABLE', importEnabled, validatePasswordPolicy }),
      resetPassword('anna', 'short'),
      bind('short'),
      resetPassword('anna', 'long enough'),
      bind('long enough'),
      login('anna', 'long enough'),
    ],
  })),
  {
    name: `the extended operation sets a password, importEnabled=${importEnabled}`,
    directory,
    steps: [
      ...start({ editMode: 'WRITABLE', importEnabled, usePasswordModifyExtendedOp: 'true' }),
      resetPassword('anna', 'second'),
      bind('second'),
      bind('anna'),
      login('anna', 'second'),
    ],
  },
]);

const policy = {
  name: 'a password that breaks the policy, editMode=UNSYNCED',
  realm: { passwordPolicy: 'length(8)' },
  directory,
  steps: [
    ...start({ editMode: 'UNSYNCED' }),
    resetPassword('anna', 'short'),
    login('anna'),
    resetPassword('anna', 'long enough'),
    login('anna', 'long enough'),
    login('anna'),
  ],
};

export default [...each, ...temporary, ...written, policy];
