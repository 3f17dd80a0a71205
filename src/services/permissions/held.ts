import { type Permission, permissionNames, permissionRoles } from '../core/permissions.js';
import type { Permit } from '../core/ports.js';

/** A permission for all objects of a realm, with the caller's administration roles for it. */
export interface HeldPermission {
  permission: Permission;
  /** names of the roles; empty if management permissions give it, or every caller has it */
  roles: string[];
}

/** The administration roles that give a permission. */
export function givingRoles(permission: Permission): readonly string[] {
  if (permission === 'any:caller') return [];
  return permission === 'create:realm' ? ['create-realm'] : permissionRoles[permission];
}

/** The largest number of roles that give the same permission. */
export const mostNeeded = Math.max(...permissionNames.map((permission) => givingRoles(permission).length));

/** The permissions that a caller has for all objects of a realm. */
export const heldPermissions = ({ rights, can }: Pick<Permit, 'rights' | 'can'>): HeldPermission[] =>
  permissionNames
    .filter((permission) => can(permission))
    .map((permission) => ({ permission, roles: givingRoles(permission).filter((role) => rights.has(role)) }));
