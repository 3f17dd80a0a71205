import { byRealm } from '../../services/core/by-realm.js';
import { exactText } from '../../services/core/json.js';
import { countLoginEvents, type intervalLengths, mostIntervals, startsOf } from '../../services/events/intervals.js';
import { loginEventsOf } from '../../services/events/login-operations.js';
import { builder } from '../core/builder.js';
import { requireNoNull } from '../core/filters.js';
import { filterCost } from '../core/list-cost.js';
import { Realm } from '../realms/realms.js';
import { loginEventList } from './login-event-list.js';

const EventInterval = builder.enumType('EventInterval', {
  description: 'Length of the intervals in which events are counted.',
  values: {
    MINUTE: { value: 'MINUTE', description: 'Intervals of 60 seconds.' },
    HOUR: { value: 'HOUR', description: 'Intervals of 60 minutes.' },
    DAY: { value: 'DAY', description: 'Intervals of 24 hours, also where the clocks change.' },
  } as const satisfies Record<keyof typeof intervalLengths, object>,
});

const EventCount = builder.objectRef<{ start: Date; count: number }>('EventCount').implement({
  description: 'Number of events in an interval of time.',
  fields: (t) => ({
    start: t.field({
      type: 'DateTime',
      description: 'Start of the interval, which belongs to it. Its end is the start of the next one.',
      resolve: ({ start }) => start,
    }),
    count: t.exposeInt('count', { description: 'Number of events. 0 if there is none.' }),
  }),
});

builder.prismaObjectField(Realm, 'loginEventCounts', (t) =>
  t.field({
    type: [EventCount],
    nullable: true,
    description:
      'Numbers of login events in equal intervals, in the order of time. Intervals without an event are returned too.',
    requires: { operation: loginEventsOf, byRolesAlone: true },
    args: {
      filter: loginEventList.args.filter,
      from: t.arg({ type: 'DateTime', required: true, description: 'Start of the first interval.' }),
      interval: t.arg({ type: EventInterval, required: true, description: 'Length of each interval.' }),
      count: t.arg.int({
        required: true,
        description: `Number of intervals, from 1 to ${mostIntervals}: 24 for the hours of a day.`,
      }),
    },
    complexity: ({ filter, count }) => ({ field: 10 + filterCost(filter), multiplier: Math.max(1, count) }),
    resolve: async ({ id }, { filter, ...intervals }, ctx) => {
      requireNoNull(filter);
      const starts = startsOf(intervals);
      const what = exactText({ filter: filter ?? null, ...intervals, from: intervals.from.getTime() });
      const counts = byRealm(ctx, `login events in intervals ${what}`, (realmIds) =>
        countLoginEvents(ctx.db, realmIds, intervals, loginEventList.where({ filter })),
      );
      const found = await counts.load(id);
      return starts.map((start, at) => ({ start, count: found?.get(at) ?? 0 }));
    },
  }),
);
