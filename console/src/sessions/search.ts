import { textSearch } from '../parts/search.js';
import type { UserSessionOrder } from './documents.js';

/** The orders of the list, by their names in the address. */
export const sessionOrders = {
  STARTED_AT: { field: 'STARTED_AT', direction: 'ASC' },
  '-STARTED_AT': { field: 'STARTED_AT', direction: 'DESC' },
  LAST_ACCESS_AT: { field: 'LAST_ACCESS_AT', direction: 'ASC' },
  '-LAST_ACCESS_AT': { field: 'LAST_ACCESS_AT', direction: 'DESC' },
} as const satisfies Record<string, UserSessionOrder>;

/** The state of the list of sessions in its address. */
export interface SessionSearch {
  search?: string | undefined;
  kind?: 'regular' | 'offline' | undefined;
  sort?: keyof typeof sessionOrders | undefined;
}

/** Reads the state of the list from the address; what is not of its type is left out. */
export const sessionSearch = ({ kind, sort, ...given }: Record<string, unknown>): SessionSearch => ({
  ...textSearch(given),
  kind: kind === 'regular' || kind === 'offline' ? kind : undefined,
  sort: typeof sort === 'string' && sort in sessionOrders ? (sort as SessionSearch['sort']) : undefined,
});
