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
  topLevel?: boolean | null;
  isDefault?: boolean | null;
  hasRole?: string | null;
  hasMembers?: boolean | null;
}

export const GroupFilter = builder.inputRef<GroupFilterValue>('GroupFilter').implement({
  description: 'Which groups; all tests that are given have to hold.',
  fields: (t) => ({
    and: t.field({ type: [GroupFilter], description: 'All of these.' }),
    or: t.field({ type: [GroupFilter], description: 'One of these.' }),
    not: t.field({ type: GroupFilter, description: 'Not this.' }),
    name: t.field({ type: StringFilter, description: 'Test of the name.' }),
    path: t.field({
      type: StringFilter,
      description: 'Test of the path; "/a/" at the start finds all that is below /a.',
    }),
    search: t.string({ description: 'Part of the name, whatever the case.' }),
    attribute: t.field({ type: AttributeFilter, description: 'An attribute that it has.' }),
    topLevel: t.boolean({ description: 'Whether there is no group above it.' }),
    isDefault: t.boolean({ description: 'Whether new users join it.' }),
    hasRole: t.id({ description: 'Id of a role that it has, directly.' }),
    hasMembers: t.boolean({ description: 'Whether anyone is in it, directly.' }),
  }),
});

/** A group filter as the database understands it. */
export const groupWhere = (filter: GroupFilterValue): Record<string, unknown> => ({
  ...combined(filter, groupWhere),
  ...(filter.name && { name: textWhere(filter.name) }),
  ...(filter.path && { path: textWhere(filter.path) }),
  ...(filter.search && { search: { contains: filter.search.trim().toLowerCase() } }),
  ...(filter.attribute && { attributes: attributeWhere(filter.attribute) }),
  ...(filter.topLevel != null && { parentId: filter.topLevel ? null : { not: null } }),
  ...(filter.isDefault != null && { isDefault: filter.isDefault }),
  ...(filter.hasRole != null && { roles: { some: { roleId: parseId(filter.hasRole, 'filter.hasRole', 'Role').id } } }),
  ...(filter.hasMembers != null && { users: { [filter.hasMembers ? 'some' : 'none']: {} } }),
});

export interface GroupOrderValue {
  field: 'name' | 'path';
  direction?: 'ASC' | 'DESC' | null;
}

const GroupOrderField = builder.enumType('GroupOrderField', {
  description: 'What groups can be ordered by.',
  values: {
    NAME: { value: 'name', description: 'Name.' },
    PATH: { value: 'path', description: 'Path: each group is followed by what is below it.' },
  } as const,
});

export const GroupOrder = builder.inputRef<GroupOrderValue>('GroupOrder').implement({
  description: 'An order of groups.',
  fields: (t) => ({
    field: t.field({ type: GroupOrderField, required: true, description: 'What counts.' }),
    direction: t.field({ type: OrderDirection, description: 'ASC unless told.' }),
  }),
});

/** The order as keys, the last of them unique. */
export const groupOrder = (order: GroupOrderValue | null | undefined): OrderKey[] => {
  const descending = order?.direction === 'DESC';
  return [
    { path: order?.field ?? 'name', descending },
    { path: 'id', descending },
  ];
};
