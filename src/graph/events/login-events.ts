import { clearEvents, loginEventsOf } from '../../services/events/login-operations.js';
import { type LoginEventRow, loginEventSelect } from '../../services/events/representation.js';
import { eventTypes } from '../../services/events/types.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs } from '../core/connection.js';
import { combined, DateTimeFilter, StringFilter, textWhere, timeWhere } from '../core/filters.js';
import { defaultPageSize } from '../core/limits.js';
import { mutation } from '../core/mutation.js';
import { nodeId, parseId, permitById } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';
import { User } from '../users/users.js';
import { eventPage } from './page.js';

const describe = (type: string): string => {
  const words = type
    .toLowerCase()
    .replace(/_error$/, '')
    .replaceAll('_', ' ');
  return type.endsWith('_ERROR') ? `A failed attempt: ${words}.` : `Done: ${words}.`;
};

export const LoginEventType = builder.enumType('LoginEventType', {
  description: 'What a login event tells of, by the name that the contract has for it.',
  values: Object.fromEntries(eventTypes.map((type) => [type, { description: describe(type) }])),
});

const LoginEventDetail = builder.objectRef<{ name: string; value: string }>('LoginEventDetail').implement({
  description: 'Something more that a login event tells.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, e.g. grant_type.' }),
    value: t.exposeString('value', { description: 'What it is.' }),
  }),
});

/** A login event. */
export const LoginEvent = builder.objectRef<LoginEventRow>('LoginEvent').implement({
  description: 'Something that happened at the login side of a realm.',
  fields: (t) => ({
    id: t.id({ description: 'Id of the event.', resolve: ({ id }) => nodeId('LoginEvent', id) }),
    time: t.field({
      type: 'DateTime',
      description: 'When it happened.',
      resolve: ({ time }) => new Date(Number(time)),
    }),
    type: t.field({ type: LoginEventType, description: 'What happened.', resolve: ({ type }) => type as never }),
    error: t.exposeString('error', { nullable: true, description: 'Why it failed; null where it did not.' }),
    clientId: t.exposeString('clientId', {
      nullable: true,
      description: 'The clientId of the client, as it was sent.',
    }),
    userId: t.id({
      nullable: true,
      description: 'Id of the user, who may be gone.',
      resolve: ({ userId }) => userId && nodeId('User', userId),
    }),
    user: t.prismaField({
      type: User,
      nullable: true,
      description: 'The user; null when it is gone, or for callers who may not see users.',
      resolve: async (query, { userId, realmId }, _args, ctx) => {
        if (userId === null || !(await permitById(ctx, realmId)).can('view:users')) return null;
        return batchingClient(ctx).user.findUnique({ ...query, where: { id: userId } });
      },
    }),
    sessionId: t.exposeString('sessionId', { nullable: true, description: 'The session, as tokens call it.' }),
    ipAddress: t.exposeString('ipAddress', { nullable: true, description: 'Address that the request came from.' }),
    details: t.field({
      type: [LoginEventDetail],
      description: 'What else is known, by name.',
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
  description: 'Which login events; all tests that are given have to hold.',
  fields: (t) => ({
    and: t.field({ type: [LoginEventFilter], description: 'All of these.' }),
    or: t.field({ type: [LoginEventFilter], description: 'One of these.' }),
    not: t.field({ type: LoginEventFilter, description: 'Not this.' }),
    types: t.field({ type: [LoginEventType], description: 'Of one of these types.' }),
    time: t.field({ type: DateTimeFilter, description: 'When it happened.' }),
    clientId: t.field({ type: StringFilter, description: 'The clientId of the client.' }),
    ipAddress: t.field({ type: StringFilter, description: 'Address that the request came from.' }),
    error: t.field({ type: StringFilter, description: 'Why it failed.' }),
    userId: t.id({ description: 'Id of the user.' }),
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
    description: 'What users did, the newest first. Takes one of view-events, manage-events.',
    args: { ...pageArgs, filter: t.arg({ type: LoginEventFilter, description: 'Which of them.' }) },
    complexity: ({ first, last }) => ({ field: 1, multiplier: first ?? last ?? defaultPageSize }),
    resolve: ({ id }, { filter, ...args }, ctx) =>
      eventPage(ctx, loginEventsOf, id, args, filter ? loginEventFilterWhere(filter) : {}, {
        find: (page) => ctx.db.loginEvent.findMany({ ...page, select: loginEventSelect }),
        count: (where) => ctx.db.loginEvent.count({ where }),
      }),
  }),
);

mutation('loginEventsClear', {
  description: 'Deletes all that was kept of what users did in a realm.',
  operation: clearEvents,
  input: (t) => ({ realm: t.id({ required: true, description: 'Id of the realm.' }) }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  values: { count: { type: 'Int', description: 'How many events there were.', of: (count) => count } },
});
