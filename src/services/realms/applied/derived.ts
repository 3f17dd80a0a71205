import type { ModelName } from '../../../database/db.js';
import { resourceSearch } from '../../authorization/store.js';
import { clientSearchText } from '../../clients/search.js';
import { roleSearchText } from '../../roles/row.js';
import { userSearch } from '../../users/search.js';
import type { Row } from '../desired/delta.js';
import { type Index, text } from '../desired/objects.js';

const maybe = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
const lowered = ({ name }: Row): Row => ({ search: text(name).toLowerCase() });

/** The path of a group, from the names of those above it. Undefined in a circle of groups. */
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

const username = (row: Row, at: Index): Row => ({ username: at('User', row.userId)?.username ?? row.username });

/** The columns that follow from others, of the same row or of those that it refers to. */
const derived: { [M in ModelName]?: (row: Row, at: Index) => Row } = {
  Client: ({ clientId, name }) => ({ search: clientSearchText(text(clientId), maybe(name)) }),
  Role: ({ name, description }) => ({ search: roleSearchText(text(name), maybe(description)) }),
  Group: (row, at) => ({
    container: row.parentId ?? row.realmId,
    search: text(row.name).toLowerCase(),
    path: pathOf(row, at),
  }),
  User: (row, at) => {
    const settings = at('Realm', row.realmId)?.settings as Row | undefined;
    return {
      search: userSearch({
        username: text(row.username),
        email: maybe(row.email),
        firstName: maybe(row.firstName),
        lastName: maybe(row.lastName),
      }),
      uniqueEmail: settings?.duplicateEmailsAllowed === true ? null : (row.email ?? null),
    };
  },
  UserRole: username,
  UserGroup: username,
  AuthorizationScope: lowered,
  AuthorizationResource: ({ name, type }) => ({ search: resourceSearch(text(name), maybe(type)) }),
  AuthorizationPolicy: lowered,
};

/** Names of the columns that follow from others. */
const derivedNames: { [M in ModelName]?: readonly string[] } = {
  Client: ['search'],
  Role: ['search'],
  Group: ['container', 'search', 'path'],
  User: ['search', 'uniqueEmail'],
  UserRole: ['username'],
  UserGroup: ['username'],
  AuthorizationScope: ['search'],
  AuthorizationResource: ['search'],
  AuthorizationPolicy: ['search'],
};

/** Whether a column follows from others, so that nobody changes it by itself. */
export const isDerived = (model: ModelName, column: string): boolean => derivedNames[model]?.includes(column) ?? false;

/** A row with the columns that follow from others. */
export const withDerived = (model: ModelName, row: Row, at: Index): Row => ({ ...row, ...derived[model]?.(row, at) });
