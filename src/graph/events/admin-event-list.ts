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
import { eventPage } from './page.js';

builder.objectFields(AdminEventRef, (t) => ({
  isListed: t.exposeBoolean('listed', {
    description:
      'Whether the list of the REST contract shows it: the realm kept admin events, and nobody cleared them.',
  }),
  actorRealmId: t.id({
    nullable: true,
    description: 'Id of the realm of who wrote it.',
    resolve: ({ authRealmId }) => authRealmId && nodeId('Realm', authRealmId),
  }),
  actorUserId: t.id({
    nullable: true,
    description: 'Id of the user who wrote it.',
    resolve: ({ authUserId }) => authUserId && nodeId('User', authUserId),
  }),
  actorClientId: t.exposeString('authClientId', {
    nullable: true,
    description: 'The clientId of the client that was used.',
  }),
  actorIpAddress: t.exposeString('authIpAddress', {
    nullable: true,
    description: 'Address that the request came from.',
  }),
}));

const AdminOperationType = builder.enumType('AdminOperationType', {
  description: 'What was done.',
  values: Object.fromEntries(operationTypes.map((type) => [type, { description: `${type.toLowerCase()}.` }])),
});

export const AdminResourceType = builder.enumType('AdminResourceType', {
  description: 'The kinds of resources that admin events tell of.',
  values: Object.fromEntries(
    resourceTypes.map((type) => [type, { description: `${type.toLowerCase().replaceAll('_', ' ')}.` }]),
  ),
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
  description: 'Which admin events; all tests that are given have to hold.',
  fields: (t) => ({
    and: t.field({ type: [AdminEventFilter], description: 'All of these.' }),
    or: t.field({ type: [AdminEventFilter], description: 'One of these.' }),
    not: t.field({ type: AdminEventFilter, description: 'Not this.' }),
    operationTypes: t.field({ type: [AdminOperationType], description: 'One of these was done.' }),
    resourceTypes: t.field({ type: [AdminResourceType], description: 'To a resource of one of these kinds.' }),
    resourcePath: t.field({ type: StringFilter, description: 'Path of the resource within the realm.' }),
    operation: t.field({ type: StringFilter, description: 'Name of the operation, e.g. `role.create`.' }),
    time: t.field({ type: DateTimeFilter, description: 'When it was written.' }),
    actorUserId: t.id({ description: 'Id of the user who wrote it.' }),
    isListed: t.boolean({ description: 'Whether the list of the REST contract shows it.' }),
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
    description: 'What administrators changed, the newest first. Takes one of view-events, manage-events.',
    args: { ...pageArgs, filter: t.arg({ type: AdminEventFilter, description: 'Which of them.' }) },
    complexity: ({ first, last }) => ({ field: 1, multiplier: first ?? last ?? defaultPageSize }),
    resolve: ({ id }, { filter, ...args }, ctx) =>
      eventPage(ctx, adminEventsOf, id, args, filter ? adminEventFilterWhere(filter) : {}, {
        find: async (page) => (await ctx.db.adminEvent.findMany(page)) as AdminEvent[],
        count: (where) => ctx.db.adminEvent.count({ where }),
      }),
  }),
);

mutation('adminEventsClear', {
  description: 'Takes all admin events out of the list of the REST contract. The audit records stay.',
  operation: clearAdminEvents,
  input: (t) => ({ realm: t.id({ required: true, description: 'Id of the realm.' }) }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  values: { count: { type: 'Int', description: 'How many events there were.', of: (count) => count } },
});
