/** The administration roles with what each comes with, as recorded: the roles to view bring those to query. */
const roles: Record<string, string[]> = {
  'create-client': [],
  impersonation: [],
  'manage-authorization': [],
  'manage-clients': [],
  'manage-events': [],
  'manage-identity-providers': [],
  'manage-realm': [],
  'manage-users': [],
  'query-clients': [],
  'query-groups': [],
  'query-realms': [],
  'query-users': [],
  'view-authorization': [],
  'view-clients': ['query-clients'],
  'view-events': [],
  'view-identity-providers': [],
  'view-realm': [],
  'view-users': ['query-users', 'query-groups'],
};

export const roleNames = Object.keys(roles);

const viewUsers = ['view-users', 'manage-users'];
const viewClients = ['view-clients', 'manage-clients'];
const viewRealm = ['view-realm', 'manage-realm'];
const queries = ['query-users', 'query-groups', 'query-clients', 'query-realms'];

/** The rule: which roles open what, any one of them. Said here once more, apart from the code that is tested. */
const rule: Record<string, readonly string[]> = {
  'query:realm': [...viewRealm, ...queries],
  'view:realm': viewRealm,
  'manage:realm': ['manage-realm'],
  'query:users': ['query-users', ...viewUsers],
  'view:users': viewUsers,
  'manage:users': ['manage-users'],
  'map-roles:users': ['manage-users'],
  'manage-membership:users': ['manage-users'],
  'impersonate:users': ['impersonation'],
  'query:groups': ['query-groups', ...viewUsers],
  'count:groups': roleNames,
  'view:groups': viewUsers,
  'view:members': viewUsers,
  'manage:groups': ['manage-users'],
  'manage-membership:groups': ['manage-users'],
  'query:clients': ['query-clients', 'query-users', ...viewClients],
  'view:clients': viewClients,
  'create:clients': ['manage-clients', 'create-client'],
  'manage:clients': ['manage-clients'],
  'configure:clients': ['manage-clients'],
  'list:client-roles': ['query-clients', ...viewClients],
  // the names of client scopes, in the settings of something else
  'told:client-scopes': ['query-clients', ...viewClients, ...viewRealm],
  'list:client-scopes': ['query-clients', ...viewClients],
  'view:flows': [...viewRealm, 'query-clients', 'view-clients'],
  'view:required-actions': [...viewRealm, 'query-users', 'view-users'],
  'view:authorization': ['view-authorization', 'manage-authorization'],
  'manage:authorization': ['manage-authorization', 'manage-clients'],
  'manage:permissions': ['manage-authorization'],
  'view:identity-providers': ['view-identity-providers', 'manage-identity-providers'],
  'manage:identity-providers': ['manage-identity-providers'],
  'view:events': ['view-events', 'manage-events'],
  'manage:events': ['manage-events'],
  'any:admin': roleNames.filter((role) => role !== 'impersonation'),
  'any:caller': roleNames,
  'create:realm': [],
};

/** Every permission that the schema names. */
export const permissionNames = Object.keys(rule).filter((name) => !name.startsWith('told:'));

/** Whether a caller with one role may. */
export function may(role: string, permission: string): boolean {
  const open = rule[permission];
  if (!open) throw new Error(`there is no rule ${permission}`);
  return [role, ...(roles[role] ?? [])].some((held) => open.includes(held));
}

/** A user for each role, named like it, with the password `pw`. */
export const singleRoleUsers = roleNames.map((role) => ({
  username: role,
  enabled: true,
  credentials: [{ type: 'password', value: 'pw' }],
  clientRoles: { 'realm-management': [role] },
}));

export const realmAdmin = {
  username: 'boss',
  enabled: true,
  credentials: [{ type: 'password', value: 'pw' }],
  clientRoles: { 'realm-management': ['realm-admin'] },
};
