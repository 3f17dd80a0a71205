import type { InputRef } from '@pothos/core';
import type { Context } from '../../services/core/context.js';
import type { VisibleKind } from '../../services/core/ports.js';
import { builder } from './builder.js';
import {
  AttributeFilter,
  attributeWhere,
  DateTimeFilter,
  NullableStringFilter,
  OrderDirection,
  optionalTextTests,
  StringFilter,
  type StringTests,
  secondsWhere,
  type TimeTests,
  textTests,
  timeWhere,
} from './filters.js';
import { isVisible, nodeId, parseId, viewsAll } from './node.js';
import type { OrderKey } from './page.js';

type Where = Record<string, unknown>;

/** A condition of a filter. */
export interface Condition {
  type: object | 'Boolean' | 'String' | 'ID';
  description: string;
  /** the filter of the matching rows; `path` is the path of the input */
  where(value: never, path: string): object;
  /** the kind of data that the condition reveals; rows are matched only for callers who may view it of the row */
  tells?: VisibleKind;
  /** the types of the linked object, if callers who may view the rows may not view every link */
  links?: readonly string[];
}

/** A condition with an input of this type. */
export const condition = <V>(
  type: InputRef<V>,
  description: string,
  where: (value: V, path: string) => object,
): Condition => ({ type, description, where });

/** A condition on a text that every row has. `fold` is applied to the searched text, for example to lower its case. */
export const onText = (column: string, description: string, fold?: (text: string) => string): Condition =>
  condition(StringFilter, description, (tests: StringTests) => textTests(column, tests, fold));

/** A condition on a text that rows can lack. */
export const onOptionalText = (column: string, description: string, fold?: (text: string) => string): Condition =>
  condition(NullableStringFilter, description, (tests: StringTests) => optionalTextTests(column, tests, fold));

/** A condition on a time, in milliseconds since 1970. */
export const onTime = (column: string, description: string): Condition =>
  condition(DateTimeFilter, description, (tests: TimeTests) => ({ [column]: timeWhere(tests) }));

/** A condition on a time, in seconds since 1970. */
export const onSeconds = (column: string, description: string): Condition =>
  condition(DateTimeFilter, description, (tests: TimeTests) => ({ [column]: secondsWhere(tests) }));

/** A condition on the attributes of rows, if they are a relation. */
export const onAttribute = (description: string): Condition => ({
  type: AttributeFilter,
  description,
  where: (value: Parameters<typeof attributeWhere>[0]) => ({ attributes: attributeWhere(value) }),
});

/** A condition that is met or not. */
export const whether = (description: string, where: (is: boolean) => object): Condition => ({
  type: 'Boolean',
  description,
  where,
});

/** A condition on the exact text. */
export const named = (description: string, where: (name: string) => object): Condition => ({
  type: 'String',
  description,
  where,
});

/** The condition with a mark that it reveals data which not all callers who may view the row may view. */
export const telling = (tells: VisibleKind, one: Condition): Condition => ({ ...one, tells });

/**
 * A condition on a link to an object of a type, by its ID. It reveals nothing about an object that the caller may not
 * view.
 */
export const linkedTo = (
  typename: string | readonly string[],
  description: string,
  where: (id: string) => object,
): Condition => ({
  ...shownLinkTo(
    typename,
    `${description} An object that the caller may not view is treated like one that does not exist.`,
    where,
  ),
  links: [typename].flat(),
});

/**
 * A condition on a link that all callers who may view the row may view, even if they may not view the linked object.
 */
export const shownLinkTo = (
  typename: string | readonly string[],
  description: string,
  where: (id: string) => object,
): Condition => ({
  type: 'ID',
  description,
  where: (id: string, path) => where(parseId(id, path, ...[typename].flat()).id),
});

/** A column that lists can be ordered by. */
interface OrderField {
  path: string;
  description: string;
  /** whether rows can lack it */
  isNullable?: true;
}

interface ListOptions {
  /** name of the type of the rows, and how they are called in sentences */
  name: string;
  plural: string;
  conditions: Readonly<Record<string, Condition>>;
  orders: Readonly<Record<string, OrderField>>;
  /** columns that are unique together, if rows have no `id` */
  key?: readonly string[];
}

/** A filter of a list. */
export interface FilterValue {
  and?: FilterValue[] | null;
  or?: FilterValue[] | null;
  not?: FilterValue | null;
  [condition: string]: unknown;
}

interface OrderValue {
  field: string;
  direction?: 'ASC' | 'DESC' | null;
  nulls?: 'FIRST' | 'LAST' | null;
}

/** The arguments of a list. */
export interface ListArgs {
  filter?: FilterValue | null | undefined;
  orderBy?: OrderValue | null | undefined;
}

const NullsOrder = builder.enumType('NullsOrder', {
  description: 'Where an order puts items that lack the field.',
  values: { FIRST: { description: 'Before all others.' }, LAST: { description: 'After all others.' } },
});

/** A filter and all filters within it. */
const withNested = (filter: FilterValue): FilterValue[] => [
  filter,
  ...[...(filter.and ?? []), ...(filter.or ?? []), ...(filter.not ? [filter.not] : [])].flatMap(withNested),
];

/** No object has this ID: its character is refused in IDs that callers choose. */
const idOfNothing = '?';

/**
 * The ID of an object in a filter, for the caller. If the caller may not view the object, it is an ID that no object
 * has.
 */
async function seenId(ctx: Context, realmId: string, types: readonly string[], globalId: string): Promise<string> {
  const node = parseId(globalId, 'filter', ...types);
  // an object of another realm has no link to the rows, so the permissions in this realm decide
  const isSeen = (await viewsAll(ctx, realmId, node.typename)) || (await isVisible(ctx, node));
  return isSeen ? globalId : nodeId(node.typename, idOfNothing);
}

/** Whether a filter tests one of these conditions anywhere. */
export const testsAny = (filter: FilterValue | null | undefined, conditions: readonly string[]): boolean =>
  filter != null && withNested(filter).some((one) => conditions.some((name) => one[name] != null));

/**
 * Creates the filter `<Name>Filter` and the order `<Name>Order` for the lists of a type. `args` are the arguments of a
 * list. `where` returns the filter of the database, `order` the columns of an order; undefined for the default order.
 */
export function listType({ name, plural, conditions, orders, key = ['id'] }: ListOptions) {
  const Filter = builder.inputRef<FilterValue>(`${name}Filter`);
  Filter.implement({
    description: `Filter for ${plural}. All given conditions must match.`,
    fields: (t) => ({
      and: t.field({ type: [Filter], description: 'Matches if every one of these filters matches.' }),
      or: t.field({ type: [Filter], description: 'Matches if at least one of these filters matches.' }),
      not: t.field({ type: Filter, description: 'Matches if this filter does not match.' }),
      ...Object.fromEntries(
        Object.entries(conditions).map(([field, { type, description }]) => [
          field,
          // Pothos derives the type of the field from a single type, but there are several here
          t.field({ type, description } as never),
        ]),
      ),
    }),
  });
  const Field = builder.enumType(`${name}OrderField`, {
    description: `Field by which ${plural} can be ordered.`,
    values: Object.fromEntries(Object.entries(orders).map(([field, { description }]) => [field, { description }])),
  });
  const Order = builder.inputRef<OrderValue>(`${name}Order`).implement({
    description: `Order of ${plural}. Those with equal values come in a fixed order.`,
    fields: (t) => ({
      field: t.field({ type: Field, required: true, description: 'Field to order by.' }),
      direction: t.field({ type: OrderDirection, description: 'Direction of the order. Default `ASC`.' }),
      ...(Object.values(orders).some(({ isNullable }) => isNullable) && {
        nulls: t.field({
          type: NullsOrder,
          description: 'Where items without a value come. Default: last for `ASC`, first for `DESC`.',
        }),
      }),
    }),
  });
  const where = (filter: FilterValue, path = 'filter'): Where => {
    const { and, or, not, ...own } = filter;
    return {
      AND: [
        ...Object.entries(own).flatMap(([field, value]) => {
          const test = conditions[field];
          return test && value != null ? test.where(value as never, `${path}.${field}`) : [];
        }),
        ...(and ? and.map((one, at) => where(one, `${path}.and.${at}`)) : []),
        ...(or ? [{ OR: or.map((one, at) => where(one, `${path}.or.${at}`)) }] : []),
        ...(not ? [{ NOT: where(not, `${path}.not`) }] : []),
      ],
    };
  };
  const links = Object.entries(conditions).flatMap(([field, { links }]) => (links ? [[field, links] as const] : []));
  const seen = async (ctx: Context, realmId: string, filter: FilterValue): Promise<FilterValue> => {
    const each = (filters: readonly FilterValue[]) => Promise.all(filters.map((one) => seen(ctx, realmId, one)));
    const ids = links.map(async ([field, types]) => {
      const id = filter[field];
      return typeof id === 'string' ? { [field]: await seenId(ctx, realmId, types, id) } : {};
    });
    return {
      ...filter,
      ...Object.assign({}, ...(await Promise.all(ids))),
      ...(filter.and && { and: await each(filter.and) }),
      ...(filter.or && { or: await each(filter.or) }),
      ...(filter.not && { not: await seen(ctx, realmId, filter.not) }),
    };
  };
  const linking = links.map(([field]) => field);
  return {
    filter: Filter,
    args: builder.args((t) => ({
      filter: t.field({ type: Filter, description: 'Returns only the items that match. Omit for all.' }),
      orderBy: t.field({ type: Order, description: `Order of the ${plural}. Omit for the usual order of the list.` }),
    })),
    where: ({ filter }: ListArgs): Where => (filter ? where(filter) : {}),
    /**
     * the filter of a list of a realm for the caller; rows must be read with this one; `where` has already checked its
     * IDs
     */
    seen: async (ctx: Context, realmId: string, { filter }: ListArgs): Promise<ListArgs['filter']> =>
      filter && testsAny(filter, linking) ? seen(ctx, realmId, filter) : filter,
    /** the kinds of data that a filter reveals beyond the rows */
    tells: ({ filter }: ListArgs): VisibleKind[] =>
      Object.entries(conditions).flatMap(([field, { tells }]) => (tells && testsAny(filter, [field]) ? tells : [])),
    order: ({ orderBy }: ListArgs): readonly OrderKey[] | undefined => {
      const field = orderBy && orders[orderBy.field];
      if (!field) return undefined;
      const descending = orderBy.direction === 'DESC';
      const nulls = orderBy.nulls === 'FIRST' ? 'first' : 'last';
      return [
        {
          path: field.path,
          descending,
          ...(field.isNullable && { nullable: true, ...(orderBy.nulls && { nulls }) }),
        },
        ...key.map((path) => ({ path, descending })),
      ];
    },
  };
}

export type ListType = ReturnType<typeof listType>;
