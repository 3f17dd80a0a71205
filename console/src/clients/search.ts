import type { Sort } from '../parts/list.js';
import type { ClientOrderField } from './documents.js';

const orders = ['CLIENT_ID', 'NAME'].flatMap((field) => [field, `-${field}`]);

/** The state of the client list in its address. */
export interface ClientListSearch {
  search?: string | undefined;
  enabled?: boolean | undefined;
  sort?: Sort<ClientOrderField> | undefined;
}

/** Reads the state of the client list from the address; what is not of its type is left out. */
export const clientListSearch = ({ search, enabled, sort }: Record<string, unknown>): ClientListSearch => ({
  search: search === undefined || search === '' ? undefined : String(search),
  enabled: typeof enabled === 'boolean' ? enabled : undefined,
  sort: orders.includes(sort as string) ? (sort as ClientListSearch['sort']) : undefined,
});
