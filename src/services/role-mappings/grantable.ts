import type { Prisma } from '../../generated/sqlite/client.js';
import { idsWith } from '../core/delegation.js';
import type { Use } from '../core/grants.js';
import type { Permit } from '../core/ports.js';

/** Whether a caller with these rights has at least the given right of an administration role. */
export function covers(rights: ReadonlySet<string>, right: string): boolean {
  if (rights.has(right) || right.startsWith('query-')) return true;
  if (right === 'create-client') return rights.has('manage-clients');
  return right.startsWith('view-') && rights.has(right.replace('view-', 'manage-'));
}

/** The scopes of management permissions, of a role and of a client about all its roles, and which rights do without. */
const uses = {
  holders: { ofRole: 'map-role', ofClient: 'map-roles', realmRight: 'manage-users', clientRight: 'manage-users' },
  composites: {
    ofRole: 'map-role-composite',
    ofClient: 'map-roles-composite',
    realmRight: 'manage-realm',
    clientRight: 'manage-clients',
  },
  scopes: {
    ofRole: 'map-role-client-scope',
    ofClient: 'map-roles-client-scope',
    realmRight: 'manage-clients',
    clientRight: 'manage-clients',
  },
} as const satisfies Record<Exclude<Use, 'settings'>, unknown>;

/**
 * The roles that management permissions allow for a use. Undefined if there are no such permissions, or if the rights
 * of the caller make them unnecessary.
 */
export function delegatedUse({ rights, delegation }: Permit, use: Use) {
  // changing settings requires a permission for the settings
  if (use === 'settings') return undefined;
  const { ofRole, ofClient, realmRight, clientRight } = uses[use];
  const all = { realm: rights.has(realmRight), clients: rights.has(clientRight) };
  if (!delegation || (all.realm && all.clients)) return undefined;
  return { all, roles: idsWith(delegation.roles, [ofRole]), clients: idsWith(delegation.clients, [ofClient]) };
}

/** Keeps the roles that the caller may put into the scope of a client which it manages; all of them without a condition. */
export function scopable(permit: Permit): Prisma.RoleWhereInput {
  if (permit.can('manage:clients')) return {};
  const delegated = delegatedUse(permit, 'scopes');
  return delegated
    ? { OR: [{ id: { in: delegated.roles } }, { clientId: { in: delegated.clients } }] }
    : { id: { in: [] } };
}
