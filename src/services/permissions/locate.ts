import type { ClientTarget } from '../clients/locate.js';
import type { Permission } from '../core/permissions.js';
import type { Target } from '../core/target.js';
import type { GroupTarget } from '../groups/locate.js';
import type { IdentityProviderTarget } from '../identity-providers/locate.js';
import { manageDoor, type RoleTarget, viewDoor } from '../roles/locate.js';
import type { PermissionKind } from './kinds.js';

/** Something that management permissions are about. */
export interface PermissionTarget extends Target {
  subject: { kind: PermissionKind; id: string };
  view: Permission;
  manage: Permission;
  /** type and path of audit records */
  resourceType: string;
  path: string;
  /** whether they are on, once that was read behind the lock */
  isEnabled?: boolean;
}

const below = (path: string) => `${path}/management/permissions`;

export const ofRole = (target: RoleTarget): PermissionTarget => ({
  realm: target.realm,
  subject: { kind: 'role', id: target.role.id },
  view: viewDoor(target),
  manage: manageDoor(target),
  resourceType: target.role.clientId === null ? 'REALM_ROLE' : 'CLIENT_ROLE',
  path: below(target.path),
});

export const ofGroup = ({ realm, group }: GroupTarget): PermissionTarget => ({
  realm,
  subject: { kind: 'group', id: group.id },
  view: 'view:groups',
  manage: 'manage:groups',
  resourceType: 'GROUP',
  path: below(`groups/${group.id}`),
});

export const ofClient = ({ realm, client }: Pick<ClientTarget, 'realm' | 'client'>): PermissionTarget => ({
  realm,
  subject: { kind: 'client', id: client.id },
  view: 'view:clients',
  manage: 'manage:clients',
  resourceType: 'CLIENT',
  path: below(`clients/${client.id}`),
});

/** Those about all users of the realm belong to the realm. */
export const ofUsers = ({ realm }: Target): PermissionTarget => ({
  realm,
  subject: { kind: 'users', id: realm.id },
  view: 'view:realm',
  manage: 'manage:realm',
  resourceType: 'USER',
  path: 'users-management-permissions',
});

export const ofProvider = ({ realm, provider }: IdentityProviderTarget): PermissionTarget => ({
  realm,
  subject: { kind: 'identity-provider', id: provider.id },
  view: 'view:identity-providers',
  manage: 'manage:identity-providers',
  resourceType: 'IDENTITY_PROVIDER',
  path: below(`identity-provider/instances/${provider.alias}`),
});
