/** The administration roles of a realm: roles of `realm-management`, or of `<realm>-realm` in the master realm. */
export const adminRoles = [
  'create-client',
  'impersonation',
  'manage-authorization',
  'manage-clients',
  'manage-events',
  'manage-identity-providers',
  'manage-realm',
  'manage-users',
  'query-clients',
  'query-groups',
  'query-realms',
  'query-users',
  'view-authorization',
  'view-clients',
  'view-events',
  'view-identity-providers',
  'view-realm',
  'view-users',
] as const;

export type AdminRole = (typeof adminRoles)[number];

const queries = ['query-users', 'query-clients', 'query-groups', 'query-realms'] as const satisfies AdminRole[];

/**
 * The roles of each permission: any one of them gives it. `query` allows callers to request a list, which then shows
 * only the objects that `view` allows. It also decides whether a caller may learn that an ID does not exist.
 */
export const permissionRoles = {
  'query:realm': ['view-realm', 'manage-realm', ...queries],
  'view:realm': ['view-realm', 'manage-realm'],
  'manage:realm': ['manage-realm'],
  'query:users': ['query-users', 'view-users', 'manage-users'],
  'view:users': ['view-users', 'manage-users'],
  'manage:users': ['manage-users'],
  'map-roles:users': ['manage-users'],
  'manage-membership:users': ['manage-users'],
  'impersonate:users': ['impersonation'],
  'query:groups': ['query-groups', 'view-users', 'manage-users'],
  'count:groups': adminRoles,
  'view:groups': ['view-users', 'manage-users'],
  'view:members': ['view-users', 'manage-users'],
  'manage:groups': ['manage-users'],
  'manage-membership:groups': ['manage-users'],
  'query:clients': ['query-clients', 'query-users', 'view-clients', 'manage-clients'],
  'view:clients': ['view-clients', 'manage-clients'],
  'create:clients': ['manage-clients', 'create-client'],
  'manage:clients': ['manage-clients'],
  'configure:clients': ['manage-clients'],
  'list:client-roles': ['query-clients', 'view-clients', 'manage-clients'],
  'list:client-scopes': ['query-clients', 'view-clients', 'manage-clients'],
  'view:flows': ['view-realm', 'manage-realm', 'query-clients', 'view-clients'],
  'view:required-actions': ['view-realm', 'manage-realm', 'query-users', 'view-users'],
  'view:authorization': ['view-authorization', 'manage-authorization'],
  'manage:authorization': ['manage-authorization', 'manage-clients'],
  'manage:permissions': ['manage-authorization'],
  'view:identity-providers': ['view-identity-providers', 'manage-identity-providers'],
  'manage:identity-providers': ['manage-identity-providers'],
  'view:events': ['view-events', 'manage-events'],
  'manage:events': ['manage-events'],
  'any:admin': adminRoles.filter((role) => role !== 'impersonation'),
} as const satisfies Record<string, readonly AdminRole[]>;

/**
 * A permission in one realm, as operations name it. `create:realm` is checked in the master realm. `any:caller` is open
 * to callers with a valid token, for operations that filter their answer themselves.
 */
export type Permission = keyof typeof permissionRoles | 'create:realm' | 'any:caller';

/** Every permission. */
export const permissionNames: readonly Permission[] = [
  ...(Object.keys(permissionRoles) as (keyof typeof permissionRoles)[]),
  'create:realm',
  'any:caller',
];

/** The roles that give a permission, in words. */
export function rolesFor(permission: Permission): string {
  if (permission === 'any:caller') return 'every caller with a valid token';
  if (permission === 'create:realm') return 'the role create-realm of the master realm';
  const roles: readonly string[] = permissionRoles[permission];
  return roles.length === 1 ? `the role ${roles[0]}` : `any of the roles ${roles.join(', ')}`;
}
