/** Modes with which objects that are not in a file are not looked at, for all kinds. */
export const keepEverything = Object.fromEntries(
  [
    ...['users', 'groups', 'roles', 'clientRoles', 'clients', 'clientScopes', 'authenticationFlows', 'requiredActions'],
    ...['authenticatorConfig', 'identityProviders', 'identityProviderMappers', 'components', 'webhooks'],
  ].map((kind) => [kind, 'KEEP']),
);
