import { type AttackOfRole, admins, rm, role } from './attack.js';

export const onRolesOfClients: AttackOfRole[] = [
  ...['manage-users', 'realm-admin', 'query-users'].flatMap((name): AttackOfRole[] => [
    {
      name: `renames ${name}`,
      method: 'PUT',
      path: (ids) => `${rm(ids)}/roles/${name}`,
      body: () => ({ name: 'harmless' }),
    },
    {
      name: `renames ${name} by id`,
      method: 'PUT',
      path: (ids) => `/roles-by-id/${ids.rights[name]}`,
      body: () => ({ name: 'harmless' }),
    },
    { name: `deletes ${name}`, method: 'DELETE', path: (ids) => `${rm(ids)}/roles/${name}` },
    { name: `deletes ${name} by id`, method: 'DELETE', path: (ids) => `/roles-by-id/${ids.rights[name]}` },
    {
      name: `adds to ${name}`,
      method: 'POST',
      path: (ids) => `${rm(ids)}/roles/${name}/composites`,
      body: (ids) => [role(ids.roles.plain, 'plain')],
    },
  ]),
  {
    name: 'takes realm-admin apart',
    method: 'DELETE',
    path: (ids) => `${rm(ids)}/roles/realm-admin/composites`,
    body: admins,
  },
  {
    name: 'adds to the own role',
    method: 'POST',
    path: (ids) => `${rm(ids)}/roles/manage-clients/composites`,
    body: admins,
  },
  {
    name: 'makes a composite of them',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients.app}/roles/app-role/composites`,
    body: admins,
  },
  {
    name: 'makes a role in realm-management',
    method: 'POST',
    path: (ids) => `${rm(ids)}/roles`,
    body: () => ({ name: 'manage-everything' }),
  },
  { name: 'deletes realm-management', method: 'DELETE', path: rm },
  { name: 'renames realm-management', method: 'PUT', path: rm, body: () => ({ clientId: 'harmless' }) },
  { name: 'disables realm-management', method: 'PUT', path: rm, body: () => ({ enabled: false }) },
  {
    name: 'changes where the console sends codes',
    method: 'PUT',
    path: (ids) => `/clients/${ids.clients['security-admin-console']}`,
    body: () => ({ redirectUris: ['https://evil.example/*'] }),
  },
  {
    name: 'gives the console a client scope',
    method: 'PUT',
    path: (ids) => `/clients/${ids.clients['security-admin-console']}/optional-client-scopes/${ids.scope}`,
  },
  {
    name: 'takes a client scope from admin-cli',
    method: 'DELETE',
    path: (ids) => `/clients/${ids.clients['admin-cli']}/default-client-scopes/${ids.scope}`,
  },
  { name: 'deletes admin-cli', method: 'DELETE', path: (ids) => `/clients/${ids.clients['admin-cli']}` },
  {
    name: 'scopes a client to them',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients.app}/scope-mappings${rm(ids)}`,
    body: admins,
  },
  {
    name: 'scopes a client to a composite',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients.app}/scope-mappings/realm`,
    body: (ids) => [role(ids.roles.chief, 'chief')],
  },
  {
    name: 'reads the secret of a service account that is above',
    method: 'GET',
    path: (ids) => `/clients/${ids.clients.robot}/client-secret`,
  },
  { name: 'makes a new secret of it', method: 'POST', path: (ids) => `/clients/${ids.clients.robot}/client-secret` },
  {
    name: 'sets its secret',
    method: 'PUT',
    path: (ids) => `/clients/${ids.clients.robot}`,
    body: () => ({ secret: 'mine' }),
  },
  {
    name: 'supplies its keys',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients.robot}/certificates/jwt.credential/generate`,
  },
  {
    name: 'gets its registration token',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients.robot}/registration-access-token`,
  },
  { name: 'deletes it', method: 'DELETE', path: (ids) => `/clients/${ids.clients.robot}` },
];
