import { message } from './message.js';

/** A role in the tables of this folder; composites are names in the same container. */
export interface DefaultRole {
  name: string;
  description: string;
  composites?: readonly string[];
}

const keyed = (name: string, composites?: readonly string[]): DefaultRole => ({
  name,
  description: message(`role_${name}`),
  ...(composites && { composites }),
});

/** Name of the role that every new user of a realm gets. */
export const defaultRoleName = (realm: string): string => `default-roles-${realm.toLowerCase()}`;
export const defaultRoleDescription = message('role_default-roles');

export const offlineAccess = { name: 'offline_access', description: message('role_offline-access') } as const;
export const umaAuthorization = { name: 'uma_authorization', description: message('role_uma_authorization') } as const;

/** The roles for administering one realm: of `realm-management` in the realm and of `<realm>-realm` in the master realm. */
export const adminRoles: readonly DefaultRole[] = [
  keyed('create-client'),
  keyed('view-realm'),
  keyed('view-users', ['query-groups', 'query-users']),
  keyed('view-clients', ['query-clients']),
  keyed('view-events'),
  keyed('view-identity-providers'),
  keyed('view-authorization'),
  keyed('manage-realm'),
  keyed('manage-users'),
  keyed('manage-clients'),
  keyed('manage-events'),
  keyed('manage-identity-providers'),
  keyed('manage-authorization'),
  keyed('query-users'),
  keyed('query-clients'),
  keyed('query-realms'),
  keyed('query-groups'),
  keyed('impersonation'),
];

/** Comprises all of `adminRoles`; only `realm-management` has it. */
export const realmAdmin: DefaultRole = keyed(
  'realm-admin',
  adminRoles.map((role) => role.name),
);

export const accountRoles: readonly DefaultRole[] = [
  keyed('view-profile'),
  keyed('manage-account', ['manage-account-links']),
  keyed('manage-account-links'),
  keyed('view-applications'),
  keyed('view-consent'),
  keyed('manage-consent', ['view-consent']),
  keyed('delete-account'),
];

/** Account roles that the default role of a realm comprises. */
export const accountRolesForEveryone: readonly string[] = ['view-profile', 'manage-account'];

export const brokerRoles: readonly DefaultRole[] = [keyed('read-token')];

/** Role of a client with authorization services that its service account has. */
export const umaProtection = 'uma_protection';
