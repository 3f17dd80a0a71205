import type { ModelName } from '../../database/db.js';
import { fieldAt } from '../../database/model.js';
import { invalid } from '../../services/core/refusal.js';
import { defaultPageSize, maxPageSize } from './limits.js';

/** The arguments of every connection. */
export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** One column of an order, e.g. `username`, or `group.name` through a relation to one. */
export interface OrderKey {
  path: string;
  descending?: boolean;
  nullable?: boolean;
  /** position of rows without a value; default: last in an ascending order, first in a descending one */
  nulls?: 'first' | 'last';
}

type Row = Record<string, unknown>;
type Where = Record<string, unknown>;

/** The arguments of the database for a page, and the conversion of its rows. */
export interface Page {
  args: { where: Where; orderBy: Row[]; take: number };
  /** the columns of each row that the cursors need */
  select: Row;
  finish<R extends Row>(rows: R[]): { rows: R[]; hasNextPage: boolean; hasPreviousPage: boolean };
  cursorOf(row: Row): string;
}

const nest = (path: string, value: unknown): Row =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Row;

const readPath = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Row | null)?.[name], row);

/**
 * A page by keyset: the cursor holds the values of the order's columns. So a page costs the same at any position, and
 * rows that are added or removed in between do not shift it. The last key must be unique.
 */
export function pageOf(model: ModelName, args: PageArgs, order: readonly OrderKey[], filter: Where): Page {
  const { backwards, cursor } = checked(args);
  const name = backwards ? 'before' : 'after';
  const start = cursor === undefined ? undefined : parseCursor(cursor, order, name);
  if (start?.some((value, at) => !isValueOf(model, order[at], value))) throw foreignCursor(name);
  return pageFrom(args, order, filter, start);
}

function pageFrom(args: PageArgs, order: readonly OrderKey[], filter: Where, start?: unknown[]): Page {
  const { size, backwards, cursor } = checked(args);
  const where = start ? { AND: [filter, beyond(order, start, backwards)] } : filter;
  const direction = (key: OrderKey) => {
    const sort = isDown(key, backwards) ? 'desc' : 'asc';
    return key.nulls ? { sort, nulls: areNullsLast(key, backwards) ? 'last' : 'first' } : sort;
  };
  return {
    args: { where, orderBy: order.map((key) => nest(key.path, direction(key))), take: size + 1 },
    select: Object.assign({}, ...order.map(({ path }) => selectPath(path))),
    finish(rows) {
      const more = rows.length > size;
      const kept = more ? rows.slice(0, size) : rows;
      const others = cursor !== undefined;
      if (backwards) return { rows: kept.reverse(), hasPreviousPage: more, hasNextPage: others };
      return { rows: kept, hasNextPage: more, hasPreviousPage: others };
    },
    cursorOf: (row) => encodeCursor(order.map(({ path }) => readPath(row, path))),
  };
}

const byPosition = [{ path: 'position' }];

/** A page of an in-memory list. Its cursors hold positions. */
export function pageOfList<R extends { position: number }>(
  args: PageArgs,
  list: readonly R[],
): { page: Page; found: R[] } {
  const page = pageFrom(args, byPosition, {});
  const { size, backwards, cursor } = checked(args);
  const name = backwards ? 'before' : 'after';
  const [start] = cursor === undefined ? [undefined] : parseCursor(cursor, byPosition, name);
  if (start !== undefined && typeof start !== 'number') throw foreignCursor(name);
  const beyond = list.filter(
    ({ position }) => start === undefined || (backwards ? position < start : position > start),
  );
  return { page, found: (backwards ? beyond.toReversed() : beyond).slice(0, size + 1) };
}

function selectPath(path: string): Row {
  const [first = '', ...rest] = path.split('.');
  return { [first]: rest.length > 0 ? { select: selectPath(rest.join('.')) } : true };
}

function checked({ first, after, last, before }: PageArgs) {
  if (first != null && last != null) throw invalid('Give either `first` or `last`, not both', 'last');
  if (after != null && before != null) throw invalid('Give either `after` or `before`, not both', 'before');
  if (first != null && before != null) throw invalid('`before` requires `last`', 'before');
  if (last != null && after != null) throw invalid('`after` requires `first`', 'after');
  const backwards = last != null || before != null;
  const size = first ?? last ?? defaultPageSize;
  const name = backwards ? 'last' : 'first';
  requireSize(size, name);
  return { size, backwards, cursor: after ?? before ?? undefined };
}

/** Refuses a number of items that no page can have. */
export function requireSize(size: number, name: 'first' | 'last'): void {
  if (size < 0) throw invalid(`\`${name}\` must not be negative, got ${size}`, name, { argument: 'LIMIT' });
  if (size > maxPageSize)
    throw invalid(`\`${name}\` must be at most ${maxPageSize}, got ${size}`, name, { argument: 'LIMIT' });
}

const encodeCursor = (values: unknown[]): string =>
  Buffer.from(
    JSON.stringify(values.map((value) => (typeof value === 'bigint' ? { n: value.toString() } : value))),
  ).toString('base64url');

function parseCursor(cursor: string, order: readonly OrderKey[], field: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(values) && values.length === order.length) {
      return values.map((value) => (typeof value === 'object' && value !== null ? BigInt(value.n) : value));
    }
  } catch {
    // falls through to the refusal
  }
  throw foreignCursor(field);
}

/** The values that columns of each scalar type may have in a cursor. */
const fits: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['String', (value) => typeof value === 'string' && !value.includes('\0')],
  ['Boolean', (value) => typeof value === 'boolean'],
  ['Int', (value) => typeof value === 'number' && (value | 0) === value],
  [
    'BigInt',
    (value) => Number.isSafeInteger(value) || (typeof value === 'bigint' && BigInt.asIntN(64, value) === value),
  ],
]);

/**
 * Whether a column of an order can have a value: cursors of other lists, and modified ones, have values of other types.
 */
function isValueOf(model: ModelName, key: OrderKey | undefined, value: unknown): boolean {
  if (!key) return false;
  if (value === null) return key.nullable === true;
  return fits.get(fieldAt(model, key.path).type)?.(value) ?? false;
}

const foreignCursor = (field: string) =>
  invalid('The cursor does not belong to this list in this order', field, { argument: 'BAD_CURSOR' });

const isDown = (key: OrderKey, backwards: boolean): boolean => Boolean(key.descending) !== backwards;

/**
 * Whether rows without a value come last in this direction: NULL is the largest value, unless the key states otherwise.
 */
const areNullsLast = (key: OrderKey, backwards: boolean): boolean =>
  ((key.nulls ?? (key.descending ? 'first' : 'last')) === 'last') !== backwards;

/** The rows after the given values: equal in the first keys and greater in the next one. */
function beyond(order: readonly OrderKey[], values: unknown[], backwards: boolean): Where {
  const alternatives = order.map((key, at): Where | undefined => {
    const past = pastValue(key, values[at], backwards);
    if (!past) return undefined;
    const equal = order.slice(0, at).map((earlier, index) => nest(earlier.path, values[index]));
    return { AND: [...equal, past] };
  });
  const any = { OR: alternatives.filter((part) => part !== undefined) };
  const [first] = order;
  if (!first || first.nullable) return any;
  // implied by the alternatives, but in a form that an index can start from
  const bound = isDown(first, backwards) ? { lte: values[0] } : { gte: values[0] };
  return { AND: [nest(first.path, bound), any] };
}

function pastValue(key: OrderKey, value: unknown, backwards: boolean): Where | undefined {
  const { path, nullable } = key;
  const nullsAreLast = areNullsLast(key, backwards);
  if (value === null) return nullsAreLast ? undefined : nest(path, { not: null });
  const past = nest(path, isDown(key, backwards) ? { lt: value } : { gt: value });
  return nullable && nullsAreLast ? { OR: [past, nest(path, null)] } : past;
}
