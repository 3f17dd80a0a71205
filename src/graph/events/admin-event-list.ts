import type { AdminEvent } from '../../services/core/audit.js';
import { adminEventsOf, clearAdminEvents } from '../../services/events/operations.js';
import { allOfAdminEvent } from '../../services/events/representation.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { mutation } from '../core/mutation.js';
import { relatedField } from '../core/related.js';
import { Group } from '../groups/groups.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';
import { Role } from '../roles/roles.js';
import { User } from '../users/users.js';
import { AdminEventFilter, type AdminEventFilterValue, adminEventFilterWhere } from './admin-event-filter.js';
import { AdminEventRef } from './admin-events.js';
import { EventOrder, type EventOrderValue, eventOrder } from './event-list.js';

const AdminEventConnection = connectionType<AdminEvent>('AdminEvent', AdminEventRef);

interface AdminEventListArgs {
  filter?: AdminEventFilterValue | null | undefined;
  orderBy?: EventOrderValue | null | undefined;
}

/** The common parts of all lists of admin events. */
export const adminEventList = {
  connection: AdminEventConnection,
  args: builder.args((t) => ({
    filter: t.field({ type: AdminEventFilter, description: 'Returns only the items that match. Omit for all.' }),
    orderBy: t.field({ type: EventOrder, description: 'Order of the events. Default: newest first.' }),
  })),
  where: ({ filter }: AdminEventListArgs) => (filter ? { ...adminEventFilterWhere(filter) } : {}),
  order: ({ orderBy }: AdminEventListArgs) => eventOrder(orderBy),
};

const related = {
  ...adminEventList,
  relation: 'adminEvents',
  // REST shows all events to callers who may view the events of the realm, regardless of the objects of the events
  requires: { operation: adminEventsOf, byRolesAlone: true },
  reads: allOfAdminEvent,
} as const;

relatedField(Realm, 'adminEvents', { ...related, description: 'Admin events of the realm, newest first by default.' });
relatedField(User, 'adminEvents', { ...related, description: 'Admin events about the user, newest first by default.' });
relatedField(Group, 'adminEvents', {
  ...related,
  description: 'Admin events about the group, newest first by default.',
});
relatedField(Client, 'adminEvents', {
  ...related,
  description:
    'Admin events about the client itself, newest first by default. Events about its roles and mappers are not included.',
});
relatedField(Role, 'adminEvents', { ...related, description: 'Admin events about the role, newest first by default.' });

mutation('realmClearAdminEvents', {
  description: 'Clears the list of admin events in the REST API. The audit records are kept.',
  operation: clearAdminEvents,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the realm.' }) }),
  locate: ({ id }, ctx) => realmTarget(ctx, id),
  values: { count: { type: 'Int', description: 'Number of events removed from the list.', of: (count) => count } },
});
