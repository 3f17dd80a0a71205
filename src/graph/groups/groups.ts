import type { Context } from '../../services/core/context.js';
import { addDefault, removeDefault } from '../../services/groups/defaults.js';
import {
  childrenOf,
  type GroupContainer,
  type GroupTarget,
  groupById,
  topLevel,
} from '../../services/groups/locate.js';
import * as groups from '../../services/groups/operations.js';
import { create, move } from '../../services/groups/placing.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { Attribute, AttributeInput, asAttributes, attributeMap } from '../core/filters.js';
import { mutation } from '../core/mutation.js';
import { guardNode, isAllowed, locatedNode, nodeId } from '../core/node.js';
import { Realm } from '../realms/realms.js';
import { Role, RoleConnection } from '../roles/roles.js';
import {
  GroupFilter,
  type GroupFilterValue,
  GroupOrder,
  type GroupOrderValue,
  groupOrder,
  groupWhere,
} from './filter.js';

type Nested = () => { select?: object } | true;

/** What the query selects of a group, with its id. */
const withId = (inner: ReturnType<Nested>) => ({ id: true, ...(typeof inner === 'object' && inner.select) });

export const Group = builder.prismaNode('Group', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description:
    'A group of users. Groups form a tree. Members inherit the roles of their group and of its parent groups.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the group, unique among the groups with the same parent.' }),
    path: t.exposeString('path', {
      description: 'Names from the top level down to the group, each preceded by a slash, e.g. `/staff/night`.',
    }),
    isDefault: t.exposeBoolean('isDefault', { description: 'Whether new users of the realm join the group.' }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    realm: t.relation('realm', { description: 'The realm it belongs to.' }),
    attributes: t.field({
      type: [Attribute],
      description: 'Custom attributes, ordered by name.',
      select: { attributes: { select: { name: true, value: true }, orderBy: [{ name: 'asc' }, { position: 'asc' }] } },
      resolve: ({ attributes }) => asAttributes(attributes),
    }),
    viewerCanManage: t.boolean({
      description: 'Whether the caller may change the group, its members, and its roles.',
      resolve: ({ id, realmId }, _args, ctx) => isAllowed(ctx, realmId, 'manage:groups', { kind: 'group', id }),
    }),
  }),
});

guardNode('Group', 'Group', 'view:groups');

export const GroupConnection = connectionType('Group', Group);

builder.prismaObjectField(Group, 'parent', (t) =>
  t.field({
    type: Group,
    nullable: true,
    description: 'The parent group. Null at the top level, and for callers who may not view it.',
    select: (_args: object, _ctx: Context, nested: Nested) => ({ parent: { select: withId(nested()) } }),
    resolve: async (
      { realmId, parent }: { realmId: string; parent: { id: string } | null },
      _args: object,
      ctx: Context,
    ) => (parent && (await isAllowed(ctx, realmId, 'view:groups', { kind: 'group', id: parent.id })) ? parent : null),
  } as never),
);

interface GroupListArgs {
  filter?: GroupFilterValue | null;
  orderBy?: GroupOrderValue | null;
}

const listArgs = {
  ...pageArgs,
  ...builder.args((t) => ({
    filter: t.field({ type: GroupFilter, description: 'Returns only the items that match. Omit for all.' }),
    orderBy: t.field({ type: GroupOrder, description: 'Order of the groups. Default: ascending by name.' }),
  })),
};
const whereOf = ({ filter }: GroupListArgs) => (filter ? groupWhere(filter) : {});

const ofRealm = related<GroupListArgs>({
  parent: 'realm',
  relation: 'groups',
  where: whereOf,
  order: ({ orderBy }) => groupOrder(orderBy),
  permission: 'query:groups',
  visible: 'view:groups',
});
const below = related<GroupListArgs>({
  parent: 'group',
  relation: 'children',
  where: whereOf,
  order: ({ orderBy }) => groupOrder(orderBy),
  permission: 'view:groups',
});
const rolesOf = related({
  parent: 'group',
  relation: 'roles',
  through: 'role',
  order: [{ path: 'role.name' }, { path: 'roleId' }],
  permission: 'view:groups',
});
const withRole = related({
  parent: 'role',
  relation: 'groups',
  through: 'group',
  order: [{ path: 'group.name' }, { path: 'groupId' }],
  permission: ({ clientId }) => (clientId === null ? 'view:realm' : 'view:clients'),
  visible: 'view:groups',
});

builder.prismaObjectField(Realm, 'groups', (t) =>
  t.field({
    type: GroupConnection,
    nullable: true,
    description:
      'Groups of the realm on all levels. Filter by `topLevel` for the top level only. Empty for callers without view-users.',
    args: listArgs,
    ...(ofRealm as object),
  } as never),
);

interface Named {
  id: string;
  name: string;
}

builder.prismaObjectField(Realm, 'group', (t) =>
  t.field({
    type: Group,
    nullable: true,
    description:
      'The group with this path, e.g. `/staff/night`. Null if it does not exist or the caller may not view it.',
    args: {
      path: t.arg.string({
        required: true,
        description: 'Names from the top level down to the group, each preceded by a slash, e.g. `/staff/night`.',
      }),
    },
    select: ({ path }: { path: string }, _ctx: Context, nested: Nested) => ({
      groups: { where: { path }, select: { name: true, ...withId(nested()) } },
    }),
    resolve: async (parent: { id: string; groups: Named[] }, _args: object, ctx: Context) => {
      // a name may contain slashes: of groups with the same path, the one with the most levels has the shortest name
      const named = parent.groups.reduce<Named | null>(
        (best, one) => (best && best.name.length <= one.name.length ? best : one),
        null,
      );
      return named && (await isAllowed(ctx, parent.id, 'view:groups', { kind: 'group', id: named.id })) ? named : null;
    },
  } as never),
);

builder.prismaObjectFields(Group, (t) => ({
  children: t.field({
    type: GroupConnection,
    nullable: true,
    description: 'Direct subgroups, ordered by name.',
    args: listArgs,
    ...(below as object),
  } as never),
  roles: t.field({
    type: RoleConnection,
    nullable: true,
    description:
      'Roles mapped directly to the group, ordered by name. Roles of parent groups and of composite roles are not included.',
    args: pageArgs,
    ...(rolesOf as object),
  } as never),
}));

builder.prismaObjectField(Role, 'groups', (t) =>
  t.field({
    type: GroupConnection,
    nullable: true,
    description: 'Groups with a direct mapping of the role. Empty for callers without view-users.',
    args: pageArgs,
    ...(withRole as object),
  } as never),
);

/** The top level of the realm, or what is below the group, with this id. */
async function containerById(ctx: Context, id: string, field: string): Promise<GroupContainer> {
  const found = await locatedNode(ctx, id, field, 'Realm', 'Group');
  return found.typename === 'Realm' ? topLevel(found.realm) : childrenOf(await groupById(ctx, found.realm, found.id));
}

/** The group with this id, wherever the caller may see it. */
async function groupTarget(ctx: Context, id: string, field = 'id'): Promise<GroupTarget> {
  const found = await locatedNode(ctx, id, field, 'Group');
  return groupById(ctx, found.realm, found.id);
}

const theGroup = {
  group: {
    type: Group,
    model: 'group',
    description: 'The group after the change.',
    id: ({ id }: { id: string }) => id,
  },
};

mutation('groupCreate', {
  description: 'Creates a group at the top level of a realm or below another group.',
  operation: create,
  input: (t) => ({
    parent: t.id({ required: true, description: 'ID of the realm, or of the parent group.' }),
    name: t.string({ required: true, description: 'Name of the group, unique among the groups with the same parent.' }),
    attributes: t.field({ type: [AttributeInput], description: 'Custom attributes of the group.' }),
  }),
  locate: ({ parent }, ctx) => containerById(ctx, parent, 'parent'),
  send: ({ name, attributes }) => ({ name, attributes: attributeMap(attributes) }),
  returns: theGroup,
});

mutation('groupUpdate', {
  description: 'Renames a group or replaces its attributes. Omitted fields keep their values.',
  operation: groups.patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the group.' }),
    name: t.string({ description: 'New name of the group. The paths of its subgroups change accordingly.' }),
    attributes: t.field({ type: [AttributeInput], description: 'Custom attributes that replace all present ones.' }),
  }),
  locate: ({ id }, ctx) => groupTarget(ctx, id),
  send: ({ name, attributes }) => ({ name, attributes: attributeMap(attributes) }),
  returns: theGroup,
});

mutation('groupMove', {
  description: 'Moves a group with its subgroups to another parent.',
  operation: move,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the group.' }),
    parent: t.id({
      required: true,
      description: 'ID of the new parent group, or of the realm to move the group to the top level.',
    }),
  }),
  locate: ({ parent }, ctx) => containerById(ctx, parent, 'parent'),
  send: async ({ id }, ctx) => {
    const { group } = await groupTarget(ctx, id);
    return { id: group.id, name: group.name };
  },
  returns: { group: { ...theGroup.group, id: ({ group }) => group.id } },
});

mutation('groupDelete', {
  description: 'Deletes a group with its subgroups. Memberships and role mappings end.',
  operation: groups.remove,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the group.' }) }),
  locate: ({ id }, ctx) => groupTarget(ctx, id),
  values: {
    deletedId: { type: 'ID', description: 'ID of the deleted group.', of: ({ id }) => nodeId('Group', id) },
  },
});

for (const [name, operation, description] of [
  ['realmAddDefaultGroup', addDefault, 'Adds a group to those that new users of the realm join.'],
  [
    'realmRemoveDefaultGroup',
    removeDefault,
    'Removes a group from those that new users of the realm join. Existing members stay.',
  ],
] as const) {
  mutation(name, {
    description,
    operation,
    input: (t) => ({ group: t.id({ required: true, description: 'ID of the group.' }) }),
    locate: ({ group }, ctx) => groupTarget(ctx, group, 'group'),
    returns: theGroup,
  });
}
