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

/** A kind of objects that can be chosen by a search. */
export type TargetKind = keyof typeof lists;

/** The screens of single objects, by their kinds. Flows have one screen together. */
export const routes = {
  user: '/$realm/users/$id',
  client: '/$realm/clients/$id',
  group: '/$realm/groups/$id',
  role: '/$realm/roles/$id',
  clientScope: '/$realm/client-scopes/$id',
  identityProvider: '/$realm/identity-providers/$id',
  directory: '/$realm/directories/$id',
  webhook: '/$realm/webhooks/$id',
} as const satisfies Record<Exclude<TargetKind, 'flow'>, string>;

/** The screen of an object. */
export type ObjectRoute = (typeof routes)[keyof typeof routes];
