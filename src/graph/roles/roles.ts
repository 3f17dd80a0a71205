import type { Context } from '../../services/core/context.js';
import { addComposites, listComposites, removeComposites } from '../../services/roles/composites.js';
import { roleFields } from '../../services/roles/fields.js';
import {
  clientRoles,
  type RoleContainer,
  type RoleTarget,
  realmRoles,
  roleById,
  roleKind,
} from '../../services/roles/locate.js';
import * as roles from '../../services/roles/operations.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { Attribute, asAttributes } from '../core/filters.js';
import { entriesOf } from '../core/input-path.js';
import { listType, named, whether } from '../core/list-type.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode, nodeId, parseIds } from '../core/node.js';
import { relatedField } from '../core/related.js';
import {
  contractInput,
  creationInputs,
  fieldConditions,
  fieldOrders,
  typeFields,
  updateInputs,
} from '../core/resource-fields.js';
import type { InputBuilder } from '../core/setting-types.js';
import { Realm } from '../realms/realms.js';

export const Role = builder.prismaNode('Role', {
  id: { field: 'id' },
  select: { id: true, realmId: true, clientId: true },
  description:
    'A realm role or client role. Roles are mapped to users and groups. A composite role includes other roles.',
  fields: (t) => ({
    ...typeFields(roleFields, (field) => t.field(field)),
    isClientRole: t.boolean({
      description: roleFields.clientRole.description,
      resolve: ({ clientId }) => clientId !== null,
    }),
    isComposite: t.boolean({
      description: roleFields.composite.description,
      select: { _count: { select: { composites: true } } },
      resolve: ({ _count }) => _count.composites > 0,
    }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    realm: t.relation('realm', { description: 'The realm it belongs to.' }),
    attributes: t.field({
      type: [Attribute],
      nullable: true,
      description: 'Custom attributes, ordered by name.',
      select: { attributes: { select: { name: true, value: true }, orderBy: [{ name: 'asc' }, { position: 'asc' }] } },
      // roles also appear in other places, such as on users, where they have no attributes
      requires: { operation: roles.listRoles, kind: roleKind, byRolesAlone: true },
      resolve: ({ attributes }) => asAttributes(attributes),
    }),
  }),
});

guardNode(Role, roles.get, { kind: roleKind, reads: { clientId: true } });

export const RoleConnection = connectionType('Role', Role);

/** The filter and the orders of all lists of roles. */
export const roleList = listType({
  name: 'Role',
  plural: 'roles',
  conditions: {
    ...fieldConditions(roleFields),
    search: named('Matches roles whose name or description contains this text. Case-insensitive.', (text) =>
      text ? roles.matching(text) : {},
    ),
    isComposite: whether('Matches roles that are (true) or are not (false) composite.', (is) => ({
      composites: { [is ? 'some' : 'none']: {} },
    })),
    isClientRole: whether('Matches client roles (true) or realm roles (false).', (is) => ({
      clientId: is ? { not: null } : null,
    })),
  },
  orders: fieldOrders(roleFields),
});

/** The common parts of all lists of roles. */
export const roleLists = { list: roleList, connection: RoleConnection };

relatedField(Realm, 'roles', {
  relation: 'roles',
  listing: roles.listRoles,
  kind: 'realm role',
  ...roleLists,
  description: 'Realm roles, ordered by name.',
  where: () => ({ clientId: null }),
});

relatedField(Realm, 'allRoles', {
  relation: 'roles',
  listing: roles.listRoles,
  requires: [
    { operation: roles.listRoles, kind: 'realm role' },
    { operation: roles.listRoles, kind: 'client role' },
  ],
  ...roleLists,
  description: 'Roles of the realm and of all its clients, ordered by name.',
});

relatedField(Role, 'composites', {
  relation: 'composites',
  through: 'child',
  listing: listComposites,
  kind: roleKind,
  ...roleLists,
  description: 'Roles that this composite role directly includes.',
});

relatedField(Role, 'compositeOf', {
  relation: 'compositeOf',
  through: 'parent',
  listing: listComposites,
  // composite roles of the realm and of any client may include it
  requires: [
    { operation: listComposites, kind: 'realm role' },
    { operation: listComposites, kind: 'client role' },
  ],
  ...roleLists,
  description: 'Composite roles that directly include this role.',
});

/** The roles of the realm or client with this ID. */
async function containerById(ctx: Context, id: string, field: string): Promise<RoleContainer> {
  const found = await locatedNode(ctx, id, field, 'Realm', 'Client');
  return found.typename === 'Realm' ? realmRoles(found.realm) : clientRoles(ctx, found.realm, found.id);
}

/** The role with this ID, wherever the caller may see it. */
async function roleTarget(ctx: Context, id: string, field = 'id'): Promise<RoleTarget> {
  const found = await locatedNode(ctx, id, field, 'Role');
  return roleById(ctx, found.realm, found.id);
}

const theRole = {
  role: { type: Role, model: 'role', description: 'The role after the change.', id: ({ id }: { id: string }) => id },
};

/** The input fields of a new role. */
export const newRoleFields = (t: InputBuilder) => ({
  container: t.id({ required: true, description: 'ID of the realm or client.' }),
  ...creationInputs(t, roleFields),
});

mutation('roleCreate', {
  description: 'Creates a role in a realm or client.',
  operation: roles.create,
  input: newRoleFields,
  locate: ({ container }, ctx) => containerById(ctx, container, 'container'),
  send: (input) => contractInput(roleFields, input),
  returns: theRole,
});

mutation('roleUpdate', {
  description: 'Changes a role. Omitted fields keep their values; null clears a nullable field.',
  operation: roles.patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the role.' }),
    ...updateInputs(t, roleFields),
  }),
  locate: ({ id }, ctx) => roleTarget(ctx, id),
  send: (input) => contractInput(roleFields, input),
  returns: theRole,
});

mutation('roleDelete', {
  description: 'Deletes a role. It is removed from users, groups, and composite roles.',
  operation: roles.remove,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the role.' }) }),
  locate: ({ id }, ctx) => roleTarget(ctx, id),
  values: {
    deletedId: { type: 'ID', description: 'ID of the deleted role.', of: ({ id }) => nodeId('Role', id) },
  },
});

for (const [name, operation, what] of [
  ['roleAddComposites', addComposites, 'Adds roles to a role, which makes it a composite role.'],
  ['roleRemoveComposites', removeComposites, 'Removes roles from a composite role.'],
] as const) {
  mutation(name, {
    description: what,
    operation,
    input: (t) => ({
      id: t.id({ required: true, description: 'ID of the composite role.' }),
      roles: t.idList({ required: true, description: 'IDs of the roles. They must belong to the same realm.' }),
    }),
    locate: ({ id }, ctx) => roleTarget(ctx, id),
    send: ({ roles: ids }) => parseIds(ids, 'roles', 'Role').map((id) => ({ id })),
    fieldOf: entriesOf('roles'),
    returns: theRole,
  });
}
