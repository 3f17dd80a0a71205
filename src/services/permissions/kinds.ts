/** What management permissions can be switched on for, and the scopes that each kind has. */
export const scopesOf = {
  role: ['map-role', 'map-role-client-scope', 'map-role-composite'],
  group: ['manage', 'manage-members', 'manage-membership', 'view', 'view-members'],
  client: [
    'configure',
    'manage',
    'map-roles',
    'map-roles-client-scope',
    'map-roles-composite',
    'token-exchange',
    'view',
  ],
  /** all users of a realm together */
  users: ['impersonate', 'manage', 'manage-group-membership', 'map-roles', 'user-impersonated', 'view'],
  'identity-provider': ['token-exchange'],
} as const satisfies Record<string, readonly string[]>;

export type PermissionKind = keyof typeof scopesOf;
