import { isObject } from '../../services/core/json.js';
import { defaultPageSize } from './limits.js';
import type { PageArgs } from './page.js';

/** Number of conditions in a filter that cost nothing: usual filters have a few. */
const usualConditions = 20;
/** The cost of each further condition: it can be a separate search. */
const costOfCondition = 5;

/** The number of conditions in a filter, at any depth. */
const conditionsIn = (filter: unknown): number => {
  if (Array.isArray(filter) && filter.some(isObject)) return filter.reduce((sum, one) => sum + conditionsIn(one), 0);
  if (!isObject(filter) || filter instanceof Date) return filter == null ? 0 : 1;
  return Object.values(filter).reduce<number>((sum, one) => sum + conditionsIn(one), 0);
};

/** The cost of a filter with many conditions. */
export const filterCost = (filter: unknown): number =>
  costOfCondition * Math.max(0, conditionsIn(filter) - usualConditions);

/** The cost of a list whose page must be found among very many objects, e.g. all users of a realm. */
const costOfSearch = 300;

/** The cost of a list: its filter, and the selection for each of its items. */
export const listCost = ({ first, last, filter }: PageArgs & { filter?: unknown }) => ({
  field: 1 + filterCost(filter),
  multiplier: first ?? last ?? defaultPageSize,
});

/** The cost of a list that is searched for among very many objects. */
export const searchedListCost: typeof listCost = (args) => {
  const { field, multiplier } = listCost(args);
  return { field: field + costOfSearch, multiplier };
};

/** The cost of a search in this number of types, each with very many objects, with this maximum of results. */
export const searchCost = (types: number, most: number) => ({ field: 1 + costOfSearch * types, multiplier: most });
