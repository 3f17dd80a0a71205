import type { ModelName } from '../../../database/db.js';
import { listsByKey } from '../../core/lists-by-key.js';
import type { RealmRows } from '../assemble/draft.js';
import type { Delta, Row } from './delta.js';
import { type Index, type Owner, roleLabel } from './objects.js';
import { type ByObject, byObject } from './whole-objects.js';

interface Granting {
  after: RealmRows;
  delta: Delta;
  /** the IDs of the administration roles */
  administration: ReadonlySet<unknown>;
}

/**
 * The administration roles that each object gains by a plan, through roles or groups, with their composites. Roles that
 * are included in another gained role are left out.
 */
export function administrationGrants({ after, delta, administration }: Granting, is: Index): ByObject<string[]> {
  const below = listsByKey(after.CompositeRole.map((link) => [link.parentId, link.childId]));
  const ofGroup = listsByKey(after.GroupRole.map((link) => [link.groupId, link.roleId]));
  const above = listsByKey(after.CompositeRole.map((link) => [link.childId, link.parentId]));
  const reached = (roles: Iterable<unknown>, by: typeof below): Set<unknown> => {
    const found = new Set(roles);
    // a loop over a set also visits elements that are added during the loop
    for (const role of found) for (const next of by.get(role as string) ?? []) found.add(next);
    return found;
  };
  /** The administration roles and all roles that include one: other roles need not be examined. */
  const leading = reached(administration, above);
  const rolesOfGroup = (id: unknown): unknown[] => {
    const found: unknown[] = [];
    const seen = new Set<unknown>();
    for (let at = id; at && !seen.has(at); at = is('Group', at)?.parentId) {
      seen.add(at);
      found.push(...(ofGroup.get(at as string) ?? []));
    }
    return found;
  };

  const gained = byObject<{ owner: Owner; roles: unknown[] }>();
  const gain = (model: ModelName, id: unknown, ...roles: unknown[]): void => {
    const owner = { model, id };
    const those = roles.filter((role) => leading.has(role));
    if (those.length === 0) return;
    const known = gained.get(owner)?.roles;
    if (known) known.push(...those);
    else gained.set(owner, { owner, roles: those });
  };

  const inserted = (model: 'CompositeRole' | 'GroupRole' | 'UserRole' | 'UserGroup'): readonly Row[] =>
    delta.get(model)?.inserted ?? [];
  for (const { parentId, childId } of inserted('CompositeRole')) gain('Role', parentId, childId);
  for (const { groupId, roleId } of inserted('GroupRole')) gain('Group', groupId, roleId);
  for (const { userId, roleId } of inserted('UserRole')) gain('User', userId, roleId);
  for (const { userId, groupId } of inserted('UserGroup')) gain('User', userId, ...rolesOfGroup(groupId));

  const grants = byObject<string[]>();
  for (const { owner, roles } of gained.values()) {
    const granted = [...reached(roles, below)].filter((role) => administration.has(role));
    // a role that includes others stands for them
    const within = granted.flatMap((role) => below.get(role as string) ?? []);
    const implied = reached(within, below);
    const named = granted.filter((role) => !implied.has(role)).map((role) => roleLabel(is, role));
    if (named.length > 0) grants.set(owner, named.sort());
  }
  return grants;
}
