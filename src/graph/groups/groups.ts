import type { Context } from '../../services/core/context.js';
import { addDefault, removeDefault } from '../../services/groups/defaults.js';
import { groupFields } from '../../services/groups/fields.js';
import {
  childrenOf,
  type GroupContainer,
  type GroupTarget,
  groupById,
  topLevel,
} from '../../services/groups/locate.js';
import * as groups from '../../services/groups/operations.js';
import { create, move } from '../../services/groups/placing.js';
import { listDirect } from '../../services/role-mappings/operations.js';
import { roleKind } from '../../services/roles/locate.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { Attribute, asAttributes } from '../core/filters.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode, nodeId } from '../core/node.js';
import { readableField } from '../core/readable.js';
import { relatedField } from '../core/related.js';
import { contractInput, creationInputs, typeFields, updateInputs } from '../core/resource-fields.js';
import type { InputBuilder } from '../core/setting-types.js';
import { fieldNamed } from '../core/wire-names.js';
import { Realm } from '../realms/realms.js';
import { Role, roleLists } from '../roles/roles.js';
import { groupList } from './filter.js';

export const Group = builder.prismaNode('Group', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description:
    'A group of users. Groups form a tree. Members inherit the roles of their group and of its parent groups.',
  fields: (t) => ({
    ...typeFields(groupFields, (field) => t.field(field)),
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
  }),
});

guardNode(Group, groups.get);

const GroupConnection = connectionType('Group', Group);

readableField(Group, 'parent', {
  type: Group,
  relation: 'parent',
  description: 'The parent group. Null at the top level.',
});

/** The common parts of all lists of groups. */
export const groupLists = { list: groupList, connection: GroupConnection };

relatedField(Realm, 'groups', {
  ...groupLists,
  relation: 'groups',
  listing: groups.listGroups,
  description:
    'Groups of the realm on all levels. Filter by `isTopLevel` for the top level only. In the order `PATH`, each group comes after its parent group.',
});

relatedField(Group, 'children', {
  ...groupLists,
  relation: 'children',
  // the operation that reads a group answers with its subgroups
  requires: groups.get,
  description: 'Direct subgroups.',
});

relatedField(Group, 'roles', {
  relation: 'roles',
  through: 'role',
  listing: listDirect,
  kind: 'group',
  ...roleLists,
  description:
    'Roles mapped directly to the group, ordered by name. Roles of parent groups and of composite roles are not included.',
});

relatedField(Role, 'groups', {
  relation: 'groups',
  through: 'group',
  listing: groups.ofRole,
  kind: roleKind,
  ...groupLists,
  description: 'Groups with a direct mapping of the role, ordered by name.',
});

/**
 * Names may contain slashes, so several groups can have the same path. Returns the group on the deepest level, which
 * has the shortest name.
 */
const deepest = (named: readonly { name?: unknown }[]) =>
  [...named].sort((one, other) => String(one.name).length - String(other.name).length)[0];

readableField(Realm, 'group', {
  type: Group,
  relation: 'groups',
  description: 'The group with this path, e.g. `/staff/night`. Null if it does not exist.',
  args: builder.args((t) => ({
    path: t.string({
      required: true,
      description: 'Names from the top level down to the group, each preceded by a slash, e.g. `/staff/night`.',
    }),
  })),
  where: ({ path }) => ({ path }),
  pick: deepest,
  reads: { name: true },
});

/** The top level of the realm, or the level below the group, with this ID. */
async function containerById(ctx: Context, id: string, field: string): Promise<GroupContainer> {
  const found = await locatedNode(ctx, id, field, 'Realm', 'Group');
  return found.typename === 'Realm' ? topLevel(found.realm) : childrenOf(await groupById(ctx, found.realm, found.id));
}

/** The group with this ID, wherever the caller may see it. */
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

/** The input fields of a new group. */
export const newGroupFields = (t: InputBuilder) => ({
  parent: t.id({ required: true, description: 'ID of the realm, or of the parent group.' }),
  ...creationInputs(t, groupFields),
});

mutation('groupCreate', {
  description: 'Creates a group at the top level of a realm or below another group.',
  operation: create,
  input: newGroupFields,
  locate: ({ parent }, ctx) => containerById(ctx, parent, 'parent'),
  send: (input) => contractInput(groupFields, input),
  returns: theGroup,
});

mutation('groupUpdate', {
  description: 'Renames a group or replaces its attributes. Omitted fields keep their values.',
  operation: groups.patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the group.' }),
    ...updateInputs(t, groupFields),
  }),
  locate: ({ id }, ctx) => groupTarget(ctx, id),
  send: (input) => contractInput(groupFields, input),
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
  // the path of the group there
  fieldOf: fieldNamed({ name: 'parent' }),
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
  ['realmAddDefaultGroup', addDefault, 'Adds a group to the default groups of the realm, which new users join.'],
  [
    'realmRemoveDefaultGroup',
    removeDefault,
    'Removes a group from the default groups of the realm. Existing members stay.',
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
