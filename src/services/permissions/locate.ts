import type { ClientTarget } from '../clients/locate.js';
import { permissionBy } from '../core/allow.js';
import type { Target } from '../core/target.js';
import type { GroupTarget } from '../groups/locate.js';
import type { IdentityProviderTarget } from '../identity-providers/locate.js';
import type { RoleTarget } from '../roles/locate.js';
import type { PermissionKind } from './kinds.js';

const kindOf = {
  REALM_ROLE: 'realm role',
  CLIENT_ROLE: 'client role',
  GROUP: 'group',
  CLIENT: 'client',
  IDENTITY_PROVIDER: 'identity provider',
  USER: 'all users',
} as const;

const bySubject = permissionBy(({ resourceType }: PermissionTarget) => kindOf[resourceType]);

/** Permissions for operations on the management permissions of an object: the same as for the object. */
export const viewSubject = bySubject({
  'realm role': 'view:realm',
  'client role': 'view:clients',
  group: 'view:groups',
  client: 'view:clients',
  'identity provider': 'view:identity-providers',
  'all users': 'view:realm',
});
export const manageSubject = bySubject({
  'realm role': 'manage:realm',
  'client role': 'configure:clients',
  group: 'manage:groups',
  client: 'manage:clients',
  'identity provider': 'manage:identity-providers',
  'all users': 'manage:realm',
});

/** Something that management permissions are about. */
export interface PermissionTarget extends Target {
  subject: { kind: PermissionKind; id: string };
  /** type and path of audit records */
  resourceType: keyof typeof kindOf;
  path: string;
  /** whether they are enabled; set after it was read behind the lock */
  isEnabled?: boolean;
}

const below = (path: string) => `${path}/management/permissions`;

/** The target of the fine-grained permissions of a role. */
export const ofRole = (target: RoleTarget): PermissionTarget => ({
  realm: target.realm,
  subject: { kind: 'role', id: target.role.id },
  resourceType: target.role.clientId === null ? 'REALM_ROLE' : 'CLIENT_ROLE',
  path: below(target.path),
});

/** The target of the fine-grained permissions of a group. */
export const ofGroup = ({ realm, group }: GroupTarget): PermissionTarget => ({
  realm,
  subject: { kind: 'group', id: group.id },
  resourceType: 'GROUP',
  path: below(`groups/${group.id}`),
});

/** The target of the fine-grained permissions of a client. */
export const ofClient = ({ realm, client }: Pick<ClientTarget, 'realm' | 'client'>): PermissionTarget => ({
  realm,
  subject: { kind: 'client', id: client.id },
  resourceType: 'CLIENT',
  path: below(`clients/${client.id}`),
});

/** The permissions about all users belong to the realm. */
export const ofUsers = ({ realm }: Target): PermissionTarget => ({
  realm,
  subject: { kind: 'users', id: realm.id },
  resourceType: 'USER',
  path: 'users-management-permissions',
});

/** The target of the fine-grained permissions of an identity provider. */
export const ofProvider = ({ realm, provider }: IdentityProviderTarget): PermissionTarget => ({
  realm,
  subject: { kind: 'identity-provider', id: provider.id },
  resourceType: 'IDENTITY_PROVIDER',
  path: below(`identity-provider/instances/${provider.alias}`),
});
