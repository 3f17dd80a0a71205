import type { ModelName } from '../../../database/db.js';
import { serviceAccountName } from '../defaults/clients.js';
import type { Draft, RealmRows } from './draft.js';

/** The models of users, in an order in which every foreign key points to something that is there already. */
export const userModels = [
  'User',
  'UserAttribute',
  'Credential',
  'FederatedIdentity',
  'UserConsent',
  'UserGroup',
  'UserRole',
] as const satisfies ModelName[];

/** Rows of some users. JSON keeps them as they are. */
export type UserRows = Pick<RealmRows, (typeof userModels)[number]>;

/** Which users of a file its other parts refer to. */
export interface Wanted {
  /** names that the users of clients have where the file does not say whose they are */
  accounts: ReadonlySet<string>;
  /** every text in the authorization settings, and so every user whom these name */
  named: ReadonlySet<string>;
}

/** Whom a draft without users will ask for once they are there. */
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
 * Takes the rows of users out of a draft, but for the users whom the rest of the file asks for. What it forgets of the others
 * are their names and addresses: those that are there twice are found when the rows are inserted.
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
