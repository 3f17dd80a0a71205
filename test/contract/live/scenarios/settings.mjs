// What settings of storages are taken, with the texts of the refusals.
import {
  changedComponent,
  componentOf,
  componentsBelow,
  mapper,
  person,
  storage,
  storageConfig,
  storageKind,
  sync,
  titled,
} from '../steps.mjs';

// as an administrator sends them: without the switch, which is on by itself
const { enabled: _, ...base } = storageConfig;
const change = (id, config, more) => changedComponent(id, storageKind, config, more);

const storageSettings = [
  [{ startTls: 'true', connectionPooling: 'true' }],
  [{ startTls: 'true', connectionPooling: 'false' }],
  [{ connectionTimeout: 'soon' }],
  [{ connectionTimeout: '1.5' }],
  [{ connectionTimeout: '-1' }],
  [{ connectionTimeout: '99999999999' }],
  [{ readTimeout: 'later' }],
  [{ readTimeout: '', connectionTimeout: '' }],
  [{ priority: 'high' }],
  [{ batchSizeForSync: 'many' }],
  [{ batchSizeForSync: '0' }],
  [{ fullSyncPeriod: '-1', changedSyncPeriod: '-1' }],
  [{ customUserSearchFilter: 'uid=anna' }],
  [{ customUserSearchFilter: '(uid=anna' }],
  [{ customUserSearchFilter: ' (uid=anna) ' }],
  [{ editMode: 'UNSYNCED', importEnabled: 'false' }],
  [{ editMode: '' }],
  [{ editMode: 'SOMETIMES' }, { compare: 'refused' }],
  [{ fullSyncPeriod: 'often' }, { compare: 'refused' }],
  [{ connectionUrl: '' }],
  [{ usersDn: '' }],
  [{ uuidLDAPAttribute: '' }],
  [{ userObjectClasses: '' }],
  [{ searchScope: '7' }],
  [{ vendor: 'unheard-of' }],
];

const storages = {
  name: 'settings of a new storage',
  directory: [],
  steps: storageSettings.map(([config, more]) => ({ ...storage(config), save: {}, note: titled(config), ...more })),
};

const changes = {
  name: 'settings of a storage that is changed',
  directory: [],
  steps: [
    storage(),
    ...storageSettings.map(([config, more]) =>
      change('ldap', { ...base, ...config }, { note: titled(config), ...more }),
    ),
    componentOf('ldap'),
  ],
};

const withoutConfig = {
  name: 'storages and mappers without config',
  directory: [],
  steps: [
    { ...storage(), json: { name: 'bare', ...storageKind }, save: { bare: 'location' } },
    componentOf('bare'),
    componentsBelow('bare'),
    storage(),
    ...[
      'msad-user-account-control-mapper',
      'msad-lds-user-account-control-mapper',
      'user-attribute-ldap-mapper',
      'certificate-ldap-mapper',
      'full-name-ldap-mapper',
      'group-ldap-mapper',
      'role-ldap-mapper',
      'hardcoded-attribute-mapper',
      'hardcoded-ldap-attribute-mapper',
      'hardcoded-ldap-role-mapper',
      'hardcoded-ldap-group-mapper',
    ].map((providerId) => {
      const { json, ...step } = mapper(providerId.replaceAll('-', '_'), providerId, {});
      const { config, ...bare } = json;
      return { ...step, json: bare, note: providerId, save: {} };
    }),
  ],
};

const lastSync = {
  name: 'the time of the last synchronisation is among the settings of the storage',
  directory: [person('anna')],
  steps: [
    storage({ fullSyncPeriod: '-1', changedSyncPeriod: '-1' }),
    componentOf('ldap'),
    sync('triggerChangedUsersSync'),
    componentOf('ldap'),
    sync(),
    componentOf('ldap'),
    { op: 'GET /{realm}/components', query: { parent: '$realm', name: 'ldap' } },
    change('ldap', { lastSync: '0' }),
    componentOf('ldap'),
    change('ldap', { lastSync: [] }),
    componentOf('ldap'),
    change('ldap', { priority: '3' }),
    componentOf('ldap'),
    storage({ lastSync: '1234567890' }, { name: 'other' }),
    componentOf('other'),
  ],
};
const lastSyncOff = {
  name: 'a storage without imports, and one that is disabled, are not synchronised',
  directory: [person('anna')],
  steps: [
    storage({ importEnabled: 'false' }),
    sync(),
    sync('triggerChangedUsersSync'),
    componentOf('ldap'),
    change('ldap', { importEnabled: 'true', enabled: 'false' }),
    sync(),
    componentOf('ldap'),
  ],
};

export default [storages, changes, withoutConfig, lastSync, lastSyncOff];
