// Names and addresses that somebody in the directory has are taken.
import { login, person, storage, update, user, users } from '../steps.mjs';

const create = (json, more = {}) => ({ op: 'POST /{realm}/users', json: { enabled: true, ...json }, ...more });
const partialImport = (json, ifResourceExists) => ({
  op: 'POST /{realm}/partialImport',
  json: { ifResourceExists, users: [json] },
  compare: 'status',
});
const local = { username: 'local', email: 'local@example.org' };
const ofAnna = { email: 'anna@example.org' };

const imports = ['true', 'false'].flatMap((importEnabled) => [
  {
    name: `a local user with a name or address of the directory is refused, importEnabled=${importEnabled}`,
    directory: [person('anna'), person('bert')],
    steps: [
      storage({ importEnabled }),
      create({ username: 'other', ...ofAnna }),
      create({ username: 'other', email: 'ANNA@Example.org' }),
      create({ username: 'anna' }),
      create({ username: 'ANNA', email: 'free@example.org' }),
      users({ username: 'other' }),
      login('anna@example.org', 'anna'),
    ],
  },
  {
    name: `a partial import does not take names and addresses of the directory, importEnabled=${importEnabled}`,
    directory: [person('anna'), person('bert')],
    steps: [
      storage({ importEnabled }),
      partialImport({ username: 'other', ...ofAnna }, 'FAIL'),
      partialImport({ username: 'bert' }, 'FAIL'),
      users({ username: 'other' }),
    ],
  },
]);

const allowed = ['true', 'false'].map((importEnabled) => ({
  name: `several users may have one address where the realm allows it, importEnabled=${importEnabled}`,
  realm: { loginWithEmailAllowed: false, duplicateEmailsAllowed: true },
  directory: [person('anna'), person('bert', { mail: 'anna@example.org' })],
  steps: [
    storage({ importEnabled }),
    create({ username: 'other', ...ofAnna }, { save: { other: 'location' } }),
    create(local, { save: { local: 'location' } }),
    update('local', ofAnna),
    login('anna'),
    login('bert'),
    users({ email: 'anna@example.org' }, { compare: 'length' }),
    create({ username: 'anna', email: 'free@example.org' }),
  ],
}));

const changed = {
  name: 'a local user does not get a name or address of the directory',
  realm: { editUsernameAllowed: true },
  directory: [person('anna'), person('bert')],
  steps: [
    storage(),
    users({ username: 'anna' }, { compare: 'length' }),
    users({ username: 'bert' }, { compare: 'length' }),
    create(local, { save: { local: 'location' } }),
    update('local', ofAnna),
    update('local', { email: 'BERT@example.org', firstName: 'Changed' }),
    update('local', { username: 'bert' }),
    user('local'),
    update('local', { email: 'free@example.org' }),
    user('local'),
    login('anna@example.org', 'anna'),
    login('bert@example.org', 'bert'),
  ],
};

const asUsername = {
  name: 'an address of the directory is taken where addresses are the user names',
  realm: { registrationEmailAsUsername: true },
  directory: [person('anna')],
  steps: [
    storage(),
    create(ofAnna),
    create({ email: 'local@example.org' }, { save: { local: 'location' } }),
    update('local', ofAnna),
    user('local'),
    login('anna@example.org', 'anna'),
  ],
};

export default [...imports, changed, ...allowed, asUsername];
