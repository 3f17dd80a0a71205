import type { Sort } from '../parts/list.js';
import type { UserOrder, UserOrderField } from './documents.js';

const fields: readonly UserOrderField[] = ['USERNAME', 'EMAIL', 'FIRST_NAME', 'LAST_NAME', 'CREATED_AT'];

/** The state of the user list in its address, so that it can be shared. */
export interface UserListSearch {
  search?: string | undefined;
  enabled?: boolean | undefined;
  verified?: boolean | undefined;
  action?: string | undefined;
  sort?: Sort<UserOrderField> | undefined;
}

/** Reads the state of the user list from the address; what is not of its type is left out. */
export function userListSearch(given: Record<string, unknown>): UserListSearch {
  const text = (value: unknown) => (value === undefined || value === '' ? undefined : String(value));
  const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
  return {
    search: text(given.search),
    enabled: flag(given.enabled),
    verified: flag(given.verified),
    action: text(given.action),
    sort: isSort(given.sort) ? given.sort : undefined,
  };
}

const isSort = (value: unknown): value is Sort<UserOrderField> =>
  typeof value === 'string' && fields.some((field) => field === value || `-${field}` === value);

/** The order of the API for that of the address. */
export const orderOf = (sort: Sort<UserOrderField> = 'USERNAME'): UserOrder => ({
  field: sort.replace('-', '') as UserOrderField,
  direction: sort.startsWith('-') ? 'DESC' : 'ASC',
});
