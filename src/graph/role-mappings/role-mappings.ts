import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../services/core/context.js';
import type { Permission } from '../../services/core/permissions.js';
import { type OwnerTarget, rolesOfGroup, rolesOfUser } from '../../services/role-mappings/locate.js';
import { addAny, takeAny } from '../../services/role-mappings/writes.js';
import { builder } from '../core/builder.js';
import { type ConnectionValue, connectionType, pageArgs, related } from '../core/connection.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, parseId } from '../core/node.js';
import { Group } from '../groups/groups.js';
import { Role, RoleConnection, RoleFilter, type RoleFilterValue, roleWhere } from '../roles/roles.js';
import {
  UserFilter,
  type UserFilterValue,
  UserOrder,
  type UserOrderValue,
  userOrder,
  userWhere,
} from '../users/filter.js';
import { User } from '../users/users.js';

type Row = Record<string, unknown>;
type Id = { id: string };
type DirectEdge = { cursor: string; node: Id; isDirect: boolean };
type Selecting = { select(args: object, ctx: Context, nested: never): Row };
type Resolving = {
  resolve(parent: Row, args: object, ctx: Context, info?: GraphQLResolveInfo): Promise<ConnectionValue<Id>>;
};

const EffectiveRoleConnection = connectionType<Id, DirectEdge>('EffectiveRole', Role, {
  isDirect: 'Whether the role is mapped directly, not only through a group or a composite role.',
});
const EffectiveUserConnection = connectionType<Id, DirectEdge>('EffectiveUser', User, {
  isDirect: 'Whether the role is mapped to the user directly, not only through a group or a composite role.',
});

const directRoles = { select: { roleId: true } };
const directIdsOf = (row: Row) => new Set((row.directRoles as { roleId: string }[]).map(({ roleId }) => roleId));

const byName = [{ path: 'name' }, { path: 'id' }];
const filterOf = ({ filter }: { filter?: RoleFilterValue | null }) => (filter ? { ...roleWhere(filter) } : {});

/** The effective roles of an owner: the direct ones come along, so that edges can tell which they are. */
function effectiveRoles(parent: string, permission: Permission) {
  const roles = related<{ filter?: RoleFilterValue | null }>({
    parent,
    relation: 'effectiveRoles',
    where: filterOf,
    order: byName,
    permission,
  });
  return {
    ...roles,
    select: (...given: Parameters<Selecting['select']>) => ({ ...(roles as Selecting).select(...given), directRoles }),
    async resolve(row: Row, args: object, ctx: Context) {
      const connection = await (roles as Resolving).resolve(row, args, ctx);
      const direct = directIdsOf(row);
      return {
        ...connection,
        edges: connection.edges.map((edge) => ({ ...edge, isDirect: direct.has(edge.node.id) })),
      };
    },
  };
}

const availableRoles = (parent: string, permission: Permission) =>
  related<{ filter?: RoleFilterValue | null }>({
    parent,
    relation: 'availableRoles',
    where: filterOf,
    order: byName,
    permission,
  });

for (const [type, parent, permission, through] of [
  [User, 'user', 'view:users', 'groups, their parents, and composite roles'],
  [Group, 'group', 'view:groups', 'parent groups and composite roles'],
] as const) {
  builder.prismaObjectFields(type as never, (t) => ({
    effectiveRoles: t.field({
      type: EffectiveRoleConnection,
      nullable: true,
      description: `Effective roles: mapped directly, or through ${through}. Takes ${permission}.`,
      args: {
        ...pageArgs,
        filter: t.arg({ type: RoleFilter, description: 'Returns only the items that match. Omit for all.' }),
      },
      ...(effectiveRoles(parent, permission) as object),
    } as never),
    availableRoles: t.field({
      type: RoleConnection,
      nullable: true,
      description: `Roles of the realm and its clients that are not effective roles yet. Takes ${permission}.`,
      args: {
        ...pageArgs,
        filter: t.arg({ type: RoleFilter, description: 'Returns only the items that match. Omit for all.' }),
      },
      ...(availableRoles(parent, permission) as object),
    } as never),
  }));
}

interface UserListArgs {
  filter?: UserFilterValue | null;
  orderBy?: UserOrderValue | null;
}

const holders = related<UserListArgs>({
  parent: 'role',
  relation: 'effectiveUsers',
  where: ({ filter }) => (filter ? { ...userWhere(filter) } : {}),
  order: ({ orderBy }) => userOrder(orderBy),
  permission: 'query:users',
  visible: 'view:users',
  reads: { directRoles },
});

builder.prismaObjectField(Role, 'effectiveUsers', (t) =>
  t.field({
    type: EffectiveUserConnection,
    nullable: true,
    description:
      'Users who have the role directly, or through groups, their parents, or composite roles. Only users the caller may view.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: UserFilter, description: 'Returns only the items that match. Omit for all.' }),
      orderBy: t.arg({ type: UserOrder, description: 'Order of the users. Default: ascending by username.' }),
    },
    ...holders,
    async resolve(row: Row, args: object, ctx: Context, info: GraphQLResolveInfo) {
      const connection = await (holders as Resolving).resolve(row, args, ctx, info);
      const edges = connection.edges.map((edge) => ({
        ...edge,
        isDirect: directIdsOf(edge.node as unknown as Row).has(String(row.id)),
      }));
      return { ...connection, edges };
    },
  } as never),
);

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
      send: ({ roles }) => roles.map((id) => ({ id: parseId(id, 'roles', 'Role').id })),
      returns: {
        [name]: { type, model, description: `The ${name} after the change.`, id: ({ ownerId }) => ownerId },
      },
    });
  }
}
