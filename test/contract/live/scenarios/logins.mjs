// Logging in with the password that somebody has in the directory.
import { dnOf, login, person, storage, user, users } from '../steps.mjs';

export default ['true', 'false'].map((importEnabled) => ({
  name: `login with the password of the directory, importEnabled=${importEnabled}`,
  directory: [person('anna'), person('bert', { mail: null })],
  steps: [
    storage({ importEnabled }),
    { ldap: 'bind', dn: dnOf('anna'), password: 'anna' },
    login('anna'),
    login('ANNA', 'anna'),
    login('anna', 'wrong'),
    login('anna', ''),
    login('anna@example.org', 'anna'),
    login('bert'),
    login('nobody'),
    users({ username: 'anna' }, { save: 'anna' }),
    user('anna'),
    { ldap: 'modify', dn: dnOf('anna'), changes: { userPassword: ['changed'] } },
    login('anna', 'anna', { note: 'changed in the directory' }),
    login('anna', 'changed'),
    { ldap: 'delete', dn: dnOf('bert') },
    login('bert', 'bert', { note: 'gone from the directory', compare: 'refused' }),
    { ldap: 'read', dn: dnOf('bert') },
  ],
}));
