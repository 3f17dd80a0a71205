/** The names of the permissions for one kind of object in the authorization services of the administration client. */
interface Kind {
  /** the prefix of the resource's name, before the ID of the object */
  prefix: string;
  type: string | undefined;
  /** every scope with the start of the name of its permission */
  scopes: Readonly<Record<string, string>>;
  /** the text between the prefix and the ID */
  infix: string;
  decisionStrategy: 'UNANIMOUS' | 'AFFIRMATIVE';
}

const same = (...scopes: string[]) => Object.fromEntries(scopes.map((scope) => [scope, scope]));

/** The kinds of objects that can have management permissions, with the reference server's names for their parts. */
export const kinds = {
  role: {
    prefix: 'role.resource.',
    type: 'Role',
    scopes: same('map-role', 'map-role-client-scope', 'map-role-composite'),
    infix: '.permission.',
    decisionStrategy: 'AFFIRMATIVE',
  },
  group: {
    prefix: 'group.resource.',
    type: 'Group',
    scopes: {
      ...same('manage', 'view'),
      'manage-members': 'manage.members',
      'manage-membership': 'manage.membership',
      'view-members': 'view.members',
    },
    infix: '.permission.group.',
    decisionStrategy: 'UNANIMOUS',
  },
  client: {
    prefix: 'client.resource.',
    type: 'Client',
    scopes: same(
      'configure',
      'manage',
      'map-roles',
      'map-roles-client-scope',
      'map-roles-composite',
      'token-exchange',
      'view',
    ),
    infix: '.permission.client.',
    decisionStrategy: 'UNANIMOUS',
  },
  /** all users of a realm */
  users: {
    prefix: 'Users',
    type: undefined,
    scopes: {
      ...same('manage', 'manage-group-membership', 'map-roles', 'user-impersonated', 'view'),
      impersonate: 'admin-impersonating',
    },
    infix: '.permission.users',
    decisionStrategy: 'UNANIMOUS',
  },
  'identity-provider': {
    prefix: 'idp.resource.',
    type: 'IdentityProvider',
    scopes: same('token-exchange'),
    infix: '.permission.idp.',
    decisionStrategy: 'UNANIMOUS',
  },
} as const satisfies Record<string, Kind>;

export type PermissionKind = keyof typeof kinds;

/** Something that management permissions can be switched on for; all users have the ID of the realm. */
export interface Subject {
  kind: PermissionKind;
  id: string;
}

const idOf = ({ kind, id }: Subject): string => (kind === 'users' ? '' : id);

/** The name of its resource. */
export const resourceName = (subject: Subject): string => kinds[subject.kind].prefix + idOf(subject);

/** The name of the permission for each of its scopes. */
export function permissionNames(subject: Subject): Map<string, string> {
  const { scopes, infix } = kinds[subject.kind];
  return new Map(Object.entries(scopes).map(([scope, start]) => [scope, start + infix + idOf(subject)]));
}
