import type { ModelName } from '../../../database/db.js';
import { serviceAccountName } from '../defaults/clients.js';
import type { Draft, RealmRows } from './draft.js';

/** The models of users, in an order in which every foreign key points to an earlier row. */
export const userModels = [
  'User',
  'UserAttribute',
  'Credential',
  'FederatedIdentity',
  'UserConsent',
  'UserGroup',
  'UserRole',
] as const satisfies ModelName[];

/** Rows of some users. JSON preserves them. */
export type UserRows = Pick<RealmRows, (typeof userModels)[number]>;

/** The users of a file to which its other parts refer. */
export interface Wanted {
  /** names of the clients' service accounts if the file does not name their client */
  accounts: ReadonlySet<string>;
  /** all texts in the authorization settings, which include the users that these name */
  named: ReadonlySet<string>;
}

/** The users that the rest of a draft needs after they were added. */
export function wantedUsers({ input, clientByName }: Draft): Wanted {
  const accounts = new Set<string>();
  for (const { clientId, serviceAccountsEnabled } of clientByName.values()) {
    if (serviceAccountsEnabled) accounts.add(serviceAccountName(clientId));
  }
  const named = new Set<string>();
  for (const { authorizationSettings } of input.clients ?? []) collectTexts(authorizationSettings, named);
  return { accounts, named };
}

/** Policies keep lists as JSON texts. */
function collectTexts(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') {
    into.add(value).add(value.toLowerCase());
    if (!value.startsWith('[')) return;
    try {
      collectTexts(JSON.parse(value), into);
    } catch {
      // a text that only looks like a list
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) collectTexts(item, into);
  }
}

/**
 * Removes the rows of users from a draft, except for users that the rest of the file needs. The draft also forgets the
 * names and addresses of the removed users: duplicates are found when the rows are inserted.
 */
export function takeUsers(draft: Draft, { accounts, named }: Wanted): UserRows {
  // one list of rows for each of the models
  const rows = Object.fromEntries(userModels.map((model) => [model, draft.rows[model].splice(0)])) as UserRows;
  const stays = ({ username, serviceAccountClientId }: UserRows['User'][number]) =>
    Boolean(serviceAccountClientId) || accounts.has(username);
  draft.rows.User.push(...rows.User.filter(stays));
  const namedIds = new Set([...named].map((id) => draft.ids.now('User', id)));
  for (const row of rows.User) {
    if (!stays(row) && !named.has(row.username) && !namedIds.has(row.id)) draft.userByName.delete(row.username);
  }
  draft.emails.clear();
  draft.userLinks.clear();
  return { ...rows, User: rows.User.filter((row) => !stays(row)) };
}
