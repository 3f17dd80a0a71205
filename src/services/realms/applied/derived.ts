import type { ModelName } from '../../../database/db.js';
import { resourceSearch } from '../../authorization/store.js';
import { clientSearchText } from '../../clients/search.js';
import { roleSearchText } from '../../roles/row.js';
import { userSearch } from '../../users/search.js';
import type { Row } from '../desired/delta.js';
import { type Index, text } from '../desired/objects.js';

type Columns = Readonly<Record<string, (row: Row, at: Index) => unknown>>;

const maybe = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
const lowered: Columns = { search: ({ name }) => text(name).toLowerCase() };

/** The path of a group, from the names of its ancestors. Undefined in a circle of groups. */
function pathOf(group: Row, at: Index): string | undefined {
  const names: string[] = [];
  const seen = new Set<unknown>();
  for (let row: Row | undefined = group; row; row = row.parentId ? at('Group', row.parentId) : undefined) {
    if (seen.has(row.id)) return undefined;
    seen.add(row.id);
    names.unshift(text(row.name));
  }
  return `/${names.join('/')}`;
}

const holder: Columns = { username: (row, at) => at('User', row.userId)?.username ?? row.username };

/** Columns that are derived from others, of the same row or of rows that it refers to. */
const derived: { [M in ModelName]?: Columns } = {
  Client: { search: ({ clientId, name }) => clientSearchText(text(clientId), maybe(name)) },
  Role: { search: ({ name, description }) => roleSearchText(text(name), maybe(description)) },
  Group: { ...lowered, container: ({ parentId, realmId }) => parentId ?? realmId, path: pathOf },
  User: {
    search: (row) =>
      userSearch({
        username: text(row.username),
        email: maybe(row.email),
        firstName: maybe(row.firstName),
        lastName: maybe(row.lastName),
      }),
    uniqueEmail: ({ realmId, email }, at) => {
      const settings = at('Realm', realmId)?.settings as Row | undefined;
      return settings?.duplicateEmailsAllowed === true ? null : (email ?? null);
    },
  },
  UserRole: holder,
  UserGroup: holder,
  AuthorizationScope: lowered,
  AuthorizationResource: { search: ({ name, type }) => resourceSearch(text(name), maybe(type)) },
  AuthorizationPolicy: lowered,
};

/** Whether a column is derived from others, so that it never changes alone. */
export const isDerived = (model: ModelName, column: string): boolean => Object.hasOwn(derived[model] ?? {}, column);

/** A row with the columns that follow from others. */
export const withDerived = (model: ModelName, row: Row, at: Index): Row => ({
  ...row,
  ...Object.fromEntries(Object.entries(derived[model] ?? {}).map(([column, of]) => [column, of(row, at)])),
});
