import type { Db } from '../../../database/db.js';
import { countHolders } from '../store.js';
import type { Delta, Row } from './delta.js';
import type { PlannedChange } from './describe.js';

/** Maximum roles and groups of a plan whose users are counted. */
const mostCounted = 100;

/** The roles and groups whose changes make their users gain or lose something. */
interface Affected {
  gaining: Set<unknown>;
  losing: Set<unknown>;
}

function affectedBy(delta: Delta): Affected {
  const rows = (model: 'CompositeRole' | 'Group' | 'GroupRole' | 'Role', kind: 'inserted' | 'deleted'): Row[] =>
    delta.get(model)?.[kind] ?? [];
  const owners = (kind: 'inserted' | 'deleted'): unknown[] => [
    ...rows('CompositeRole', kind).map(({ parentId }) => parentId),
    ...rows('GroupRole', kind).map(({ groupId }) => groupId),
  ];
  const gone = [...rows('Role', 'deleted'), ...rows('Group', 'deleted')].map(({ id }) => id);
  return { gaining: new Set(owners('inserted')), losing: new Set([...gone, ...owners('deleted')]) };
}

/**
 * Adds to changes of roles and groups the number of users who gain or lose something by them. These are the users who
 * have the role, also through composites and groups, or who are direct or indirect members of the group. Takes two
 * statements. Users of new roles and groups have separate changes. Changes after the first 100 roles and groups have no
 * numbers.
 */
export async function withAffectedUsers(
  db: Db,
  changes: readonly PlannedChange[],
  delta: Delta,
): Promise<PlannedChange[]> {
  const { gaining, losing } = affectedBy(delta);
  const counted = changes
    .filter(({ action, id }) => action !== 'CREATE' && (gaining.has(id) || losing.has(id)))
    .slice(0, mostCounted);
  if (counted.length === 0) return [...changes];
  const users = await countHolders(
    db,
    counted.map(({ id }) => id),
  );
  const known = new Set(counted);
  return changes.map((change) => {
    const count = users.get(change.id) ?? 0;
    if (!known.has(change)) return change;
    return {
      ...change,
      ...(gaining.has(change.id) && { usersGaining: count }),
      ...(losing.has(change.id) && { usersLosing: count }),
    };
  });
}
