import { limit } from '../config/limits.js';
import type { ModelName } from '../database/db.js';
import { delegateOf } from '../database/delegate.js';
import { inTurns } from '../database/turns.js';
import type { Answer } from '../http/answer.js';
import { isObject } from '../services/core/json.js';
import type { Where } from './conditions.js';
import type { Document } from './document.js';
import { type Filter, parseFilter } from './parse-filter.js';
import { attributePath } from './paths.js';
import { type Projection, projectionOf } from './projection.js';
import { invalidPath, invalidSyntax, invalidValue, ScimRefusal } from './refusals.js';
import { message, type ScimRequest } from './request.js';

const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const mostResults = limit('SCIM', 'Resources of a page', 500, 'resources', 'the page has only so many');
export const standardResults = 100;

/** The parameters of a query for resources, RFC 7644 section 3.4.2. */
export interface ListQuery {
  filter: Filter | undefined;
  sortBy: string | undefined;
  isDescending: boolean;
  startIndex: number;
  count: number;
  /** undefined for paging by index; empty for the first page */
  cursor: string | undefined;
  projection: Projection;
}

function integer(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw invalidValue(`\`${name}\` must be an integer`);
  return number;
}

function text(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidValue(`\`${name}\` must be a text`);
  return value;
}

/** The query in the parameters of a GET, or in the body of a POST to `.search`. */
export function listQuery(sent: unknown): ListQuery {
  if (!isObject(sent)) throw invalidSyntax('The body must be a JSON object');
  const filter = text(sent.filter, 'filter');
  const cursor = text(sent.cursor, 'cursor');
  const sortBy = text(sent.sortBy, 'sortBy');
  if (cursor !== undefined && (sortBy !== undefined || sent.startIndex !== undefined))
    throw invalidValue('`cursor` cannot be combined with `sortBy` and `startIndex`');
  return {
    filter: filter === undefined ? undefined : parseFilter(filter),
    sortBy,
    isDescending: text(sent.sortOrder, 'sortOrder')?.toLowerCase() === 'descending',
    startIndex: Math.max(1, integer(sent.startIndex, 'startIndex') ?? 1),
    count: Math.min(mostResults, Math.max(0, integer(sent.count, 'count') ?? standardResults)),
    cursor,
    projection: projectionOf(sent),
  };
}

/** A list of resources that can be paged. */
export interface Source<Row> {
  model: ModelName;
  where: Where;
  select: object;
  /** the columns of the list's own order, which the last is unique in */
  order: readonly (keyof Row & string)[];
  /** columns by the paths of their attributes in lower case */
  sorts: Readonly<Record<string, string>>;
  encode(rows: Row[]): Promise<(row: Row) => Document>;
}

function orderOf<Row>({ order, sorts }: Source<Row>, { sortBy, isDescending }: ListQuery): Record<string, string>[] {
  const direction = isDescending ? 'desc' : 'asc';
  if (sortBy === undefined) return order.map((column) => ({ [column]: direction }));
  const { name, sub, text: path } = attributePath(sortBy);
  const column =
    sorts[
      [name, sub]
        .filter((part) => part !== undefined)
        .join('.')
        .toLowerCase()
    ];
  if (column === undefined) throw invalidPath(`Resources cannot be sorted by ${path}`);
  return [{ [column]: direction }, ...order.filter((own) => own !== column).map((own) => ({ [own]: direction }))];
}

const encodeCursor = (values: readonly unknown[]): string => Buffer.from(JSON.stringify(values)).toString('base64url');

/** The filter of the rows after a cursor. */
function afterCursor(cursor: string, order: readonly string[], isDescending: boolean): Where {
  if (cursor === '') return {};
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    values = undefined;
  }
  if (!Array.isArray(values) || values.length !== order.length || values.some((value) => typeof value !== 'string'))
    throw new ScimRefusal('invalidCursor', 'The cursor is not one of this server');
  const known = values as string[];
  const test = isDescending ? 'lt' : 'gt';
  return {
    OR: order.map((column, at) => ({
      AND: [
        ...order.slice(0, at).map((before, index) => ({ [before]: known[index] })),
        { [column]: { [test]: known[at] } },
      ],
    })),
  };
}

/** A page of a list. */
export interface Page {
  resources: Document[];
  totalResults: number;
  nextCursor: string | undefined;
}

/** Reads a page of a list, with the number of all resources of the list. */
export async function readPage<Row extends object>(
  { ctx }: ScimRequest,
  source: Source<Row>,
  query: ListQuery,
): Promise<Page> {
  const { cursor, startIndex, count, projection } = query;
  const orderBy = orderOf(source, query);
  const delegate = delegateOf<Row>(ctx.db, source.model);
  const paged = cursor === undefined ? {} : afterCursor(cursor, source.order, query.isDescending);
  const skip = cursor === undefined ? startIndex - 1 : 0;
  const found =
    count === 0
      ? []
      : await delegate.findMany({
          where: { AND: [source.where, paged] },
          select: source.select,
          orderBy,
          skip,
          // one more shows whether there is a next page
          take: cursor === undefined ? count : count + 1,
        });
  const rows = found.slice(0, count);
  const isAll = count > 0 && !cursor && found.length < count && (rows.length > 0 || skip === 0);
  const totalResults = isAll ? skip + rows.length : await delegate.count({ where: source.where });
  const encode = await source.encode(rows);
  const resources = await inTurns(rows, (row) => projection.apply(encode(row)));
  const last = rows.at(-1);
  const hasNext = found.length > count && last;
  return {
    resources,
    totalResults,
    nextCursor: hasNext ? encodeCursor(source.order.map((column) => last[column])) : undefined,
  };
}

/** Answers a page of a list. */
export function pageAnswer({ resources, totalResults, nextCursor }: Page, { cursor, startIndex }: ListQuery): Answer {
  return message({
    schemas: [listUrn],
    totalResults,
    ...(cursor === undefined && { startIndex }),
    itemsPerPage: resources.length,
    ...(nextCursor !== undefined && { nextCursor }),
    Resources: resources,
  });
}
