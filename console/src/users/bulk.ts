import type { Change } from '../parts/change-list.js';
import { changesIn } from '../parts/review.js';
import { mutate, type Outcome } from '../session/graphql.js';
import {
  type UserRowFragment,
  UsersAddRole,
  UsersJoin,
  UsersLeave,
  UsersRemove,
  UsersRemoveRole,
  UsersSetEnabled,
} from './documents.js';

/** What can be done with many users at once. */
export type BulkKind = 'enable' | 'disable' | 'join' | 'addRole' | 'remove';

/** An action on users. `target` is the ID of a group or role. */
export interface Bulk {
  kind: BulkKind;
  realm: string;
  users: UserRowFragment[];
  target: string;
}

/** Performs an action, or tells what it would change; the changes of all users. */
export async function performBulk(
  { kind, realm, users, target }: Bulk,
  isDryRun: boolean,
): Promise<Outcome<unknown> & { changes: Change[] }> {
  const ids = users.map(({ id }) => id);
  const options = { isDryRun };
  const outcome = await {
    enable: () => mutate(UsersSetEnabled, { realm, users: flags(users, true) }, options),
    disable: () => mutate(UsersSetEnabled, { realm, users: flags(users, false) }, options),
    join: () => mutate(UsersJoin, { realm, users: ids, groups: [target] }, options),
    addRole: () => mutate(UsersAddRole, { realm, users: ids, roles: [target] }, options),
    remove: () => mutate(UsersRemove, { realm, ids }, options),
  }[kind]();
  return { ...outcome, changes: changesIn(outcome.data) };
}

const flags = (users: UserRowFragment[], isEnabled: boolean) =>
  users.map(({ id, version }) => ({ id, isEnabled, expectedVersion: version }));

/** The IDs of the users that changes concern. */
export const changedUsers = (changes: Change[]): string[] => [
  ...new Set(changes.flatMap(({ resourceId }) => resourceId ?? [])),
];

/** Takes an action back for the users that it has changed. Undefined for a deletion, which cannot be undone. */
export function undoOf(
  { kind, realm, target }: Bulk,
  changes: Change[],
): (() => Promise<Outcome<unknown>>) | undefined {
  const ids = changedUsers(changes);
  if (ids.length === 0 || kind === 'remove') return undefined;
  return {
    enable: () => mutate(UsersSetEnabled, { realm, users: ids.map((id) => ({ id, isEnabled: false })) }),
    disable: () => mutate(UsersSetEnabled, { realm, users: ids.map((id) => ({ id, isEnabled: true })) }),
    join: () => mutate(UsersLeave, { realm, users: ids, groups: [target] }),
    addRole: () => mutate(UsersRemoveRole, { realm, users: ids, roles: [target] }),
  }[kind];
}
