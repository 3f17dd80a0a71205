import type { AttackOfRole } from './attack.js';

export const onProviders: AttackOfRole[] = [
  ...['realm-management.realm-admin', 'chief'].map(
    (name): AttackOfRole => ({
      name: `maps users to ${name}`,
      method: 'POST',
      path: () => '/identity-provider/instances/corporate/mappers',
      body: () => ({
        name: 'm',
        identityProviderAlias: 'corporate',
        identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
        config: { role: name },
      }),
    }),
  ),
  {
    name: 'maps users to a group',
    method: 'POST',
    path: () => '/identity-provider/instances/corporate/mappers',
    body: () => ({
      name: 'm',
      identityProviderAlias: 'corporate',
      identityProviderMapper: 'oidc-advanced-group-idp-mapper',
      config: { group: '/admins' },
    }),
  },
  {
    name: 'maps its own account at a provider to that of an administrator',
    method: 'POST',
    path: () => '/identity-provider/instances/harmless/mappers',
    body: () => ({
      name: 'm',
      identityProviderAlias: 'corporate',
      identityProviderMapper: 'oidc-username-idp-mapper',
      config: { target: 'BROKER_ID', template: 'boss-there' },
    }),
  },
  {
    name: 'moves the provider that an administrator comes from',
    method: 'PUT',
    path: () => '/identity-provider/instances/corporate',
    body: () => ({
      alias: 'corporate',
      providerId: 'oidc',
      config: { clientId: 'x', authorizationUrl: 'https://evil.example/a', tokenUrl: 'https://evil.example/t' },
    }),
  },
];
