import { type Context, loader } from '../../services/core/context.js';
import { batchLoader } from '../../services/core/pace.js';
import { builder } from '../core/builder.js';
import { OrderDirection, optionalTextTests, type StringTests } from '../core/filters.js';
import type { OrderKey } from '../core/page.js';

const EventOrderField = builder.enumType('EventOrderField', {
  description: 'Field by which events can be ordered.',
  values: { TIME: { value: 'time', description: 'Order by time.' } } as const,
});

/** Order of events. */
export const EventOrder = builder.inputType('EventOrder', {
  description: 'Order of events.',
  fields: (t) => ({
    field: t.field({ type: EventOrderField, required: true, description: 'Field to order by.' }),
    direction: t.field({ type: OrderDirection, description: 'Direction of the order. Default `ASC`.' }),
  }),
});

export interface EventOrderValue {
  field: 'time';
  direction?: string | null | undefined;
}

/**
 * The order of a list of events, newest first by default. Events of one millisecond have a fixed order, so that a
 * cursor is between two of them.
 */
export function eventOrder(orderBy: EventOrderValue | null | undefined): readonly OrderKey[] {
  const descending = orderBy ? orderBy.direction === 'DESC' : true;
  return [
    { path: 'time', descending },
    { path: 'id', descending },
  ];
}

/** Reads events by their IDs. Concurrent reads share one statement. */
export function eventsById<R extends { id: string }>(
  ctx: Context,
  what: string,
  ids: readonly string[],
  find: (ids: string[]) => Promise<R[]>,
): Promise<(R | null)[]> {
  const events = loader(ctx, `${what} by id`, () =>
    batchLoader<string, R | null>(ctx, async (wanted) => {
      const rows = new Map((await find([...wanted])).map((row) => [row.id, row]));
      return wanted.map((id) => rows.get(id) ?? null);
    }),
  );
  return Promise.all(ids.map((id) => events.load(id)));
}

type TextFilters<C extends string> = Readonly<Partial<Record<C, StringTests | null>>> & { search?: string | null };

/** The conditions of a filter on columns that can be null, and the conditions of its search in some columns. */
export const textConditions = <C extends string>(
  filter: TextFilters<C>,
  columns: readonly C[],
  searched: readonly string[],
): object[] => [
  ...columns.flatMap((column) => (filter[column] ? [optionalTextTests(column, filter[column])] : [])),
  ...(filter.search == null ? [] : [{ OR: searched.map((column) => ({ [column]: { contains: filter.search } })) }]),
];
