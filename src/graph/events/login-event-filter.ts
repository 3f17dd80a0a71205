import { builder } from '../core/builder.js';
import { combined, DateTimeFilter, StringFilter, type StringTests, timeWhere } from '../core/filters.js';
import { parseId } from '../core/node.js';
import { textConditions } from './event-list.js';
import { LoginEventType } from './login-events.js';

export interface LoginEventFilterValue {
  and?: LoginEventFilterValue[] | null;
  or?: LoginEventFilterValue[] | null;
  not?: LoginEventFilterValue | null;
  types?: string[] | null;
  time?: { before?: Date | null; atOrAfter?: Date | null } | null;
  clientId?: StringTests | null;
  ipAddress?: StringTests | null;
  error?: StringTests | null;
  user?: string | null;
  search?: string | null;
}

/** The filter of login events. */
export const LoginEventFilter = builder.inputRef<LoginEventFilterValue>('LoginEventFilter').implement({
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
    user: t.id({ description: 'Matches events of the user with this ID.' }),
    search: t.string({
      description:
        'Matches events with this text in the clientId, IP address, session ID, or error code. Case-sensitive.',
    }),
  }),
});

const textColumns = ['clientId', 'ipAddress', 'error'] as const;
const searched = ['clientId', 'ipAddress', 'sessionId', 'error'] as const;

/** Converts a filter of login events to a filter of the database. */
export const loginEventFilterWhere = (filter: LoginEventFilterValue): object => {
  const { user } = filter;
  const conditions = [
    ...textConditions(filter, textColumns, searched),
    ...(user == null ? [] : [{ userId: parseId(user, 'user', 'User').id }]),
  ];
  const where = {
    ...combined(filter, loginEventFilterWhere),
    ...(filter.types && { type: { in: filter.types } }),
    ...(filter.time && { time: timeWhere(filter.time) }),
  };
  return conditions.length === 0 ? where : { AND: [where, ...conditions] };
};
