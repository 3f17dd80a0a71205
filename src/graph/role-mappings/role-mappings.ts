import type { Context } from '../../services/core/context.js';
import { type OwnerTarget, rolesOfGroup, rolesOfUser } from '../../services/role-mappings/locate.js';
import { listAvailable, listEffective } from '../../services/role-mappings/operations.js';
import { addAny, takeAny } from '../../services/role-mappings/writes.js';
import { listUsers } from '../../services/users/list.js';
import { connectionType } from '../core/connection.js';
import { entriesOf } from '../core/input-path.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, parseIds } from '../core/node.js';
import { relatedField } from '../core/related.js';
import { Group } from '../groups/groups.js';
import { Role, RoleConnection, roleList } from '../roles/roles.js';
import { userList } from '../users/filter.js';
import { User } from '../users/users.js';

const EffectiveRoleConnection = connectionType('EffectiveRole', Role, {
  isDirect: 'Whether the role is mapped directly, not only through a group or a composite role.',
});
const EffectiveUserConnection = connectionType('EffectiveUser', User, {
  isDirect: 'Whether the role is mapped to the user directly, not only through a group or a composite role.',
});

const directRoles = { select: { roleId: true } };

/** Whether a role is among the direct roles that were read with the holder. */
const isAmong = (direct: unknown, roleId: unknown) => ({
  isDirect: (direct as { roleId: string }[]).some((one) => one.roleId === roleId),
});

for (const [type, kind, through] of [
  [User, 'user', 'groups, their parents, and composite roles'],
  [Group, 'group', 'parent groups and composite roles'],
] as const) {
  const common = { kind, list: roleList };
  relatedField(type, 'effectiveRoles', {
    ...common,
    relation: 'effectiveRoles',
    listing: listEffective,
    connection: EffectiveRoleConnection,
    description: `Effective roles: mapped directly, or through ${through}.`,
    readsOfParent: { directRoles },
    flags: (role, owner) => isAmong(owner.directRoles, role.id),
  });
  relatedField(type, 'availableRoles', {
    ...common,
    relation: 'availableRoles',
    listing: listAvailable,
    connection: RoleConnection,
    description: 'Roles of the realm and its clients that are not effective roles yet.',
  });
}

relatedField(Role, 'effectiveUsers', {
  list: userList,
  relation: 'effectiveUsers',
  isSearched: true,
  listing: listUsers,
  connection: EffectiveUserConnection,
  description: 'Users who have the role directly, or through groups, their parents, or composite roles.',
  reads: { directRoles },
  flags: (user, role) => isAmong(user.directRoles, role.id),
});

const owners = {
  User: { type: User, model: 'user', find: rolesOfUser },
  Group: { type: Group, model: 'group', find: rolesOfGroup },
} as const;

async function ownerTarget(ctx: Context, typename: keyof typeof owners, id: string): Promise<OwnerTarget> {
  const found = await locatedNode(ctx, id, 'id', typename);
  return owners[typename].find(ctx, found.realm, found.id);
}

for (const typename of ['User', 'Group'] as const) {
  const name = typename.toLowerCase();
  const { type, model } = owners[typename];
  for (const [verb, operation, what] of [
    ['AddRoles', addAny, `Maps roles of the realm and its clients to a ${name}.`],
    ['RemoveRoles', takeAny, `Removes role mappings of a ${name}.`],
  ] as const) {
    mutation(`${name}${verb}`, {
      description: `${what} Refused for administration roles that the caller does not have.`,
      operation,
      input: (t) => ({
        id: t.id({ required: true, description: `ID of the ${name}.` }),
        roles: t.idList({ required: true, description: 'IDs of the roles.' }),
      }),
      locate: ({ id }, ctx) => ownerTarget(ctx, typename, id),
      send: ({ roles }) => parseIds(roles, 'roles', 'Role').map((id) => ({ id })),
      fieldOf: entriesOf('roles'),
      returns: {
        [name]: { type, model, description: `The ${name} after the change.`, id: ({ ownerId }) => ownerId },
      },
    });
  }
}
