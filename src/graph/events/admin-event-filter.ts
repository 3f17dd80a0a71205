import { builder } from '../core/builder.js';
import { combined, DateTimeFilter, StringFilter, type StringTests, timeWhere } from '../core/filters.js';
import { parseId } from '../core/node.js';
import { AdminOperationType, AdminResourceType } from './admin-events.js';
import { textConditions } from './event-list.js';

export interface AdminEventFilterValue {
  and?: AdminEventFilterValue[] | null;
  or?: AdminEventFilterValue[] | null;
  not?: AdminEventFilterValue | null;
  operationTypes?: string[] | null;
  resourceTypes?: string[] | null;
  resourcePath?: StringTests | null;
  operation?: StringTests | null;
  time?: { before?: Date | null; atOrAfter?: Date | null } | null;
  actor?: string | null;
  resource?: string | null;
  search?: string | null;
  isListed?: boolean | null;
}

/** The filter of admin events. */
export const AdminEventFilter = builder.inputRef<AdminEventFilterValue>('AdminEventFilter').implement({
  description: 'Filter for admin events. All given conditions must match.',
  fields: (t) => ({
    and: t.field({ type: [AdminEventFilter], description: 'Matches if every one of these filters matches.' }),
    or: t.field({ type: [AdminEventFilter], description: 'Matches if at least one of these filters matches.' }),
    not: t.field({ type: AdminEventFilter, description: 'Matches if this filter does not match.' }),
    operationTypes: t.field({
      type: [AdminOperationType],
      description: 'Matches events with one of these operation types.',
    }),
    resourceTypes: t.field({
      type: [AdminResourceType],
      description: 'Matches events about one of these kinds of resources.',
    }),
    resourcePath: t.field({
      type: StringFilter,
      description: 'Condition on the path of the resource within the realm.',
    }),
    operation: t.field({
      type: StringFilter,
      description: 'Condition on the name of the operation, e.g. `role.create`.',
    }),
    time: t.field({ type: DateTimeFilter, description: 'Condition on the time of the event.' }),
    actor: t.id({ description: 'Matches changes by the user with this ID.' }),
    resource: t.id({
      description: 'Matches events about the object with this ID: a user, group, client, role, or any other object.',
    }),
    search: t.string({
      description:
        'Matches events with this text in the operation, the resource path, `before`, or `after`. Case-sensitive.',
    }),
    isListed: t.boolean({ description: 'Matches events that the REST API does (true) or does not (false) list.' }),
  }),
});

const textColumns = ['resourcePath', 'operation'] as const;
const searched = ['operation', 'resourcePath', 'before', 'representation'] as const;

/** A filter of admin events as one of the database. */
export const adminEventFilterWhere = (filter: AdminEventFilterValue): object => {
  const { actor, resource } = filter;
  const conditions = [
    ...textConditions(filter, textColumns, searched),
    ...(actor == null ? [] : [{ authUserId: parseId(actor, 'actor', 'User').id }]),
    ...(resource == null ? [] : [{ resourceId: parseId(resource, 'resource').id }]),
  ];
  const where = {
    ...combined(filter, adminEventFilterWhere),
    ...(filter.operationTypes && { operationType: { in: filter.operationTypes } }),
    ...(filter.resourceTypes && { resourceType: { in: filter.resourceTypes } }),
    ...(filter.time && { time: timeWhere(filter.time) }),
    ...(filter.isListed != null && { listed: filter.isListed }),
  };
  return conditions.length === 0 ? where : { AND: [where, ...conditions] };
};
