import type { AdminEvent } from '../../services/core/audit.js';
import { adminEventsOf, clearAdminEvents } from '../../services/events/operations.js';
import { operationTypes, resourceTypes } from '../../services/events/representation.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs } from '../core/connection.js';
import { combined, DateTimeFilter, StringFilter, textWhere, timeWhere } from '../core/filters.js';
import { defaultPageSize } from '../core/limits.js';
import { mutation } from '../core/mutation.js';
import { nodeId, parseId } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';
import { AdminEventRef } from './admin-events.js';
import { operationDescriptions, resourceDescriptions } from './event-descriptions.js';
import { eventPage } from './page.js';

builder.objectFields(AdminEventRef, (t) => ({
  isListed: t.exposeBoolean('listed', {
    description:
      'Whether the REST API lists the event: the realm recorded admin events, and the list was not cleared since.',
  }),
  actorRealmId: t.id({
    nullable: true,
    description: 'ID of the realm of the user who made the change.',
    resolve: ({ authRealmId }) => authRealmId && nodeId('Realm', authRealmId),
  }),
  actorUserId: t.id({
    nullable: true,
    description: 'ID of the user who made the change.',
    resolve: ({ authUserId }) => authUserId && nodeId('User', authUserId),
  }),
  actorClientId: t.exposeString('authClientId', {
    nullable: true,
    description: 'clientId of the client that made the request.',
  }),
  actorIpAddress: t.exposeString('authIpAddress', {
    nullable: true,
    description: 'IP address that the request came from.',
  }),
}));

const AdminOperationType = builder.enumType('AdminOperationType', {
  description: 'Kind of change that an admin event records.',
  values: Object.fromEntries(operationTypes.map((type) => [type, { description: operationDescriptions[type] }])),
});

export const AdminResourceType = builder.enumType('AdminResourceType', {
  description: 'Kind of resource that an admin event is about.',
  values: Object.fromEntries(resourceTypes.map((type) => [type, { description: resourceDescriptions[type] }])),
});

interface FilterValue {
  and?: FilterValue[] | null;
  or?: FilterValue[] | null;
  not?: FilterValue | null;
  operationTypes?: string[] | null;
  resourceTypes?: string[] | null;
  resourcePath?: Parameters<typeof textWhere>[0] | null;
  operation?: Parameters<typeof textWhere>[0] | null;
  time?: { before?: Date | null; atOrAfter?: Date | null } | null;
  actorUserId?: string | null;
  isListed?: boolean | null;
}

/** Which admin events. */
export const AdminEventFilter = builder.inputRef<FilterValue>('AdminEventFilter').implement({
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
    actorUserId: t.id({ description: 'Matches events of the user with this ID.' }),
    isListed: t.boolean({ description: 'Matches events that the REST API does (true) or does not (false) list.' }),
  }),
});

/** A filter of admin events as one of the database. */
export const adminEventFilterWhere = (filter: FilterValue): object => ({
  ...combined(filter, adminEventFilterWhere),
  ...(filter.operationTypes && { operationType: { in: filter.operationTypes } }),
  ...(filter.resourceTypes && { resourceType: { in: filter.resourceTypes } }),
  ...(filter.resourcePath && { resourcePath: textWhere(filter.resourcePath) }),
  ...(filter.operation && { operation: textWhere(filter.operation) }),
  ...(filter.time && { time: timeWhere(filter.time) }),
  ...(filter.actorUserId != null && { authUserId: parseId(filter.actorUserId, 'actorUserId', 'User').id }),
  ...(filter.isListed != null && { listed: filter.isListed }),
});

builder.prismaObjectField(Realm, 'adminEvents', (t) =>
  t.field({
    type: connectionType<AdminEvent>('AdminEvent', AdminEventRef),
    nullable: true,
    description: 'Admin events of the realm, newest first.',
    requires: { operation: adminEventsOf, isChecked: true },
    args: {
      ...pageArgs,
      filter: t.arg({ type: AdminEventFilter, description: 'Returns only the items that match. Omit for all.' }),
    },
    complexity: ({ first, last }) => ({ field: 1, multiplier: first ?? last ?? defaultPageSize }),
    resolve: ({ id }, { filter, ...args }, ctx) =>
      eventPage(ctx, adminEventsOf, id, args, filter ? adminEventFilterWhere(filter) : {}, {
        find: async (page) => (await ctx.db.adminEvent.findMany(page)) as AdminEvent[],
        count: (where) => ctx.db.adminEvent.count({ where }),
      }),
  }),
);

mutation('adminEventsClear', {
  description: 'Clears the list of admin events in the REST API. The audit records are kept.',
  operation: clearAdminEvents,
  input: (t) => ({ realm: t.id({ required: true, description: 'ID of the realm.' }) }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  values: { count: { type: 'Int', description: 'Number of events removed from the list.', of: (count) => count } },
});
