// One person, read after something changed in the directory.
import {
  dnOf,
  group,
  groupDn,
  groupMapper,
  groupsOf,
  login,
  person,
  role,
  roleDn,
  roleMapper,
  rolesOf,
  storage,
  sync,
  user,
  users,
} from '../steps.mjs';

const directory = [
  person('anna'),
  person('bert'),
  group('staff', [dnOf('anna')]),
  group('guests', [dnOf('bert')]),
  role('cook', [dnOf('anna')]),
  role('waiter', [dnOf('bert')]),
];
const everyKind = ['true', 'false'];
const modify = (dn, changes) => ({ ldap: 'modify', dn, changes });
const renamed = modify(dnOf('anna'), { sn: ['Changed'], cn: ['Other'] });
const moved = [
  modify(groupDn('staff'), { member: [dnOf('bert')] }),
  modify(groupDn('guests'), { member: [dnOf('anna')] }),
  modify(roleDn('cook'), { member: [dnOf('bert')] }),
  modify(roleDn('waiter'), { member: [dnOf('anna')] }),
];
const known = (importEnabled) =>
  importEnabled === 'true' ? [sync('triggerFullSync', '$ldap', { compare: 'status' })] : [];

const changed = everyKind.flatMap((importEnabled) =>
  ['READ_ONLY', 'LDAP_ONLY', 'IMPORT'].map((mode) => ({
    name: `read after changes in the directory, mappers ${mode}, importEnabled=${importEnabled}`,
    directory,
    steps: [
      storage({ importEnabled, editMode: 'WRITABLE', cachePolicy: 'NO_CACHE' }),
      groupMapper({ mode }),
      roleMapper({ mode }),
      ...known(importEnabled),
      users({ username: 'anna' }, { save: 'anna' }),
      renamed,
      ...moved,
      user('anna'),
      groupsOf('anna'),
      rolesOf('anna'),
      users({ username: 'anna' }, { note: 'the list' }),
    ],
  })),
);

const policies = [
  ['DEFAULT', {}],
  ['NO_CACHE', {}],
  ['MAX_LIFESPAN', { maxLifespan: '1000' }],
  ['EVICT_DAILY', { evictionHour: '4', evictionMinute: '30' }],
  ['EVICT_WEEKLY', { evictionDay: '2', evictionHour: '4', evictionMinute: '30' }],
];
const byPolicy = everyKind.flatMap((importEnabled) =>
  policies.map(([cachePolicy, more]) => ({
    name: `read again after changes in the directory, ${cachePolicy}, importEnabled=${importEnabled}`,
    directory,
    steps: [
      storage({ importEnabled, cachePolicy, ...more }),
      groupMapper(),
      ...known(importEnabled),
      users({ username: 'anna' }, { save: 'anna' }),
      user('anna'),
      groupsOf('anna'),
      renamed,
      ...moved,
      user('anna', { note: 'again' }),
      groupsOf('anna', { note: 'again' }),
      { ldap: 'delete', dn: dnOf('anna') },
      user('anna', { note: 'gone' }),
      groupsOf('anna', { note: 'gone' }),
      // without a search of its own a list goes by what is known here
      ...(cachePolicy === 'NO_CACHE' ? [users({ username: 'anna' }, { note: 'gone' })] : []),
    ],
  })),
);

const gone = everyKind.map((importEnabled) => ({
  name: `gone from the directory, importEnabled=${importEnabled}`,
  directory,
  steps: [
    storage({ importEnabled }),
    groupMapper(),
    ...known(importEnabled),
    users({ username: 'anna' }, { save: 'anna' }),
    { ldap: 'delete', dn: dnOf('anna') },
    user('anna', { compare: 'refused' }),
    ...(importEnabled === 'true' ? [groupsOf('anna'), rolesOf('anna')] : []),
    users({ username: 'anna' }),
    login('anna'),
    { op: 'POST /{realm}/users', json: { username: 'anna', enabled: true }, note: 'the name is free' },
    users({ username: 'anna' }, { compare: 'length' }),
  ],
}));

const goneAndBack = {
  name: 'gone from the directory, and back with another id',
  directory,
  steps: [
    storage(),
    users({ username: 'anna' }, { save: 'anna' }),
    { ldap: 'delete', dn: dnOf('anna') },
    { ldap: 'add', ...person('anna', { sn: 'Second' }) },
    user('anna', { compare: 'refused' }),
    users({ username: 'anna' }, { save: 'second' }),
    user('second'),
    login('anna'),
  ],
};

const renamedThere = ['true'].map((importEnabled) => ({
  name: `renamed in the directory, importEnabled=${importEnabled}`,
  directory,
  steps: [
    storage({ importEnabled, cachePolicy: 'NO_CACHE' }),
    ...known(importEnabled),
    users({ username: 'anna' }, { save: 'anna' }),
    { ldap: 'rename', dn: dnOf('anna'), to: dnOf('zoe') },
    user('anna'),
    users({ username: 'zoe' }, { save: 'zoe' }),
    user('zoe'),
    login('anna'),
    login('zoe', 'anna'),
  ],
}));

export default [...changed, ...byPolicy, ...gone, goneAndBack, ...renamedThere];
