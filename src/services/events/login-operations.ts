import type { Prisma } from '../../generated/sqlite/client.js';
import { list, type Order, read, write } from '../core/operation.js';
import type { Input } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { dayStart } from './dates.js';
import { pageSize } from './operations.js';
import { EventFilter, encodeLoginEvent, loginEventSelect } from './representation.js';
import { deleteLoginEvents } from './store.js';

/** Newest first; events of the same millisecond in a fixed order. */
const newestFirst: { time?: 'desc'; id?: 'desc' }[] = [{ time: 'desc' }, { id: 'desc' }];

/** The login events of a realm that pass the filter of the contract. */
function loginEventWhere(realmId: string, filter: Input<typeof EventFilter>): Prisma.LoginEventWhereInput {
  const { type, client, user, ipAddress, dateFrom, dateTo } = filter;
  return {
    realmId,
    ...(type?.length && { type: { in: type } }),
    ...(client && { clientId: client }),
    ...(user && { userId: user }),
    ...(ipAddress && { ipAddress }),
    ...((dateFrom || dateTo) && {
      time: {
        ...(dateFrom && { gte: dayStart(dateFrom, 'From', true) }),
        ...(dateTo && { lte: dayStart(dateTo, 'To', true) }),
      },
    }),
  };
}

export const loginEventsOf = list({
  name: 'event.all',
  summary: 'Returns the login events of a realm of all types, newest first.',
  allow: 'view:events',
  model: 'LoginEvent',
  where: ({ realm }: Target): Prisma.LoginEventWhereInput => ({ realmId: realm.id }),
  orderBy: newestFirst as Order,
});

export const listEvents = read({
  name: 'event.list',
  summary: 'Returns the login events of a realm, newest first unless `direction` is `asc`.',
  input: EventFilter,
  allow: 'view:events',
  run: async (ctx, { realm }: Target, filter) => {
    const { first = 0, max = pageSize, direction = 'desc' } = filter;
    const rows = await ctx.db.loginEvent.findMany({
      where: loginEventWhere(realm.id, filter),
      orderBy: [{ time: direction }, { id: direction }],
      select: loginEventSelect,
      ...(first > 0 && { skip: first }),
      ...(max >= 0 && { take: max }),
    });
    return rows.map(encodeLoginEvent);
  },
});

export const clearEvents = write({
  name: 'event.clear',
  summary: 'Deletes all stored login events of a realm.',
  allow: 'manage:events',
  run: (tx, { realm }: Target): Promise<number> => deleteLoginEvents(tx, realm.id),
  event: () => ({ operationType: 'DELETE', resourceType: 'REALM', resourcePath: 'events' }),
  touches: () => [],
});
