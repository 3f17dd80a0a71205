import type { Delegation } from '../core/delegation.js';
import { ownMember } from '../core/json.js';
import type { Permission } from '../core/permissions.js';
import type { Permit } from '../core/ports.js';

type Kind = keyof Delegation;

/** The rights of a caller that equal a scope of others: a permission for the same object, or administration roles. */
type Equal = Permission | readonly string[];

const equals: Readonly<Record<Kind, Readonly<Record<string, Equal>>>> = {
  users: {
    view: 'view:users',
    manage: 'manage:users',
    'map-roles': 'map-roles:users',
    'manage-group-membership': 'manage-membership:users',
    impersonate: 'impersonate:users',
  },
  groups: {
    view: 'view:groups',
    manage: 'manage:groups',
    'view-members': 'view:users',
    'manage-members': 'manage:users',
    'manage-membership': 'manage-membership:groups',
  },
  clients: {
    view: 'view:clients',
    configure: 'configure:clients',
    manage: 'manage:clients',
    'map-roles': ['manage-users'],
    'map-roles-composite': ['manage-clients'],
    'map-roles-client-scope': ['manage-clients'],
    'token-exchange': ['manage-clients'],
  },
  roles: {
    'map-role': ['manage-users'],
    'map-role-composite': ['manage-realm', 'manage-clients'],
    'map-role-client-scope': ['manage-clients'],
  },
};

const given = (delegation: Delegation, kind: Kind, id: string): ReadonlySet<string> | undefined =>
  kind === 'users' ? delegation.users : delegation[kind].get(id);

function isCovered({ can, may, rights, delegation }: Permit, kind: Kind, id: string, scope: string): boolean {
  const equal = ownMember(equals[kind], scope);
  // scopes without a meaning, and the scope for the users who may be impersonated
  if (equal === undefined) return true;
  if (delegation && given(delegation, kind, id)?.has(scope)) return true;
  if (typeof equal !== 'string') return equal.every((right) => rights.has(right));
  if (can(equal)) return true;
  const hasOwnPermissions = kind === 'groups' || kind === 'clients';
  return hasOwnPermissions && may(equal, kind === 'groups' ? 'group' : 'client', id);
}

/**
 * Whether a caller has all rights that management permissions give to others. Rights that everybody has need not be
 * covered.
 */
export function covers(permit: Permit, others: Delegation, everybody: Delegation): boolean {
  const scopes: (readonly [Kind, string, ReadonlySet<string>])[] = [
    ['users', '', others.users],
    ...(['groups', 'clients', 'roles'] as const).flatMap((kind) =>
      [...others[kind]].map(([id, of]) => [kind, id, of] as const),
    ),
  ];
  return scopes.every(([kind, id, of]) =>
    [...of].every((scope) => given(everybody, kind, id)?.has(scope) || isCovered(permit, kind, id, scope)),
  );
}
