/** Where the API has the objects of each kind. */
export const lists = {
  user: 'users',
  client: 'clients',
  group: 'groups',
  role: 'roles',
  clientScope: 'clientScopes',
  identityProvider: 'identityProviders',
  directory: 'userStorages',
  flow: 'authenticationFlows',
  webhook: 'webhooks',
} as const;

/** What can be chosen by a search. */
export type TargetKind = keyof typeof lists;
