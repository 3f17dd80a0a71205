import { type AttackOfRole, admins, realm, role } from './attack.js';

export const onRealm: AttackOfRole[] = [
  {
    name: 'makes the administrators a default group',
    method: 'PUT',
    path: (ids) => `/default-groups/${ids.groups.admins}`,
  },
  { name: 'makes a group below them one', method: 'PUT', path: (ids) => `/default-groups/${ids.groups.inner}` },
  {
    name: 'adds them to the default role',
    method: 'POST',
    path: () => `/roles/default-roles-${realm}/composites`,
    body: admins,
  },
  {
    name: 'adds a composite to the default role',
    method: 'POST',
    path: () => `/roles/default-roles-${realm}/composites`,
    body: (ids) => [role(ids.roles.chief, 'chief')],
  },
  { name: 'adds them to a role', method: 'POST', path: () => '/roles/plain/composites', body: admins },
  {
    name: 'takes a role of administrators apart',
    method: 'DELETE',
    path: () => '/roles/chief/composites',
    body: (ids) => [role(ids.rights['realm-admin'], 'realm-admin')],
  },
  { name: 'deletes a role of administrators', method: 'DELETE', path: () => '/roles/chief' },
  ...['rsa-generated', 'hmac-generated', 'rsa'].map(
    (providerId): AttackOfRole => ({
      name: `adds keys of the kind ${providerId}`,
      method: 'POST',
      path: () => '/components',
      body: () => ({
        name: 'k',
        providerId,
        providerType: 'org.keycloak.keys.KeyProvider',
        config: { priority: ['200'], secret: ['AAAA'], kid: ['mine'] },
      }),
    }),
  ),
  ...[
    { providerId: 'hardcoded-ldap-role-mapper', config: { role: ['realm-management.realm-admin'] } },
    { providerId: 'hardcoded-ldap-role-mapper', config: { role: ['chief'] } },
    { providerId: 'hardcoded-ldap-group-mapper', config: { group: ['/admins'] } },
    {
      providerId: 'role-ldap-mapper',
      config: {
        'roles.dn': ['ou=r'],
        mode: ['READ_ONLY'],
        'use.realm.roles.mapping': ['false'],
        'client.id': ['realm-management'],
      },
    },
    {
      providerId: 'role-ldap-mapper',
      config: { 'roles.dn': ['ou=r'], mode: ['READ_ONLY'], 'use.realm.roles.mapping': ['true'] },
    },
    { providerId: 'group-ldap-mapper', config: { 'groups.dn': ['ou=g'], mode: ['READ_ONLY'], 'groups.path': ['/'] } },
    {
      providerId: 'group-ldap-mapper',
      config: { 'groups.dn': ['ou=g'], mode: ['READ_ONLY'], 'groups.path': ['/admins'] },
    },
  ].map(
    (mapper): AttackOfRole => ({
      name: `maps by ${mapper.providerId} ${JSON.stringify(mapper.config)}`,
      method: 'POST',
      path: () => '/components',
      body: () => ({
        name: 'm',
        parentId: 'somewhere',
        providerType: 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper',
        ...mapper,
      }),
    }),
  ),
];
