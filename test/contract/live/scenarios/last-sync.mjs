// Where the synchronisation of changed users begins: at the time of the last one, which is among the settings.
import {
  changedComponent,
  componentOf,
  dnOf,
  person,
  storage,
  storageConfig,
  storageKind,
  sync,
  users,
} from '../steps.mjs';

const changedSync = (more) => sync('triggerChangedUsersSync', '$ldap', more);
const set = (config, note) => changedComponent('ldap', storageKind, { ...storageConfig, ...config }, { note });
const everybody = users({ max: 50 });
const forget = { op: 'DELETE /{realm}/users/{id}', path: { id: '$anna' } };
// the entries are older than the first synchronisation
const start = [
  storage(),
  sync('triggerFullSync', '$ldap', { wait: 1500 }),
  users({ username: 'anna' }, { save: 'anna' }),
  changedSync({ wait: 1500, note: 'nothing changed' }),
];
const restarts = [...start, forget];
const directory = [person('anna'), person('bert')];

export default [
  ...[
    ['is set to the beginning', { lastSync: '0' }],
    ['is taken away', { lastSync: [] }],
    ['is negative', { lastSync: '-1' }],
    ['is empty', { lastSync: '' }],
  ].map(([title, config]) => ({
    name: `changed users where the time of the last synchronisation ${title}`,
    directory,
    steps: [...restarts, set(config), changedSync(), everybody, changedSync({ wait: 1500 }), componentOf('ldap')],
  })),
  {
    name: 'changed users where the last synchronisation is in the time to come',
    directory,
    steps: [
      storage(),
      sync(),
      users({ username: 'anna' }, { save: 'anna' }),
      set({ lastSync: '2000000000' }),
      { ldap: 'modify', dn: dnOf('anna'), changes: { sn: ['Changed'] } },
      { ldap: 'add', ...person('cleo') },
      changedSync(),
      users({ max: 50 }, { compare: 'length' }),
    ],
  },
  {
    name: 'changed users where a change leaves the time of the last synchronisation out',
    directory,
    steps: [...start, set({ priority: '3' }, 'without lastSync'), changedSync({ wait: 1500 }), componentOf('ldap')],
  },
  {
    name: 'changed users of a new storage with the time of a synchronisation',
    directory,
    steps: [storage({ lastSync: '2000000000' }), changedSync(), everybody],
  },
];
