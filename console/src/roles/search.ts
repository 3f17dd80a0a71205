import type { Sort } from '../parts/list.js';
import type { RoleOrderField } from './documents.js';

const sorts: readonly Sort<RoleOrderField>[] = ['NAME', '-NAME', 'DESCRIPTION', '-DESCRIPTION'];

/** The state of the list of roles in its address: a text, the client whose roles are shown, and the order. */
export const roleSearch = ({ search, client, sort }: Record<string, unknown>) => ({
  ...(search !== undefined && search !== '' && { search: String(search) }),
  ...(client !== undefined && client !== '' && { client: String(client) }),
  ...(sorts.includes(sort as Sort<RoleOrderField>) && { sort: sort as Sort<RoleOrderField> }),
});
