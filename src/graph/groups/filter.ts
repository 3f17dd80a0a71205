import { builder } from '../core/builder.js';
import { AttributeFilter, attributeWhere, combined, OrderDirection, StringFilter, textWhere } from '../core/filters.js';
import { parseId } from '../core/node.js';
import type { OrderKey } from '../core/page.js';

export interface GroupFilterValue {
  and?: GroupFilterValue[] | null;
  or?: GroupFilterValue[] | null;
  not?: GroupFilterValue | null;
  name?: Parameters<typeof textWhere>[0] | null;
  path?: Parameters<typeof textWhere>[0] | null;
  search?: string | null;
  attribute?: Parameters<typeof attributeWhere>[0] | null;
  isTopLevel?: boolean | null;
  isDefault?: boolean | null;
  hasRole?: string | null;
  hasMembers?: boolean | null;
}

export const GroupFilter = builder.inputRef<GroupFilterValue>('GroupFilter').implement({
  description: 'Filter for groups. All given conditions must match.',
  fields: (t) => ({
    and: t.field({ type: [GroupFilter], description: 'Matches if every one of these filters matches.' }),
    or: t.field({ type: [GroupFilter], description: 'Matches if at least one of these filters matches.' }),
    not: t.field({ type: GroupFilter, description: 'Matches if this filter does not match.' }),
    name: t.field({ type: StringFilter, description: 'Condition on the name.' }),
    path: t.field({
      type: StringFilter,
      description: 'Condition on the path. For example, `startsWith: "/a/"` matches every group below `/a`.',
    }),
    search: t.string({ description: 'Matches groups whose name contains this text. Case-insensitive.' }),
    attribute: t.field({ type: AttributeFilter, description: 'Matches groups with this attribute.' }),
    isTopLevel: t.boolean({ description: 'Matches groups that are (true) or are not (false) at the top level.' }),
    isDefault: t.boolean({ description: 'Matches groups that new users do (true) or do not (false) join.' }),
    hasRole: t.id({ description: 'Matches groups with a direct mapping of the role with this ID.' }),
    hasMembers: t.boolean({ description: 'Matches groups that do (true) or do not (false) have direct members.' }),
  }),
});

/** A group filter as the database understands it. */
export const groupWhere = (filter: GroupFilterValue): Record<string, unknown> => ({
  ...combined(filter, groupWhere),
  ...(filter.name && { name: textWhere(filter.name) }),
  ...(filter.path && { path: textWhere(filter.path) }),
  ...(filter.search && { search: { contains: filter.search.trim().toLowerCase() } }),
  ...(filter.attribute && { attributes: attributeWhere(filter.attribute) }),
  ...(filter.isTopLevel != null && { parentId: filter.isTopLevel ? null : { not: null } }),
  ...(filter.isDefault != null && { isDefault: filter.isDefault }),
  ...(filter.hasRole != null && { roles: { some: { roleId: parseId(filter.hasRole, 'filter.hasRole', 'Role').id } } }),
  ...(filter.hasMembers != null && { users: { [filter.hasMembers ? 'some' : 'none']: {} } }),
});

export interface GroupOrderValue {
  field: 'name' | 'path';
  direction?: 'ASC' | 'DESC' | null;
}

const GroupOrderField = builder.enumType('GroupOrderField', {
  description: 'Field by which groups can be ordered.',
  values: {
    NAME: { value: 'name', description: 'Order by name.' },
    PATH: { value: 'path', description: 'Order by path: each group comes after its parent group.' },
  } as const,
});

export const GroupOrder = builder.inputRef<GroupOrderValue>('GroupOrder').implement({
  description: 'Order of groups.',
  fields: (t) => ({
    field: t.field({ type: GroupOrderField, required: true, description: 'Field to order by.' }),
    direction: t.field({ type: OrderDirection, description: 'Direction of the order. Default `ASC`.' }),
  }),
});

/** The order as keys, the last of them unique; by default by this field. */
export const groupOrder = (
  order: GroupOrderValue | null | undefined,
  usual: GroupOrderValue['field'] = 'name',
): OrderKey[] => {
  const descending = order?.direction === 'DESC';
  return [
    { path: order?.field ?? usual, descending },
    { path: 'id', descending },
  ];
};
