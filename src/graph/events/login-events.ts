import { clearEvents, loginEventsOf } from '../../services/events/login-operations.js';
import { type LoginEventRow, loginEventSelect } from '../../services/events/representation.js';
import { eventTypes } from '../../services/events/types.js';
import { getUser } from '../../services/users/list.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs } from '../core/connection.js';
import { combined, DateTimeFilter, StringFilter, textWhere, timeWhere } from '../core/filters.js';
import { defaultPageSize } from '../core/limits.js';
import { mutation } from '../core/mutation.js';
import { isShown, nodeId, parseId } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';
import { User } from '../users/users.js';
import { describeEventType } from './event-descriptions.js';
import { eventPage } from './page.js';

export const LoginEventType = builder.enumType('LoginEventType', {
  description: 'Type of a login event, with the names of the REST API.',
  values: Object.fromEntries(eventTypes.map((type) => [type, { description: describeEventType(type) }])),
});

const LoginEventDetail = builder.objectRef<{ name: string; value: string }>('LoginEventDetail').implement({
  description: 'A detail of a login event.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the detail, e.g. `grant_type`.' }),
    value: t.exposeString('value', { description: 'Value of the detail.' }),
  }),
});

/** A login event. */
export const LoginEvent = builder.objectRef<LoginEventRow>('LoginEvent').implement({
  description: 'A login event, such as a login, a logout, or a token request.',
  fields: (t) => ({
    id: t.id({ description: 'ID of the login event.', resolve: ({ id }) => nodeId('LoginEvent', id) }),
    time: t.field({
      type: 'DateTime',
      description: 'Time of the event.',
      resolve: ({ time }) => new Date(Number(time)),
    }),
    type: t.field({ type: LoginEventType, description: 'Type of the event.', resolve: ({ type }) => type }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Error code of a failed attempt. Null if the attempt succeeded.',
    }),
    clientId: t.exposeString('clientId', {
      nullable: true,
      description: 'clientId of the client, as sent in the request. The client need not exist.',
    }),
    userId: t.id({
      nullable: true,
      description: 'ID of the user. The user may have been deleted since.',
      resolve: ({ userId }) => userId && nodeId('User', userId),
    }),
    user: t.prismaField({
      type: User,
      nullable: true,
      description: 'The user. Null if the user was deleted.',
      requires: { operation: getUser, otherwise: 'NULL' },
      resolve: async (query, { userId, realmId }, _args, ctx) =>
        userId !== null && (await isShown(ctx, 'User', realmId, userId))
          ? batchingClient(ctx).user.findUnique({ ...query, where: { id: userId } })
          : null,
    }),
    sessionId: t.exposeString('sessionId', {
      nullable: true,
      description: 'Session ID, as in the `sid` claim of tokens.',
    }),
    ipAddress: t.exposeString('ipAddress', { nullable: true, description: 'IP address that the request came from.' }),
    details: t.field({
      type: [LoginEventDetail],
      description: 'Further details of the event, ordered by name.',
      resolve: ({ details }) =>
        Object.entries(details as Record<string, string>).map(([name, value]) => ({ name, value })),
    }),
  }),
});

interface FilterValue {
  and?: FilterValue[] | null;
  or?: FilterValue[] | null;
  not?: FilterValue | null;
  types?: string[] | null;
  time?: { before?: Date | null; atOrAfter?: Date | null } | null;
  clientId?: Parameters<typeof textWhere>[0] | null;
  ipAddress?: Parameters<typeof textWhere>[0] | null;
  error?: Parameters<typeof textWhere>[0] | null;
  userId?: string | null;
}

/** Which login events. */
export const LoginEventFilter = builder.inputRef<FilterValue>('LoginEventFilter').implement({
  description: 'Filter for login events. All given conditions must match.',
  fields: (t) => ({
    and: t.field({ type: [LoginEventFilter], description: 'Matches if every one of these filters matches.' }),
    or: t.field({ type: [LoginEventFilter], description: 'Matches if at least one of these filters matches.' }),
    not: t.field({ type: LoginEventFilter, description: 'Matches if this filter does not match.' }),
    types: t.field({ type: [LoginEventType], description: 'Matches events of one of these types.' }),
    time: t.field({ type: DateTimeFilter, description: 'Condition on the time of the event.' }),
    clientId: t.field({ type: StringFilter, description: 'Condition on the clientId of the client.' }),
    ipAddress: t.field({ type: StringFilter, description: 'Condition on the IP address that the request came from.' }),
    error: t.field({ type: StringFilter, description: 'Condition on the error code.' }),
    userId: t.id({ description: 'ID of the user.' }),
  }),
});

/** A filter of login events as one of the database. */
export const loginEventFilterWhere = (filter: FilterValue): object => ({
  ...combined(filter, loginEventFilterWhere),
  ...(filter.types && { type: { in: filter.types } }),
  ...(filter.time && { time: timeWhere(filter.time) }),
  ...(filter.clientId && { clientId: textWhere(filter.clientId) }),
  ...(filter.ipAddress && { ipAddress: textWhere(filter.ipAddress) }),
  ...(filter.error && { error: textWhere(filter.error) }),
  ...(filter.userId != null && { userId: parseId(filter.userId, 'userId', 'User').id }),
});

builder.prismaObjectField(Realm, 'loginEvents', (t) =>
  t.field({
    type: connectionType<LoginEventRow>('LoginEvent', LoginEvent),
    nullable: true,
    description: 'Login events of the realm, newest first.',
    requires: { operation: loginEventsOf, isChecked: true },
    args: {
      ...pageArgs,
      filter: t.arg({ type: LoginEventFilter, description: 'Returns only the items that match. Omit for all.' }),
    },
    complexity: ({ first, last }) => ({ field: 1, multiplier: first ?? last ?? defaultPageSize }),
    resolve: ({ id }, { filter, ...args }, ctx) =>
      eventPage(ctx, loginEventsOf, id, args, filter ? loginEventFilterWhere(filter) : {}, {
        find: (page) => ctx.db.loginEvent.findMany({ ...page, select: loginEventSelect }),
        count: (where) => ctx.db.loginEvent.count({ where }),
      }),
  }),
);

mutation('loginEventsClear', {
  description: 'Deletes all stored login events of a realm.',
  operation: clearEvents,
  input: (t) => ({ realm: t.id({ required: true, description: 'ID of the realm.' }) }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  values: { count: { type: 'Int', description: 'Number of deleted events.', of: (count) => count } },
});
