import type { Prisma } from '../../generated/sqlite/client.js';
import { map, plainFlag, representation, text } from '../core/shape.js';

/** ManagementPermissionReference of the contract; only `enabled` is accepted from callers. */
export const ManagementPermissionReference = representation('ManagementPermissionReference', {
  enabled: plainFlag,
  resource: text,
  scopePermissions: map,
});

/** The resource that switched-on management permissions are about, with the permission of each of its scopes. */
export const permissionSelect = {
  id: true,
  policies: {
    where: { policy: { type: 'scope' } },
    select: { policy: { select: { id: true, scopes: { select: { scope: { select: { name: true } } } } } } },
  },
} as const satisfies Prisma.AuthorizationResourceSelect;

export type PermissionRow = Prisma.AuthorizationResourceGetPayload<{ select: typeof permissionSelect }>;

/** The ID of the permission for each scope, by name. */
export const scopePermissions = ({ policies }: PermissionRow): Record<string, string> =>
  Object.fromEntries(
    policies
      .flatMap(({ policy }) => policy.scopes.map(({ scope }) => [scope.name, policy.id] as const))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

/** The row as ManagementPermissionReference; without one the permissions are switched off. */
export const encodePermission = (row: PermissionRow | null | undefined) =>
  row ? { enabled: true, resource: row.id, scopePermissions: scopePermissions(row) } : { enabled: false };
