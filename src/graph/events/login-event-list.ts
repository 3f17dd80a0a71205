import { clearEvents, loginEventsOf } from '../../services/events/login-operations.js';
import { type LoginEventRow, loginEventSelect } from '../../services/events/representation.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { addField } from '../core/field.js';
import { mutation } from '../core/mutation.js';
import { relatedField } from '../core/related.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';
import { User } from '../users/users.js';
import { EventOrder, type EventOrderValue, eventOrder } from './event-list.js';
import { LoginEventFilter, type LoginEventFilterValue, loginEventFilterWhere } from './login-event-filter.js';
import { LoginEvent } from './login-events.js';

interface LoginEventListArgs {
  filter?: LoginEventFilterValue | null | undefined;
  orderBy?: EventOrderValue | null | undefined;
}

/** The common parts of all lists of login events. */
export const loginEventList = {
  connection: connectionType<LoginEventRow>('LoginEvent', LoginEvent),
  args: builder.args((t) => ({
    filter: t.field({ type: LoginEventFilter, description: 'Returns only the items that match. Omit for all.' }),
    orderBy: t.field({ type: EventOrder, description: 'Order of the events. Default: newest first.' }),
  })),
  where: ({ filter }: LoginEventListArgs) => (filter ? { ...loginEventFilterWhere(filter) } : {}),
  order: ({ orderBy }: LoginEventListArgs) => eventOrder(orderBy),
};

const related = {
  ...loginEventList,
  relation: 'loginEvents',
  // in REST, the permission to view the events of the realm shows the events of all users
  requires: { operation: loginEventsOf, byRolesAlone: true },
  reads: loginEventSelect,
} as const;

relatedField(Realm, 'loginEvents', { ...related, description: 'Login events of the realm, newest first by default.' });
relatedField(User, 'loginEvents', { ...related, description: 'Login events of the user, newest first by default.' });

const lastLoginAt = {
  type: 'DateTime',
  nullable: true,
  description:
    'Time of the newest stored login event of the user with the type `LOGIN`. Null if there is none: the user has not logged in, or the realm does not store such events or has removed them.',
  requires: related.requires,
  select: { logins: { select: { time: true }, orderBy: { time: 'desc' }, take: 1 } },
  resolve: ({ logins: [last] }: { logins: { time: bigint }[] }) => (last ? new Date(Number(last.time)) : null),
};
addField(User, 'lastLoginAt', () => lastLoginAt);

mutation('realmClearLoginEvents', {
  description: 'Deletes all stored login events of a realm.',
  operation: clearEvents,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the realm.' }) }),
  locate: ({ id }, ctx) => realmTarget(ctx, id),
  values: { count: { type: 'Int', description: 'Number of deleted events.', of: (count) => count } },
});
