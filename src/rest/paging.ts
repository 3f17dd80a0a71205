import { intParameter } from './request.js';
import type { Paging } from './table.js';

const notNegative = (value: number | undefined): number | undefined =>
  value !== undefined && value < 0 ? undefined : value;

/** The parameter `first`; undefined if it is missing or negative. */
export const first = (query: URLSearchParams) => notNegative(intParameter(query, 'first'));
/** The parameter `max`; undefined if it is missing or negative. */
export const max = (query: URLSearchParams) => notNegative(intParameter(query, 'max'));

const paging = (skip: number | undefined, take: number | undefined): Paging => ({
  ...(skip !== undefined && { skip }),
  ...(take !== undefined && { take }),
});

/** No paging: first and max are ignored. */
export const all = (): Paging => ({});

/** Each parameter works alone; without `max` everything comes, or `most` where there is a default. */
export const each =
  (most?: number) =>
  (query: URLSearchParams): Paging =>
    paging(first(query), max(query) ?? most);

/** First and max count only together. A negative first skips nothing, a negative max means all. */
export const together = (query: URLSearchParams): Paging => {
  const both = paging(first(query), max(query));
  return query.has('first') && query.has('max') ? both : {};
};

/** First and max count only together, except in a search, where each of them works alone. */
export const togetherUnlessSearching = (query: URLSearchParams): Paging =>
  query.get('search')?.trim() ? each()(query) : together(query);
