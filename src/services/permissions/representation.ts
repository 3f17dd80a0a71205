import { flag, map, representation, text } from '../core/shape.js';

/** ManagementPermissionReference of the contract; only `enabled` is taken from callers. */
export const ManagementPermissionReference = representation('ManagementPermissionReference', {
  enabled: flag,
  resource: text,
  scopePermissions: map,
});

/** What a switched-on management permission consists of. */
export const permissionSelect = { resourceId: true, scopePermissions: true } as const;

export interface PermissionRow {
  resourceId: string;
  /** permission id by scope */
  scopePermissions: unknown;
}

/** The row as ManagementPermissionReference; without one the permissions are switched off. */
export const encodePermission = (row: PermissionRow | null | undefined) =>
  row
    ? {
        enabled: true,
        resource: row.resourceId,
        scopePermissions: row.scopePermissions as Record<string, string>,
      }
    : { enabled: false };
