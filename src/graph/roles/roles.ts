import type { Context } from '../../services/core/context.js';
import { addComposites, removeComposites } from '../../services/roles/composites.js';
import { clientRoles, type RoleContainer, type RoleTarget, realmRoles, roleById } from '../../services/roles/locate.js';
import * as roles from '../../services/roles/operations.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import {
  Attribute,
  AttributeInput,
  asAttributes,
  attributeMap,
  combined,
  StringFilter,
  textWhere,
} from '../core/filters.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode, nodeId, parseId, permitById } from '../core/node.js';
import { Realm } from '../realms/realms.js';

export const Role = builder.prismaNode('Role', {
  id: { field: 'id' },
  select: { id: true, realmId: true, clientId: true },
  description: 'A role of a realm or of a client. Users and groups have roles; a composite role consists of others.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique among the roles of the realm or client.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    isClientRole: t.boolean({
      description: 'Whether it belongs to a client.',
      resolve: ({ clientId }) => clientId !== null,
    }),
    isComposite: t.boolean({
      description: 'Whether it consists of other roles.',
      select: { _count: { select: { composites: true } } },
      resolve: ({ _count }) => _count.composites > 0,
    }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
    realm: t.relation('realm', { description: 'The realm that it is in.' }),
    attributes: t.field({
      type: [Attribute],
      nullable: true,
      description: 'Free data, by name. For callers who may list the roles of its realm or client.',
      select: { attributes: { select: { name: true, value: true }, orderBy: [{ name: 'asc' }, { position: 'asc' }] } },
      // roles are met in other places too, such as on users, where they have no attributes
      resolve: async ({ attributes, realmId, clientId }, _args, ctx) => {
        (await permitById(ctx, realmId)).require(clientId === null ? 'query:realm' : 'list:client-roles');
        return asAttributes(attributes);
      },
    }),
  }),
});

guardNode('Role', 'Role', ({ clientId }) => (clientId == null ? 'view:realm' : 'view:clients'));

export const RoleConnection = connectionType('Role', Role);

export interface RoleFilterValue {
  and?: RoleFilterValue[] | null;
  or?: RoleFilterValue[] | null;
  not?: RoleFilterValue | null;
  name?: Parameters<typeof textWhere>[0] | null;
  search?: string | null;
  composite?: boolean | null;
  clientRole?: boolean | null;
}

export const RoleFilter = builder.inputRef<RoleFilterValue>('RoleFilter').implement({
  description: 'Which roles; all tests that are given have to hold.',
  fields: (t) => ({
    and: t.field({ type: [RoleFilter], description: 'All of these.' }),
    or: t.field({ type: [RoleFilter], description: 'One of these.' }),
    not: t.field({ type: RoleFilter, description: 'Not this.' }),
    name: t.field({ type: StringFilter, description: 'Test of the name.' }),
    search: t.string({ description: 'Part of the name or description.' }),
    composite: t.boolean({ description: 'Whether it consists of other roles.' }),
    clientRole: t.boolean({ description: 'Whether it belongs to a client.' }),
  }),
});

/** A role filter as the database understands it. */
export const roleWhere = (filter: RoleFilterValue): object => ({
  ...combined(filter, roleWhere),
  ...(filter.name && { name: textWhere(filter.name) }),
  ...(filter.search && { AND: [roles.matching(filter.search)] }),
  ...(filter.composite != null && { composites: { [filter.composite ? 'some' : 'none']: {} } }),
  ...(filter.clientRole != null && { clientId: filter.clientRole ? { not: null } : null }),
});

const byName = [{ path: 'name' }, { path: 'id' }];
const ofRealm = related<{ filter?: RoleFilterValue | null }>({
  parent: 'realm',
  relation: 'roles',
  where: ({ filter }) => ({ clientId: null, ...(filter && roleWhere(filter)) }),
  order: byName,
  permission: 'query:realm',
});

builder.prismaObjectField(Realm, 'roles', (t) =>
  t.field({
    type: RoleConnection,
    nullable: true,
    description: 'The realm roles, by name. Takes view-realm.',
    args: { ...pageArgs, filter: t.arg({ type: RoleFilter, description: 'Which of them.' }) },
    ...(ofRealm as object),
  } as never),
);

const inComposite = related({
  parent: 'role',
  relation: 'composites',
  through: 'child',
  order: [{ path: 'child.name' }, { path: 'childId' }],
  permission: ({ clientId }) => (clientId === null ? 'view:realm' : 'view:clients'),
});
const ofComposite = related({
  parent: 'role',
  relation: 'compositeOf',
  through: 'parent',
  order: [{ path: 'parent.name' }, { path: 'parentId' }],
  // composites of the realm and of any client may contain it
  permission: ['view:realm', 'view:clients'],
});

builder.prismaObjectFields(Role, (t) => ({
  composites: t.field({
    type: RoleConnection,
    nullable: true,
    description: 'The roles that this one consists of, directly.',
    args: pageArgs,
    ...(inComposite as object),
  } as never),
  compositeOf: t.field({
    type: RoleConnection,
    nullable: true,
    description: 'The roles that this one is part of, directly. Takes both view-realm and view-clients.',
    args: pageArgs,
    ...(ofComposite as object),
  } as never),
}));

/** The roles of the realm or client with this id. */
async function containerById(ctx: Context, id: string, field: string): Promise<RoleContainer> {
  const found = await locatedNode(ctx, id, field, 'Realm', 'Client');
  return found.typename === 'Realm' ? realmRoles(found.realm) : clientRoles(ctx, found.realm, found.id);
}

/** The role with this id, wherever the caller may see it. */
async function roleTarget(ctx: Context, id: string, field = 'id'): Promise<RoleTarget> {
  const found = await locatedNode(ctx, id, field, 'Role');
  return roleById(ctx, found.realm, found.id);
}

const theRole = {
  role: { type: Role, model: 'role', description: 'The role as it is now.', id: ({ id }: { id: string }) => id },
};

mutation('roleCreate', {
  description: 'Creates a role in a realm or client.',
  operation: roles.create,
  input: (t) => ({
    container: t.id({ required: true, description: 'Id of the realm or client.' }),
    name: t.string({ required: true, description: 'Unique among its roles.' }),
    description: t.string({ description: 'What it is for.' }),
    attributes: t.field({ type: [AttributeInput], description: 'Free data.' }),
  }),
  locate: ({ container }, ctx) => containerById(ctx, container, 'container'),
  send: ({ name, description, attributes }) => ({ name, description, attributes: attributeMap(attributes) }),
  returns: theRole,
});

mutation('roleUpdate', {
  description: 'Changes a role. Fields that are left out stay; null clears a field that can be empty.',
  operation: roles.patch,
  input: (t) => ({
    id: t.id({ required: true, description: 'Id of the role.' }),
    name: t.string({ description: 'New name.' }),
    description: t.string({ description: 'New description.' }),
    attributes: t.field({ type: [AttributeInput], description: 'Replaces all attributes.' }),
  }),
  locate: ({ id }, ctx) => roleTarget(ctx, id),
  send: ({ name, description, attributes }) => ({ name, description, attributes: attributeMap(attributes) }),
  returns: theRole,
});

mutation('roleDelete', {
  description: 'Deletes a role; users, groups and composites lose it.',
  operation: roles.remove,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the role.' }) }),
  locate: ({ id }, ctx) => roleTarget(ctx, id),
  values: {
    deletedId: { type: 'ID', description: 'Id of the role that is gone.', of: ({ id }) => nodeId('Role', id) },
  },
});

for (const [name, operation, what] of [
  ['roleAddComposites', addComposites, 'Adds roles to a role, which makes it composite.'],
  ['roleRemoveComposites', removeComposites, 'Takes roles out of a composite role.'],
] as const) {
  mutation(name, {
    description: what,
    operation,
    input: (t) => ({
      id: t.id({ required: true, description: 'Id of the composite role.' }),
      roles: t.idList({ required: true, description: 'Ids of the roles of the same realm.' }),
    }),
    locate: ({ id }, ctx) => roleTarget(ctx, id),
    send: ({ roles: ids }) => ids.map((id) => ({ id: parseId(id, 'roles', 'Role').id })),
  });
}
